package document

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

const (
	lab      = "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w, count: 2}]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n"
	scenario = "machine: lab.yaml\nnetwork: hockney\nworkload: {name: gauss, n: 8}\n"
)

// take returns the text of a scalar below a mapping.
func take(t *testing.T, root *yamldoc.Node, keys ...string) string {
	t.Helper()
	var d yamldoc.Decoder
	for _, key := range keys {
		root = d.Mapping(root, "").Take(key)
		expect.Need(t, root != nil, "there is no %s in %q", key, keys)
	}
	return root.Text()
}

func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	expect.Success(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestLooksLikeFile(t *testing.T) {
	for name, want := range map[string]bool{"a.yaml": true, "a.yml": true, "a.xml": true, "../a": true, "sunwulf": false, "yaml": false, "a.json": false} {
		expect.That(t, LooksLikeFile(name) == want, "%s: %v", name, !want)
	}
}

// An override of a value in a machine reaches into the file that the scenario names, which
// is beside it wherever the command runs; the machine has the name of its file. Both files
// are recorded, with the sums of sha256sum.
func TestOpenReachesIntoTheMachine(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "lab.yaml", lab)
	var r Reader
	root := expect.Value(r.Open(write(t, folder, "run.yaml", scenario), []input.Override{{Path: "workload.n", Value: "16"}, {Path: "machine.network.latency", Value: "5 us"}}))(t)
	for want, keys := range map[string][]string{"16": {"workload", "n"}, "5 us": {"machine", "network", "latency"}, "1 GB/s": {"machine", "network", "bandwidth"}, "lab": {"machine", "name"}} {
		expect.Equal(t, take(t, root, keys...), want, "%q", keys)
	}
	in := r.Inputs()
	expect.That(t, len(in) == 2 && filepath.Base(in[0].File) == "run.yaml" && filepath.Base(in[1].File) == "lab.yaml" &&
		len(in[0].SHA256) == 64 && in[0].SHA256 != in[1].SHA256,
		"inputs %+v", in)
	// Without such an override the name stays, for the reader of the scenario.
	root, err := new(Reader).Open(filepath.Join(folder, "run.yaml"), nil)
	expect.That(t, err == nil && take(t, root, "machine") == "lab.yaml", "%v, or the machine is not as it was", err)
}

// A machine of the catalogue is opened by its name, and one that is written into the
// scenario is left alone.
func TestWithMachine(t *testing.T) {
	var r Reader
	for text, want := range map[string]string{
		"machine: sunwulf":                 "sunwulf",
		"machine: {name: own, nodes: [a]}": "own",
	} {
		root := expect.Value(yamldoc.Parse("run.yaml", []byte(text)))(t)
		root, err := r.WithMachine(root, "")
		expect.That(t, err == nil && take(t, root, "machine", "name") == want, "%s: %v", text, err)
	}
	in := r.Inputs()
	expect.That(t, len(in) == 1 && in[0].File == "catalogue/sunwulf.yaml", "inputs %+v", in)
}

func TestBadDocuments(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "lab.yaml", scenario) // no machine
	run := write(t, folder, "run.yaml", scenario)
	many := map[string][]byte{}
	for i := range 30 {
		many[fmt.Sprintf("f%02d.yaml", i)] = nil
	}
	for _, c := range map[string]struct {
		reader *Reader
		file   string
		set    []input.Override
		want   string
	}{
		"no file":           {new(Reader), filepath.Join(folder, "no.yaml"), nil, "no.yaml"},
		"no machine":        {new(Reader), run, []input.Override{{Path: "machine.network.latency", Value: "5 us"}}, "machine"},
		"no such key":       {new(Reader), run, []input.Override{{Path: "workload.n.m", Value: "1"}}, "workload.n"},
		"no such text":      {OfTexts(map[string][]byte{"a": nil, "b": nil}), "c", nil, "expected one of: a, b"},
		"no texts":          {OfTexts(nil), run, nil, "no such document"},
		"no such of many":   {OfTexts(many), "f15.yam", nil, "f10.yaml, f11.yaml, and 18 more; did you mean f15.yaml, "},
		"not in the study":  {SealedLibrary(nil).Reader(), "a.yaml", nil, "is not among the files of the study"},
		"another file form": {new(Reader), write(t, folder, "a.csv", "processes,time [s]\n1,2\n"), nil, "expected"},
	} {
		expect.Refusal(c.reader.Open(c.file, c.set))(t, c.want)
	}
}

// A library reads a file once, even if it has changed since, and makes something of it once
// for all of its readers. A sealed library of its documents knows nothing else.
func TestLibraryReadsOnce(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.yaml", "n: 1\n")
	l := NewLibrary(folder)
	first := expect.Value(l.Reader().ReadFile("a.yaml"))(t)
	write(t, folder, "a.yaml", "n: 2\n")
	again, err := l.Reader().ReadFile("a.yaml")
	expect.That(t, err == nil && again == first && take(t, again, "n") == "1", "%v, or the file was read again", err)
	made := 0
	for range 3 {
		expect.Equal(t, Once(l.Reader(), "a.yaml", func() *int { made++; return &made }), &made, "something else was made")
	}
	expect.That(t, made == 1, "made %d times", made)
	files := l.Files()
	expect.That(t, len(files) == 1 && files[0] == path, "files %q, want %q", files, path)
	sealed := SealedLibrary(l.Documents())
	root, err := sealed.Reader().ReadFile("a.yaml")
	expect.That(t, err == nil && take(t, root, "n") == "1", "sealed: %v", err)
	files = sealed.Files()
	expect.That(t, len(files) == 0, "a sealed library has the files %q", files)
}
