// Package command is the command line of isoscale: flags, help, progress, and
// results as text, JSON or an HTML report. It is a thin layer; everything else is
// in the packages beside it.
package command
