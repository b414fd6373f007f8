package sharing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

var populations = []int{16, 64, 256, 1024, 4096, 16384}

// cluster has hosts with an up and a down link each, and resources between them.
type cluster struct {
	s        *sharing.System
	up, down []sharing.Resource
	between  []sharing.Resource
	random   *rand.Rand
	uses     []sharing.Use
}

func newCluster(hosts int, between ...float64) *cluster {
	c := &cluster{s: sharing.New(), random: rand.New(rand.NewPCG(1, 2))}
	for range hosts {
		c.up = append(c.up, c.s.AddResource(1, false))
		c.down = append(c.down, c.s.AddResource(1, false))
	}
	for _, capacity := range between {
		c.between = append(c.between, c.s.AddResource(capacity, false))
	}
	return c
}

// start starts a flow from one host to another over some of the resources between them.
func (c *cluster) start(now units.Seconds, amount float64, from, to int, between ...sharing.Resource) {
	c.uses = append(c.uses[:0], sharing.Use{Resource: c.up[from], Weight: 1})
	for _, r := range between {
		c.uses = append(c.uses, sharing.Use{Resource: r, Weight: 1})
	}
	c.uses = append(c.uses, sharing.Use{Resource: c.down[to], Weight: 1})
	c.s.Start(now, sharing.Demand{Amount: amount, Penalty: 1, Bound: math.Inf(1), Uses: c.uses})
}

// churn keeps the number of flows: b.N times, a flow ends and another starts.
func churn(b *testing.B, s *sharing.System, n int, start func(now units.Seconds)) {
	for i := range n {
		start(units.Seconds(i) * 1e-12)
	}
	var ended []sharing.Flow
	cycle := func() int {
		at, ok := s.Next()
		if !ok {
			b.Fatal("no flow ends")
		}
		ended = s.Finish(at, ended[:0])
		for range ended {
			start(at)
		}
		return len(ended)
	}
	for i := 0; i < 4*n; {
		i += cycle()
	}
	b.ReportAllocs()
	total, rounds := 0, 0
	for b.Loop() {
		total += cycle()
		rounds++
	}
	if total < rounds {
		b.Fatalf("%d flows ended in %d rounds", total, rounds)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total), "ns/flow")
}

// Out of step: flows of random amounts between random hosts over one saturated
// backbone. Every end and every start changes the share of everyone.
func BenchmarkBackbone(b *testing.B) {
	for _, n := range populations {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			c := newCluster(n, float64(n)/8)
			churn(b, c.s, n, func(now units.Seconds) {
				c.start(now, c.random.ExpFloat64(), c.random.IntN(n), c.random.IntN(n), c.between[0])
			})
		})
	}
}

// As BenchmarkBackbone, but a quarter of the senders is so slow that their own
// link holds them back: the backbone has many sources.
func BenchmarkBackboneSlowSenders(b *testing.B) {
	for _, n := range populations {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			c := newCluster(n, float64(n)/8)
			for i := 0; i < n; i += 4 {
				c.s.SetCapacity(0, c.up[i], 0.01*(1+c.random.Float64()))
			}
			churn(b, c.s, n, func(now units.Seconds) {
				from := c.random.IntN(n)
				amount := c.random.ExpFloat64()
				if from%4 == 0 {
					amount /= 100
				}
				c.start(now, amount, from, c.random.IntN(n), c.between[0])
			})
		})
	}
}

// In step: all start together and end together.
func BenchmarkInStep(b *testing.B) {
	for _, n := range populations {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			c := newCluster(n, float64(n)/8)
			var now units.Seconds
			var ended []sharing.Flow
			b.ReportAllocs()
			rounds := 0
			for b.Loop() {
				for i := range n {
					c.start(now, 1, i, (i+rounds)%n, c.between[0])
				}
				var ok bool
				if now, ok = c.s.Next(); !ok {
					b.Fatal("no flow ends")
				}
				if ended = c.s.Finish(now, ended[:0]); len(ended) != n {
					b.Fatalf("%d flows ended, want %d", len(ended), n)
				}
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*n), "ns/flow")
		})
	}
}

// Random routes as in a fat tree of 16-port switches: up link, two links up,
// two links down, down link.
func BenchmarkFatTree(b *testing.B) {
	for _, n := range populations {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			between := make([]float64, 4*n)
			for i := range between {
				between[i] = 1
			}
			c := newCluster(n, between...)
			churn(b, c.s, n, func(now units.Seconds) {
				from, to := c.random.IntN(n), c.random.IntN(n)
				via := func(level, host int) sharing.Resource {
					return c.between[level*n+host/8*8+c.random.IntN(min(8, n-host/8*8))]
				}
				c.start(now, c.random.ExpFloat64(), from, to, via(0, from), via(1, from), via(2, to), via(3, to))
			})
		})
	}
}

// A star: nothing shared but the links of the hosts.
func BenchmarkStar(b *testing.B) {
	for _, n := range populations {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			c := newCluster(n)
			churn(b, c.s, n, func(now units.Seconds) {
				c.start(now, c.random.ExpFloat64(), c.random.IntN(n), c.random.IntN(n))
			})
		})
	}
}

// BenchmarkReference is the yardstick: BenchmarkBackbone by filling everything
// from zero at each change.
func BenchmarkReference(b *testing.B) {
	for _, n := range populations[:3] {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			var m reference
			for range 2 * n {
				m.resources = append(m.resources, refResource{capacity: 1})
			}
			m.resources = append(m.resources, refResource{capacity: float64(n) / 8})
			random := rand.New(rand.NewPCG(1, 2))
			started := sharing.Flow(0)
			start := func() {
				started++
				m.start(started, sharing.Demand{Amount: random.ExpFloat64(), Penalty: 1, Bound: math.Inf(1), Uses: []sharing.Use{
					{Resource: sharing.Resource(random.IntN(n)), Weight: 1},
					{Resource: sharing.Resource(n + random.IntN(n)), Weight: 1},
					{Resource: sharing.Resource(2 * n), Weight: 1},
				}})
			}
			for range n {
				start()
			}
			for b.Loop() {
				m.advance(m.next())
				first := m.flows[0]
				for _, f := range m.flows {
					if f.left < first.left {
						first = f
					}
				}
				m.remove(first.id)
				start()
			}
		})
	}
}
