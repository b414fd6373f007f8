// Package flags has the flags that several commands have, the values that they take, and
// how many arguments a command takes.
//
// The description of a flag begins with a verb; its value is a word in capitals; the
// default comes last, in brackets.
package flags
