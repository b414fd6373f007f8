// Package fault has the errors of this program other than those of YAML documents: bad input,
// work for which there is not enough memory, an efficiency that no problem size has.
//
// Layer. Imports model/units alone, so that a program that only simulates links no reader of
// files. [CheckMemory] is called before work that needs much memory, [Growth.Exceeds] while it
// goes on. Where there is no budget of memory, as in a browser, they refuse nothing.
package fault
