// Package file has what is read and written: trees of YAML with positions, keys and their
// meaning, formulas, files of a call in and out, and where each result comes from.
//
// Users give texts; the packages make of them values with units, or errors with file, line
// and what was expected. Nothing here knows a machine or a workload.
//
// Packages, and what each imports of the others:
//
//	fault
//	yamldoc
//	input: fault, yamldoc
//	schema: yamldoc
//	document: input, schema, yamldoc
//	formula
//	output: input
//	schema/schematest: schema, yamldoc
package file
