// Package search chooses which configurations of a design are simulated, where a plan
// does not simulate all.
//
// [Read] reads the key search of a plan. A [History] is told the objective of each point
// that has been simulated, and says which are next: first a start that is spread over
// the design, then what a [Model] of the values so far expects most of. The model
// predicts the objective of all other configurations, too.
//
// What it is not: it simulates nothing and stores nothing. Package surrogate has the
// Gaussian process; this one has the start, the batches and the repetitions.
//
// Units: values are in the unit of the objective, places in shares of the axes of the
// factors.
//
// Determinism: what is next is a function of the settings, the design and the values
// before, in their order. So a search that was interrupted goes on as if it had not been.
package search
