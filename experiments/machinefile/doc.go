// Package machinefile reads clusters from files: machines in YAML, machines of the catalogue,
// and SimGrid platforms. Programs that build their clusters in code need no reader, and
// package isoscale links none.
//
//	c, err := machinefile.Load("sunwulf")
package machinefile
