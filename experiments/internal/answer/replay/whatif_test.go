package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A chain of computations of 1001, 7000 and 4000 ns with messages of 8 and 80 000 bytes between them, beside others that
// nobody waits for: 1001 + (o+L) + (o+7G) + 7000 + (o+L) + (o+79999G) + 4000 = 503 037 ns. Each change by hand, with times
// of computations in whole nanoseconds: 501 for a half of 1001. Loads of 4001, 7100 and 4500 have the mean 15601/3; at
// each step means are 8501/3 and 7100/3.
func TestWhatIfOfSchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chain.goal")
	expect.Success(t, os.WriteFile(file, []byte(`num_ranks 3
rank 0 {
a: calc 1001
s: send 8b to 1
b: calc 3000
s requires a
b requires s
}
rank 1 {
r: recv 8b from 0
c: calc 7000
t: send 80000b to 2
d: calc 100
c requires r
t requires c
d requires t
}
rank 2 {
z: calc 500
r: recv 80000b from 1
y: calc 4000
r irequires z
y requires r
}
`), 0o600))
	x := expect.Value(GOAL(t.Context(), GOALOptions{Schedule: file, Parameters: "S=100000", WhatIf: true}))(t)
	expect.Equal(t, x.Makespan, 503037, "makespan")
	got := map[string]float64{}
	for _, e := range x.WhatIf {
		got[e.Change] = e.Makespan
	}
	for change, want := range map[string]float64{
		"half the latency":                       503037 - 2*1250,
		"half the overhead of messages":          503037 - 4*750,
		"twice the bandwidth":                    503037 - 80006*3,
		"a network free of cost":                 1001 + 7000 + 4000,
		"cores twice as fast":                    503037 - 500 - 3500 - 2000,
		"equal loads of processes":               503037 + 300 - 1873 + 623,
		"equal loads of processes at every step": 503037 + 1833 - 4166 - 1633,
		"no message waits for its receiver":      503037,
	} {
		expect.Close(t, got[change], want/1e9, 1e-14, "%s", change)
	}
	expect.Equal(t, len(got), 8, "changes")
	expect.Equal(t, x.WhatIf[0].Change, "twice the bandwidth", "the largest")

	// Of no time nothing is saved.
	expect.Success(t, os.WriteFile(file, []byte("num_ranks 1\nrank 0 {\ncalc 0\n}\n"), 0o600))
	for _, e := range expect.Value(GOAL(t.Context(), GOALOptions{Schedule: file, WhatIf: true}))(t).WhatIf {
		expect.Equal(t, e.Saves, 0, "%s", e.Change)
	}
}
