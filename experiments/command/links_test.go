package command

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
)

// Columns are left out, busy first, only as far as names need the room; no line
// is wider than the terminal.
func TestLinksKeepToTheWidth(t *testing.T) {
	short := watch.Link{Link: "up", Messages: 3, Bytes: 1e6, Busy: 1, Mean: 0.5, Peak: 1, Lost: 2}
	wide := watch.Link{Link: "up", Messages: 123456789, Bytes: 1.23456e8, Busy: 0.123456, Mean: 1, Peak: 1, Lost: 0.123456}
	named := func(l watch.Link, name string) watch.Link { l.Link = name; return l }
	long := strings.Repeat("ä", 100) + ".down"
	for _, tt := range []struct {
		name  string
		links []watch.Link
		want  string // titles
	}{
		{"short", []watch.Link{short}, "link messages bytes busy mean peak lost"},
		{"short names, wide figures", []watch.Link{wide}, "link messages bytes busy mean peak lost"},
		{"long names, short figures", []watch.Link{named(short, long)}, "link messages bytes busy mean peak lost"},
		{"long names, wide figures", []watch.Link{named(wide, long), short}, "link messages bytes mean peak lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := &terminal.Printer{W: &out}
			printLinks(p, tt.links)
			lines := strings.Split(out.String(), "\n")
			if got := strings.Join(strings.Fields(lines[1]), " "); got != tt.want {
				t.Errorf("titles %q, want %q", got, tt.want)
			}
			for _, l := range lines {
				if n := utf8.RuneCountInString(l); n > terminal.Width {
					t.Errorf("a line of %d columns: %q", n, l)
				}
			}
			if strings.Contains(tt.name, "long names") && !strings.Contains(out.String(), "ä.down ") {
				t.Errorf("the end of the name is lost:\n%s", out.String())
			}
		})
	}
}

func TestShortenMiddle(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 5, "ab…ef"}, {"abcdef", 4, "ab…f"}, {"abcdef", 3, "a…f"}, {"äöüß", 3, "ä…ß"}, {"", 3, ""},
	} {
		if got := shortenMiddle(tt.s, tt.n); got != tt.want {
			t.Errorf("%q to %d: %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}
