package sim_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A run asks before a store takes a megabyte or more, and ends with the error that it is
// given, on one core and on several, and when a process sends. Requests are pieces of at least
// 40 bytes, so that a budget of 10 MB ends a run with fewer than 250 000 of them.
func TestBudgetEndsARun(t *testing.T) {
	tooMuch := errors.New("too much")
	const limit = 10 * units.MB
	flood := func(r *sim.Rank) {
		if r.Rank() == 0 {
			for range 1 << 22 {
				r.Isend(1, 0, 8)
			}
		}
	}
	hockney := network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: network.NoLimit}
	const many = 4096 // ranks, of which several shards are made
	for _, tt := range []struct {
		name  string
		c     sim.Config
		ranks int
	}{
		{"sends on one core", sim.Config{Program: sim.NewProgram(2, flood)}, 2},
		{"sends on two cores", sim.Config{Program: sim.NewProgram(many, flood), Workers: 2}, many},
		{"messages of a process", sim.Config{
			Program: sim.NewProgram(2, func(r *sim.Rank) { r.Compute(1) }),
			Processes: []sim.Process{{Name: "p", Body: func(c *sim.Control) {
				for range 1 << 22 {
					c.Send(0, 1, 8)
				}
			}}},
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			var last sim.Usage
			c := tt.c
			c.Network, c.Rates = hockney, ones(tt.ranks)
			c.Budget = func(u sim.Usage) error {
				mu.Lock()
				defer mu.Unlock()
				sum := u.Next
				for _, s := range u.Stores {
					sum += s.Bytes
				}
				if last = u; sum > limit {
					return tooMuch
				}
				return nil
			}
			_, err := sim.Run(context.Background(), c)
			expect.Need(t, errors.Is(err, tooMuch), "%v; want %v", err, tooMuch)
			records, size := int64(0), units.Bytes(0)
			for _, s := range last.Stores {
				records, size = records+s.Records, size+s.Bytes
			}
			expect.That(t, records > 10_000 && records < 500_000 && size <= limit, "%d records of %v", records, size)
		})
	}
}
