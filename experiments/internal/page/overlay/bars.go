package overlay

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

// bars puts the bars of two charts side by side; piles stay piles. The ratio is nil if no
// series has a category in both.
func bars(a, b *report.BarChart, names [2]string) (both, ratio *report.BarChart, err error) {
	x, _, err := common("axis of categories", a.X, b.X, names)
	if err != nil {
		return nil, nil, err
	}
	y, factor, err := common("axis of values", a.Y, b.Y, names)
	if err != nil {
		return nil, nil, err
	}
	categories := slices.Clone(a.Categories)
	for _, c := range b.Categories {
		if !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	both = &report.BarChart{Title: a.Title, X: x, Y: y, Categories: categories, Horizontal: a.Horizontal}
	ratio = &report.BarChart{
		Title: a.Title + ": ratio", X: x, Y: report.Axis{Title: names[1] + " / " + names[0], Unit: report.Dimensionless},
		Categories: categories, Horizontal: a.Horizontal,
	}
	var counts left
	var piles [2][]report.BarSeries // those of a pile follow each other
	side := func(of int, c *report.BarChart, i int, factor float64) report.BarSeries {
		s := over(categories, c, i, factor)
		if s.Stack != "" {
			s.Stack = names[of] + ": " + s.Stack
		}
		drawn := s
		drawn.Name = names[of] + ": " + s.Name
		if s.Stack != "" {
			piles[of] = append(piles[of], drawn)
		} else {
			both.Series = append(both.Series, drawn)
		}
		return s
	}
	for _, m := range matches(a.Series, b.Series, func(s report.BarSeries) string { return s.Name }) {
		switch {
		case m.b < 0:
			counts.only[0] += present(side(0, a, m.a, 1))
		case m.a < 0:
			counts.only[1] += present(side(1, b, m.b, factor))
		default:
			first, second := side(0, a, m.a, 1), side(1, b, m.b, factor)
			if first.Offset || second.Offset {
				continue
			}
			if r := quotient(first, second, &counts); present(r) > 0 {
				ratio.Series = append(ratio.Series, r)
			}
		}
	}
	how := "Of each series first " + names[0] + ", then " + names[1] + "."
	if piles[0] != nil || piles[1] != nil {
		how = "In each pair of piles first " + names[0] + ", then " + names[1] + "."
		both.Series = slices.Concat(piles[0], piles[1], both.Series)
	}
	both.Caption = captionOf(a.Caption, b.Caption, names, counts.bothCaption(how, names))
	if len(ratio.Series) == 0 {
		return both, nil, nil
	}
	ratio.Caption = counts.ratioCaption(names) + " At 1 both are equal."
	return both, ratio, nil
}

// over spreads a series of a chart over the categories of both.
func over(categories []string, c *report.BarChart, i int, factor float64) report.BarSeries {
	s := c.Series[i]
	out := report.BarSeries{Name: s.Name, Stack: s.Stack, Offset: s.Offset, Values: make([]float64, len(categories)), Missing: make([]bool, len(categories))}
	for k, name := range categories {
		at := slices.Index(c.Categories, name)
		if out.Missing[k] = at < 0 || s.IsMissing(at); !out.Missing[k] {
			out.Values[k] = s.Values[at] * factor
		}
	}
	return out
}

// present counts the values that exist.
func present(s report.BarSeries) int {
	n := 0
	for k := range s.Values {
		if !s.IsMissing(k) {
			n++
		}
	}
	return n
}

// quotient is the ratio of two series over the same categories.
func quotient(a, b report.BarSeries, counts *left) report.BarSeries {
	r := report.BarSeries{Name: a.Name, Values: make([]float64, len(a.Values)), Missing: make([]bool, len(a.Values))}
	for k := range a.Values {
		r.Missing[k] = true
		switch {
		case a.IsMissing(k) && b.IsMissing(k):
		case b.IsMissing(k):
			counts.only[0]++
		case a.IsMissing(k):
			counts.only[1]++
		default:
			v, fits := ratioOf(a.Values[k], b.Values[k])
			if counts.add(fits); fits {
				r.Values[k], r.Missing[k] = v, false
			}
		}
	}
	return r
}
