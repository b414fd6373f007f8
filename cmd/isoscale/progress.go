package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progress shows on w how much of a long computation is done: as a bar on a
// terminal, as lines elsewhere, not at all if quiet. A computation has named parts,
// see step, or many parts without names, see count, or a changing status.
type progress struct {
	w        io.Writer
	quiet    bool
	terminal bool
	drawn    bool // a bar is on the terminal

	// For the rate of parts without names.
	now     func() time.Time
	start   time.Time // of this run
	initial int       // parts that were done at the start
	shown   time.Time // when the last bar or line was printed
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, terminal: isTerminal(w), now: time.Now}
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

const (
	// manySteps is the largest number of steps of which each gets a line. With
	// more, each tenth of them gets one.
	manySteps = 20
	// barEvery and lineEvery are the least times between two bars and two lines
	// for parts without names.
	barEvery  = 100 * time.Millisecond
	lineEvery = 10 * time.Second
)

// step shows that done of total parts are done, the last of them by this name.
func (p *progress) step(done, total int, name string) {
	if p.terminal || total <= manySteps || done*10/total > (done-1)*10/total {
		p.status(done, total, name)
	}
}

// status shows that done of total parts are done, and a text.
func (p *progress) status(done, total int, text string) {
	text = fmt.Sprintf("%d of %d: %s", done, total, text)
	switch {
	case p.quiet:
	case p.terminal:
		p.bar(done, total, text)
	default:
		fmt.Fprintln(p.w, text)
	}
}

// count shows that done of total parts are done, the rate, and the time that the
// rest will take at this rate. The first call is made before the first part is
// computed: what is done by then was computed earlier. noun is plural, such as
// points.
func (p *progress) count(done, total int, noun string) {
	if p.quiet {
		return
	}
	now := p.now()
	every := lineEvery
	if p.terminal {
		every = barEvery
	}
	switch {
	case p.start.IsZero():
		p.start, p.initial, p.shown = now, done, now
		if done > 0 {
			fmt.Fprintf(p.w, "%d of %d %s are already complete\n", done, total, noun)
		}
		return
	case done < total && now.Sub(p.shown) < every:
		return
	}
	p.shown = now
	text := fmt.Sprintf("%d of %d %s%s", done, total, noun, p.rate(now, done, total))
	switch {
	case p.terminal:
		p.bar(done, total, text)
	case done < total || now.Sub(p.start) >= lineEvery: // no line for what takes a moment
		fmt.Fprintln(p.w, text)
	}
}

// rate returns the parts per second of this run, and the time that is left at this
// rate.
func (p *progress) rate(now time.Time, done, total int) string {
	elapsed := now.Sub(p.start).Seconds()
	if done <= p.initial || elapsed <= 0 {
		return ""
	}
	rate := float64(done-p.initial) / elapsed
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	unit := time.Second
	if left > time.Hour {
		unit = time.Minute
	}
	return fmt.Sprintf(", %.3g/s, %v left", rate, left.Round(unit))
}

// bar draws a bar and a text over the last one. It leaves the last column free,
// where terminals begin a new line.
func (p *progress) bar(done, total int, text string) {
	const cells = 24
	full := cells * done / total
	line := fmt.Sprintf("[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), text)
	fmt.Fprintf(p.w, "\r%-*.*s", width-1, width-1, line)
	p.drawn = true
}

// end clears the bar.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", width-1))
	}
}
