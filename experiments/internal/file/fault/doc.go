// Package fault has the errors of this program that are no errors of a YAML document: of input,
// of work for which there is not enough memory, of an efficiency that no size holds.
//
// Layer. Imports model/units alone, so that a program that only simulates links no reader of
// files. [CheckMemory] is called before work that needs much memory. Where the available
// memory is unknown, as in a browser, it refuses nothing.
package fault
