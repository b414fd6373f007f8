// Package fault has the errors of this program that are no errors of a YAML document: of input,
// of work for which there is not enough memory, of an efficiency that no size holds.
//
// Layer. Imports model/units alone, so that a program that only simulates links no reader of
// files. [CheckMemory] is called before work that needs much memory, and [Growth] asked while it
// goes on. Where the available memory is unknown, and in a browser, they refuse nothing.
package fault
