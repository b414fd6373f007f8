package sweep

import (
	"math"
	"math/bits"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// mostSizes bounds the configurations whose number of processes is found before a search; each takes about 0.3 ms.
const mostSizes = 5000

// sizes returns log2 of the number of processes of each configuration, on which predictions of a search also depend:
// steps of a time, for instance where a tree of messages gets another level, are often at the same number of processes,
// whatever factors make it up. It is nil where one factor determines the number, and for too many configurations. An
// invalid configuration has the least number.
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

// evenness returns, for log2 of numbers of processes, how far each number is a power of two: log2 of the largest power
// of two that divides it, relative to log2 of the number; 1 for one process. Predictions depend on it because trees and
// grids of processes are faster the more often the number can be halved.
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
