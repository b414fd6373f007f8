// Package purchase recommends which cluster to buy: of the machines within a budget,
// the one that does most of a mix of jobs, or is the cheapest that does it; with the alternatives that cost less
// or use less energy, the most cost-effective upgrades, and how robust the
// recommendation is.
//
// What it is. [Read] reads a plan: node types and networks with their prices, a
// budget of money, power and rack units, workloads with their runs. [Solve] prices
// every configuration ([Network.Wire], [Plan.Price]), simulates the workloads on those
// that the budget allows, packs jobs side by side (package throughput), simulates
// their queue (package batchqueue), ranks them, and returns a [Result]:
// ranking, Pareto fronts, upgrades, robustness. [Result.Report] makes it a report for
// a purchasing committee. docs/models/purchase.md states every formula,
// docs/formats/plan.md the file and the JSON.
//
// What it is not. It is no source of prices: most prices of the catalogue
// ([CatalogueNodes], [CatalogueNetworks]) are orders of magnitude, and every figure
// of an answer names its source. It does not model file systems or failures.
//
// Units. Money is in the currency of the budget; other currencies need a rate in
// the file. Energy is in kilowatt hours, all else in the base units of
// model/units.
//
// Layer: under experiments, whose simulations it uses. Determinism: the answer is
// a function of the file, whatever the number of cores. Simulations are kept by what
// they depend on, so that a change of prices needs no new ones.
package purchase
