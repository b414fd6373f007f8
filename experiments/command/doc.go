// Package command is the command line of isoscale: its commands, their help, and the exit status.
// It is a thin layer; what commands do is in the packages of experiments/internal.
//
// Commands on results in directories have a package in the folder internal, studies. What all
// of them share is there too: flags with what is made of an answer, and what is shown on the
// terminal. The tests here run command lines of all commands.
//
// Packages, and what each imports of the others:
//
//	internal/terminal
//	internal/flags: internal/terminal
//	internal/studies: internal/flags, internal/terminal
package command
