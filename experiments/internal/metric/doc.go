// Package metric computes metrics of times that were measured or simulated elsewhere.
//
// It takes tables of times, and produces metrics, steps between systems, fitted laws and the document that shows them.
//
// Packages, and what each imports of the others:
//
//	energy
//	laws
//	measurements
//	measured: energy, laws, measurements
package metric
