package sweep

import (
	"math"
	"math/bits"

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
	all, levels := make([]float64, n), make([][]int, n)
	for c := range all {
		p := s.configuration(c)
		levels[c] = p.Levels
		x, err := s.Scenario(p)
		if err != nil {
			continue
		}
		if p, err := x.Scenario.Machine.Place(x.Scenario.Selection); err == nil {
			all[c] = math.Log2(float64(p.Ranks()))
		}
	}
	for f := range s.Design.Factors {
		of := map[int]float64{} // by level
		alone := true
		for c, size := range all {
			known, ok := of[levels[c][f]]
			alone = alone && (!ok || known == size)
			of[levels[c][f]] = size
		}
		if alone {
			return nil
		}
	}
	return all
}

// evenness returns, for log2 of numbers of processes, how much of each number is a power of two: log2 of the largest
// one that divides it, as a share, 1 for one process. Predictions go by it too, since trees and grids of processes are the faster the
// more often the number can be halved.
func evenness(sizes []float64) []float64 {
	shares := make([]float64, len(sizes))
	for i, size := range sizes {
		shares[i] = 1
		if n := int(math.Round(math.Exp2(size))); n > 1 {
			shares[i] = float64(bits.TrailingZeros(uint(n))) / size
		}
	}
	return shares
}

func (s *Study) configuration(c int) design.Point { return s.Design.Point(c * s.Design.Repetitions) }
