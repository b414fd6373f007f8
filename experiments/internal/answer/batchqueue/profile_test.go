package batchqueue

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// A profile of some hundred segments in many blocks agrees with a list of the free nodes at
// each whole second, in which runs are found by trying.
func TestProfileAgainstSeconds(t *testing.T) {
	const nodes, span, changes = 20, 2000, 600
	longest := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p, free, now := newProfile(0, nodes), [2 * span]int{}, 0
		for at := range free {
			free[at] = nodes
		}
		type taken struct{ from, to, nodes int }
		var all []taken
		earliest := func(n, duration, limit int) (int, bool) {
			for at := now; at < limit; at++ {
				end := at
				for end < min(at+duration, limit) && (end >= len(free) || free[end] >= n) {
					end++
				}
				if end == min(at+duration, limit) {
					return at, true
				}
			}
			return 0, false
		}
		change := func(x taken, sign int) {
			for at := max(x.from, now); at < x.to; at++ {
				free[at] -= sign * x.nodes
			}
			p.take(units.Seconds(x.from), units.Seconds(x.to), sign*x.nodes)
		}
		for range changes {
			n, duration := 1+rng.IntN(nodes), 1+rng.IntN(1+rng.IntN(60))
			limit := 2 * span
			if rng.IntN(2) == 0 {
				limit = now + rng.IntN(span)
			}
			want, found := earliest(n, duration, limit)
			got, ok := p.earliest(n, units.Seconds(duration), units.Seconds(now), units.Seconds(limit))
			expect.Need(t, ok == found && (!ok || got == units.Seconds(want)),
				"stream %d: %d nodes for %d s before %d: %v, %v, want %d, %v", seed, n, duration, limit, got, ok, want, found)
			switch at := now + rng.IntN(span/2); {
			case rng.IntN(4) == 0 && len(all) > 0:
				i := rng.IntN(len(all))
				change(all[i], -1)
				all = append(all[:i], all[i+1:]...)
			case rng.IntN(50) == 0:
				now += rng.IntN(10)
				p.forget(units.Seconds(now))
			default: // where it fits, so that there are never fewer than no nodes
				x := taken{at, at + duration, n}
				fits := true
				for at := x.from; at < x.to; at++ {
					fits = fits && free[at] >= n
				}
				if fits {
					change(x, 1)
					all = append(all, x)
				}
			}
		}
		longest = max(longest, len(p.blocks))
	}
	expect.That(t, longest >= 4, "%d blocks at most; the test sees too little", longest)
}
