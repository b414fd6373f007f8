package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Comparison says which two levels of a factor a study compares, point by point.
type Comparison struct {
	Factor string `json:"factor"`
	From   string `json:"from"` // the text of a level
	To     string `json:"to"`
	By     string `json:"by"` // difference or ratio; "" for the one that suits the objective
}

// How a comparison relates two values:
const (
	ByDifference = "difference"
	ByRatio      = "ratio"
)

// comparison is a [Comparison] as the file states it.
type comparison struct {
	Comparison
	factor, levels *yamldoc.Node
}

var compareKeys = schema.Declare("two levels of a factor to compare, as in {factor: network, levels: [hockney, flow], by: ratio}",
	func(k *schema.Keys, x *comparison) {
		k.Required("factor", schema.Node(schema.Text, &x.factor), "name of a factor")
		k.Optional("levels", schema.Node(schema.List{Of: schema.AnyOf{schema.Number{Min: -1e300, Max: 1e300}, schema.Text}, Min: 2, Max: 2}, &x.levels).Else("the first two"),
			"the levels: the map shows the second minus, or over, the first")
		k.Optional("by", schema.Choice(&x.By, "way to compare", []string{ByDifference, ByRatio}).Else("difference for logarithms, else ratio"),
			"what the map shows")
	})

// readCompare reads the key compare of a plan. Without it, the first factor with two
// levels that sets the method or the network is compared.
func readCompare(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Comparison {
	if n == nil {
		return defaultComparison(points)
	}
	var x comparison
	compareKeys.Read(d, n, &x)
	c := &x.Comparison
	several := factorNames(points, func(f *design.Factor) bool { return f.Len() > 1 })
	c.Factor = d.OneOf(x.factor, several, "factor with several levels")
	i := slices.IndexFunc(points.Factors, func(f design.Factor) bool { return f.Name == c.Factor })
	if i < 0 {
		return c
	}
	f := &points.Factors[i]
	c.From, c.To = f.Level(0).Text, f.Level(1).Text
	if x.levels == nil {
		return c
	}
	const want = "two levels of the factor"
	items := d.Sequence(x.levels, want)
	if x.levels.IsSequence() && len(items) != 2 {
		d.Fail(x.levels, fmt.Sprintf("%d levels", len(items)), want)
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
		d.Fail(x.levels, c.From+" is compared with itself", want)
	}
	return c
}

// Comparison returns what the plan compares, or what its design suggests; nil for nothing.
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
		if f.Len() == 2 && len(f.Paths) == 1 && slices.Contains([]string{"method", "network", "network.name"}, f.Paths[0]) {
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

const wantLabels = "what reports call factors and outcomes, by their names, as in {latency: latency of the network, time: time of a run}"

// readLabels reads the key labels of a plan: names for readers of factors and outcomes.
func readLabels(d *yamldoc.Decoder, n *yamldoc.Node, known []string) map[string]string {
	if n == nil {
		return nil
	}
	m := d.Mapping(n, wantLabels)
	labels, names := make(map[string]string), make(map[string]string)
	for _, name := range m.Keys() {
		v := m.Take(name)
		label := strings.TrimSpace(d.String(v, "a label, as in latency of the network"))
		switch other, used := names[label]; {
		case !slices.Contains(known, name):
			d.Fail(v, fmt.Sprintf("no factor or outcome is called %q", yamldoc.Clip(name)), "one of "+strings.Join(known, ", "))
		case v.IsScalar() && label == "":
			d.Fail(v, "the label is empty", "a few words")
		case used:
			d.Fail(v, fmt.Sprintf("%s has the label %q too", other, yamldoc.Clip(label)), "every label once")
		default:
			labels[name], names[label] = label, name
		}
	}
	return labels
}
