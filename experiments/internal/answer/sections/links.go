package sections

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
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

// LinkSection shows the use of links in a run of that many ranks.
func LinkSection(p *topology.Platform, u *flow.Usage, ranks int) report.Section {
	used := usedLinks(u)
	s := report.Section{Heading: "Links", Text: []string{bottleneckText(p, u, ranks)}}
	if len(used) == 0 {
		return s
	}
	s.Text = append(s.Text, "Lost time is the additional time of the messages and computations of which the link was the bottleneck, because they shared it, summed over all of them. "+
		"The sum can exceed the time of the run. Lost time that no rank waited for did not delay the run.")
	if u.Links[used[0]].Bins != nil {
		s.Blocks = append(s.Blocks, linkMap(p, u, used))
	} else {
		s.Text = append(s.Text, "The machine has too many links to show their utilisation over time.")
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
		return "No time was lost by sharing links: every message and computation had the full capacity of its route."
	}
	l := u.Links[worst]
	name := fmt.Sprintf("%s (%v)", p.Links[worst].Name, p.Links[worst].Bandwidth)
	cost := fmt.Sprintf("%v in total", input.Rounded(float64(l.Lost)))
	if share < noticeableLoss {
		return fmt.Sprintf("No link is a bottleneck. The most time was lost on %s: %s.", name, cost)
	}
	return fmt.Sprintf("The bottleneck is %s: sharing it cost messages and computations %s. Its utilisation was %s on average and %s at peak.", name, cost, Percent(l.Mean), Percent(l.Peak))
}

// Percent prints a fraction as a percentage for running text, without a line break
// before the sign.
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
		Title:   "Utilisation of links over time",
		X:       report.Axis{Title: "time", Unit: unit, Min: new(0.0), Max: new(float64(u.Until) * perSecond)},
		Y:       report.Axis{Title: "link", Unit: report.Dimensionless},
		Value:   report.Axis{Title: "utilisation", Unit: "%", Min: new(0.0), Max: new(100.0)},
		Columns: mapColumns,
		Caption: "Mean over each 1/" + fmt.Sprint(mapColumns) + " of the run; blank where it is below 0.05 %. ",
	}
	if n := len(used); n > mappedLinks {
		used = used[:mappedLinks]
		c.Caption += fmt.Sprintf("Shown: the first %d of %d used links (%d in all), by lost time and then by utilisation.", mappedLinks, n, len(u.Links))
	} else {
		c.Caption += fmt.Sprintf("Shown: all %d used links (%d in all), by lost time and then by utilisation.", n, len(u.Links))
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
		total[i+1] = total[i] + float64(float64(b)*float64(width))
	}
	// upTo is the integral up to t. A bin that the end of the run cuts holds all
	// it has before that.
	upTo := func(t units.Seconds) float64 {
		i := int(t / width)
		if i >= len(bins) {
			return total[len(bins)]
		}
		from := units.Seconds(units.Seconds(i) * width)
		length := min(width, until-from)
		if length <= 0 {
			return total[i+1]
		}
		return total[i] + float64((total[i+1]-total[i])*float64(min(1, (t-from)/length)))
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
		Title: "Links by lost time",
		Columns: []report.Column{
			{Title: "link"}, {Title: "bandwidth", Numeric: true}, {Title: "messages", Numeric: true}, {Title: "bytes", Numeric: true}, {Title: "busy", Numeric: true},
			{Title: "mean utilisation", Unit: "%", Numeric: true}, {Title: "peak utilisation", Unit: "%", Numeric: true}, {Title: "lost time", Numeric: true},
		},
		Caption: "Busy: time with traffic on the link. A peak of 100 % alone does not show a bottleneck: a single message can fill a link.",
	}
	for n, i := range used {
		if n == listedLinks {
			t.Caption += fmt.Sprintf(" Shown: the first %d of %d used links.", listedLinks, len(used))
			break
		}
		l := u.Links[i]
		t.Rows = append(t.Rows, []string{p.Links[i].Name, p.Links[i].Bandwidth.String(), fmt.Sprint(l.Messages), l.Bytes.String(), l.Busy.String(),
			fmt.Sprintf("%.1f", 100*l.Mean), fmt.Sprintf("%.1f", 100*l.Peak), lost(u, i).String()})
	}
	return t
}
