// Package efficiencies says where the time of a run goes, by the efficiencies of the POP methodology
// and their factors: [Efficiencies] has the definitions.
//
// The input is a run and a function that repeats it on better networks. The output is the efficiencies,
// as lines of text and as a section of a report.
package efficiencies
