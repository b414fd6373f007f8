package batchqueue

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Releases answer as a plain list does, while they grow to several runs and shrink.
func TestReleases(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var r releases
	list := map[int32]release{}
	for step := range int32(12_000) {
		at := units.Seconds(rng.IntN(200))
		list[step] = release{at, step, 1 + int32(rng.IntN(5))}
		r.add(at, step, int(list[step].nodes))
		if gone := rng.Int32N(step + 1); step > 6000 || rng.IntN(2) == 0 {
			for ; gone <= step; gone++ { // the next that is there
				if e, ok := list[gone]; ok {
					r.remove(e.at, e.job)
					delete(list, gone)
					break
				}
			}
		}
		if step%200 != 0 {
			continue
		}
		total := 0
		for _, e := range list {
			total += int(e.nodes)
		}
		if total == 0 {
			continue
		}
		now, nodes := units.Seconds(rng.IntN(200)), 1+rng.IntN(total)
		at, released := r.enough(nodes, now)
		by := func(t units.Seconds) (sum int) {
			for _, e := range list {
				if e.at <= t {
					sum += int(e.nodes)
				}
			}
			return sum
		}
		want := now
		for by(want) < nodes {
			want++ // the times are whole numbers
		}
		expect.Need(t, at == want && released == by(want),
			"step %d: %d nodes from %v on: at %v, %d; want %v, %d", step, nodes, now, at, released, want, by(want))
	}
}
