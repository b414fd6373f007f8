package sharing_test

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/sharing"
	"github.com/isoscale/isoscale/model/units"
)

// Two transfers of 100 MB each share a link of 100 MB/s; the second starts half
// a second later. The first has 50 MB left then and needs another second at 50
// MB/s. The second has 50 MB left by then and needs half a second alone.
func Example() {
	s := sharing.New()
	link := s.AddResource(100e6, false)
	transfer := sharing.Demand{
		Amount:  100e6,
		Penalty: 1,
		Bound:   math.Inf(1),
		Uses:    []sharing.Use{{Resource: link, Weight: 1}},
	}
	s.Start(0, transfer)
	s.Start(0.5, transfer)
	for at, ok := s.Next(); ok; at, ok = s.Next() {
		flows := s.Flows(link)
		rate := s.Level(link) / transfer.Penalty
		ended := s.Finish(at, nil)
		fmt.Println(at, "flows:", flows, "each at", units.BytesPerSecond(rate), "ended:", ended)
	}
	fmt.Println("lost to sharing:", s.Lost(2, link))
	// From 0.5 s to 1.5 s, two flows had half of what each had alone.
	// Output:
	// 1.5 s flows: 2 each at 50 MB/s ended: [0]
	// 2 s flows: 1 each at 100 MB/s ended: [1]
	// lost to sharing: 1 s
}
