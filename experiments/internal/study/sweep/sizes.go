package sweep

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// mostSizes is of how many configurations the number of processes is found before a search: each takes about 0.3 ms.
const mostSizes = 5000

// sizes returns log2 of the number of processes of each configuration, by which predictions of a search go too: steps
// of a time, as where a tree of messages grows by a level, are often at the same number of processes, whatever factors
// make it up. It is nil where a factor alone says it, and of too many configurations. A configuration that is
// invalid has the least.
func (s *Study) sizes() []float64 {
	n := s.Design.Configurations()
	if s.Super() || n > mostSizes {
		return nil
	}
	all := make([]float64, n)
	for c := range all {
		x, err := s.Scenario(s.configuration(c))
		if err != nil {
			continue
		}
		if p, err := x.Scenario.Machine.Place(x.Scenario.Selection); err == nil {
			all[c] = math.Log2(float64(p.Ranks()))
		}
	}
	for f := range s.Design.Factors {
		of := make(map[int]float64, s.Design.Factors[f].Len())
		alone := true
		for c, size := range all {
			l := s.configuration(c).Levels[f]
			known, ok := of[l]
			alone = alone && (!ok || known == size)
			of[l] = size
		}
		if alone {
			return nil
		}
	}
	return all
}

func (s *Study) configuration(c int) design.Point { return s.Design.Point(c * s.Design.Repetitions) }
