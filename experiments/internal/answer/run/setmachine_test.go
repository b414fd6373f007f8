package run

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"gonum.org/v1/gonum/floats/scalar"
)

// A value in a machine is set in the machine that a scenario names, as if it had
// been written there. A ping of 1 MB takes 1 s over 1 MB/s, and 2 s over half of it.
func TestSetReachesIntoTheMachine(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml":   "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w, count: 2}]\nnetwork: {latency: 0 s, bandwidth: 1 MB/s}\n",
		"other.yaml":  "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w, count: 2}]\nnetwork: {latency: 0 s, bandwidth: 4 MB/s}\n",
		"run.yaml":    "machine: mine.yaml\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"known.yaml":  "machine: sunwulf\nnodes: {blade: 2}\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"inline.yaml": "machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"lost.yaml":   "machine: nowhere.yaml\nnetwork: hockney\nworkload: {name: matmul, n: 5}\n",
		"wrong.yaml":  "machine: run.yaml\nnetwork: hockney\nworkload: {name: matmul, n: 5}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runFile := func(file string, overrides ...input.Override) (*Result, error) {
		s, err := scenario.Read(filepath.Join(dir, file), overrides)
		if err != nil {
			return nil, err
		}
		return Run(context.Background(), s, Options{Overrides: overrides})
	}
	half := input.Override{Path: "machine.network.bandwidth", Value: "500 kB/s"}
	for _, c := range []struct {
		file      string
		overrides []input.Override
		want      float64
		machine   string
		inputs    int
	}{
		{"run.yaml", nil, 1, "mine", 2},
		{"run.yaml", []input.Override{half}, 2, "mine", 2},
		{"run.yaml", []input.Override{half, {Path: "machine.network.latency", Value: "1 s"}}, 3, "mine", 2},
		{"run.yaml", []input.Override{{Path: "machine.nodes[0].count", Value: "3"}}, 1, "mine", 2},
		{"run.yaml", []input.Override{{Path: "machine", Value: "other.yaml"}, {Path: "machine.network.latency", Value: "1 s"}}, 1.25, "other", 2},
		{"run.yaml", []input.Override{{Path: "machine.name", Value: "renamed"}}, 1, "renamed", 2},
		{"inline.yaml", []input.Override{half}, 2, "inline", 1},
		{"known.yaml", []input.Override{half, {Path: "machine.network.latency", Value: "0 s"}}, 2, "sunwulf", 2},
	} {
		r, err := runFile(c.file, c.overrides...)
		if err != nil {
			t.Errorf("%s, %v: %v", c.file, c.overrides, err)
			continue
		}
		if !scalar.EqualWithinRel(r.Makespan, c.want, 1e-9) || r.scenario.Machine.Name != c.machine {
			t.Errorf("%s, %v: %v s on %s, want %v on %s", c.file, c.overrides, r.Makespan, r.scenario.Machine.Name, c.want, c.machine)
		}
		if len(r.Provenance.Inputs) != c.inputs || len(r.Provenance.Overrides) != len(c.overrides) {
			t.Errorf("%s, %v: provenance %+v", c.file, c.overrides, r.Provenance)
		}
	}

	for _, c := range []struct {
		file string
		o    input.Override
		want string
	}{
		{"run.yaml", input.Override{Path: "machine.network.bandwith", Value: "1 MB/s"}, `--set machine.network.bandwith=1 MB/s:1:26: machine.network: unknown key "bandwith"; expected one of `},
		{"run.yaml", input.Override{Path: "machine.network.bandwidth", Value: "0 B/s"}, "--set machine.network.bandwidth=0 B/s:1:27: machine.network.bandwidth: 0 B/s is zero"},
		{"lost.yaml", half, "nowhere.yaml: cannot read: no such file"},
		{"wrong.yaml", half, "run.yaml:1:1: this is a scenario; expected a machine; 'isoscale run' takes this file"},
	} {
		_, err := runFile(c.file, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || !input.IsError(err) || !input.HasPosition(err) {
			t.Errorf("%s, %v: %v, want %s", c.file, c.o, err, c.want)
		}
	}
}
