package watch

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// listedSegments is how many segments of the critical path the table lists.
const listedSegments = 100

// The most that a report has of a timeline, so that it takes about 70 KB of the page: the number
// of spans and messages up to which it has all of them, and the bins of a larger run.
const (
	listedInReport  = 30_000
	rowsInReport    = 64
	columnsInReport = 256
	stepInReport    = 15 // of the shares in bins of a larger run: a row has only a few pixels
)

// section shows what limits a run and what its ranks do when.
func (p *Picture) section(limits []Limit) report.Section {
	s := report.Section{Heading: "What limits the run"}
	if len(limits) > 0 {
		s.Text = append(s.Text, "The critical path is a chain of operations and messages from the start to the end, "+
			"in which each could begin only when the one before had ended. The run can become faster only if the "+
			"path does.")
		s.Blocks = append(s.Blocks, limitChart(limits))
	}
	t := p.Timeline
	if t.Spans+t.Messages > listedInReport {
		t = t.Binned().Coarse(rowsInReport, columnsInReport).Rounded(stepInReport)
	}
	s.Blocks = append(s.Blocks, &report.Timeline{
		Title:   "What the ranks do, and when",
		Caption: caption(t),
		Data:    t.Encode(),
		Table:   p.table(),
	})
	return s
}

// limitChart shows how much of the critical path each cause takes.
func limitChart(limits []Limit) *report.BarChart {
	c := &report.BarChart{
		Title: "The critical path by cause", Horizontal: true, Height: 110 + 44*len(limits),
		X: report.Axis{Title: "cause", Unit: report.Dimensionless}, Y: report.Axis{Title: "share of the path",
			Unit: "%"},
	}
	share := report.BarSeries{Name: "share of the critical path"}
	for _, l := range limits {
		name := l.Cause
		if l.Where != "" {
			name += ", most on " + l.Where
		}
		c.Categories = append(c.Categories, name)
		share.Values = append(share.Values, 100*l.Share)
	}
	c.Series = []report.BarSeries{share}
	return c
}

func caption(t *timeline.Timeline) string {
	text := fmt.Sprintf("%s and %s of %s.", input.Plural(t.Spans, "span"), input.Plural(t.Messages, "message"),
		input.Plural(t.Ranks, "rank"))
	if len(t.SpanEnd) == 0 && t.Spans > 0 {
		return text + fmt.Sprintf(" Up to %d are shown one by one; with more, the picture shows how much of each "+
			"stretch of time was computation, overhead and waiting.", listedInReport)
	}
	return text + " A message is a line from its departure to its arrival, dotted from there until it is received."
}

// table lists the critical path or, without one, the sums of the bins.
func (p *Picture) table() *report.Table {
	if p.Path == nil {
		return p.shares()
	}
	t := &report.Table{
		Title:   "The critical path",
		Columns: page.Columns("#from", "#until", "what"),
	}
	for i, g := range p.Path.Segments {
		if i == listedSegments {
			t.Caption = fmt.Sprintf("Shown: the first %d of %d segments.", i, len(p.Path.Segments))
			break
		}
		t.Rows = append(t.Rows, []string{g.From.String(), g.Until.String(), g.String()})
	}
	return t
}

// shares says how the ranks of each row spent the time of the run.
func (p *Picture) shares() *report.Table {
	x := p.Timeline.Coarse(rowsInReport, columnsInReport)
	t := &report.Table{
		Title:   "How ranks spend their time",
		Columns: page.Columns("ranks", "#compute [%]", "#overhead [%]", "#wait [%]"),
	}
	kinds := int(timeline.BinKinds)
	for w := range x.Rows {
		first, last := w*x.RanksPerRow, min(x.Ranks, (w+1)*x.RanksPerRow)-1
		row := []string{fmt.Sprintf("%d to %d", first, last)}
		for k := range kinds {
			sum := 0
			for c := range x.Columns {
				sum += int(x.BinShare[(w*x.Columns+c)*kinds+k])
			}
			row = append(row, fmt.Sprintf("%.0f", 100*float64(sum)/float64(255*max(1, x.Columns))))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
