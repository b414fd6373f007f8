package scalability

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// The plasma code EPOCH on 2 and 4 processes of a node, in traces of NAG's PyPOP: the time of each process in Paraver's
// state 1 (running), summed over its records. The times of the runs and the efficiencies in percent are those that
// BSC's paramedir and Dimemas print. Dimemas also counts state 12 as computation on its ideal network: 2082407 ns
// and 2950666 ns of the process that computes most.
func TestFactorsOfEPOCH(t *testing.T) {
	for _, tt := range []struct {
		useful                    []units.Seconds
		run, idealLongest, ideal  units.Seconds
		parallel, balance         float64
		communication, serial, on float64
	}{
		{[]units.Seconds{11.429241023, 11.484151344}, 11.52837356, 11.484151344 + 0.002082407, 11.50437009,
			99.378252, 99.760930, 99.616405, 99.842359, 99.773690},
		{[]units.Seconds{5.920461325, 5.999910804, 5.882590764, 5.881705180}, 6.08235221, 5.999910804 + 0.002950666, 6.05105908,
			97.349953, 98.687584, 98.644580, 99.203493, 99.436599},
	} {
		f := expect.Value(ParallelFactors(tt.useful, tt.run, tt.idealLongest, tt.ideal))(t)
		for i, x := range [][2]float64{{f.Parallel, tt.parallel}, {f.LoadBalance, tt.balance},
			{f.Communication, tt.communication}, {f.Serialisation, tt.serial}, {f.Transfer, tt.on}} {
			expect.Near(t, 100*x[0], x[1], 1e-5, "%d processes, factor %d of five", len(tt.useful), i+1)
		}
	}
}

// Without a rank, without computation and without time there are no factors.
func TestFactorsThatDoNotExist(t *testing.T) {
	expect.Refusal(ParallelFactors(nil, 1, 1, 1))(t, "C_max = 0")
	expect.Refusal(ParallelFactors([]units.Seconds{0, 0}, 1, 1, 1))(t, "C_max = 0")
	expect.Refusal(ParallelFactors([]units.Seconds{1}, 0, 1, 1))(t, "T = 0")
	expect.Refusal(ParallelFactors([]units.Seconds{1}, 1, 1, 0))(t, "T' = 0")
}
