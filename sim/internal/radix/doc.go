// Package radix is a radix heap: the part of a monotone priority queue of events
// that keeps what is later than the present.
package radix
