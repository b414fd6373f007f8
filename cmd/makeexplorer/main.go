// Command makeexplorer makes the explorer, one HTML file that simulates in the browser:
//
//	go run ./cmd/makeexplorer -o explore.html
//
// It needs the Go toolchain and the source of isoscale.
package main

import (
	"os"

	"github.com/isoscale/isoscale/experiments/command"
)

func main() { os.Exit(command.MakeExplorer(os.Args[1:])) }
