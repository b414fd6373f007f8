// Package efficiencies says where the time of a run goes, by the efficiencies of the POP methodology
// and what they divide into: [Efficiencies] has the definitions.
//
// What comes in are a run and a function that makes it again on better networks. What goes out are the
// efficiencies, as lines of text and as a section of a report.
package efficiencies
