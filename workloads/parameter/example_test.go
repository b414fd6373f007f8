package parameter_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// A parameter as a workload declares it, and the value that a reader found for it.
func Example() {
	p := parameter.Parameter{Name: "message", Type: parameter.Size{}, Default: "64 kB", Meaning: "size of a message"}
	size, err := units.Size.Parse(p.Default)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := parameter.Values{p.Name: size}
	fmt.Println(p.Meaning, values.Size("message"))
	// Output: size of a message 64 kB
}
