package sweep

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Comparison says which two levels of a factor a study compares, point by point.
type Comparison struct {
	Factor string `json:"factor"`
	From   string `json:"from"` // the text of a level
	To     string `json:"to"`
	By     string `json:"by"` // difference or ratio; "" for what suits the objective
}

// What a comparison takes of two values.
const (
	ByDifference = "difference"
	ByRatio      = "ratio"
)

var compareObject = &schema.Object{What: "two levels of a factor to compare, as in {factor: network, levels: [hockney, flow], by: ratio}", Fields: []schema.Field{
	{Key: "factor", Type: schema.Text, Required: true, Meaning: "name of a factor"},
	{Key: "levels", Type: schema.List{Of: schema.AnyOf{schema.Number{Min: -1e300, Max: 1e300}, schema.Text}, Min: 2, Max: 2}, Default: "the first two", Meaning: "the levels: the map shows the second minus, or over, the first"},
	{Key: "by", Type: schema.OneOf{ByDifference, ByRatio}, Default: "difference for logarithms, else ratio", Meaning: "what the map shows"},
}}

// readCompare reads the key compare of a plan. Without it, the first factor with two
// levels that sets the method or the network is compared.
func readCompare(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Comparison {
	if n == nil {
		return defaultComparison(points)
	}
	m := compareObject.Open(d, n)
	defer m.Done()
	var names []string
	for i := range points.Factors {
		if points.Factors[i].Len() > 1 {
			names = append(names, points.Factors[i].Name)
		}
	}
	c := &Comparison{Factor: d.OneOf(m.Require("factor", "name of a factor"), names, "factor with several levels")}
	if v := m.Take("by"); v != nil {
		c.By = d.OneOf(v, []string{ByDifference, ByRatio}, "way to compare")
	}
	i := slices.IndexFunc(points.Factors, func(f design.Factor) bool { return f.Name == c.Factor })
	levels := m.Take("levels")
	if i < 0 {
		return c
	}
	f := &points.Factors[i]
	c.From, c.To = f.Level(0).Text, f.Level(1).Text
	if levels == nil {
		return c
	}
	const want = "two levels of the factor"
	items := d.Sequence(levels, want)
	if levels.IsSequence() && len(items) != 2 {
		d.Fail(levels, fmt.Sprintf("%d levels", len(items)), want)
	}
	if len(items) != 2 {
		return c
	}
	var known []string
	for l := range min(f.Len(), 1000) {
		known = append(known, f.Level(l).Text)
	}
	c.From, c.To = d.OneOf(items[0], known, "level of "+f.Name), d.OneOf(items[1], known, "level of "+f.Name)
	if c.From == c.To && c.From != "" {
		d.Fail(levels, c.From+" is compared with itself", want)
	}
	return c
}

// Comparison is what the plan compares, or what its design suggests; nil for nothing.
func (s *Study) Comparison() *Comparison {
	if c := s.About.Compare; c != nil {
		return c
	}
	return defaultComparison(s.Design)
}

// defaultComparison compares two methods or two networks; nil if there is no factor
// with just two.
func defaultComparison(points *design.Design) *Comparison {
	for i := range points.Factors {
		f := &points.Factors[i]
		if f.Len() == 2 && len(f.Paths) == 1 && slices.Contains([]string{"method", "network"}, f.Paths[0]) {
			return &Comparison{Factor: f.Name, From: f.Level(0).Text, To: f.Level(1).Text}
		}
	}
	return nil
}

func (c *Comparison) String() string {
	text := fmt.Sprintf("%s, %s with %s", c.Factor, c.To, c.From)
	if c.By != "" {
		text += ", by " + c.By
	}
	return text
}
