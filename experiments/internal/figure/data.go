package figure

import (
	"encoding/csv"
	"io"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

// A table is the data of a chart, a row for each point. Numbers are written such that
// reading them gives the same float64.
type table struct {
	columns []string
	numeric []bool
	rows    [][]string
}

func (t *table) column(name string, numeric bool) {
	t.columns, t.numeric = append(t.columns, name), append(t.numeric, numeric)
}

// unitName is the head of a column: the quantity with its unit.
func unitName(a report.Axis) string {
	if a.Unit == "" || a.Unit == report.Dimensionless {
		return Clean(a.Title)
	}
	return Clean(a.Title + " [" + a.Unit + "]")
}

// tableOf returns the data of a chart.
func tableOf(b report.Block) *table {
	t := &table{}
	switch b := b.(type) {
	case *report.LineChart:
		t.lines(b)
	case *report.BarChart:
		t.bars(b)
	case *report.ScatterChart:
		t.points(b)
	case *report.Tornado:
		t.tornado(b)
	case *report.HeatMap:
		t.heat(b)
	case *report.Surface:
		t.surface(b)
	case *report.Surface3D:
		t.surface((*report.Surface)(b))
	case *report.Timeline:
		if c, ok := asTimeline(b); ok {
			t.timeline(c)
		}
	case *report.Parallel:
		t.parallel(b)
	}
	return t
}

func (t *table) lines(c *report.LineChart) {
	for _, name := range []string{"kind", "series"} {
		t.column(name, false)
	}
	for _, name := range []string{unitName(c.X), unitName(c.Y), "low", "high"} {
		t.column(name, true)
	}
	t.column("label", false)
	names := LineNames(c)
	for i := range c.Series {
		s := &c.Series[i]
		for k := range s.X {
			row := []string{"series", names[i], full(s.X[k]), full(s.Y[k]), "", "", ""}
			if s.Low != nil {
				row[4], row[5] = full(s.Low[k]), full(s.High[k])
			}
			t.rows = append(t.rows, row)
		}
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		for k := range b.X {
			t.rows = append(t.rows, []string{"band", names[len(c.Series)+i], full(b.X[k]), "", full(b.Low[k]), full(b.High[k]), ""})
		}
	}
	for _, p := range c.Points {
		t.rows = append(t.rows, []string{"point", names[p.Series], full(p.X), full(p.Y), "", "", Clean(p.Label)})
	}
	for _, l := range c.Targets {
		t.rows = append(t.rows, []string{"target", "", "", full(l.Y), "", "", Clean(l.Label)})
	}
}

func (t *table) bars(b *report.BarChart) {
	t.column(unitName(b.X), false)
	t.column("series", false)
	t.column(unitName(b.Y), true)
	names := (barChart{b}).all()
	for k, category := range b.Categories {
		for i := range b.Series {
			if !b.Series[i].IsMissing(k) {
				t.rows = append(t.rows, []string{Clean(category), names[i], full(b.Series[i].Values[k])})
			}
		}
	}
}

func (t *table) points(c *report.ScatterChart) {
	t.column("series", false)
	t.column("point", false)
	t.column(unitName(c.X), true)
	t.column(unitName(c.Y), true)
	t.column("label", false)
	t.column("notes", false)
	for i, name := range (scatterChart{c}).names() {
		for _, p := range c.Series[i].Points {
			t.rows = append(t.rows, []string{name, Clean(p.Name), full(p.X), full(p.Y), Clean(p.Label), Clean(p.Notes)})
		}
	}
	for _, l := range c.Lines {
		row := []string{"reference line", "", "", full(l.At), Clean(l.Label), ""}
		if l.Vertical {
			row[2], row[3] = row[3], ""
		}
		t.rows = append(t.rows, row)
	}
}

func (t *table) tornado(c *report.Tornado) {
	t.column("parameter", false)
	t.column("change", false)
	t.column("value of the parameter", false)
	t.column(unitName(c.Value), true)
	names := (tornado{c}).names()
	t.rows = append(t.rows, []string{BaseLabel(c), "", "", full(c.Base)})
	for _, s := range Swings(c) {
		t.rows = append(t.rows, []string{Clean(s.Parameter), names[0], Clean(s.LowNote), full(s.Low)},
			[]string{Clean(s.Parameter), names[1], Clean(s.HighNote), full(s.High)})
	}
}

func (t *table) heat(c *report.HeatMap) {
	t.column(unitName(c.Y), false)
	t.column(unitName(c.X)+" from", true)
	t.column(unitName(c.X)+" to", true)
	t.column(unitName(c.Value), true)
	edge := func(k int) float64 { return *c.X.Min + (*c.X.Max-*c.X.Min)*float64(k)/float64(c.Columns) }
	names := DistinctOf(c.Rows, "row", func(x report.HeatRow) string { return x.Name })
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			t.rows = append(t.rows, []string{names[i], full(edge(k)), full(edge(k + 1)), full(v)})
		}
	}
}

func (t *table) surface(c *report.Surface) {
	t.column("kind", false)
	t.column("label", false)
	// Where levels have names they are no numbers.
	t.column(unitName(c.X), len(c.XNames) == 0)
	t.column(unitName(c.Y), len(c.YNames) == 0)
	t.column(unitName(c.Value), true)
	at := func(a report.Axis, names []string, log2 bool, k, points int) string {
		if len(names) > 0 {
			return names[k]
		}
		return fullCoordinate(*a.Min+(*a.Max-*a.Min)*float64(k)/float64(points-1), log2)
	}
	for i, row := range c.Values {
		for k, v := range row {
			if !math.IsNaN(v) {
				t.rows = append(t.rows, []string{"grid", "", at(c.X, c.XNames, c.XLog2, k, len(row)), at(c.Y, c.YNames, c.YLog2, i, len(c.Values)), full(v)})
			}
		}
	}
	for i, name := range (surface{c}).names() {
		for _, trace := range c.Layers[i].Traces {
			for k := range trace.X {
				t.rows = append(t.rows, []string{name, Clean(trace.Label), fullCoordinate(trace.X[k], c.XLog2), fullCoordinate(trace.Y[k], c.YLog2), ""})
			}
		}
	}
}

func fullCoordinate(v float64, log2 bool) string {
	if log2 {
		v = math.Exp2(v)
	}
	return full(v)
}

func writeCSV(w io.Writer, b report.Block) error {
	t := tableOf(b)
	c := csv.NewWriter(w)
	if err := c.Write(t.columns); err != nil {
		return err
	}
	if err := c.WriteAll(t.rows); err != nil {
		return err
	}
	return c.Error()
}
