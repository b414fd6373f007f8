package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// A fake is a Slurm whose programs play a script. The k-th call of a program
// runs its k-th shell snippet, and further calls the last. The programs stand
// first in PATH and keep a log of their calls. In a snippet,
//
//	row SHARD STATE STATUS NODE REASON   prints a line of squeue
//	shard K...                           makes shards complete
//	unknown                              fails as for a job that Slurm has forgotten
//	dead                                 fails as without a controller
type fake struct {
	t      *testing.T
	dir    string // of snippets and logs
	result string // the result directory
	shards int
}

// The widths of row equal those of columns, written down independently.
const fakePrelude = `
row() { printf '%-30s%-20s%-12s%-40s%-60s\n' "$@"; }
shard() { for k; do : >"$FAKE_RESULT/shard-$k"; done; }
unknown() { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }
dead() { echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1; }
`

const fakeProgram = `#!/bin/sh
name=${0##*/}
cd "$FAKE_DIR" || exit 99
n=$(($(cat "$name.count" 2>/dev/null || echo 0) + 1))
echo $n >"$name.count"
printf '%s\n' "$@" >"$name.$n.args"
[ "$name" = sbatch ] && cat >"sbatch.$n.stdin"
while [ ! -e "$name.$n" ]; do n=$((n - 1)); [ $n -gt 0 ] || exit 98; done
. ./prelude
. "./$name.$n"
`

const fakeConfig = `
echo "Configuration data as of 2026-01-01T00:00:00"
echo "ClusterName             = toy"
echo "MaxArraySize            = 1001"
echo "MaxJobCount             = 10000"
`

// newFake makes a fake of a number of shards. Programs that are not in the map
// do not exist, but scontrol has a default.
func newFake(t *testing.T, shards int, snippets map[string][]string) *fake {
	t.Helper()
	f := &fake{t: t, dir: t.TempDir(), result: t.TempDir(), shards: shards}
	if snippets["scontrol"] == nil {
		snippets["scontrol"] = []string{fakeConfig}
	}
	f.write("prelude", fakePrelude)
	for _, name := range []string{"sbatch", "squeue", "scontrol"} {
		if snippets[name] == nil {
			continue
		}
		expect.Success(t, os.MkdirAll(filepath.Join(f.dir, "bin"), 0o755))
		expect.Success(t, os.WriteFile(filepath.Join(f.dir, "bin", name), []byte(fakeProgram), 0o755))
		for i, snippet := range snippets[name] {
			f.write(fmt.Sprintf("%s.%d", name, i+1), snippet)
		}
	}
	t.Setenv("PATH", filepath.Join(f.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("FAKE_DIR", f.dir)
	t.Setenv("FAKE_RESULT", f.result)
	return f
}

func (f *fake) write(name, content string) {
	f.t.Helper()
	expect.Success(f.t, os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o644))
}

// work is the work on the fake's result directory.
func (f *fake) work() Work {
	return Work{
		Dir:     f.result,
		Command: []string{"isoscale", "sweep", "shard", f.result},
		Shards:  f.shards,
		Missing: func() ([]int, error) {
			var missing []int
			for k := range f.shards {
				_, err := os.Stat(filepath.Join(f.result, fmt.Sprintf("shard-%d", k)))
				if errors.Is(err, fs.ErrNotExist) {
					missing = append(missing, k)
				} else if err != nil {
					return nil, err
				}
			}
			return missing, nil
		},
	}
}

// quick are options with which a test need not wait.
var quick = Options{Poll: time.Millisecond, Grace: 20 * time.Millisecond, Patience: time.Minute}

// run runs Slurm and returns what it told.
func (f *fake) run(o Options) ([]Status, error) {
	f.t.Helper()
	var told []Status
	err := Slurm(context.Background(), f.work(), o, func(s Status) {
		expect.That(f.t, s.Pending+s.Running+s.Done+s.Failed == f.shards,
			"status %+v does not add up to %d shards", s, f.shards)
		told = append(told, s)
	})
	return told, err
}

// calls returns how many times a program was called.
func (f *fake) calls(name string) int {
	f.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(f.read(name + ".count")))
	if err != nil {
		return 0
	}
	return n
}

// args returns the arguments of the n-th call of a program (from 1).
func (f *fake) args(name string, n int) []string {
	f.t.Helper()
	return strings.Split(strings.TrimSuffix(f.read(fmt.Sprintf("%s.%d.args", name, n)), "\n"), "\n")
}

// option returns the value of an option of the n-th call of sbatch.
func (f *fake) option(n int, name string) string {
	f.t.Helper()
	args := f.args("sbatch", n)
	i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, name) })
	expect.Need(f.t, i >= 0, "sbatch without %s: %q", name, args)
	return strings.TrimPrefix(args[i], name)
}

// arrays returns the --array of all calls of sbatch.
func (f *fake) arrays() (arrays []string) {
	f.t.Helper()
	for n := range f.calls("sbatch") {
		arrays = append(arrays, f.option(n+1, "--array="))
	}
	return arrays
}

// read returns a file of the fake; empty if there is none.
func (f *fake) read(name string) string {
	f.t.Helper()
	content, err := os.ReadFile(filepath.Join(f.dir, name))
	expect.Need(f.t, err == nil || errors.Is(err, fs.ErrNotExist), "%v", err)
	return string(content)
}

// hasRecord reports whether slurm.json is there.
func (f *fake) hasRecord() bool {
	_, err := os.Stat(filepath.Join(f.result, "slurm.json"))
	return err == nil
}
