// Package sections has the parts of a report that every simulation of one machine shows
// alike: its ranks, the links of its network, its energy.
//
// What comes in are results of package sim and of package flow, what goes out are tables,
// charts and sentences of package report.
//
// Layer. Under experiments/internal/answer. Units: SI, as the types say.
package sections
