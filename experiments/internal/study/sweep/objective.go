package sweep

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Objective is what a study is analysed for.
type Objective struct {
	Response string `json:"response"` // name of an outcome, or an expression
	Maximize bool   `json:"maximize"`
	Size     string `json:"size"`           // outcome, or numeric factor, that says how large a configuration is
	Cost     string `json:"cost,omitempty"` // the same, for what it costs; empty: nothing is said of costs
}

var objectiveObject = &schema.Object{What: "an objective, as in {minimize: time, size: processes}", Fields: []schema.Field{
	{Key: "minimize", Type: schema.Text, Meaning: "name of an outcome, or an expression of outcomes and numeric factors; by default time"},
	{Key: "maximize", Type: schema.Text, Meaning: "name of an outcome, or an expression; by default log2_speedup of super-programs"},
	{Key: "size", Type: schema.Text, Meaning: "outcome, numeric factor or expression that says how large a configuration is"},
	{Key: "cost", Type: schema.Text, Meaning: "outcome, numeric factor or expression that says what a configuration costs, such as a derived column: growth is then followed by cost, too"},
}}

var objectiveType = schema.AnyOf{objectiveObject.Without("maximize"), objectiveObject.Without("minimize")}

// readObjective reads {maximize: NAME, size: NAME} or {minimize: NAME}. Without
// it, the objective is the logarithm of the speedup of super-programs, and the
// time of other scenarios.
func readObjective(d *yamldoc.Decoder, n *yamldoc.Node, outcomes []system.Outcome, points *design.Design) Objective {
	names := outcomeNames(outcomes)
	o := defaultObjective(outcomes)
	if n == nil {
		return o
	}
	m := objectiveObject.Open(d, n)
	least, most := m.Take("minimize"), m.Take("maximize")
	switch {
	case least != nil && most != nil:
		d.Fail(most, "the objective is to minimize and to maximize", "one of them")
	case most != nil:
		o.Response, o.Maximize = readQuantity(d, most, names, "outcome", outcomes, points), true
	case least != nil:
		o.Response, o.Maximize = readQuantity(d, least, names, "outcome", outcomes, points), false
	}
	sizes := append(slices.Clone(names), numericFactors(points)...)
	if v := m.Take("size"); v != nil {
		o.Size = readQuantity(d, v, sizes, "outcome or numeric factor", outcomes, points)
	}
	if v := m.Take("cost"); v != nil {
		o.Cost = readQuantity(d, v, sizes, "outcome or numeric factor", outcomes, points)
	}
	m.Done()
	return o
}

func outcomeNames(outcomes []system.Outcome) []string {
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = o.Name
	}
	return names
}

// numericFactors names the factors that can be a size.
func numericFactors(points *design.Design) []string {
	var names []string
	for i := range points.Factors {
		if points.Factors[i].Numeric {
			names = append(names, points.Factors[i].Name)
		}
	}
	return names
}

func defaultObjective(outcomes []system.Outcome) Objective {
	var x Objective
	for _, o := range outcomes {
		switch {
		case o.Processors:
			x.Size = o.Name
		case o.Aim != system.NoAim:
			x.Response, x.Maximize = o.Name, o.Aim == system.Largest
		}
	}
	return x
}
