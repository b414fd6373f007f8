package dispatch_test

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
)

// Two subclusters of two nodes. The program has 3 SIs, each made of 5 that take
// 1 s. By hand: five on two nodes are three rounds, so an SI of level 1 takes
// 3 s; three on two subclusters are two rounds: 6 s for 15 s of work. The nodes
// of the subclusters are idle for 4 x 6 - 15 = 9 s.
func Example() {
	result, err := dispatch.Run(context.Background(), dispatch.Config{
		Machine: dispatch.Machine{dispatch.Ideal(2, 1), dispatch.Ideal(2, 1)},
		Work:    dispatch.Work{SIs: []int{3, 5}, Time: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("makespan", result.Makespan, "speedup", result.Speedup())
	for i, l := range result.Levels {
		fmt.Printf("level %d: %d SIs, busy %v, idle %v\n", i+1, l.Executed, l.Busy, l.Idle)
	}
	// Output:
	// makespan 6 s speedup 2.5
	// level 1: 3 SIs, busy 9 s, idle 3 s
	// level 2: 15 SIs, busy 15 s, idle 9 s
}

// A node fetches 1 MB for each of three SIs over 100 Mbit/s, 80 ms, and computes
// for 80 ms. By hand: with one SI outstanding, 3 x 160 ms. With two, the fetch of
// one hides behind the computation of another: 80 + 3 x 80 ms.
func ExampleLevel_outstanding() {
	for b := range 2 {
		level := dispatch.Ideal(1, b+1)
		level.IDU = dispatch.Separate
		level.Operands, level.Bandwidth = 1e6, 12.5e6
		result, err := dispatch.Run(context.Background(), dispatch.Config{
			Machine: dispatch.Machine{level},
			Work:    dispatch.Work{SIs: []int{3}, Time: 80e-3},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(level.Outstanding, "outstanding:", result.Makespan)
	}
	// Output:
	// 1 outstanding: 480 ms
	// 2 outstanding: 320 ms
}
