package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// releases are the matched synchronous sends whose time has not come. At equal
// times messages arrive first.
type releases struct {
	cal  kernel.Calendar // the times; ids are indices into rec
	rec  []release
	free []int32
}

// take adds what the shard's receivers have matched.
func (q *releases) take(s *shard) {
	for _, f := range s.released {
		i := int32(len(q.rec))
		if n := len(q.free); n > 0 {
			i, q.free = q.free[n-1], q.free[:n-1]
			q.rec[i] = f
		} else {
			q.rec = append(q.rec, f)
		}
		q.cal.Push(f.at, i)
	}
	s.released = s.released[:0]
}

// next returns the time of the earliest release.
func (q *releases) next() (units.Seconds, bool) { return q.cal.Min() }

// pop removes the earliest release.
func (q *releases) pop() release {
	_, i, _ := q.cal.Pop()
	q.free = append(q.free, i)
	return q.rec[i]
}
