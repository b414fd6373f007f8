package command

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// A style is a sequence of ECMA-48 that makes text stand out on a terminal.
type style string

const (
	plain  style = ""
	bold   style = "\x1b[1m"
	yellow style = "\x1b[33m"
	red    style = "\x1b[1;31m"
	normal style = "\x1b[0m"
)

// styled reports whether text that is written to w may have styles: not in files and pipes, nor where the reader sets
// NO_COLOR (no-color.org) or has a terminal without styles.
func styled(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isTerminal(w) }

// in returns a text in the style if w may have styles.
func (s style) in(w io.Writer, text string) string {
	if s == plain || text == "" || !styled(w) {
		return text
	}
	return string(s) + text + string(normal)
}

// printError prints an error: on a terminal its lines are filled, and what it begins with, the place of a problem or the
// name of the program, stands out. Elsewhere it is as it is, for scripts and editors.
func printError(w io.Writer, text string) {
	p := &printer{W: w}
	if !isTerminal(w) {
		p.Line("%s", text)
		return
	}
	begin, _, _ := strings.Cut(text, ": ")
	for i, line := range strings.Split(text, "\n") {
		words := []string{line}
		if !strings.HasPrefix(line, " ") {
			words = unbroken(line, textWidth)
		}
		for k, l := range wrapped("", words) {
			if rest, ok := strings.CutPrefix(l, begin+":"); ok && i+k == 0 {
				l = red.in(w, begin+":") + rest
			}
			p.Line("%s", l)
		}
	}
}

// flagError is the error of a wrong flag; for an unknown one, it names flags that are spelt alike.
func flagError(cmd *cobra.Command, err error) error {
	near := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		near = input.Suggestion("--"+unknown.GetSpecifiedName(), known)
	}
	return input.Errorf("%v%s\nRun '%s --help' for the flags.", err, near, cmd.CommandPath())
}
