package command

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/sim/meter"
)

// progress shows on w how much of a long computation is done: as a bar on a
// terminal, as lines elsewhere, not at all if quiet. A computation has named parts,
// see Step, or many parts without names, see Count, or a changing status. Between
// them it shows what the simulations that are running have done, see Watch.
type progress struct {
	w        io.Writer
	quiet    bool
	terminal bool
	now      func() time.Time
	meter    meter.Meter
	stop     chan struct{}  // nil: not watching
	stopped  sync.WaitGroup // the watcher

	mu          sync.Mutex // guards what follows, and w
	drawn       bool       // a bar is on the terminal
	shown       time.Time  // when the last bar or line was printed
	begun       time.Time  // when Watch was called
	done, total int        // parts, as last shown; total 0: none
	text        string

	// For the rate of parts without names.
	start   time.Time // of this run
	initial int       // parts that were done at the start
}

// newProgress returns the progress of a computation that has not begun.
func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, terminal: isTerminal(w), now: time.Now}
}

// Watch shows, until End is called, what the simulations do that get the returned context.
func (p *progress) Watch(ctx context.Context) context.Context {
	if p.quiet {
		return ctx
	}
	p.begun = p.now()
	p.shown = p.begun
	p.stop = make(chan struct{})
	p.stopped.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.look()
			}
		}
	})
	return meter.With(ctx, &p.meter)
}

// look shows the state of the simulations if nothing else was shown lately.
func (p *progress) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.shown) < max(p.every(), watchEvery) {
		return
	}
	p.shown = now
	elapsed := now.Sub(p.begun)
	text := elapsed.Round(time.Second).String()
	short := text
	if events := float64(p.meter.Events()); events > 0 {
		text = fmt.Sprintf("%s: %s events, %s/s, simulated time %v",
			text, counted(events), counted(events/elapsed.Seconds()), p.meter.Time())
		short = fmt.Sprintf("%s, %s events", short, counted(events))
	} else if p.total == 0 {
		text += ": at work"
	}
	switch {
	case p.total > 0 && p.terminal:
		p.line(p.text + "; " + short)
	case p.total > 0:
		p.line(p.text + "; " + text)
	case p.terminal:
		p.draw(text)
	default:
		fmt.Fprintln(p.w, text)
	}
}

// counted writes a number of events with three digits.
func counted(n float64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.3g million", n/1e6)
}

// isTerminal reports whether w is a character device that understands carriage returns.
func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const (
	// barEvery and lineEvery are the least times between two bars and two lines.
	barEvery  = 100 * time.Millisecond
	lineEvery = 10 * time.Second
	// patience is how long people wait before they ask how long it will take.
	patience = 2 * time.Second
	// watchEvery is the time between two looks at the simulations.
	watchEvery = time.Second
)

// Step shows how far a computation has come: on a terminal at once, elsewhere a line now and then
// of what takes longer than a moment.
func (p *progress) Step(s input.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if len(s.Found) > 0 {
		p.found(s.Found)
		return
	}
	p.done, p.total, p.text = s.Done, s.Total, fmt.Sprintf("%d of %d: %s", s.Done, s.Total, s.What)
	if p.quiet || now.Sub(p.shown) < p.every() {
		return
	}
	p.shown = now
	p.line(p.text)
}

// found prints lines that stay, on a terminal.
func (p *progress) found(lines []string) {
	if p.quiet || !p.terminal {
		return
	}
	p.clear()
	fmt.Fprintln(p.w, strings.Join(lines, "\n"))
	p.shown = time.Time{} // the bar comes back at once
}

// every is the least time between two bars or lines. The first line has to wait until people ask.
func (p *progress) every() time.Duration {
	switch {
	case p.terminal:
		return barEvery
	case p.shown.Equal(p.begun):
		return patience
	}
	return lineEvery
}

// line shows a text: behind the bar of the last status on a terminal, as a line elsewhere.
func (p *progress) line(text string) {
	if p.terminal {
		const cells = 24
		full := cells * p.done / p.total
		p.draw(fmt.Sprintf("[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), text))
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// Status shows that done of total parts are done, and a text, which on a terminal
// replaces the last and elsewhere is a line, once.
func (p *progress) Status(done, total int, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text = fmt.Sprintf("%d of %d: %s", done, total, text)
	if text == p.text && !p.terminal {
		return // no line twice
	}
	p.done, p.total, p.text, p.shown = done, total, text, p.now()
	if !p.quiet {
		p.line(text)
	}
}

// Count shows that done of total parts are done, the rate, and the time that the rest will take at
// this rate. The first call is made before the first part is computed: what is done by then was
// computed earlier. noun is plural, such as points.
func (p *progress) Count(done, total int, noun string) {
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.done, p.total, p.text = done, total, fmt.Sprintf("%d of %d %s", done, total, noun)
	switch {
	case p.start.IsZero():
		p.start, p.initial, p.shown = now, done, now
		if done > 0 {
			fmt.Fprintf(p.w, "%d of %d %s are already complete\n", done, total, noun)
		}
		return
	case done < total && now.Sub(p.shown) < p.every():
		return
	}
	p.shown = now
	if p.terminal || done < total || now.Sub(p.start) >= lineEvery { // no line for what takes a moment
		p.line(p.text + p.rate(now, done, total))
	}
}

// rate returns the parts per second of this run, and the time that is left at this rate.
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

// draw puts a line over the last one. The last column stays free, where terminals begin a new line.
func (p *progress) draw(line string) {
	fmt.Fprintf(p.w, "\r%-*.*s", textWidth-1, textWidth-1, line)
	p.drawn = true
}

// End stops watching and clears the bar.
func (p *progress) End() {
	if p.stop != nil {
		close(p.stop)
		p.stopped.Wait()
		p.stop = nil
	}
	p.clear()
}

// clear takes the bar from a terminal.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", textWidth-1))
		p.drawn = false
	}
}
