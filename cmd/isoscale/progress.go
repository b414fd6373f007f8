package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// progress shows how far long work has come: a bar on a terminal, a line for
// each step, or each tenth of many, elsewhere, nothing if quiet.
type progress struct {
	w        io.Writer
	quiet    bool
	terminal bool
	drawn    bool
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, terminal: isTerminal(w)}
}

// isTerminal reports whether w is a character device that understands carriage
// returns.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// manySteps is up to how many steps each has a line. More have one for each tenth.
const manySteps = 20

func (p *progress) update(done, total int, what string) {
	switch {
	case p.quiet:
	case p.terminal:
		const cells = 30
		full := cells * done / total
		fmt.Fprintf(p.w, "\r[%s%s] %d of %d  %-20.20s", strings.Repeat("#", full), strings.Repeat(".", cells-full), done, total, what)
		p.drawn = true
	case total > manySteps && done*10/total == (done-1)*10/total:
	default:
		fmt.Fprintf(p.w, "%d of %d: %s\n", done, total, what)
	}
}

// end clears the bar.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", width-1))
	}
}
