package collective_test

import (
	"sync"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/collective"
)

// enter makes a call as the program of a rank does.
func enter(c *collective.Calls, size, rank int, e collective.Entry) {
	e.Rank = int32(rank)
	if !c.Like(size, rank, e) {
		c.Enter(size, rank, e, "")
	}
}

func all(int32) bool { return true }

// Members run ahead, each on its own goroutine: equal calls are found to be equal,
// however far members are apart, and the one different call is found.
func TestCallsOfMembersThatRunAhead(t *testing.T) {
	const size, rounds, says = 8, 5000, "rank 5 is bcast of 9 B"
	for wrong, want := range map[int]string{-1: "", 0: says, 17: says, rounds - 1: says} {
		var c collective.Calls
		var wg sync.WaitGroup
		for rank := range size {
			wg.Go(func() {
				for i := range rounds {
					e := collective.Entry{Name: "bcast", Root: i % size, Size: 8}
					if i == wrong && rank == 5 {
						e.Size = 9
					}
					enter(&c, size, rank, e)
				}
			})
		}
		wg.Wait()
		expect.Outcome(t, c.Disagreement(collective.World(size), all), want)
	}
}

// A member may have made fewer calls than others only while it has not finished.
func TestCallsOfMembersThatEnd(t *testing.T) {
	var c collective.Calls
	g := collective.List{3, 7}
	for range 3 {
		enter(&c, 2, 0, collective.Entry{Name: "gather", Root: 1, Size: 8})
	}
	enter(&c, 2, 1, collective.Entry{Name: "gather", Root: 1, Size: 8})
	if err := c.Disagreement(g, func(rank int32) bool { return rank == 3 }); err != nil {
		t.Error(err)
	}
	expect.Failure(t, c.Disagreement(g, all), "rank 7 ends after 1, call 2 of rank 0 is gather of 8 B with root 1")
}
