package goalsim_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// Rank 0 computes for 1000 ns and sends 9 bytes. Sending keeps its core for o,
// until 2500. The message arrives after L, at 5000; its receiver needs o and 8 G
// = 1548, until 6548, and computes for 52.
func Example() {
	s, err := goal.Read("hello.goal", strings.NewReader(`
num_ranks 2
rank 0 {
work: calc 1000
hello: send 9b to 1
hello requires work
}
rank 1 {
hello: recv 9b from 0
think: calc 52
think requires hello
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := goalsim.ParseParameters("L=2500,o=1500,G=6")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := goalsim.Run(context.Background(), s, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("hosts finish at", r.HostFinish)
	fmt.Println("makespan", r.Makespan, "ns,", r.Messages, "message,", r.Events, "events")
	// Output:
	// hosts finish at [2500 6600]
	// makespan 6600 ns, 1 message, 5 events
}
