// Package machinefile reads clusters from files: machines in YAML, those of the catalogue, and
// platforms of SimGrid. Programs that build their clusters in code need no reader, and package
// isoscale links none.
//
//	c, err := machinefile.Load("sunwulf")
package machinefile
