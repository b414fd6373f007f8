package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/isoscale/isoscale/internal/expect"
)

// outcome is what a command line leaves behind.
type outcome struct {
	status         int
	stdout, stderr string
}

// isoscale runs a command line in this process.
func isoscale(args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := execute(context.Background(), args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// breaches checks what holds for every command line: no trace of a panic,
// exit statuses 0 to 2 with a message where there was a failure, with --json one
// document or nothing, and text that keeps to the width.
func breaches(args []string, o outcome) []string {
	var found []string
	fail := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	for _, trace := range []string{"goroutine ", "panic", "runtime error"} {
		if strings.Contains(o.stdout+o.stderr, trace) {
			fail("the output contains %q", trace)
		}
	}
	if o.status < exitOK || o.status > exitInput {
		fail("exit status %d", o.status)
	}
	if o.status != exitOK && o.stderr == "" {
		fail("exit status %d without a message", o.status)
	}
	switch isJSON := slices.Contains(args, "--json"); {
	case isJSON && o.status != exitOK:
		if o.stdout != "" {
			fail("--json printed something although the command failed")
		}
	case isJSON:
		if err := oneDocument(o.stdout); err != nil {
			fail("--json: %v", err)
		}
	case len(args) > 0 && slices.Contains([]string{"run", "iso", "list", "describe", "replay", "paper", "metrics", "plan", "queue", "sweep", "report"}, args[0]) && !slices.Contains(args, "--help"):
		for _, line := range strings.Split(o.stdout, "\n") {
			if n := utf8.RuneCountInString(line); n > textWidth && !strings.Contains(line, "://") {
				fail("a line of %d columns: %q", n, line)
			}
		}
	}
	return found
}

// oneDocument reports why s is not exactly one JSON document.
func oneDocument(s string) error {
	d := json.NewDecoder(strings.NewReader(s))
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the document (%v)", err)
	}
	return nil
}

func TestBreachesAreFound(t *testing.T) {
	wide := strings.Repeat("x", textWidth+1)
	for _, tt := range []struct {
		args string
		o    outcome
		want int
	}{
		{"run", outcome{0, wide[1:] + "\n", ""}, 0},
		{"run", outcome{0, wide + "\n", ""}, 1},
		{"run --help", outcome{0, wide, ""}, 0},
		{"run", outcome{2, "", wide}, 0},
		{"run", outcome{2, "", ""}, 1},
		{"run", outcome{3, "", "x"}, 1},
		{"run", outcome{0, "goroutine 1", ""}, 1},
		{"run", outcome{1, "", "panic: x"}, 1},
		{"run --json", outcome{0, "{}\n", "1 of 2"}, 0},
		{"run --json", outcome{0, "", ""}, 1},
		{"run --json", outcome{0, "{}{}", ""}, 1},
		{"run --json", outcome{0, "{} done", ""}, 1},
		{"run --json", outcome{0, "{", ""}, 1},
		{"run --json", outcome{1, "{}", "x"}, 1},
	} {
		got := breaches(strings.Fields(tt.args), tt.o)
		expect.That(t, len(got) == tt.want, "%s with %+v: found %q, want %d", tt.args, tt.o, got, tt.want)
	}
}

// The scripts have one more builtin, isoscale. It must exit with 0, after ! with
// anything else; "status N" checks the number.
func TestScripts(t *testing.T) {
	dir := expect.Value(filepath.Abs("testdata"))(t)
	examples := expect.Value(filepath.Abs(filepath.Join("..", "..", "examples")))(t)
	// Scripts run in parallel, and file names are relative to the folder of the process.
	var folder sync.Mutex
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir: dir,
			Setup: func(e *testscript.Env) error {
				return os.Symlink(examples, filepath.Join(e.WorkDir, "examples")) // none writes there
			},
			Condition: func(cond string) (bool, error) { return cond == "long" && expect.IsLong(), nil },
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"isoscale": func(ts *testscript.TestScript, neg bool, args []string) {
					folder.Lock()
					o, err := inFolder(ts.MkAbs("."), args)
					folder.Unlock()
					ts.Check(err)
					_, err = io.WriteString(ts.Stdout(), o.stdout)
					ts.Check(err)
					_, err = io.WriteString(ts.Stderr(), o.stderr)
					ts.Check(err)
					ts.Setenv("status", strconv.Itoa(o.status))
					for _, b := range breaches(args, o) {
						ts.Fatalf("isoscale %s: %s", strings.Join(args, " "), b)
					}
					if neg != (o.status != exitOK) {
						ts.Fatalf("isoscale %s: exit status %d\n%s", strings.Join(args, " "), o.status, o.stderr)
					}
				},
				"status": func(ts *testscript.TestScript, neg bool, args []string) {
					if got := ts.Getenv("status"); neg || len(args) != 1 || got != args[0] {
						ts.Fatalf("exit status %s, want %v", got, args)
					}
				},
			},
		})
	})
}

// inFolder runs a command line in another folder.
func inFolder(dir string, args []string) (o outcome, err error) {
	here, err := os.Getwd()
	if err != nil {
		return o, err
	}
	if err := os.Chdir(dir); err != nil {
		return o, err
	}
	o = isoscaleOnce(args...)
	return o, os.Chdir(here)
}
