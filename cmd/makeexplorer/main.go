// Command makeexplorer makes the explorer, one HTML file that simulates in the browser:
//
//	go run ./cmd/makeexplorer -o explore.html
//
// It is 'isoscale explore', which needs the Go toolchain and the source of isoscale.
package main

import (
	"os"
	"slices"

	"github.com/isoscale/isoscale/experiments/command"
)

func main() {
	os.Args = slices.Insert(os.Args, 1, "explore")
	os.Exit(command.Main())
}
