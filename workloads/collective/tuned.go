package collective

import (
	"math"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// The rules "tuned" choose as if all algorithms had been measured on the machine: the one that is fastest when the call
// is made alone. Laws of accelerators are included where they hold. Eight sizes are tried for each factor of two. The
// choice for another size is that of the nearest, which takes at most 2^(1/16), 4.4 %, longer than the best if times
// are a + b m with a, b >= 0.

// occasion is what all calls with the same chosen algorithm have in common.
type occasion struct {
	operation workloads.Collective
	group     members
	root      int
	step      int // of the size, eight for each factor of two; -1: no data
}

// tuning is the algorithm of an occasion.
type tuning struct {
	once   sync.Once
	chosen Algorithm
}

const stepsOfSize = 8

// choose returns the algorithm for a call with total bytes.
func (p *Places) choose(op workloads.Collective, c Call, total units.Bytes) Algorithm {
	at := occasion{op, c.members(), c.Root, -1}
	if total > 0 {
		at.step = int(math.Round(stepsOfSize * math.Log2(max(1, float64(total)))))
		total = units.Bytes(math.Round(math.Exp2(float64(at.step) / stepsOfSize)))
	}
	x, _ := p.tuned.LoadOrStore(at, &tuning{})
	t := x.(*tuning)
	t.once.Do(func() { t.chosen = p.fastest(op, c, total) })
	return t.chosen
}

// fastest tries all algorithms except those with too many messages. Of several that take equally long, it returns the
// default or otherwise the first by name.
func (p *Places) fastest(op workloads.Collective, c Call, total units.Bytes) Algorithm {
	candidates := p.Candidates(op, c)
	best := candidates[0]
	least := units.Seconds(math.Inf(1))
	for i, a := range candidates {
		ch := Choice{Operation: op, Algorithm: a}.On(p)
		if _, closed := a.(*law); i > 0 && !closed && !ch.short(c, total) {
			continue
		}
		tried := ch
		if l, ok := ch.Algorithm.(*law); ok { // a trial must not be reported as too small a call
			complete := *l
			complete.from, tried.Algorithm = 0, &complete
		}
		if t, err := p.Time(tried, c, total); err == nil && t < least {
			best, least = ch.Algorithm, t
		}
	}
	return best
}

// mostTried is about how many steps all ranks together may have in an algorithm that is tried.
const mostTried = 1 << 20

// short reports whether an algorithm has no more steps than that.
func (ch Choice) short(c Call, total units.Bytes) bool {
	if d, ok := ch.Algorithm.(Divider); ok {
		c.Pieces = d.Pieces(c, total)
	}
	most := mostTried/c.Size + 1
	for _, rank := range []int{c.Root, c.Size - 1, c.Size / 2} {
		if _, more := ch.Algorithm.Step(c, rank, most); more {
			return false
		}
	}
	return true
}
