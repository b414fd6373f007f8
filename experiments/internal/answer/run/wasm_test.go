package run

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// A program compiled for a browser, which has neither files nor /proc, gives the JSON of the native
// one. It needs Node.js; with ISOSCALE_REQUIRE_NODE a missing one is a failure.
func TestWebAssembly(t *testing.T) {
	expect.Long(t, "compiles a program, as the test of the explorer does")
	node, err := exec.LookPath("node")
	if err != nil {
		expect.Need(t, os.Getenv("ISOSCALE_REQUIRE_NODE") == "", "Node.js is not installed")
		t.Skip("Node.js is not installed")
	}
	root := expect.Value(exec.Command("go", "env", "GOROOT").Output())(t)
	program := filepath.Join(t.TempDir(), "run.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./testdata/wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	out, err := build.CombinedOutput()
	expect.Need(t, err == nil, "%v\n%s", err, out)
	if testing.Verbose() {
		reportSize(t, program) // takes longer than the runs
	}
	for _, files := range [][]string{
		{"sunwulf-run.yaml"},
		{"lessons/2-ring.yaml", "lessons/lab.yaml"}, // with the machine that it names
		{"topologies/leaf-spine.yaml"},
	} {
		file, texts, documents := files[0], map[string]string{}, scenario.Documents{}
		for _, name := range files {
			text := expect.Value(os.ReadFile(filepath.Join("../../../../examples", name)))(t)
			texts[name], documents[name] = string(text), text
		}
		stdin := expect.Value(json.Marshal(texts))(t)
		c := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), program, file)
		c.Stdin = bytes.NewReader(stdin)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		got, err := c.Output()
		expect.Need(t, err == nil, "%s: %v\n%s", file, err, &stderr)
		s := expect.Value(documents.Read(file, nil))(t)
		r := expect.Value(Run(context.Background(), s, Options{Links: s.HasLinks()}))(t)
		want := expect.Value(json.Marshal(r))(t)
		d := cmp.Diff(withoutRun(t, want), withoutRun(t, got))
		expect.That(t, d == "", "%s: native -, WebAssembly +\n%s", file, d)
	}
}

// withoutRun drops the fields of a document that depend on the build and the computer.
func withoutRun(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var m map[string]any
	err := json.Unmarshal(data, &m)
	expect.Need(t, err == nil, "%v\n%s", err, data)
	p := m["provenance"].(map[string]any)
	delete(p, "wall_s")
	delete(p, "revision")
	return m
}

func reportSize(t *testing.T, program string) {
	t.Helper()
	data := expect.Value(os.ReadFile(program))(t)
	var b bytes.Buffer
	z := expect.Value(gzip.NewWriterLevel(&b, gzip.BestCompression))(t)
	expect.Value(z.Write(data))(t)
	expect.Success(t, z.Close())
	t.Logf("%.1f MB, gzipped %.1f MB", float64(len(data))/1e6, float64(b.Len())/1e6)
}
