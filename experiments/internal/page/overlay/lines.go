package overlay

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

// lines lays two charts of curves over each other. The ratio is nil if no curve has an x
// in both.
func lines(a, b *report.LineChart, names [2]string) (both, ratio *report.LineChart, err error) {
	x, fx, err := common("x axis", a.X, b.X, names)
	if err != nil {
		return nil, nil, err
	}
	y, fy, err := common("y axis", a.Y, b.Y, names)
	if err != nil {
		return nil, nil, err
	}
	b = converted(b, fx, fy)
	both = &report.LineChart{Title: a.Title, X: x, Y: y, Square: a.Square && b.Square && x.Log == y.Log, Height: max(a.Height, b.Height)}
	ratio = &report.LineChart{
		Title: a.Title + ": ratio", X: x, Y: report.Axis{Title: names[1] + " / " + names[0], Unit: report.Dimensionless, Log: y.Log},
		Targets: []report.Target{{Label: "equal", Y: 1}},
	}
	var counts left
	index := [2][]int{make([]int, len(a.Series)), make([]int, len(b.Series))} // in both.Series
	draw := func(of, i int, s report.Series, name string) {
		index[of][i] = len(both.Series)
		s.Name = name
		if !s.Ideal {
			s.Dashed = of == 1 && !s.Points
		}
		if s.Colour != "" {
			s.Colour = fmt.Sprint(of, s.Colour)
		}
		both.Series = append(both.Series, s)
	}
	for _, m := range matches(a.Series, b.Series, func(s report.Series) string { return s.Name }) {
		if m.b < 0 {
			s := a.Series[m.a]
			draw(0, m.a, s, names[0]+": "+s.Name)
			counts.alone(0, s)
			continue
		}
		if m.a < 0 {
			s := b.Series[m.b]
			draw(1, m.b, s, names[1]+": "+s.Name)
			counts.alone(1, s)
			continue
		}
		s, t := a.Series[m.a], b.Series[m.b]
		ideal := s.Ideal && t.Ideal
		if ideal && slices.Equal(s.X, t.X) && slices.Equal(s.Y, t.Y) {
			draw(0, m.a, s, s.Name)
			index[1][m.b] = index[0][m.a]
			continue
		}
		draw(0, m.a, s, names[0]+": "+s.Name)
		draw(1, m.b, t, names[1]+": "+t.Name)
		if ideal {
			continue
		}
		if r := divided(s, t, y.Log, &counts); len(r.X) > 0 {
			ratio.Series = append(ratio.Series, r)
		}
	}
	for of, c := range []*report.LineChart{a, b} {
		for _, band := range c.Bands {
			band.Name = names[of] + ": " + band.Name
			if band.Colour != "" {
				band.Colour = fmt.Sprint(of, band.Colour)
			}
			both.Bands = append(both.Bands, band)
		}
		for _, p := range c.Points {
			p.Series = index[of][p.Series]
			p.Label = names[of] + ": " + p.Label
			both.Points = append(both.Points, p)
		}
		for _, t := range c.Targets {
			if !slices.Contains(both.Targets, t) {
				both.Targets = append(both.Targets, t)
			}
		}
	}
	both.Caption = captionOf(a.Caption, b.Caption, names, counts.bothCaption("Dashed: "+names[1]+".", names))
	if len(ratio.Series) == 0 {
		return both, nil, nil
	}
	ratio.Caption = counts.ratioCaption(names)
	if !ratio.Y.Log {
		ratio.Y.Min, ratio.Y.Max = around(1, ratio.Series)
	}
	return both, ratio, nil
}

// around returns bounds a little outside of curves and a value: a linear axis would
// otherwise begin at zero, and ratios near 1 would look alike.
func around(value float64, curves []report.Series) (low, high *float64) {
	least, most := value, value
	for _, s := range curves {
		least, most = min(least, slices.Min(s.Y)), max(most, slices.Max(s.Y))
	}
	margin := 0.05 * (most - least)
	if margin == 0 {
		margin = 0.05 * value
	}
	least, most = least-margin, most+margin
	return &least, &most
}

// divided is the ratio of two curves at each x that both have.
func divided(a, b report.Series, log bool, counts *left) report.Series {
	at := make(map[float64]float64, len(b.X))
	for k, x := range b.X {
		if _, again := at[x]; !again {
			at[x] = b.Y[k]
		}
	}
	r := report.Series{Name: a.Name, Plain: a.Plain, Points: a.Points}
	for k, x := range a.X {
		y, ok := at[x]
		if !ok {
			counts.only[0]++
			continue
		}
		v, fits := ratioOf(a.Y[k], y)
		fits = fits && (!log || v > 0)
		counts.add(fits)
		if fits {
			r.X, r.Y = append(r.X, x), append(r.Y, v)
		}
	}
	for _, x := range b.X {
		if !slices.Contains(a.X, x) {
			counts.only[1]++
		}
	}
	return r
}

// converted is the chart in other units.
func converted(c *report.LineChart, fx, fy float64) *report.LineChart {
	if fx == 1 && fy == 1 {
		return c
	}
	n := *c
	n.Series, n.Bands = slices.Clone(c.Series), slices.Clone(c.Bands)
	n.Targets, n.Points = slices.Clone(c.Targets), slices.Clone(c.Points)
	for i := range n.Series {
		s := &n.Series[i]
		s.X, s.Y, s.Low, s.High = times(s.X, fx), times(s.Y, fy), times(s.Low, fy), times(s.High, fy)
	}
	for i := range n.Bands {
		s := &n.Bands[i]
		s.X, s.Low, s.High = times(s.X, fx), times(s.Low, fy), times(s.High, fy)
	}
	for i := range n.Targets {
		n.Targets[i].Y *= fy
	}
	for i := range n.Points {
		n.Points[i].X, n.Points[i].Y = n.Points[i].X*fx, n.Points[i].Y*fy
	}
	return &n
}
