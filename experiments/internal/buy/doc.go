// Package buy answers what to buy: a plan with prices, limits and a mix of work comes in, a
// ranking of machines with reasons goes out.
//
// Packages, and what each imports of the others:
//
//	throughput
//	model: throughput
//	buytest: model
//	search: model
//	words: model
package buy
