package experiments_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report/html"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/expect"
)

// Machines of millions of nodes cost memory in proportion, and devices named as machine
// files may never end: both are avoided here.
var tooExpensive = regexp.MustCompile(`[0-9_]{5}|/dev|/proc`)

func addExamples(f *testing.F, more ...string) {
	files, err := filepath.Glob("../examples/*.yaml")
	expect.Need(f, err == nil && len(files) != 0, "no examples (%v)", err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range more {
		f.Add([]byte(text))
	}
}

// checkInput fails unless err is about the input and has a place in it.
func checkInput(t *testing.T, err error) {
	t.Helper()
	expect.That(t, input.IsError(err) && input.HasPosition(err) && err.Error() != "",
		"not an error with a place in the input: %v", err)
}

// tooLarge reports whether a simulation was given up because a time overflows: each
// parameter is finite, but not their sum or quotient.
func tooLarge(err error) bool { return strings.Contains(err.Error(), "expected a finite") }

// Any bytes are a scenario that runs, or an error with its place in the file.
func FuzzScenario(f *testing.F) {
	addExamples(f,
		"machine: sunwulf\nnodes: {blade: 2}\nnetwork: ideal\nworkload: {name: matmul, n: 5}\n",
		"{machine: sunwulf, nodes: {server: 1, v210: 1}, placement: {v210: 2}, network: {name: hockney, latency: 1 us, eager_limit: 8 B}, workload: {name: gauss, n: 9, bcast: flat, barrier: {base: 1 ms}}}",
		"machine: {node_types: {w: {cores: 2, marked_speed: 1 Mflop/s, memory: 1 B}}, nodes: [{type: w, count: 3}], network: {latency: 0 s, bandwidth: 1 GB/s}}\nplacement: {w: 2}\nnetwork: hockney\nworkload: {name: gauss, n: 7, sustained: .5}\n",
		"machine: {node_types: {w: {cores: 2, marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s, topology: {name: torus, dimensions: [2, 2]}}}\nnetwork: flow\nworkload: {name: pattern, n: 1, compute: 1 flop}\n",
		"machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 3}], network: {latency: 1 us, bandwidth: 1 GB/s, half_duplex: true, topology: {name: tree, nodes: 1, subclusters: [{nodes: 2, uplink: {latency: 0}}]}}}\nnetwork: {name: flow, model: SMPI}\nworkload: {name: matmul, n: 5}\n",
		"machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s, topology: {name: graph, links: [{from: w-1, to: w-2, latency: 1 us}]}}}\nnetwork: flow\nworkload: {name: gauss, n: 5}\n",
		"machine: {node_types: {w: {marked_speed: 1 Mflop/s, nics: 2, on_node: {latency: 0, bandwidth: 1 GB/s}, devices: {count: 3, speed: {a: 1 Mflop/s, b: 2 Mflop/s}, memory: 1 B, memory_bandwidth: 1 MB/s, link: {latency: 0, bandwidth: 1 MB/s}, kernels: {k: 2}}}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\nplacement: {w: {on: devices, processes: 2, precision: b}}\nnetwork: flow\nworkload: {name: gauss, n: 5, kernel: k, bytes_per_flop: 1}\n",
		"machine: sunwulf\nnetwork: hockney\nworkload: {application: ''}\n",
		"machine: sunwulf\nnetwork: {name: ideal}\nworkload:\n", "machine: 3", "network: [", "")
	f.Fuzz(func(t *testing.T, data []byte) {
		if tooExpensive.Match(data) {
			return
		}
		s, err := scenario.Documents{"test.yaml": data}.Read("test.yaml", nil)
		if err != nil {
			checkInput(t, err)
			return
		}
		sys, err := system.New(s)
		expect.Need(t, err == nil, "a valid scenario cannot be placed: %v", err)
		if len(sys.Speeds) > 16 || s.Workload.N > 40 {
			return
		}
		r, err := run.Run(context.Background(), s, run.Options{})
		if err != nil {
			expect.That(t, tooLarge(err) || strings.Contains(err.Error(), "no route from"),
				"a valid scenario does not run: %v", err)
			return
		}
		// A collective operation alone performs no work.
		works := r.SpeedEfficiency > 0 || r.Work == 0 && r.SpeedEfficiency == 0
		expect.That(t, r.Makespan > 0 && r.Makespan <= math.MaxFloat64 && works && r.SpeedEfficiency <= math.MaxFloat64,
			"makespan %v, work %v, efficiency %v", r.Makespan, r.Work, r.SpeedEfficiency)
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
		if err := html.Write(io.Discard, r.Report()); err != nil {
			t.Error(err)
		}
	})
}

// references are files that name another document, as %s.
var references = []struct {
	name, text string
	read       func(path string, root *yamldoc.Node, d scenario.Documents) error
}{
	{"machine", "machine: %s\nnetwork: hockney\nworkload: {name: gauss, n: 5}\n", readScenario},
	{"application", onePair + "network: hockney\nworkload: {application: %s}\n", readScenario},
	{"HPL.dat", onePair + "network: hockney\nworkload: {name: hpl, dat: %s}\n", readScenario},
	{"machine of a study", "target_efficiency: .3\nmachine: %s\nnetwork: hockney\nsystems: [{name: a, nodes: {w: 1}}]\n" +
		"workload: {name: matmul}\nsizes: {from: 3, to: 60}\n", readStudy},
	{"application of a study", "target_efficiency: .3\n" + onePair + "network: hockney\nsystems: [{name: a, nodes: {w: 1}}]\n" +
		"workload: {application: %s}\nsizes: {from: 3, to: 60}\n", readStudy},
	{"scenario of a sweep", "scenario: %s\nfactors: {n: {path: workload.n, values: [3, 4]}}\n", readSweep},
	{"scenario with changes", "scenario: {name: %s, seed: 2}\nfactors: {n: {path: workload.n, values: [3, 4]}}\n", readSweep},
	{"application of a sweep", "scenario: {machine: sunwulf, network: hockney, workload: {application: %s}}\n" +
		"factors: {n: {path: workload.n, values: [3, 4]}}\n", readSweep},
	{"application of a plan", strings.Replace(buytest.Ideal, "name: matmul", "application: %s", 1), readPlan},
	{"offers of a plan", "offers: %s\n" + buytest.Ideal, readPlan},
	{"run of a lesson", strings.Replace(teaching, "STEP", "{title: a}", 1) + "runs: {r: {file: %s}}\n", readLesson},
	{"curve of a lesson", strings.Replace(teaching, "STEP", "{title: a, question: b, curve: {file: %s, over: workload.n, "+
		"values: [4, 5], of: time, label: c, to: 1}}", 1), readLesson},
}

const teaching = "lesson: 1\ntitle: a\nminutes: 1\ntext: a\ninsight: a\nsteps: [STEP]\n"

const onePair = "machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\n"

func readScenario(path string, _ *yamldoc.Node, d scenario.Documents) error {
	s, err := d.Read(path, nil)
	if err != nil {
		return err
	}
	return system.Check(s)
}

func readStudy(path string, _ *yamldoc.Node, d scenario.Documents) error {
	_, err := d.ReadStudy(path, nil)
	return err
}

func readSweep(path string, root *yamldoc.Node, _ scenario.Documents) error {
	_, err := sweep.ReadRoot(root, path)
	return err
}

func readPlan(path string, root *yamldoc.Node, _ scenario.Documents) error {
	_, err := model.ReadRoot(root, path)
	return err
}

func readLesson(path string, root *yamldoc.Node, _ scenario.Documents) error {
	l, err := lesson.ReadRoot(root)
	if err != nil {
		return err
	}
	return lesson.Check(l, lesson.Source{Folder: filepath.Dir(path)})
}

// Whatever a file names as another document, it can be read or gives an error about the
// input; for an empty name, the error has its place. Names are those of documents of each
// kind, and "".
func FuzzReferences(f *testing.F) {
	documents := scenario.Documents{
		"machine.yaml": []byte("node_types: {w: {marked_speed: 1 Mflop/s}}\nnodes: [{type: w, count: 2}]\n" +
			"network: {latency: 1 us, bandwidth: 1 GB/s}\n"),
		"application.yaml": []byte("application: a\nparameters: {n: 4}\nwork: n\nprogram: [{compute: n/p}]\n"),
		"scenario.yaml":    []byte("machine: sunwulf\nnetwork: hockney\nworkload: {name: gauss, n: 5}\n"),
		"empty.yaml":       nil,
	}
	dir := f.TempDir()
	for name, text := range documents {
		expect.Success(f, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	for _, name := range []string{"", " ", ".", "/", "./", "..", "\x00", "-", "no.yaml", "no/", "test.yaml", "sunwulf", "machine.yaml",
		"application.yaml", "scenario.yaml", "empty.yaml", "stencil3d", "\u00e9.yaml", "a: b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if tooExpensive.MatchString(name) || strings.HasPrefix(name, "/") && len(name) > 1 {
			return
		}
		quoted := expect.Value(json.Marshal(name))(t)
		for _, x := range references {
			text := []byte(strings.Replace(x.text, "%s", string(quoted), 1))
			all := scenario.Documents{}
			for path, text := range documents {
				all[path] = text
			}
			path := filepath.Join(dir, "test.yaml")
			all[path] = text
			root, err := yamldoc.Parse(path, text)
			if err != nil {
				continue // a name that no YAML has
			}
			err = x.read(path, root, all)
			expect.That(t, err == nil || input.IsError(err), "%s %q: %v", x.name, name, err)
			if name == "" {
				expect.That(t, err != nil && input.HasPosition(err) && strings.Contains(err.Error(), "test.yaml:"),
					"%s: an empty name: %v", x.name, err)
			}
		}
	})
}

// Any bytes are a study that has an answer or an unattainable target, or an
// error with its place in the file.
func FuzzStudy(f *testing.F) {
	addExamples(f,
		"target_efficiency: .3\nmachine: sunwulf\nnetwork: hockney\nsystems: [{name: a, nodes: {blade: 1}}, {name: b, nodes: {blade: 3}}]\nworkload: {name: matmul}\nsizes: {from: 3, to: 60}\n",
		"{target_efficiency: .2, machine: sunwulf, network: ideal, systems: [{name: a, nodes: {blade: 2}}], workload: {name: gauss, startup_per_process: 1 ms}, sizes: {from: 3, to: 60}, trend: {degree: 1, points: 3}, compare: {source: x, n: {a: 9}, times: [{system: a, n: 9, time: 1 s}]}}",
		"systems: []\n", "target_efficiency: {}\nsystems: [{name: ''}]\ncompare: {n: {a: 1}, psi: [a]}\n", "systems: [[[")
	f.Fuzz(func(t *testing.T, data []byte) {
		if tooExpensive.Match(data) {
			return
		}
		s, err := scenario.Documents{"test.yaml": data}.ReadStudy("test.yaml", nil)
		if err != nil {
			checkInput(t, err)
			return
		}
		if s.Sizes.To > 80 || len(s.Systems) > 4 || s.Trend.Points > 20 {
			return
		}
		if s.Compare != nil {
			for _, x := range s.Compare.Times {
				if x.N > 80 {
					return
				}
			}
		}
		for _, x := range s.Systems {
			if p, err := s.Machine.Place(x.Selection); err != nil || p.Ranks() > 16 {
				return
			}
		}
		r, err := iso.Run(context.Background(), s, nil, nil)
		var unattainable *fault.UnattainableError
		switch {
		case errors.As(err, &unattainable):
			expect.That(t, unattainable.Pos != (yamldoc.Position{}) && unattainable.Best > 0 &&
				unattainable.Best <= math.MaxFloat64,
				"got %+v", unattainable)
			return
		case err != nil:
			t.Fatalf("a valid study does not run: %v", err)
		}
		expect.That(t, len(r.Systems) == len(s.Systems) && len(r.Psi) == len(s.Systems)-1,
			"%d systems and %d psi for %d systems", len(r.Systems), len(r.Psi), len(s.Systems))
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
		if err := html.Write(io.Discard, r.Report()); err != nil {
			t.Error(err)
		}
	})
}
