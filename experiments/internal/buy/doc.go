// Package buy answers what to buy: it takes a plan with prices, limits and a mix of work, and returns a ranking of
// machines with reasons.
//
// Packages, and what each imports of the others:
//
//	throughput
//	model: throughput
//	buytest: model
//	search: model
//	words: model
package buy
