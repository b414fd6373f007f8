// Package radix is a radix heap: the part of a monotone priority queue that keeps the
// events later than the present.
package radix
