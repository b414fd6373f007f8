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

// Of 120 points, 20 were computed earlier. The rate is that of the others: 20 points
// in 10 s are 2/s, and the 80 left take 40 s; 100 in 53 s are 1.89/s.
func TestProgressCount(t *testing.T) {
	for _, tt := range []struct {
		name     string
		terminal bool
		want     string
	}{
		{"lines", false, "" +
			"20 of 120 points are already complete\n" +
			"40 of 120 points, 2/s, 40s left\n" +
			"120 of 120 points, 1.89/s, 0s left\n"},
		{"bar", true, "" +
			"20 of 120 points are already complete\n" +
			barLine("[####....................] 22 of 120 points, 2/s, 49s left") +
			barLine("[########................] 40 of 120 points, 2/s, 40s left") +
			barLine("[########................] 42 of 120 points, 2/s, 39s left") +
			barLine("[########################] 120 of 120 points, 1.89/s, 0s left")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			now := time.Unix(1000, 0)
			p := newProgress(&b, false)
			p.terminal, p.now = tt.terminal, func() time.Time { return now }
			at := func(s float64, done int) {
				now = time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second)))
				p.Count(done, 120, "points")
			}
			at(0, 20)
			at(1, 22)
			at(1.05, 23) // too soon for a bar
			at(10, 40)
			at(11, 42)
			at(53, 120)
			got := b.String()
			expect.That(t, got == tt.want, "got\n%q\nwant\n%q", got, tt.want)
		})
	}
}

// Forty steps in 16 s: lines after 2 s and 10 s later, bars at most each 0.1 s.
func TestProgressStep(t *testing.T) {
	steps := func(terminal bool, total int, every time.Duration) string {
		var b strings.Builder
		now := time.Unix(1000, 0)
		p := newProgress(&b, false)
		p.terminal, p.now, p.begun, p.shown = terminal, func() time.Time { return now }, now, now
		for i := range total {
			now = now.Add(every)
			p.Step(input.Step{Done: i + 1, Total: total, What: "C" + string(rune('a'+i%26))})
		}
		p.End()
		return b.String()
	}
	got, want := steps(false, 40, 400*time.Millisecond), "5 of 40: Ce\n30 of 40: Cd\n"
	expect.That(t, got == want, "got\n%q\nwant\n%q", got, want)
	want = barLine("[############............] 2 of 4: Cb") + barLine("[########################] 4 of 4: Cd") +
		"\r" + strings.Repeat(" ", textWidth-1) + "\r"
	expect.Equal(t, steps(true, 4, 50*time.Millisecond), want, "steps")
}

// What is found stays on a terminal, and is no line elsewhere.
func TestProgressFound(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var b strings.Builder
		now := time.Unix(1000, 0)
		p := newProgress(&b, false)
		p.terminal, p.now, p.begun, p.shown = terminal, func() time.Time { return now }, now, now
		now = now.Add(time.Second)
		p.Step(input.Step{Done: 1, Total: 2, What: "a"})
		p.Step(input.Step{Found: []string{"first:", "1 x"}})
		p.Step(input.Step{Done: 2, Total: 2, What: "b"})
		p.End()
		want, clear := "", "\r"+strings.Repeat(" ", textWidth-1)+"\r"
		if terminal {
			want = barLine("[############............] 1 of 2: a") + clear + "first:\n1 x\n" + barLine("[########################] 2 of 2: b") + clear
		}
		expect.Equal(t, b.String(), want, "terminal %v", terminal)
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
	expect.That(t, b.Len() <= 0, "quiet, and %q is printed", b.String())
}

// While nothing else is shown, the state of the simulations is: on a terminal each
// second, elsewhere after 2 s and then every 10 s.
func TestProgressOfSimulations(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		want     string
	}{
		{false, "2s: 30 million events, 15 million/s, simulated time 250 ms\n" +
			"12s: 30 million events, 2.5 million/s, simulated time 250 ms\n" +
			"1 of 4: C2; 22s: 30 million events, 1.36 million/s, simulated time 250 ms\n"},
		{true, barLine("1s: 30 million events, 30 million/s, simulated time 250 ms") +
			barLine("[######..................] 1 of 4: C2") +
			barLine("[######..................] 1 of 4: C2; 3s, 30 million events") +
			"\r" + strings.Repeat(" ", textWidth-1) + "\r"},
	} {
		var b strings.Builder
		now := time.Unix(1000, 0)
		p := newProgress(&b, false)
		p.terminal, p.now = tt.terminal, func() time.Time { return now }
		at := func(s float64, what func()) {
			now = time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second)))
			what()
		}
		p.begun, p.shown = now, now
		at(0.5, p.look) // nothing has happened
		p.meter.Note(30e6, 0.25)
		if tt.terminal {
			at(1, p.look)
			at(1.5, func() { p.Step(input.Step{Done: 1, Total: 4, What: "C2"}) })
			at(2, p.look) // too soon
			at(3, p.look)
		} else {
			at(1.9, p.look) // too soon
			at(2, p.look)
			at(11, p.look) // too soon
			at(12, p.look)
			at(12, func() { p.Step(input.Step{Done: 1, Total: 4, What: "C2"}) })
			at(22, p.look)
		}
		p.End()
		got := b.String()
		expect.That(t, got == tt.want, "got\n%q\nwant\n%q", got, tt.want)
	}
}

// What simulates nothing, as the search of a plan between simulations or a queue, shows that it
// is at work.
func TestProgressWithoutSimulations(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		want     string
	}{
		{false, "2s: at work\n300 of 900: ranges: cases; 12s\n"},
		{true, barLine("1s: at work") + barLine("2s: at work") + barLine("[########................] 300 of 900: ranges: cases") +
			barLine("[########................] 300 of 900: ranges: cases; 12s")},
	} {
		var b strings.Builder
		now := time.Unix(1000, 0)
		p := newProgress(&b, false)
		p.terminal, p.now = tt.terminal, func() time.Time { return now }
		p.begun, p.shown = now, now
		for s := 1; s <= 2; s++ {
			now = time.Unix(1000+int64(s), 0)
			p.look()
		}
		now = now.Add(time.Second)
		p.Step(input.Step{Done: 300, Total: 900, What: "ranges: cases"})
		now = time.Unix(1012, 0)
		p.look()
		expect.That(t, b.String() == tt.want, "got\n%q\nwant\n%q", b.String(), tt.want)
	}
}

// A status that has not changed is no new line; a terminal shows it again.
func TestProgressStatus(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		want     string
	}{
		{false, "1 of 4: 3 waiting\n1 of 4: 2 waiting\n"},
		{true, barLine("[######..................] 1 of 4: 3 waiting") +
			barLine("[######..................] 1 of 4: 3 waiting") +
			barLine("[######..................] 1 of 4: 2 waiting")},
	} {
		var b strings.Builder
		p := newProgress(&b, false)
		p.terminal = tt.terminal
		for _, text := range []string{"3 waiting", "3 waiting", "2 waiting"} {
			p.Status(1, 4, text)
		}
		expect.Equal(t, b.String(), tt.want, "terminal %t", tt.terminal)
	}
}
