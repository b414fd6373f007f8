//go:build race

package command

// The race detector keeps several bytes for each one that a program uses.
func init() { shadowed = true }
