// Package steps compares systems with the next larger ones while they hold a value, such
// as an efficiency.
//
// What it is. [Climb] takes systems with what is held at each of their points. It finds
// the size at which two neighbours have the same value, off trend lines over size or at
// measured points that are equal within a tolerance, and says in a [Step] how work and
// time grow, with psi where the metric has one, or why there is no answer.
//
// What it is not. What is held, and which systems there are, is package measured; formulas
// and trend lines are those of model/scalability.
//
// Layer. Under experiments; imports input, model/scalability and model/units. Units: flop
// and seconds; values are those of the caller, who formats them.
package steps
