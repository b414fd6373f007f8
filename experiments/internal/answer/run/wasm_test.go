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
)

// A program compiled for a browser, which has neither files nor /proc, gives the JSON of the native
// one. It needs Node.js; with ISOSCALE_REQUIRE_NODE a missing one is a failure.
func TestWebAssembly(t *testing.T) {
	if os.Getenv("ISOSCALE_LONG") == "" {
		t.Skip("compiles a program, as the test of the explorer does; ISOSCALE_LONG is not set")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("ISOSCALE_REQUIRE_NODE") != "" {
			t.Fatal("Node.js is not installed")
		}
		t.Skip("Node.js is not installed")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "run.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./testdata/wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if testing.Verbose() {
		reportSize(t, program) // which takes longer than the runs
	}
	for _, files := range [][]string{
		{"sunwulf-run.yaml"},
		{"lessons/2-ring.yaml", "lessons/lab.yaml"}, // with the machine that it names
		{"topologies/leaf-spine.yaml"},
	} {
		file, texts, documents := files[0], map[string]string{}, scenario.Documents{}
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join("../../../../examples", name))
			if err != nil {
				t.Fatal(err)
			}
			texts[name], documents[name] = string(text), text
		}
		stdin, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), program, file)
		c.Stdin = bytes.NewReader(stdin)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		got, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, &stderr)
		}
		s, err := documents.Read(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), s, Options{Links: s.HasLinks()})
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(withoutRun(t, want), withoutRun(t, got)); d != "" {
			t.Errorf("%s: native -, WebAssembly +\n%s", file, d)
		}
	}
}

// withoutRun drops from a document what the build and the computer decide.
func withoutRun(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	p := m["provenance"].(map[string]any)
	delete(p, "wall_s")
	delete(p, "revision")
	return m
}

func reportSize(t *testing.T, program string) {
	t.Helper()
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB, gzipped %.1f MB", float64(len(data))/1e6, float64(b.Len())/1e6)
}
