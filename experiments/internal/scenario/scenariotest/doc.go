// Package scenariotest reads scenarios and studies from the text of a test.
//
// Layer. Under experiments; for tests only.
package scenariotest

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/sim"
)

// file is the name of the text in messages.
const file = "test.yaml"

// Scenario reads a scenario. An error ends the test.
func Scenario(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	return Application(t, text, "")
}

// Application reads a scenario that may name the application a.yaml. An error ends the test.
func Application(t testing.TB, text, application string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Documents{file: []byte(text), "a.yaml": []byte(application)}.Read(file, nil)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, text, application)
	}
	return s
}

// Study reads a study. An error ends the test.
func Study(t testing.TB, text string) *scenario.Study {
	t.Helper()
	s, err := scenario.Documents{file: []byte(text)}.ReadStudy(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Sends is a program in which the first of each pair of ranks sends 1 MB to the second.
func Sends(pairs ...[2]int) func(r *sim.Rank) {
	return func(r *sim.Rank) {
		for _, p := range pairs {
			switch r.Rank() {
			case p[0]:
				r.Send(p[1], 0, 1e6)
			case p[1]:
				r.Recv(p[0], 0)
			}
		}
	}
}

// LoopsMachine has two node types: gpu with 2 devices of 900 Tflop/s in bf16 and 30
// Tflop/s in fp64, and cpu with cores of 10 Gflop/s.
const LoopsMachine = `
machine:
  node_types:
    gpu:
      cores: 16
      marked_speed: 10 Gflop/s
      kernels: {dgemm: 0.9}
      devices:
        count: 2
        speed: {fp64: 30 Tflop/s, bf16: 900 Tflop/s}
        memory_bandwidth: 3 TB/s
        kernels: {dgemm: 0.5, fft: 0.1}
    cpu: {cores: 1, marked_speed: 10 Gflop/s, kernels: {dgemm: 0.8, fft: 0.25}}
  nodes: [{type: gpu, count: 2}, {type: cpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
`

// Loops reads a scenario on that machine, with an application of some lines.
func Loops(more, application string) (*scenario.Scenario, error) {
	return scenario.Documents{
		"a.yaml": []byte("application: a\n" + application),
		"s.yaml": []byte(LoopsMachine + more),
	}.Read("s.yaml", nil)
}
