package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/report"
)

func TestNamesInWords(t *testing.T) {
	for name, want := range map[string]string{
		"time":                             "time",
		"achieved_speed":                   "achieved speed",
		"network.latency":                  "network latency",
		"scenario.machine.network.latency": "network latency",
		"machine.nodes[0].node_count":      "nodes[0] node count",
		"achieved_speed/price":             "achieved_speed/price", // an expression
		"50*n1":                            "50*n1",
	} {
		if got := inWords(name); got != want {
			t.Errorf("%s is %q; expected %q", name, got, want)
		}
	}
}

// Labels are on axes, in legends and in the heads of tables, also when the stored study
// is read again, and in no row.
func TestLabels(t *testing.T) {
	const plain = `scenario:
  machine: sunwulf
  nodes: {server: 1, blade: 1}
  network: hockney
  workload: {name: gauss, n: 40}
factors:
  blades: {path: nodes.blade, values: [1, 2, 4]}
  network.latency: [10 us, 100 us, 1 ms]
  n: {path: workload.n, values: [40, 80, 160]}
`
	r := drawn(t, plain+"labels: {blades: number of blades, time: time of a run}\n")
	s, err := sweep.Open(r.Study.Dir.Path())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Result{r.Result, again} {
		seen := make(map[string]bool)
		for _, section := range r.Report().Sections {
			for _, b := range section.Blocks {
				switch b := b.(type) {
				case *report.LineChart:
					seen["axis "+b.X.Title], seen["axis "+b.Y.Title] = true, true
					for _, s := range b.Series {
						name, _, _ := strings.Cut(s.Name, " = ")
						seen["legend "+name] = true
					}
				case *report.Table:
					for _, c := range b.Columns {
						seen["column "+c.Title] = true
					}
				case *report.Parallel:
					for _, a := range b.Axes {
						name, _, _ := strings.Cut(a.Name, " (")
						seen["axis "+name] = true
					}
				}
			}
		}
		for _, want := range []string{"axis number of blades", "axis time of a run", "axis network latency", "legend n", "column number of blades", "column network latency", "column time of a run", "column achieved speed"} {
			if !seen[want] {
				t.Errorf("no %s", want)
			}
		}
		for _, old := range []string{"axis blades", "axis time", "axis network.latency", "column blades", "column achieved_speed"} {
			if seen[old] {
				t.Errorf("%s is there", old)
			}
		}
	}
	var labelled, unlabelled strings.Builder
	for text, r := range map[*strings.Builder]*sections{&labelled: r, &unlabelled: drawn(t, plain)} {
		if err := r.Study.Export(text, "csv", false); err != nil {
			t.Fatal(err)
		}
	}
	if labelled.String() != unlabelled.String() {
		t.Error("labels change rows")
	}
}
