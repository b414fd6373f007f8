package system

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// unequal is a machine with three kinds of nodes.
const unequal = `
machine:
  node_types:
    a: {cores: 1, marked_speed: 1 Gflop/s}
    b: {cores: 1, marked_speed: 0.7 Gflop/s}
    c: {cores: 1, marked_speed: 2.3 Gflop/s}
  nodes: [{type: a, count: 11}, {type: b, count: 11}, {type: c, count: 11}]
  network: {latency: 7 us, bandwidth: 100 MB/s, send_overhead: 1 us}
`

// onUnequal runs a scenario on the unequal machine, on p of its nodes.
func onUnequal(t testing.TB, p int, network, workload string) *Simulation {
	t.Helper()
	text := unequal + fmt.Sprintf("nodes: {a: %d, b: %d, c: %d}\nnetwork: %s\nworkload: %s\n", (p+2)/3, (p+1)/3, p/3, network, workload)
	return simulateFiles(t, text)
}

func simulateFiles(t testing.TB, text string) *Simulation {
	t.Helper()
	s := readWithApplications(t, text)
	sys, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := sys.Simulate(context.Background(), s.Workload.N)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return x
}

// readWithApplications reads a scenario that names the applications of testdata.
func readWithApplications(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	documents := scenario.Documents{"s.yaml": []byte(text)}
	files, err := filepath.Glob("testdata/applications/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		if documents[filepath.Base(f)], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	s, err := documents.Read("s.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Algorithms that are written as application files take the time of those written in
// Go, and compute, send and need as much: on up to 33 processes, without ISOSCALE_LONG on
// half of the numbers above 9.
func TestApplicationsAgreeWithAlgorithms(t *testing.T) {
	for _, network := range []string{"hockney", "loggops", "flow"} {
		for _, name := range []string{"gauss", "matmul", "floyd", "convolution"} {
			for p := 1; p <= 33; p++ {
				switch {
				case testing.Short() && p%7 != 1:
					continue
				case p > 9 && p%4 > 1 && os.Getenv("ISOSCALE_LONG") == "":
					continue
				}
				n := 40 + p
				file := onUnequal(t, p, network, fmt.Sprintf("{application: %s.yaml, n: %d}", name, n))
				code := onUnequal(t, p, network, fmt.Sprintf("{name: %s, n: %d}", name, n))
				what := fmt.Sprintf("%s with n = %d on %d processes, %s", name, n, p, network)
				if len(file.Warnings) > len(code.Warnings) {
					t.Errorf("%s: %q", what, file.Warnings)
				}
				if d := math.Abs(float64(file.Makespan-code.Makespan)) / float64(code.Makespan); !(d <= 1e-12) {
					t.Errorf("%s: %v, want %v (%.2g)", what, file.Makespan, code.Makespan, d)
				}
				if file.Messages != code.Messages || math.Abs(float64(file.Bytes-code.Bytes)) > 1e-9*float64(code.Bytes) {
					t.Errorf("%s: %d messages, %v; want %d, %v", what, file.Messages, file.Bytes, code.Messages, code.Bytes)
				}
				if math.Abs(float64(file.Work-code.Work)) > 1e-12*float64(code.Work) {
					t.Errorf("%s: work %v, want %v", what, file.Work, code.Work)
				}
				need, want := file.System.Algorithm(n).Footprints(), code.System.Algorithm(n).Footprints()
				for r := range want {
					if need[r] != want[r] {
						t.Errorf("%s: process %d needs %v, want %v", what, r, need[r], want[r])
						break
					}
				}
			}
		}
	}
}

// BenchmarkApplication compares applications in files with algorithms in Go: time for
// each message.
func BenchmarkApplication(b *testing.B) {
	for _, tt := range []struct {
		name string
		n    int
	}{{"gauss", 400}, {"matmul", 400}, {"floyd", 2000}, {"convolution", 512}} {
		for _, form := range []string{"{name: %s, n: %d}", "{application: %s.yaml, n: %d}"} {
			s := readWithApplications(b, unequal+"network: loggops\nworkload: "+fmt.Sprintf(form, tt.name, tt.n)+"\n")
			sys, err := New(s)
			if err != nil {
				b.Fatal(err)
			}
			kind := "go"
			if s.Workload.StatesTraffic {
				kind = "file"
			}
			b.Run(tt.name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				var messages int64
				for b.Loop() {
					x, err := sys.Simulate(context.Background(), tt.n)
					if err != nil {
						b.Fatal(err)
					}
					messages += x.Messages
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/message")
			})
		}
	}
}
