package isoscale_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// mostLines is how many lines of Go, without tests, a package of experiments may have:
// what one can read in a day.
const mostLines = 3000

// largePackages may have more, because what they hold would not be easier to read in
// parts.
var largePackages = map[string]string{
	"experiments/internal/purchase": "the formulas of docs/models/purchase.md over one plan and its candidates, which all of them read and write; in parts, most of these would be exported",
	"experiments/internal/paper":    "five papers beside each other, each with files named after it, which share little and are read one at a time",
}

func TestPackagesCanBeRead(t *testing.T) {
	lines := packageLines(t, os.DirFS("."))
	if len(lines) < 40 {
		t.Errorf("only %d packages were counted", len(lines))
	}
	for folder, n := range lines {
		if n > mostLines && largePackages[folder] == "" {
			t.Errorf("%s has %d lines without tests; expected at most %d: give one of its ideas a package of its own", folder, n, mostLines)
		}
	}
	for folder := range largePackages {
		if n := lines[folder]; n <= mostLines {
			t.Errorf("%s has %d lines and needs no exception", folder, n)
		}
	}
}

func TestPackageLines(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got := packageLines(t, fstest.MapFS{
		"experiments/a/doc.go":          file("// Package a is one.\npackage a\n"),
		"experiments/a/b/b.go":          file("package b\n"),
		"experiments/a/a.go":            file("package a\n\nvar A int\n"),
		"experiments/a/a_test.go":       file("package a\n"),
		"experiments/a/a.md":            file("text\n"),
		"experiments/a/testdata/x.go":   file("package x\n"),
		"sim/sim.go":                    file("package sim\n"),
		"experiments/onlytests_test.go": file("package experiments\n"),
	})
	if len(got) != 2 || got["experiments/a"] != 5 || got["experiments/a/b"] != 1 {
		t.Errorf("%v; want 5 lines of experiments/a and 1 of experiments/a/b", got)
	}
}

// packageLines counts the lines of the packages below experiments, without tests, by
// folder.
func packageLines(t *testing.T, tree fs.FS) map[string]int {
	t.Helper()
	lines := make(map[string]int)
	err := fs.WalkDir(tree, "experiments", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		lines[path.Dir(name)] += bytes.Count(source, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
