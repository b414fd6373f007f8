// Package heap has a binary heap of values of any type. Unlike container/heap it needs no methods of a slice and
// boxes no value.
//
// Layer: imports nothing. Determinism: values of which none comes before the other leave in an order that depends on
// the calls alone.
package heap
