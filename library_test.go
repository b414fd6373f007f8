package isoscale_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// The programs of docs/library.md compile and run.
func TestProgramsOfTheLibraryPage(t *testing.T) {
	if testing.Short() {
		t.Skip("links five programs")
	}
	page, err := os.ReadFile(filepath.Join("docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 5 {
		t.Fatalf("%d programs, want 5", len(blocks))
	}
	for i, block := range blocks {
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, block[1], 0o666); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("go", "run", file).CombinedOutput()
			if err != nil || len(out) == 0 {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}
