package command_test

import (
	"fmt"
	"os"

	"github.com/isoscale/isoscale/experiments/command"
)

// What cmd/isoscale does.
func ExampleMain() {
	defer func(args []string) { os.Args = args }(os.Args)
	os.Args = []string{"isoscale", "validate", "../../examples/sunwulf-run.yaml"}
	fmt.Println("exit status", command.Main())
	// Output:
	// ../../examples/sunwulf-run.yaml: valid scenario
	// exit status 0
}
