// Package told keeps what the ranks of a run did, as observers are told it, in nanoseconds: for the writers of traces.
//
// Layer: imports model/units, since observers of package sim have it inside.
package told
