// Package simgrid TODO
//
// Packages, and what each imports of the others:
//
//	platformxml
package simgrid
