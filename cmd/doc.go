// Package cmd TODO
//
// Packages, and what each imports of the others:
//
//	isoscale
//	makeexplorer
package cmd
