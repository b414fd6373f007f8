// Package told keeps what observers are told about a run, in nanoseconds, for the writers of traces.
//
// Layer: imports model/units only, because observers of package sim use it.
package told
