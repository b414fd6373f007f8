package words

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
)

// named is an application that says to work more than it does, so that a time that follows
// from its work is no bound of a run.
const named = `
application: NAME
title: one step of a code of one's own
parameters: {flop: {value: 40 Gflop, meaning: work}}
work: flop
memory: 1 MB
program:
  - compute: {flop: flop / p / 8}
  - alltoall: {size: "1e6 / p"}
`

// What an application is called has no effect: not on what is simulated, nor on what is
// recommended and warned of, even if an algorithm of the catalogue has that name.
func TestNameOfAnApplicationDoesNotMatter(t *testing.T) {
	text := strings.Replace(buytest.Site, "run: {name: floyd, n: 100, sustained: 0.5}", "run: {application: own.yaml}", 1)
	answer := func(name string) string {
		file := buytest.PlanFile(t, text)
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "own.yaml"), []byte(strings.Replace(named, "NAME", name, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		r := solve(t, buytest.Read(t, file, "robustness.samples=20"))
		if len(r.Ranking) < 5 || r.Provenance.Simulations == 0 {
			t.Fatalf("%d machines, %d simulations", len(r.Ranking), r.Provenance.Simulations)
		}
		r.Provenance.WallSeconds, r.Provenance.Inputs, r.Provenance.Overrides = 0, nil, nil
		b, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "application "+name, "the application") // where a text names it
	}
	want := answer("own-code")
	for _, name := range []string{"gauss", "matmul", "convolution", "lcs", "stencil3d"} {
		if diff := cmp.Diff(want, answer(name)); diff != "" {
			t.Errorf("an application called %s has another answer:\n%s", name, diff)
		}
	}
}
