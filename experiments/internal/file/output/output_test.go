package output_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/expect"
)

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	expect.Success(t, os.WriteFile(name, []byte(content), 0o644))
	return name
}

func holds(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	expect.That(t, err == nil && string(got) == want, "%s: %q, %v; want %q", filepath.Base(name), got, err, want)
}

func link(t *testing.T, link func(from, to string) error, from, to string) string {
	t.Helper()
	if err := link(from, to); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return to
}

func TestWriteReplacesAFileWhenItIsComplete(t *testing.T) {
	dir := t.TempDir()
	name := write(t, filepath.Join(dir, "report.html"), "old")
	expect.Success(t, os.Chmod(name, 0o640))
	f := output.New(io.Discard, store.Holds, name)
	expect.Success(t, f.Check())
	broken := errors.New("broken")
	err := f.Write(name, func(w io.Writer) error {
		if err := text(strings.Repeat("half", 1<<20))(w); err != nil { // beyond any buffer
			return err
		}
		holds(t, name, "old")
		return broken
	})
	expect.That(t, err == broken, "the error of the content becomes %v", err)
	holds(t, name, "old")
	expect.Success(t, f.Write(name, text("new")))
	holds(t, name, "new")
	info, err := os.Stat(name)
	expect.That(t, err == nil && info.Mode().Perm() == 0o640, "mode %v, %v; want that of the old file", info.Mode(), err)
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	expect.That(t, err == nil && len(names) == 0, "temporary files are left: %q, %v", names, err)
}

// A link stays a link: its target gets the content.
func TestWriteFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	for _, there := range []bool{false, true} {
		name := filepath.Join(dir, "link")
		if !there {
			link(t, os.Symlink, "target", name)
		}
		f := output.New(io.Discard, store.Holds, name)
		expect.Success(t, f.Write(name, text("new")))
		holds(t, target, "new")
		to, err := os.Readlink(name)
		expect.That(t, err == nil && to == "target", "the link leads to %q, %v", to, err)
	}
}

func TestWriteToStandardOutput(t *testing.T) {
	var stdout bytes.Buffer
	f := output.New(&stdout, store.Holds, "", output.Stdout)
	expect.That(t, f.UseStdout(), "standard output is not noticed")
	expect.Success(t, text("text")(f.Text()))
	for _, name := range []string{"", output.Stdout} {
		expect.Success(t, f.Write(name, text("report")))
	}
	expect.Equal(t, stdout.String(), "report", "standard output has")
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	in := write(t, path("in.yaml"), "input")
	trace := path("trace")
	expect.Success(t, os.Mkdir(trace, 0o755))
	write(t, filepath.Join(trace, "0.ti"), "trace")
	study := path("study")
	d := expect.Value(store.Create(study, store.Plan{Version: "1", Points: 1, Shards: 1, Columns: []store.Column{{Name: "x"}}, Spec: []byte("{}")}))(t)
	a := expect.Value(d.Begin(0, nil))(t)
	expect.Success(t, errors.Join(a.Put([]string{"1"}, 0), a.Commit()))
	lost := path("lost") // a study without its plan
	expect.Success(t, os.Mkdir(lost, 0o755))
	write(t, filepath.Join(lost, "shard-00000.csv"), "rows")
	link(t, os.Symlink, in, path("soft"))
	link(t, os.Link, in, path("hard"))
	link(t, os.Symlink, study, path("studylink"))
	link(t, os.Symlink, filepath.Join(study, "plan.json"), path("planlink"))
	link(t, os.Symlink, path("new"), path("newlink"))
	outputs := func(names ...string) []string { return names }
	each := func(folder string, names ...string) (all [][]string) {
		for _, name := range names {
			all = append(all, outputs(filepath.Join(folder, name)))
		}
		return all
	}
	for want, all := range map[string][][]string{
		"": slices.Concat([][]string{outputs(path("new"), path("other"))}, each(study, "report.html", "rows.csv"),
			each(dir, "plan.json", "results.csv")), // no study here
		"it is an input":            each(dir, "in.yaml", "soft", "hard"),
		"which is an input":         each(trace, "0.ti"),
		"it is a directory":         each(dir, "study"),
		"no such file or directory": each(dir, "nowhere/x"),
		"not a directory":           each(dir, "in.yaml/x"),
		"it is a file of a results directory": slices.Concat(
			each(study, "plan.json", "PLAN.JSON", "about.json", "slurm.json", "results.csv", "shard-00000.csv",
				"part-00000.x.1.y", "times/x.log"),
			each(dir, "lost/plan.json", "studylink/plan.json", "planlink")),
		"another output of this call is the same file": {outputs(path("new"), path("new")),
			outputs(path("new"), path("trace/../new")), outputs(path("new"), path("newlink")),
			outputs(output.Stdout, output.Stdout)},
	} {
		for _, names := range all {
			err := output.New(io.Discard, store.Holds, names...).Check(in, trace)
			var refused *output.Error
			switch {
			case want == "" && err != nil:
				t.Errorf("%q: %v", names, err)
			case want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), want)):
				t.Errorf("%q: %v; want %q", names, err, want)
			}
		}
	}
}

// Changes between the check and the end of the work count: a file that was read only
// then, and a link that leads elsewhere now.
func TestWriteChecksAgain(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "in"), "input")
	out := filepath.Join(dir, "out")
	f := output.New(io.Discard, store.Holds, out)
	expect.Success(t, f.Check(in))
	err := f.Write(out, func(w io.Writer) error {
		link(t, os.Symlink, in, out)
		return text("report")(w)
	})
	expect.Failure(t, err, "it is an input")
	holds(t, in, "input")
	expect.Success(t, os.Remove(out))
	write(t, out, "read late")
	err = f.Check(out)
	expect.That(t, err != nil, "a file that was read later may be replaced")
	err = f.Write(out, text("report"))
	expect.That(t, err != nil, "a file that was read later is replaced")
	holds(t, out, "read late")
}

// Standard output that goes to the same file would be mixed with it, or lost.
func TestRefusesTheFileOfStandardOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	stdout := expect.Value(os.Create(name))(t)
	defer stdout.Close()
	expect.Failure(t, output.New(stdout, store.Holds, name).Check(), "standard output goes there")
}

func TestWriteToADevice(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip(err)
	}
	f := output.New(io.Discard, store.Holds, os.DevNull)
	if err := errors.Join(f.Check(), f.Write(os.DevNull, text("report"))); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(os.DevNull)
	expect.That(t, err == nil && !info.Mode().IsRegular(), "%s has been replaced: %v", os.DevNull, err)
}
