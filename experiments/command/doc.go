// Package command is the command line of isoscale: its commands, their help, and the exit status.
// It is a thin layer; what commands do is in the packages of experiments/internal.
//
// Each command has a file, and a page in the folder help. What they share: flags.go has the flags
// of several commands, answer.go what is made of an answer that has a report, printer.go text within
// the width of a terminal, progress.go the progress of what takes long. Progress is the only part
// that looks at the wall clock, and nothing of it is in a result.
//
// The description of a flag begins with a verb; its value is a word in capitals; the default comes
// last, in brackets.
package command
