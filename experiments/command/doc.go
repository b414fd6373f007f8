// Package command is the command line of isoscale: its commands, their help, and the exit status.
// It is a thin layer; what commands do is in the packages of experiments/internal.
//
// Each command has a file, and a page in the folder help. Commands share flags.go, for flags of
// several commands, answer.go, for what is made of an answer that has a report, printer.go, for text
// within the width of a terminal, and progress.go, for the progress of what takes long.
//
// The description of a flag begins with a verb; its value is a word in capitals; the default comes
// last, in brackets.
package command
