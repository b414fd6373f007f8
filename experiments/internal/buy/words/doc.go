// Package words says in words what a search found: a summary for the terminal, warnings,
// and the report for a purchasing committee.
//
// An [Answer] is the result of a plan with its words; its JSON form is that of the result. No decision is computed
// here: all figures come from package model.
package words
