package runs

import (
	"fmt"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/model/units"
)

const (
	linksInText = 20 // how many links the text shows
	leastName   = 24 // columns that the name of a link gets before a figure is left out
)

// linkColumns are the figures of a link in the order of the table. Those with a
// rank are left out where names need the room, the lowest rank first.
var linkColumns = []struct {
	title string
	rank  int // 0: never left out
	cell  func(watch.Link) string
}{
	{"messages", 2, func(l watch.Link) string { return fmt.Sprint(l.Messages) }},
	{"bytes", 3, func(l watch.Link) string { return units.Bytes(l.Bytes).String() }},
	{"busy", 1, func(l watch.Link) string { return units.Seconds(l.Busy).String() }},
	{"mean", 0, func(l watch.Link) string { return fmt.Sprintf("%.1f %%", 100*l.Mean) }},
	{"peak", 0, func(l watch.Link) string { return fmt.Sprintf("%.1f %%", 100*l.Peak) }},
	{"lost", 0, func(l watch.Link) string { return units.Seconds(l.Lost).String() }},
}

// printLinks prints the use of links, if there are any.
func printLinks(p *terminal.Printer, links []watch.Link) {
	if len(links) == 0 {
		return
	}
	shown := links[:min(len(links), linksInText)]
	longest := len("link")
	for _, l := range shown {
		longest = max(longest, utf8.RuneCountInString(l.Link))
	}
	var rows [][]string
	align := ""
	for dropped := 0; ; dropped++ {
		rows, align = linkRows(shown, dropped)
		room := terminal.Width - rowWidth(rows)
		if room < min(longest, leastName) && dropped < 3 {
			continue
		}
		for i, l := range shown {
			rows[i+1][0] = shortenMiddle(l.Link, max(room, 3))
		}
		break
	}
	p.Line("")
	p.Table(rows, align)
	if more := len(links) - linksInText; more > 0 {
		p.Line("... and %d more; --json lists all", more)
	}
	p.Wrapped("", "mean, peak: utilisation; lost: additional time of messages and computations because they shared the link, in total.")
}

// linkRows returns the table without the columns of the given rank and below, and
// without the names of the links.
func linkRows(links []watch.Link, dropped int) (rows [][]string, align string) {
	rows = make([][]string, len(links)+1)
	rows[0] = []string{"link"}
	for i := range links {
		rows[i+1] = []string{""}
	}
	align = "."
	for _, c := range linkColumns {
		if 0 < c.rank && c.rank <= dropped {
			continue
		}
		rows[0] = append(rows[0], c.title)
		for i, l := range links {
			rows[i+1] = append(rows[i+1], c.cell(l))
		}
		align += "r"
	}
	return rows, align
}

// rowWidth returns how wide a table is without its first column.
func rowWidth(rows [][]string) int {
	sum := 0
	for i := 1; i < len(rows[0]); i++ {
		widest := 0
		for _, row := range rows {
			widest = max(widest, utf8.RuneCountInString(row[i]))
		}
		sum += 2 + widest
	}
	return sum
}

// shortenMiddle cuts a text to n characters, at least 3. The end of the name of a
// link, such as its direction, tells as much as its beginning.
func shortenMiddle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := n / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}
