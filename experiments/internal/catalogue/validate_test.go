package catalogue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// Checking a long trace can be interrupted.
func TestValidateIsInterrupted(t *testing.T) {
	path := expect.File(t, "long.ti", strings.Repeat("0 compute 1\n", 1<<17))
	ctx, cancel := context.WithCancel(context.Background())
	expect.Value(Validate(ctx, path, nil))(t)
	cancel()
	_, err := Validate(ctx, path, nil)
	expect.That(t, errors.Is(err, context.Canceled), "error %v, want context.Canceled", err)
}

// Validate refuses whatever a run refuses before time passes, with the same words.
func TestValidateFindsWhatARunRefuses(t *testing.T) {
	const machine = `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 4}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
`
	const rest = "network: hockney\n" + "workload: {application: app.yaml, n: 4}\n"
	for _, tt := range []struct {
		name, program, scenario string
		want                    string // a part of the error
	}{
		{"not a number", "- compute: n*rank/0", machine + rest, "app.yaml:5:3: process 0: flop: n*rank/0 is NaN; expected a number from 0 to 1e30"},
		{"infinite on another process", "- when: rank == 2\n  do: [{compute: n*rank/0}]", machine + rest, "app.yaml:6:8: process 2: flop: n*rank/0 is +Inf; expected"},
		{"negative rounds", "- repeat: -1\n  do: [{delay: 1 us}]", machine + rest, "app.yaml:5:3: process 0: repeat: -1 is -1; expected a whole number from 0"},
		{"half a round", "- repeat: 2.5\n  do: [{delay: 1 us}]", machine + rest, "process 0: repeat: 2.5 is 2.5; expected a whole number"},
		{"in a later round", "- repeat: 5\n  index: i\n  do: [{compute: 3-i}]", machine + rest, "flop: 3-i is -1; expected"},
		{"every", "- repeat: 5\n  do: [{delay: {time: 1 us, every: n/8}}]", machine + rest, "every: n/8 is 0.5; expected a whole number from 1"},
		{"delay", "- delay: (1-n)*1e-6", machine + rest, "delay: (1-n)*1e-6 is "},
		{"partner", "- send: {to: rank+0.5, size: 8 B}", machine + rest, "to: rank+0.5 is 0.5; expected the number of a process"},
		{"size", "- send: {to: 1, size: 0-n}", machine + rest, "size: 0-n is -4; expected"},
		{"root", "- bcast: {root: 4, size: 8 B}", machine + rest, "root: 4 is 4; expected a whole number from 0 to 3"},
		{"size of a collective", "- allreduce: {size: rank-1}", machine + rest, "process 0: size: rank-1 is -1; expected"},
		{"request that is open", "- isend: {to: 1, size: 8 B, request: a}\n- isend: {to: 1, size: 8 B, request: a}", machine + rest, "the request is still open"},
		{"tasks", "- tasks: {count: n/8, flop: 1 flop}", machine + rest, "tasks: n/8 is 0.5; expected"},
		{"a task", "- tasks: {count: 8, flop: 4-task}", machine + rest, "flop: 4-task is -1; expected"},
		{"tasks that are handed out", "- tasks: {count: 2.5, order: dynamic, flop: 1 flop}", machine + rest, "tasks: 2.5 is 2.5; expected"},
		{"input of a task", "- tasks: {count: 8, order: dynamic, flop: 1 flop, input: 0-n}", machine + rest, "input: 0-n is -4; expected"},
		{"memory", "- delay: 1 us", "MEMORY" + machine + rest, "memory of process 0"},
		{"speeds beyond all numbers", "- delay: 1 us", strings.Replace(machine, "1 Gflop/s", "1e308 flop/s", 1) + rest, "the sum of the marked speeds"},
		{"a super-program too large", "", "workload: super-program\nmethod: dispatch\nlevels: [4, 4, 4]\ntasks: [67108864, 67108864, 67108864]\n", "SIs of the last level; expected at most 2^62"},
		{"a super-program in flight", "", "workload: super-program\nmethod: dispatch\nlevels: [67108864]\ntasks: [67108864]\n", "SIs in flight; expected at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			app := "application: app\nparameters: {n: 8}\nwork: 1 flop\nprogram:\n" + tt.program
			if rest, ok := strings.CutPrefix(tt.scenario, "MEMORY"); ok {
				app, tt.scenario = "memory: 3-n\n"+app, rest
			}
			path := writeFiles(t, map[string]string{"app.yaml": app, "file.yaml": tt.scenario})
			_, valid := Validate(context.Background(), path, nil)
			_, refused := runFile(path)
			expect.That(t, valid != nil && refused != nil && valid.Error() == refused.Error() &&
				strings.Contains(valid.Error(), tt.want),
				"validate: %v\nrun:      %v\nwant      %s", valid, refused, tt.want)
		})
	}
}

// A study begins with the smallest size on each system, a sweep with nothing that is sure to fail.
func TestValidateFindsWhatAStudyRefuses(t *testing.T) {
	path := writeFiles(t, map[string]string{
		"app.yaml": "application: app\nparameters: {n: 8}\nwork: n\nprogram:\n- compute: 20-n\n",
		"file.yaml": "target_efficiency: 0.3\nmachine: sunwulf\nnetwork: hockney\nsystems: [{name: A, nodes: {blade: 2}}]\n" +
			"workload: {application: app.yaml}\nsizes: {from: 30, to: 90}\n",
	})
	_, valid := Validate(context.Background(), path, nil)
	s := expect.Value(scenario.Disk.ReadStudy(path, nil))(t)
	_, refused := iso.Run(context.Background(), s, nil, nil)
	const want = "process 0: flop: 20-n is -10; expected"
	expect.That(t, valid != nil && refused != nil && valid.Error() == refused.Error() &&
		strings.Contains(valid.Error(), want),
		"validate: %v\niso:      %v\nwant      %s", valid, refused, want)
}

// Nothing that a run accepts is refused: neither what is never reached nor programs that are too long to be tried.
func TestValidateAcceptsWhatRuns(t *testing.T) {
	for _, program := range []string{
		"- when: rank > 9\n  do: [{compute: n/0}]",
		"- repeat: 0\n  do: [{compute: 0-1}]",
		"- tasks: {count: 4, order: dynamic, flop: n/rank}",
		"- repeat: 300000\n  do: [{when: rank < 0, do: [{delay: 1 us}]}]",
	} {
		path := writeFiles(t, map[string]string{
			"app.yaml":  "application: app\nparameters: {n: 8}\nwork: 1 flop\nprogram:\n- delay: 1 us\n" + program,
			"file.yaml": "machine:\n  node_types: {n: {marked_speed: 1 Gflop/s}}\n  nodes: [{type: n, count: 4}]\n  network: {latency: 1 us, bandwidth: 1 GB/s}\nnetwork: hockney\nworkload: {application: app.yaml}\n",
		})
		_, err := Validate(context.Background(), path, nil)
		expect.That(t, err == nil, "%s\nvalidate: %v", program, err)
		_, err = runFile(path)
		expect.That(t, err == nil, "%s\nrun: %v", program, err)
	}
}

// writeFiles writes files into a folder and returns the path of file.yaml.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		expect.Success(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	return filepath.Join(folder, "file.yaml")
}

// runFile carries out a scenario or super-program.
func runFile(path string) (any, error) {
	s, super, err := scenario.Disk.ReadRunnable(path, nil)
	switch {
	case err != nil:
		return nil, err
	case super != nil:
		return run.SuperProgram(context.Background(), super, nil)
	}
	return run.Run(context.Background(), s, run.Options{})
}

// What a lesson sets in the files of its runs is refused in the words of the file, with the run or the point of a
// curve, not as what a command line sets.
func TestValidateFindsWhatALessonSets(t *testing.T) {
	const scenario = `machine: {node_types: {n: {marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s}}
network: hockney
workload: {name: matmul, n: 8}
`
	const lesson = `lesson: 1
title: t
minutes: 1
reproduces: r
text: t
runs:
  a: {file: s.yaml, set: {network.latency: %s}}
steps:
  - {title: t, text: t, show: [a], question: q, curve: {file: s.yaml, over: workload.n, values: [%s], label: l, of: time, to: 1}, reveal: r}
insight: i
`
	for _, tt := range []struct{ latency, n, want string }{
		{"2 us", "4, 8", ""},
		{"abc", "4, 8", `: run a: network.latency: time "abc": `},
		{"2 us", "4, x", `: run workload.n=x: workload.n: found the text "x"`},
	} {
		path := writeFiles(t, map[string]string{"s.yaml": scenario, "file.yaml": fmt.Sprintf(lesson, tt.latency, tt.n)})
		_, err := Validate(context.Background(), path, nil)
		expect.That(t, tt.want == "" && err == nil || tt.want != "" && err != nil && strings.HasPrefix(err.Error(), path+tt.want),
			"%s, %s: %v, want %q", tt.latency, tt.n, err, tt.want)
	}
}

// A valid file whose time depends on the marked speed of devices gets a warning.
func TestValidFilesAreWarnedOf(t *testing.T) {
	for file, want := range map[string]int{"data-parallel.yaml": 1, "mixed-precision.yaml": 0, "buy-a-cluster.yaml": 3} {
		v := expect.Value(Validate(t.Context(), "../../../examples/"+file, nil))(t)
		expect.That(t, len(v.Warnings) == want, "%s: %q, want %d warnings", file, v.Warnings, want)
	}
}
