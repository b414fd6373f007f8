package replay

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Every key that is understood is documented, and no other.
func TestSimGridKeysAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, d := range simGridKeyDocs {
		if documented[d.key] {
			t.Errorf("%s is documented twice", d.key)
		}
		documented[d.key] = true
		_, plain := simGridKeys[d.key]
		_, factor := simGridFactorKeys[d.key]
		_, fixed := simGridFixed[d.key]
		if !plain && !factor && !fixed && d.key != "network/model" {
			t.Errorf("%s is documented and not understood", d.key)
		}
	}
	for key := range simGridKeys {
		if !documented[key] {
			t.Errorf("%s is not documented", key)
		}
	}
	for key := range simGridFactorKeys {
		if !documented[key] {
			t.Errorf("%s is not documented", key)
		}
	}
	for key := range simGridFixed {
		if !documented[key] {
			t.Errorf("%s is not documented", key)
		}
	}
	for _, key := range simGridIgnored {
		if documented[key] {
			t.Errorf("%s is documented and ignored", key)
		}
	}
}

// To give a key its default changes nothing. The factors by size of the model SMPI
// are written on the page as one would give them.
func TestSimGridDefaults(t *testing.T) {
	want, err := newSimGridOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	same := func(setting string) {
		t.Helper()
		got, err := newSimGridOptions([]string{setting})
		if err != nil {
			t.Errorf("%s: %v", setting, err)
			return
		}
		// One piece of 0 is what no piece is.
		zero := cmpopts.EquateEmpty()
		for _, o := range []*simGridOptions{got, want} {
			p := &o.protocol
			if p.Send.At(1) == 0 && p.Isend.At(1) == 0 && p.Recv.At(1) == 0 {
				p.Send, p.Isend, p.Recv = nil, nil, nil
			}
		}
		if diff := cmp.Diff([]any{want.flow, want.protocol, want.loopbackBandwidth, want.loopbackLatency, want.notes},
			[]any{got.flow, got.protocol, got.loopbackBandwidth, got.loopbackLatency, got.notes}, zero); diff != "" {
			t.Errorf("%s changes something:\n%s", setting, diff)
		}
	}
	for _, d := range simGridKeyDocs {
		if d.preset != "" {
			same(d.key + ":" + d.preset)
		}
	}
	found := 0
	for line := range strings.Lines(strings.Join(simGridOptionTables(), "")) {
		if setting, ok := strings.CutPrefix(strings.TrimSpace(line), "--cfg '"); ok {
			same(strings.TrimSuffix(setting, "'"))
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d tables of factors, want 2", found)
	}
	// What depends on the model does: 0, 20537 and 8775.
	for model, s := range map[string]float64{"CM02": 0, "LV08": 20537, "SMPI": 8775} {
		o, err := newSimGridOptions([]string{"network/model:" + model})
		if err != nil || float64(o.flow.WeightS) != s {
			t.Errorf("%s: weight S %v, %v; the documentation says %v", model, o.flow.WeightS, err, s)
		}
	}
}

// Every algorithm on the page can be chosen.
func TestSimGridAlgorithms(t *testing.T) {
	var all titrace.Algorithms
	for _, o := range all.Operations() {
		names, _ := all.Names(o)
		if !slices.Contains(names, "default") {
			t.Errorf("%s: no default in %q", o, names)
		}
		for _, name := range names {
			if _, err := newSimGridOptions([]string{"smpi/" + o + ":" + name}); err != nil {
				t.Error(err)
			}
		}
	}
}

// docs/formats/simgrid-options.md has what the code says.
func TestSimGridOptionsPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/formats/simgrid-options.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range simGridOptionTables() {
		if !strings.Contains(string(page), "\n\n"+table) {
			t.Errorf("the page lacks\n%s", table)
		}
	}
}
