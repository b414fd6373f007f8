package isoscale_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The programs of docs/library.md run in a module outside of this one, which can
// import what is public and nothing else. There is one for each task of the page's
// table, and the first has at most 30 lines. All are vetted; without ISOSCALE_LONG every
// fourth is linked and run.
func TestProgramsOfTheLibraryPage(t *testing.T) {
	if testing.Short() {
		t.Skip("links a dozen programs")
	}
	page, err := os.ReadFile(filepath.Join("docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 10 {
		t.Fatalf("%d programs, want at least 10", len(blocks))
	}
	if n := strings.Count(string(blocks[0][1]), "\n"); n > 30 {
		t.Errorf("the first program has %d lines, want at most 30", n)
	}
	dir := outsideModule(t)
	for i, block := range blocks {
		folder := filepath.Join(dir, fmt.Sprintf("program%d", i+1))
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "main.go"), block[1], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir() + string(filepath.Separator)
	if out := command(t, dir, "gofmt", "-l", "."); out != "" {
		t.Errorf("not as gofmt has it: %s", out)
	}
	command(t, dir, "go", "vet", "./...")
	built := []string{"go", "build", "-o", bin}
	linked := func(i int) bool { return os.Getenv("ISOSCALE_LONG") != "" || i%4 == 0 }
	for i := range blocks {
		if linked(i) {
			built = append(built, fmt.Sprintf("./program%d", i+1))
		}
	}
	command(t, dir, built...)
	for i := range blocks {
		if !linked(i) {
			continue
		}
		if out := command(t, dir, filepath.Join(bin, fmt.Sprintf("program%d", i+1))); out == "" {
			t.Errorf("program %d prints nothing", i+1)
		}
	}
}

// outsideModule makes a module that requires this one.
func outsideModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/outside\n\ngo 1.26\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n",
		"go.sum": string(sums),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command runs a command that must end well, and returns what it prints.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	// What the go command needs is in the cache, since this test was built.
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := c.CombinedOutput()
	t.Logf("%s\n%s", strings.Join(args, " "), out)
	if err != nil {
		t.Fatalf("%s: %v", args[0], err)
	}
	return string(out)
}
