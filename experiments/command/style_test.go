package command

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// screen is a terminal that remembers what is written to it.
type screen struct{ bytes.Buffer }

func (*screen) Stat() (fs.FileInfo, error) { return device{}, nil }

// device describes a character device.
type device struct{}

func (device) Name() string       { return "tty" }
func (device) Size() int64        { return 0 }
func (device) Mode() fs.FileMode  { return fs.ModeDevice | fs.ModeCharDevice }
func (device) ModTime() time.Time { return time.Time{} }
func (device) IsDir() bool        { return false }
func (device) Sys() any           { return nil }

// Headlines and warnings stand out on a terminal, unless the reader does not want it, and nowhere else.
func TestStylesAreForTerminals(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	text := func(p *printer) {
		p.Title("a title")
		p.Warnings([]string{"beware"})
	}
	const plainly = "a title\n\n\nwarning: beware\n"
	var file bytes.Buffer
	text(&printer{W: &file})
	expect.Equal(t, file.String(), plainly, "in a file")
	var s screen
	text(&printer{W: &s})
	expect.Equal(t, s.String(), "\x1b[1ma title\x1b[0m\n\n\n\x1b[33mwarning: \x1b[0mbeware\n", "on a terminal")
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			var s screen
			text(&printer{W: &s})
			expect.Equal(t, s.String(), plainly, "with %s", name)
		})
	}
}

// Errors are filled on a terminal, and one line each elsewhere.
func TestErrorsKeepToTheWidth(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	long := "a.yaml:1:2: " + strings.Repeat("word ", 30) + "end\n  an indented line stays " + strings.Repeat("x", 80)
	var s screen
	printError(&s, long)
	lines := strings.Split(strings.TrimSuffix(s.String(), "\n"), "\n")
	expect.Equal(t, strings.Join(strings.Fields(s.String()), " "), strings.Join(strings.Fields(long), " "), "words")
	expect.That(t, len(lines) == 4 && len(lines[0]) <= textWidth && len(lines[1]) <= textWidth, "lines %q", lines)
	var file bytes.Buffer
	printError(&file, long)
	expect.Equal(t, file.String(), long+"\n", "in a file")
}

// What is mistyped is answered by what is near it.
func TestHintsForWhatIsMistyped(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "scenario.yaml")
	expect.Success(t, os.WriteFile(file, []byte("title: x\n"), 0o600))
	for _, tt := range []struct{ line, want string }{
		{"run --critcal-path x.yaml", "did you mean --critical-path?"},
		{"run " + filepath.Join(folder, "scenarios.yaml"), "did you mean " + file + "?"},
		{"lesson 1-amdal", "did you mean 1-amdahl?"},
		{"rum", "did you mean run?"},
	} {
		var errors bytes.Buffer
		status := execute(t.Context(), strings.Fields(tt.line), &bytes.Buffer{}, &errors)
		expect.That(t, status == exitInput && strings.Contains(errors.String(), tt.want), "%s: %d, %q", tt.line, status, errors.String())
	}
}

// The list of commands has all of them, explore too, each under a heading, and the manual a page of
// each of them with every flag.
func TestCommandsAreGroupedAndInTheManual(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man")
	var help bytes.Buffer
	expect.Equal(t, execute(t.Context(), []string{"--help"}, &help, &help), exitOK, "status")
	expect.Says(t, help.String(), "\n  explore ")
	expect.Lacks(t, help.String(), "Additional Commands")
	expect.Equal(t, execute(t.Context(), []string{"help", "--man", folder}, &help, &help), exitOK, "status")
	for _, c := range newRoot().Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		expect.That(t, c.GroupID != "", "%s is under no heading", c.Name())
		page := string(expect.Value(os.ReadFile(filepath.Join(folder, "isoscale-"+c.Name()+".1")))(t))
		for _, flag := range []string{"quiet", "json", "set"} {
			listed := strings.Contains(page, `\-\-`+flag)
			expect.That(t, listed || c.LocalFlags().Lookup(flag) == nil, "the manual of %s lacks --%s", c.Name(), flag)
		}
		expect.That(t, strings.HasPrefix(page, ".TH ") && strings.Contains(page, ".SH SYNOPSIS\n"), "%s", page)
	}
}
