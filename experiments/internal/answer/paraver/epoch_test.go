package paraver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
)

// The plasma code EPOCH on 2 and 4 processes of a node, in traces of NAG's PyPOP that are under epoch
// in the folder named by ISOSCALE_TRACES. Expected are the lengths of the run and of the one on an
// ideal network, in s, and the efficiencies in percent that BSC's paramedir and Dimemas print for
// them. Dimemas lets all ranks wait in every collective call, so its ideal runs are longer by
// 0.002 and by 0.05 thousandths.
func TestEPOCH(t *testing.T) {
	root := os.Getenv("ISOSCALE_TRACES")
	if root == "" {
		t.Skip("ISOSCALE_TRACES is not set")
	}
	for _, tt := range []struct {
		file       string
		run, ideal float64
		percent    [5]float64
	}{
		{"epoch_2proc.prv.gz", 11.52837356, 11.50437009, [5]float64{99.378252, 99.760930, 99.616405, 99.842359, 99.773690}},
		{"epoch_4proc.prv.gz", 6.08235221, 6.05105908, [5]float64{97.349953, 98.687584, 98.644580, 99.203493, 99.436599}},
	} {
		path := filepath.Join(root, "epoch", tt.file)
		trace := expect.Value(Open(path))(t)
		expect.Near(t, float64(trace.Measured().Length), tt.run, 1e-8, "%s: length", tt.file)
		f, ideal, err := recorded.Factors(t.Context(), trace)
		expect.Success(t, err)
		expect.Close(t, float64(ideal), tt.ideal, 5e-5, "%s: length on an ideal network", tt.file)
		for i, x := range []float64{f.Parallel, f.LoadBalance, f.Communication, f.Serialisation, f.Transfer} {
			expect.Near(t, 100*x, tt.percent[i], 0.01, "%s: factor %d of five", tt.file, i+1)
		}
	}
}
