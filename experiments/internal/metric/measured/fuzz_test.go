package measured

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

// Any bytes are either measurements from which all metrics can be computed, or an error with its place in the file.
func FuzzReadMeasurements(f *testing.F) {
	for _, name := range []string{"measured-times.csv", "measured-clusters.csv"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "examples", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{
		"system,processes,time [s],n,work [flop],power [flop/s],reference_time [hh:mm:ss],cost [EUR/min],sequential\na,1,1,2,3,4,00:01,6,no\na,2,1,2,3,4,00:02,6,no\n,1,9,2,3,,,,yes\nb,4,1e-30,2,3,1e30,00:03,1e30,\n",
		"processes,time\n1,5 s\n2,3 s\n1000000000,1 ps\n", "\ufeffprocesses,time [d],\"a\nb\"\n1,1,\n", "processes,time [s]\n\"1\"\"\",2\n", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := measurements.Parse("f.csv", data)
		if err != nil {
			checkInput(t, err)
			return
		}
		r, err := Compute(m, DefaultOptions())
		if err != nil {
			checkInput(t, err)
			return
		}
		points := 0
		for _, s := range r.Systems {
			for _, p := range s.Points {
				points++
				expect.That(t, p.Min > 0 && p.Min <= p.Time && p.Time <= p.Max,
					"%s: %g is not from %g to %g", strconv.Quote(s.Label), p.Time, p.Min, p.Max)
			}
		}
		expect.That(t, points+len(r.Baselines) != 0, "no points")
		expect.Value(json.Marshal(r))(t)
		expect.Success(t, html.Write(io.Discard, r.Report()))
	})
}

// checkInput fails unless err concerns the input and has a place in it.
func checkInput(t *testing.T, err error) {
	t.Helper()
	expect.That(t, input.IsError(err) && input.HasPosition(err) && err.Error() != "",
		"not an error with a place in the input: %v", err)
}
