package command

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/internal/expect"
)

// Each page of help keeps to the width, and the default of no flag depends on the computer.
func TestHelpKeepsToTheWidth(t *testing.T) {
	pages := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		pages++
		text := filled(cmd.Long) + "\n" + cmd.UsageString()
		for line := range strings.Lines(text) {
			n := utf8.RuneCountInString(strings.TrimRight(line, "\n"))
			expect.That(t, n <= textWidth, "%s: a line of %d columns: %q", cmd.CommandPath(), n, line)
		}
		if f := cmd.Flags().Lookup("jobs"); f != nil && f.DefValue == fmt.Sprint(runtime.GOMAXPROCS(0)) {
			t.Errorf("%s: the default of --jobs is %s", cmd.CommandPath(), f.DefValue)
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot())
	expect.That(t, pages >= 18, "%d pages checked, want that of each command", pages)
}

// The page of schema names every kind of file that has a schema.
func TestHelpOfSchemaNamesAllKinds(t *testing.T) {
	long := strings.Join(strings.Fields(newSchema().Long), " ")
	for _, name := range catalogue.SchemaNames() {
		expect.That(t, strings.Contains(long, " "+name), "%q is missing in %s", name, long)
	}
}

// Paragraphs are filled. Lists and indented lines stay.
func TestFilled(t *testing.T) {
	half := strings.Repeat("x", textWidth/2)
	for in, want := range map[string]string{
		"\na\nb\n\nc\n":           "a b\n\nc",
		"start:\n  one\n  two\nc": "start:\n  one\n  two\nc",
		half + "\ny " + half:      half + " y\n" + half,
		"":                        "",
	} {
		got := filled(in)
		expect.That(t, got == want, "filled(%q) = %q, want %q", in, got, want)
	}
}
