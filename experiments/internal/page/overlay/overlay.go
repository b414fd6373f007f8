package overlay

import (
	"errors"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Result is what is compared: charts, and what the legends call them.
type Result struct {
	Name   string
	Charts []chart.Named
}

// A Pair is a chart of both results.
type Pair struct {
	Both  chart.Named
	Ratio *chart.Named // nil if the results have no x in common
}

// Overlay is the charts that two results have in common.
type Overlay struct {
	Pairs []Pair
	Notes []string // what is left out
}

// Charts lists the charts, each with its ratio after it.
func (o Overlay) Charts() []chart.Named {
	var charts []chart.Named
	for _, p := range o.Pairs {
		charts = append(charts, p.Both)
		if p.Ratio != nil {
			charts = append(charts, *p.Ratio)
		}
	}
	return charts
}

// Of lays the charts of two results over each other, in the order of the first. The error
// lists every chart that differs in what its axes show, or says that no chart is in both.
func Of(a, b Result) (Overlay, error) {
	var o Overlay
	var problems []error
	seen := map[string]bool{}
	var other, kinds []string
	for _, x := range a.Charts {
		y, ok := named(b.Charts, x.Name)
		if !ok {
			other = append(other, x.Name+" is in "+a.Name+" alone")
			continue
		}
		seen[x.Name] = true
		p, err := pair(x, y, [2]string{a.Name, b.Name})
		switch {
		case errors.Is(err, errKind):
			kinds = append(kinds, x.Name)
		case err != nil:
			problems = append(problems, fmt.Errorf("chart %s: %w", x.Name, err))
		default:
			o.Pairs = append(o.Pairs, p)
		}
	}
	for _, y := range b.Charts {
		if !seen[y.Name] {
			other = append(other, y.Name+" is in "+b.Name+" alone")
		}
	}
	if len(problems) > 0 {
		return Overlay{}, errors.Join(problems...)
	}
	if len(kinds) > 0 {
		o.Notes = append(o.Notes, "No curves or bars to compare: "+strings.Join(kinds, ", ")+".")
	}
	if len(other) > 0 {
		o.Notes = append(o.Notes, "Not in both: "+strings.Join(other, "; ")+".")
	}
	if len(o.Pairs) == 0 {
		return Overlay{}, fmt.Errorf("%s and %s have no chart of curves or bars in common. %s", a.Name, b.Name, strings.Join(o.Notes, " "))
	}
	return o, nil
}

func named(charts []chart.Named, name string) (chart.Named, bool) {
	for _, c := range charts {
		if c.Name == name {
			return c, true
		}
	}
	return chart.Named{}, false
}

// errKind says that charts of a kind are not compared.
var errKind = errors.New("no curves or bars")

func pair(a, b chart.Named, names [2]string) (Pair, error) {
	var both, ratio report.Block
	switch x := a.Block.(type) {
	case *report.LineChart:
		y, ok := b.Block.(*report.LineChart)
		if !ok {
			return Pair{}, errKind
		}
		c, r, err := lines(x, y, names)
		if err != nil {
			return Pair{}, err
		}
		both = c
		if r != nil {
			ratio = r
		}
	case *report.BarChart:
		y, ok := b.Block.(*report.BarChart)
		if !ok {
			return Pair{}, errKind
		}
		c, r, err := bars(x, y, names)
		if err != nil {
			return Pair{}, err
		}
		both = c
		if r != nil {
			ratio = r
		}
	default:
		return Pair{}, errKind
	}
	p := Pair{Both: chart.Named{Name: a.Name, Block: both}}
	if ratio != nil {
		p.Ratio = &chart.Named{Name: a.Name + "-ratio", Block: ratio}
	}
	return p, nil
}

// captionOf joins what two captions say, and what is to be said of both results.
func captionOf(a, b string, names [2]string, more string) string {
	switch {
	case a == b && a != "":
		return a + " " + more
	case a == b:
		return more
	}
	for i, text := range []string{a, b} {
		if text != "" {
			more += " " + names[i] + ": " + text
		}
	}
	return more
}
