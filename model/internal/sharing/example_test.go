package sharing_test

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/internal/sharing"
)

// Two flows of 9 units share a capacity of 4 units/s. One of them has a bound
// of 1 unit/s and leaves 3 for the other, which ends first.
func Example() {
	s := sharing.New()
	link := []sharing.Use{{Resource: s.AddResource(4, false), Weight: 1}}
	free := s.Start(0, sharing.Demand{Amount: 9, Penalty: 1, Bound: math.Inf(1), Uses: link})
	slow := s.Start(0, sharing.Demand{Amount: 9, Penalty: 1, Bound: 1, Uses: link})
	fmt.Println(s.Rate(free), s.Rate(slow))
	at, _ := s.Next()
	fmt.Println(at, s.Finish(at, nil)[0] == free, s.Left(at, slow))
	// Output:
	// 3 1
	// 3 s true 6
}
