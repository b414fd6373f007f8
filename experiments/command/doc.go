// Package command is the command line of isoscale: its commands, their help, and the
// exit status. It is a thin layer; what commands do is in the packages of
// experiments/internal.
//
// Commands that belong together have a package in the folder internal: runs and studies.
// What all of them share is there too: flags, what is made of an answer, and what is
// shown on the terminal. The tests here run command lines of all commands.
//
// Packages, and what each imports of the others:
//
//	internal/flags
//	internal/terminal
//	internal/answer: internal/flags, internal/terminal
//	internal/runs: internal/answer, internal/flags, internal/terminal
//	internal/studies: internal/answer, internal/flags, internal/terminal
package command
