package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// pace shows the progress of work of many equal parts with its rate and the time
// that is left: a bar on a terminal, a line now and then elsewhere, nothing if
// quiet.
type pace struct {
	progress
	noun  string
	start time.Time
	begun int // parts that were done at the start
	shown time.Time
	now   func() time.Time
}

func newPace(w io.Writer, quiet bool, noun string) *pace {
	return &pace{progress: *newProgress(w, quiet), noun: noun, now: time.Now}
}

// How often the bar moves, and how often a line is printed.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 10 * time.Second
)

func (p *pace) update(done, begun, total int) {
	if p.quiet {
		return
	}
	now := p.now()
	every := barEvery
	if !p.terminal {
		every = lineEvery
	}
	switch {
	case p.start.IsZero():
		p.start, p.begun, p.shown = now, begun, now
		if begun > 0 {
			fmt.Fprintf(p.w, "%d of %d %s are there already\n", begun, total, p.noun)
		}
		return
	case done < total && now.Sub(p.shown) < every:
		return
	}
	p.shown = now
	text := fmt.Sprintf("%d of %d %s%s", done, total, p.noun, p.rate(now, done, total))
	if !p.terminal {
		if done < total || now.Sub(p.start) >= lineEvery {
			fmt.Fprintln(p.w, text)
		}
		return
	}
	const cells = 24
	full := cells * done / total
	fmt.Fprintf(p.w, "\r%-*.*s", width-1, width-1, fmt.Sprintf("[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), text))
	p.drawn = true
}

// rate says how many parts a second were done, and when the rest will be if it
// goes on like that.
func (p *pace) rate(now time.Time, done, total int) string {
	elapsed := now.Sub(p.start).Seconds()
	if done <= p.begun || elapsed <= 0 {
		return ""
	}
	rate := float64(done-p.begun) / elapsed
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	unit := time.Second
	if left > time.Hour {
		unit = time.Minute
	}
	return fmt.Sprintf(", %.3g/s, %v left", rate, left.Round(unit))
}
