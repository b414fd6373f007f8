package figure

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

func titleOf(b report.Block) string {
	title, _ := Words(b)
	return title
}

// Words returns title and caption of a chart, as they are shown.
func Words(b report.Block) (title, caption string) {
	switch b := b.(type) {
	case *report.LineChart:
		title, caption = b.Title, b.Caption
	case *report.BarChart:
		title, caption = b.Title, b.Caption
	case *report.ScatterChart:
		title, caption = b.Title, b.Caption
	case *report.Tornado:
		title, caption = b.Title, b.Caption
	case *report.HeatMap:
		title, caption = b.Title, b.Caption
	case *report.Surface:
		title, caption = b.Title, b.Caption
	case *report.Surface3D:
		title, caption = b.Title, b.Caption
	case *report.Timeline:
		title, caption = b.Title, b.Caption
	case *report.Parallel:
		title, caption = b.Title, b.Caption
	}
	return Clean(title), Clean(caption)
}

// mostFound is how many series a description names.
const mostFound = 4

// Finding says in words what a chart shows, for readers who do not see it: of each
// series where it starts and ends, of bars and maps the extremes.
func Finding(b report.Block) string {
	var found []string
	switch b := b.(type) {
	case *report.LineChart:
		found = lineFinding(b)
	case *report.BarChart:
		found = barFinding(b)
	case *report.ScatterChart:
		for i, name := range (scatterChart{b}).names() {
			found = append(found, fmt.Sprintf("%s: %s", name, plural(len(b.Series[i].Points), "point")))
		}
	case *report.Tornado:
		if s := Swings(b); len(s) > 0 {
			found = append(found, fmt.Sprintf("%s moves the result most, from %s to %s; %s: %s",
				Clean(s[0].Parameter), Number(min(s[0].Low, s[0].High)), Number(max(s[0].Low, s[0].High)), BaseLabel(b), Number(b.Base)))
		}
	case *report.HeatMap:
		found = heatFinding(b)
	case *report.Surface:
		found = surfaceFinding(b)
	case *report.Surface3D:
		found = surfaceFinding((*report.Surface)(b))
	case *report.Timeline:
		if c, ok := asTimeline(b); ok {
			found = timelineFinding(c)
		}
	case *report.Parallel:
		found = parallelFinding(b)
	}
	if n := len(found); n > mostFound {
		found = append(found[:mostFound], fmt.Sprintf("and %d more", n-mostFound))
	}
	_, caption := Words(b)
	text := strings.Join(found, "; ") + "."
	if caption != "" {
		text += " " + caption
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func lineFinding(c *report.LineChart) []string {
	names := LineNames(c)
	found := []string{fmt.Sprintf("%s over %s", Titled(c.Y.Title, c.Y.Unit), Titled(c.X.Title, c.X.Unit))}
	for i := range c.Series {
		s := &c.Series[i]
		switch n := len(s.X); {
		case s.Ideal || n == 0:
		case n == 1:
			found = append(found, fmt.Sprintf("%s is %s at %s", names[i], short(s.Y[0], 4), Number(s.X[0])))
		default:
			found = append(found, fmt.Sprintf("%s goes from %s at %s to %s at %s", names[i], short(s.Y[0], 4), Number(s.X[0]), short(s.Y[n-1], 4), Number(s.X[n-1])))
		}
	}
	return found
}

func barFinding(b *report.BarChart) []string {
	found := []string{Titled(b.Y.Title, b.Y.Unit)}
	c := barChart{b}
	names := c.all()
	for i := range b.Series {
		low, high := -1, -1
		for k := range b.Categories {
			if b.Series[i].IsMissing(k) {
				continue
			}
			if low < 0 || b.Series[i].Values[k] < b.Series[i].Values[low] {
				low = k
			}
			if high < 0 || b.Series[i].Values[k] > b.Series[i].Values[high] {
				high = k
			}
		}
		if low < 0 || b.Series[i].Offset {
			continue
		}
		found = append(found, fmt.Sprintf("%s is from %s (%s) to %s (%s)", names[i],
			short(b.Series[i].Values[low], 4), Clean(b.Categories[low]), short(b.Series[i].Values[high], 4), Clean(b.Categories[high])))
	}
	return found
}

func heatFinding(c *report.HeatMap) []string {
	largest, row := math.Inf(-1), ""
	for i := range c.Rows {
		for _, v := range c.Rows[i].Values {
			if v > largest {
				largest, row = v, c.Rows[i].Name
			}
		}
	}
	if row == "" {
		return []string{Titled(c.Value.Title, c.Value.Unit)}
	}
	return []string{fmt.Sprintf("%s: the largest is %s, of %s", Titled(c.Value.Title, c.Value.Unit), short(largest, 4), Clean(row))}
}

func surfaceFinding(c *report.Surface) []string {
	high := math.Inf(-1)
	var where string
	for i, row := range c.Values {
		for k, v := range row {
			if v > high {
				high = v
				where = fmt.Sprintf("%s %s, %s %s", Clean(c.X.Title), GridNames(c.X, c.XNames, c.XLog2, len(row))[k],
					Clean(c.Y.Title), GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))[i])
			}
		}
	}
	if where == "" {
		return []string{Titled(c.Value.Title, c.Value.Unit)}
	}
	return []string{fmt.Sprintf("%s is largest at %s: %s", Titled(c.Value.Title, c.Value.Unit), where, short(high, 4))}
}
