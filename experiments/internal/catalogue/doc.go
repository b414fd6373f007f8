// Package catalogue lists, describes and validates what isoscale knows by name and
// what it can read from files.
//
// Layer. Under experiments; imports every package there that reads files.
package catalogue
