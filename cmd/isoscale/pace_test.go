package main

import (
	"strings"
	"testing"
	"time"
)

// bar is a line of the width that progress has.
func bar(text string) string { return "\r" + text + strings.Repeat(" ", width-1-len(text)) }

func TestPace(t *testing.T) {
	for _, tt := range []struct {
		name     string
		terminal bool
		want     string
	}{
		{"lines", false, "" +
			"20 of 120 points are there already\n" +
			"40 of 120 points, 2/s, 40s left\n" +
			"120 of 120 points, 1.89/s, 0s left\n"},
		{"bar", true, "" +
			"20 of 120 points are there already\n" +
			bar("[####....................] 22 of 120 points, 2/s, 49s left") +
			bar("[########................] 40 of 120 points, 2/s, 40s left") +
			bar("[########................] 42 of 120 points, 2/s, 39s left") +
			bar("[########################] 120 of 120 points, 1.89/s, 0s left")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			now := time.Unix(1000, 0)
			p := newPace(&b, false, "points")
			p.terminal, p.now = tt.terminal, func() time.Time { return now }
			at := func(s float64, done int) {
				now = time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second)))
				p.update(done, 20, 120)
			}
			at(0, 20)
			at(1, 22)
			at(1.05, 23) // too soon for a bar
			at(10, 40)
			at(11, 42)
			at(53, 120)
			if got := b.String(); got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
	var b strings.Builder
	p := newPace(&b, true, "points")
	p.update(0, 0, 10)
	p.update(10, 0, 10)
	if b.Len() > 0 {
		t.Errorf("quiet, and %q is printed", b.String())
	}
}
