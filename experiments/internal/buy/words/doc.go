// Package words says in words what a search found: a summary for the terminal, warnings,
// and the report for a purchasing committee.
//
// An [Answer] is the result of a plan with its words; its JSON form is that of the result.
// Nothing is computed here that decides: all figures are those of package model.
package words
