// Package studytable is the table of a study: factors with their levels, responses with
// their units, and a row for each run. It is what the packages analysis and effects ask.
//
// [Table.Gather] checks a table and averages over repetitions, which are rows of equal
// levels. Rows in which a response failed are left out, never treated as zero; if all
// failed the error is an [*AllFailedError]. [Factor.Positions] places the levels of a
// factor along an axis, by distance or by ratio.
//
// Errors: a table comes from files, so a bad table gives an error and never a panic.
//
// Units: those of the table's own columns.
//
// Determinism: [Cells] come in the order of their levels, and sums do not depend on the
// order of rows.
//
// Layer: imports gonum only.
package studytable
