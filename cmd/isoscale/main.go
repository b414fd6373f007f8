// Command isoscale simulates parallel algorithms on hypothetical clusters and
// measures how well each combination of algorithm and cluster scales.
//
// Its commands are in package experiments/command.
package main

import (
	"os"

	"github.com/isoscale/isoscale/experiments/command"
)

func main() { os.Exit(command.Main()) }
