package replay

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report/html"

	"gonum.org/v1/gonum/floats/scalar"
)

// The eight ranks of the ring have a host of one core each, or half of one with sixteen.
func TestIdleCoresOfAReplay(t *testing.T) {
	for platform, want := range map[string]string{"../../../../examples/cluster.xml": "", "dahu": "8 of 16 in use"} {
		r, err := TI(context.Background(), TIOptions{Trace: "../../../../examples/ring.ti", Platform: platform})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.IdleCores(); got != want {
			t.Errorf("%s: %q, want %q", platform, got, want)
		}
		if all := map[string]int{"": 8, "8 of 16 in use": 16}[want]; r.CoresUsed != 8 || r.Cores != all {
			t.Errorf("%s: %d of %d cores; expected 8 of %d", platform, r.CoresUsed, r.Cores, all)
		}
	}
}

// Every rank of the ring computes three times 5e7 flop, and 1 flop of the sum over
// all, at 2 Gflop/s: 75 ms and 0.5 ns. The parts of its time add up to its finish.
func TestTIReport(t *testing.T) {
	o := TIOptions{Trace: "../../../../examples/ring.ti", Platform: "../../../../examples/cluster.xml", Settings: []string{"network/model:LV08"}, Links: true}
	r, err := TI(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	ranks := r.ranks()
	if len(ranks) != 8 {
		t.Fatalf("%d ranks", len(ranks))
	}
	for i, x := range ranks {
		if !scalar.EqualWithinRel(x.Compute, 0.0750000005, 1e-9) || !scalar.EqualWithinRel(x.Compute+x.Overhead+x.Wait, r.Finish[i], 1e-9) || x.Node != "node-"+string(rune('1'+i)) {
			t.Errorf("%+v, finish %v", x, r.Finish[i])
		}
	}
	var page bytes.Buffer
	if err := html.Write(&page, r.Report()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>Replay of ring.ti on cluster.xml</h1>", "8 ranks on 8 of 8 hosts, network model LV08",
		"<h2>Where the time goes</h2>", "<h2>Links</h2>", "<h2>Parameters</h2>", "<h2>Warnings</h2>", `color-mix(`,
		"<td>network/model<td>LV08<td>--cfg", "<h2>Provenance</h2>",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report does not contain %q", want)
		}
	}

	// Without a record of links, the section is left out and the rest stays.
	o.Links = false
	if r, err = TI(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	page.Reset()
	if err := html.Write(&page, r.Report()); err != nil {
		t.Fatal(err)
	}
	if got := page.String(); strings.Contains(got, "<h2>Links</h2>") || !strings.Contains(got, "<h2>Parameters</h2>") {
		t.Error("expected a report without links")
	}
}
