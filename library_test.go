package isoscale_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// The programs of docs/library.md run in a module outside of this one, which can import
// only public packages. There is one for each task in the table of the page, and the
// first has at most 30 lines.
func TestProgramsOfTheLibraryPage(t *testing.T) {
	expect.Long(t, "links a dozen programs")
	page := expect.Value(os.ReadFile(filepath.Join("docs", "library.md")))(t)
	blocks := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindAllSubmatch(page, -1)
	expect.Need(t, len(blocks) >= 10, "%d programs, want at least 10", len(blocks))
	n := strings.Count(string(blocks[0][1]), "\n")
	expect.That(t, n <= 30, "the first program has %d lines, want at most 30", n)
	dir := outsideModule(t)
	for i, block := range blocks {
		folder := filepath.Join(dir, fmt.Sprintf("program%d", i+1))
		expect.Success(t, os.Mkdir(folder, 0o777))
		expect.Success(t, os.WriteFile(filepath.Join(folder, "main.go"), block[1], 0o666))
	}
	bin := t.TempDir() + string(filepath.Separator)
	if out := command(t, dir, "gofmt", "-l", "."); out != "" {
		t.Errorf("not as gofmt has it: %s", out)
	}
	command(t, dir, "go", "vet", "./...")
	command(t, dir, "go", "build", "-o", bin, "./...")
	for i := range blocks {
		out := command(t, dir, filepath.Join(bin, fmt.Sprintf("program%d", i+1)))
		expect.That(t, out != "", "program %d prints nothing", i+1)
	}
}

// outsideModule makes a module that requires this one.
func outsideModule(t *testing.T) string {
	t.Helper()
	root := expect.Value(filepath.Abs("."))(t)
	sums := expect.Value(os.ReadFile("go.sum"))(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/outside\n\ngo 1.26\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n",
		"go.sum": string(sums),
	} {
		expect.Success(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// command runs a command that must succeed, and returns its output.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	// The go command finds everything in the cache, because this test was built.
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := c.CombinedOutput()
	t.Logf("%s\n%s", strings.Join(args, " "), out)
	expect.Need(t, err == nil, "%s: %v", args[0], err)
	return string(out)
}
