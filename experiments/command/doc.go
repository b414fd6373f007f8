// Package command is the command line of isoscale: the commands, their help, and the
// exit status. It is a thin layer; what commands do is in the packages beside it, and
// what they share is in the folder internal: text and progress, flags, what is made of
// an answer.
package command
