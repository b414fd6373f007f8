//go:build 386 || arm || mips || mipsle

package units

// Counts of operations, points and bytes need an int of 64 bits. Almost every package
// imports this one, so a build for 32 bits fails here and says so.
var _ = isoscale_needs_a_64_bit_platform
