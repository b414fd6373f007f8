// Package purchase answers which cluster to buy: of the configurations that a
// budget allows, which runs a mix of workloads fastest, what the cheaper and the
// thriftier ones are, which upgrade pays best next, and how sure all that is.
//
// What it is. [Read] reads a plan: node types and networks with their prices, a
// budget of money, power and rack units, workloads with their weights. [Solve]
// prices every configuration ([Network.Wire], [Plan.Price]), simulates the
// workloads on those that the budget allows, ranks them, and returns a [Result]:
// ranking, Pareto fronts, upgrades, robustness. [Result.Report] makes it a report for
// a purchasing committee. docs/models/purchase.md states every formula,
// docs/formats/plan.md the file and the JSON.
//
// What it is not. It negotiates no prices and knows none by itself: the catalogue
// ([CatalogueNodes], [CatalogueNetworks]) holds figures with their sources, most
// prices being orders of magnitude, and every figure of an answer says where it is
// from. It does not model queues, file systems, idle power or failures.
//
// Units. Money is in the currency of the budget; other currencies need a rate in
// the file. Energy is in kilowatt hours, all else in the base units of
// model/units.
//
// Layer: under experiments, whose simulations it uses. Determinism: the answer is
// a function of the file, whatever the number of cores; the simulations are
// remembered by what they depend on, so that prices need no new ones.
package purchase
