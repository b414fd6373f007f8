// Package input is about what a user hands to isoscale: kinds of file and how they
// are recognised, overrides, errors in what was asked for, and the provenance that
// every result carries.
//
// What it is not. It reads no machine, scenario or study: package scenario does.
//
// Layer. Under experiments; imports yamldoc and model/units. Everything else under
// experiments that deals with files imports it.
//
// Errors. An [*Error] is a fault in the input; [HasPosition] tells whether it
// begins with the place in a file. Memory is checked before work that would not
// fit ([CheckMemory]); where the computer does not say how much it has, as in a
// browser, nothing is refused.
package input
