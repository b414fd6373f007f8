package page

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

const (
	mappedLinks = 24  // links that the map shows
	listedLinks = 50  // links that the table shows
	mapColumns  = 120 // into which the map divides the time
)

// LinkSection shows what links did while that many ranks ran.
func LinkSection(p *topology.Platform, u *flow.Usage, ranks int) report.Section {
	used := usedLinks(u)
	s := report.Section{Heading: "Links", Text: []string{bottleneckText(p, u, ranks)}}
	if len(used) == 0 {
		return s
	}
	s.Text = append(s.Text, "Lost is how much longer messages and computations took because the link, the narrowest place on their way, was shared: "+
		"the difference to having it for themselves, summed over all of them. It may exceed the time of the run, and what nobody waited for did not delay the run.")
	if u.Links[used[0]].Bins != nil {
		s.Blocks = append(s.Blocks, linkMap(p, u, used))
	} else {
		s.Text = append(s.Text, "The machine has too many links to show how they were used over time.")
	}
	s.Blocks = append(s.Blocks, linkTable(p, u, used))
	return s
}

// bottleneckText says which link cost most and how much that is.
func bottleneckText(p *topology.Platform, u *flow.Usage, ranks int) string {
	worst, share := worstLink(u, ranks)
	switch {
	case len(usedLinks(u)) == 0:
		return "No link was used."
	case share == 0:
		return "Nothing was lost by sharing links: every message and every computation got all that its way can give."
	}
	l := u.Links[worst]
	name := fmt.Sprintf("%s (%v)", p.Links[worst].Name, p.Links[worst].Bandwidth)
	cost := fmt.Sprintf("%v, added up over all that crossed it", input.Rounded(float64(l.Lost)))
	if share < noticeableLoss {
		return fmt.Sprintf("No link is a bottleneck. Most was lost on %s: %s.", name, cost)
	}
	return fmt.Sprintf("The bottleneck is %s: what shares it lost %s. It was %s used on average and %s at most.", name, cost, Percent(l.Mean), Percent(l.Peak))
}

// Percent prints a part of 1 for running text, where no line breaks before the
// sign.
func Percent(x float64) string {
	switch {
	case x == 0:
		return "0\u00a0%"
	case x < 0.001:
		return "less than 0.1\u00a0%"
	case x < 0.1:
		return fmt.Sprintf("%.1f\u00a0%%", 100*x)
	}
	return fmt.Sprintf("%.0f\u00a0%%", 100*x)
}

// linkMap shows the use of the first of the used links over time.
func linkMap(p *topology.Platform, u *flow.Usage, used []int) *report.HeatMap {
	unit, perSecond := timeUnit(u.Until)
	c := &report.HeatMap{
		Title:   "Use of links over time",
		X:       report.Axis{Title: "time", Unit: unit, Min: new(0.0), Max: new(float64(u.Until) * perSecond)},
		Y:       report.Axis{Title: "link", Unit: report.Dimensionless},
		Value:   report.Axis{Title: "capacity used", Unit: "%", Min: new(0.0), Max: new(100.0)},
		Columns: mapColumns,
		Caption: "Mean over each 1/" + fmt.Sprint(mapColumns) + " of the run; blank where it is below 0.05 %. ",
	}
	if n := len(used); n > mappedLinks {
		used = used[:mappedLinks]
		c.Caption += fmt.Sprintf("Shown are %d of the %d links that were used, of %d in all: those that lost most, and where that is equal those used most.", mappedLinks, n, len(u.Links))
	} else {
		c.Caption += fmt.Sprintf("Shown are all %d links that were used, of %d in all; those that lost most come first.", n, len(u.Links))
	}
	for _, i := range used {
		row := report.HeatRow{Name: p.Links[i].Name, Values: respread(u.Links[i].Bins, u.Width, u.Until, mapColumns)}
		for k, v := range row.Values {
			row.Values[k] = math.Round(1000*v) / 10
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// timeUnit chooses a unit in which a time of a run is neither long nor tiny.
func timeUnit(t units.Seconds) (name string, perSecond float64) {
	switch {
	case t >= 1:
		return "s", 1
	case t >= 1e-3:
		return "ms", 1e3
	case t >= 1e-6:
		return "us", 1e6
	}
	return "ns", 1e9
}

// respread turns bins of a width, of which the last one ends at until at the
// latest, into means over n equal parts of the time until then. What is in a bin
// counts as spread evenly over it.
func respread(bins []float32, width, until units.Seconds, n int) []float64 {
	// total is the integral up to the border after i bins.
	total := make([]float64, len(bins)+1)
	for i, b := range bins {
		total[i+1] = total[i] + float64(b)*float64(width)
	}
	// upTo is the integral up to t. A bin that the end of the run cuts holds all
	// it has before that.
	upTo := func(t units.Seconds) float64 {
		i := int(t / width)
		if i >= len(bins) {
			return total[len(bins)]
		}
		from := units.Seconds(i) * width
		length := min(width, until-from)
		if length <= 0 {
			return total[i+1]
		}
		return total[i] + (total[i+1]-total[i])*float64(min(1, (t-from)/length))
	}
	means := make([]float64, n)
	step := until / units.Seconds(n)
	before := 0.0
	for k := range means {
		at := upTo(until)
		if k+1 < n {
			at = upTo(units.Seconds(k+1) * step)
		}
		at = max(at, before) // whatever the rounding
		means[k] = (at - before) / float64(step)
		before = at
	}
	return means
}

// linkTable lists the first of the used links.
func linkTable(p *topology.Platform, u *flow.Usage, used []int) *report.Table {
	t := &report.Table{
		Title: "Links by what was lost on them",
		Columns: []report.Column{
			{Title: "link"}, {Title: "bandwidth", Numeric: true}, {Title: "messages", Numeric: true}, {Title: "bytes", Numeric: true}, {Title: "busy", Numeric: true},
			{Title: "mean use", Unit: "%", Numeric: true}, {Title: "peak use", Unit: "%", Numeric: true}, {Title: "lost", Numeric: true},
		},
		Caption: "Busy is the time with something on the link. A peak of 100 % alone tells little: one message by itself can fill a link.",
	}
	for n, i := range used {
		if n == listedLinks {
			t.Caption += fmt.Sprintf(" The first %d of %d links that were used.", listedLinks, len(used))
			break
		}
		l := u.Links[i]
		t.Rows = append(t.Rows, []string{p.Links[i].Name, p.Links[i].Bandwidth.String(), fmt.Sprint(l.Messages), l.Bytes.String(), l.Busy.String(),
			fmt.Sprintf("%.1f", 100*l.Mean), fmt.Sprintf("%.1f", 100*l.Peak), l.Lost.String()})
	}
	return t
}
