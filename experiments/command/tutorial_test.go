package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The files and commands of the tutorial on applications work as they are printed.
func TestTutorialOnApplications(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "tutorials", "describe-your-application.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	files := map[string]string{}
	var lines []string
	for _, block := range regexp.MustCompile("(?ms)^```(yaml|sh)\n(.*?)^```").FindAllStringSubmatch(string(page), -1) {
		switch text := block[2]; {
		case block[1] == "sh":
			lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
		case strings.HasPrefix(text, "application:"):
			files["smooth.yaml"] = text
		case strings.HasPrefix(text, "machine:"):
			files["smooth-run.yaml"] = text
		case strings.HasPrefix(text, "scenario:"):
			files["smooth-sweep.yaml"] = text
		}
	}
	if len(files) != 3 || len(lines) < 4 {
		t.Fatalf("found %d files and %d commands", len(files), len(lines))
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(files["smooth.yaml"], "\n"); got > 10 {
		t.Errorf("the first file has %d lines", got)
	}
	for _, line := range lines {
		words := shellWords(t, line)
		if out := succeed(t, words[1:]...); strings.Contains(out.stdout+out.stderr, "warning") {
			t.Errorf("%s warns:\n%s%s", line, out.stdout, out.stderr)
		}
	}
}
