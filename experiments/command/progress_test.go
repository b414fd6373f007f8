package command

import (
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// barLine is what is printed for a bar: it covers all columns but the last.
func barLine(text string) string { return "\r" + text + strings.Repeat(" ", textWidth-1-len(text)) }

// cleared is what takes a bar from a terminal.
var cleared = "\r" + strings.Repeat(" ", textWidth-1) + "\r"

// clock is a progress that is watched from 0 on, and the time.
type clock struct {
	*progress
	time time.Time
}

// at does something at a time in seconds.
func (c *clock) at(s float64, what func()) {
	c.time = time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second)))
	what()
}

// done shows at a time that a part of a computation has been done.
func (c *clock) done(s float64, done, total int, what string) {
	c.at(s, func() { c.Step(input.Step{Done: done, Total: total, What: what}) })
}

// shown returns what a progress shows, on a terminal or elsewhere.
func shown(terminal bool, do func(c *clock)) string {
	var b strings.Builder
	c := &clock{newProgress(&b, false), time.Unix(1000, 0)}
	c.terminal, c.now, c.begun, c.shown = terminal, func() time.Time { return c.time }, c.time, c.time
	do(c)
	c.End()
	return b.String()
}

func TestProgress(t *testing.T) {
	count := func(c *clock) {
		for _, x := range []struct {
			s    float64
			done int
		}{{0, 20}, {1, 22}, {1.05, 23}, {10, 40}, {11, 42}, {53, 120}} { // 1.05 is too soon for a bar
			c.at(x.s, func() { c.Count(x.done, 120, "points") })
		}
	}
	steps := func(total int, every float64) func(c *clock) {
		return func(c *clock) {
			for i := range total {
				c.done(float64(i+1)*every, i+1, total, "C"+string(rune('a'+i%26)))
			}
		}
	}
	found := func(c *clock) {
		c.done(1, 1, 2, "a")
		c.Step(input.Step{Found: []string{"first:", "1 x"}})
		c.done(1, 2, 2, "b")
	}
	simulations := func(c *clock) {
		c.at(0.5, c.look) // nothing has happened
		c.meter.Note(30e6, 0.25)
	}
	waiting := func(c *clock) {
		c.at(1, c.look)
		c.at(2, c.look)
		c.done(3, 300, 900, "ranges: cases")
		c.at(12, c.look)
	}
	status := func(c *clock) {
		for _, text := range []string{"3 waiting", "3 waiting", "2 waiting"} {
			c.Status(1, 4, text)
		}
	}
	for _, tt := range []struct {
		name     string
		terminal bool
		do       func(c *clock)
		want     string
	}{
		// Of 120 points, 20 were computed earlier. The rate is that of the others: 20 points in 10 s are 2/s, and the
		// 80 left take 40 s; 100 in 53 s are 1.89/s.
		{"count", false, count, "20 of 120 points are already complete\n40 of 120 points, 2/s, 40s left\n120 of 120 points, 1.89/s, 0s left\n"},
		{"count", true, count, "20 of 120 points are already complete\n" +
			barLine("[####....................] 22 of 120 points, 2/s, 49s left") +
			barLine("[########................] 40 of 120 points, 2/s, 40s left") +
			barLine("[########................] 42 of 120 points, 2/s, 39s left") +
			barLine("[########################] 120 of 120 points, 1.89/s, 0s left") + cleared},
		// Lines after 2 s and 10 s later, bars at most each 0.1 s.
		{"steps", false, steps(40, 0.4), "5 of 40: Ce\n30 of 40: Cd\n"},
		{"steps", true, steps(4, 0.05), barLine("[############............] 2 of 4: Cb") + barLine("[########################] 4 of 4: Cd") + cleared},
		// What is found stays on a terminal, and is no line elsewhere.
		{"found", false, found, ""},
		{"found", true, found, barLine("[############............] 1 of 2: a") + cleared + "first:\n1 x\n" +
			barLine("[########################] 2 of 2: b") + cleared},
		// While nothing else is shown, the state of the simulations is: elsewhere after 2 s and then every 10 s, on a
		// terminal each second.
		{"simulations", false, func(c *clock) {
			simulations(c)
			for _, s := range []float64{1.9, 2, 11, 12} { // the first and the third are too soon
				c.at(s, c.look)
			}
			c.done(12, 1, 4, "C2")
			c.at(22, c.look)
		}, "2s: 30 million events, 15 million/s, simulated time 250 ms\n12s: 30 million events, 2.5 million/s, simulated time 250 ms\n" +
			"1 of 4: C2; 22s: 30 million events, 1.36 million/s, simulated time 250 ms\n"},
		{"simulations", true, func(c *clock) {
			simulations(c)
			c.at(1, c.look)
			c.done(1.5, 1, 4, "C2")
			c.at(2, c.look) // too soon
			c.at(3, c.look)
		}, barLine("1s: 30 million events, 30 million/s, simulated time 250 ms") + barLine("[######..................] 1 of 4: C2") +
			barLine("[######..................] 1 of 4: C2; 3s, 30 million events") + cleared},
		// What simulates nothing, as the search of a plan between simulations or a queue, shows that it is at work.
		{"no simulations", false, waiting, "2s: at work\n300 of 900: ranges: cases; 12s\n"},
		{"no simulations", true, waiting, barLine("1s: at work") + barLine("2s: at work") + barLine("[########................] 300 of 900: ranges: cases") +
			barLine("[########................] 300 of 900: ranges: cases; 12s") + cleared},
		// A status that has not changed is no new line; a terminal shows it again.
		{"status", false, status, "1 of 4: 3 waiting\n1 of 4: 2 waiting\n"},
		{"status", true, status, barLine("[######..................] 1 of 4: 3 waiting") + barLine("[######..................] 1 of 4: 3 waiting") +
			barLine("[######..................] 1 of 4: 2 waiting") + cleared},
	} {
		expect.Equal(t, shown(tt.terminal, tt.do), tt.want, "%s, terminal %v", tt.name, tt.terminal)
	}
}

func TestProgressQuiet(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, true)
	p.terminal = true
	p.Count(0, 10, "points")
	p.Count(10, 10, "points")
	p.Step(input.Step{Done: 1, Total: 1, What: "C2"})
	p.End()
	expect.Equal(t, b.String(), "", "what is shown")
}
