// Package model has what a purchase plan says and the formulas for what a machine is worth: prices, power, energy,
// throughput, waits and score. It reads plans ([Read]); it does not search.
//
// A [Plan] says what to choose from, for which work, within which limits. A [Choice] is one machine of it, with its
// price ([Plan.Price]), wiring, power and years of operation. An [Outcome] is what simulations say about a run. The
// ways in which the workloads may run determine the load of a year ([Plan.Carry]) and the score ([Plan.Score]). A
// [Result] is what a search found, as plain data; package search fills it and package words explains it, so that either
// can be replaced. docs/models/purchase.md states every formula, docs/formats/plan.md the file and the JSON.
//
// What it is not. It is no source of prices: most prices of the catalogue
// ([CatalogueNodes], [CatalogueNetworks]) are orders of magnitude, and every figure
// of an answer names its source. It does not model file systems or failures.
//
// Units. Money is in the currency of the budget; other currencies need a rate in the file. Energy is in
// kilowatt hours, all else in the base units of model/units.
package model
