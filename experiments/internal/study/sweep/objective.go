package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/each"
)

// Objective is what a study is analysed for.
type Objective struct {
	Response string `json:"response"` // name of an outcome, or an expression
	Maximize bool   `json:"maximize"`
	Size     string `json:"size"`           // outcome or numeric factor that measures the size of a configuration
	Cost     string `json:"cost,omitempty"` // the same for the cost; empty: costs are not discussed
}

// aims are the nodes of what an objective names; nil: nothing.
type aims struct{ minimize, maximize, size, cost *yamldoc.Node }

var objectiveKeys = schema.Declare("an objective, as in {minimize: time, size: processes}", func(k *schema.Keys, x *aims) {
	k.Optional("minimize", schema.Node(schema.Text, &x.minimize), "name of an outcome, or an expression of outcomes and numeric factors; by default time")
	k.Optional("maximize", schema.Node(schema.Text, &x.maximize), "name of an outcome, or an expression; by default log2_speedup of super-programs")
	k.Optional("size", schema.Node(schema.Text, &x.size), "outcome, numeric factor or expression that says how large a configuration is")
	k.Optional("cost", schema.Node(schema.Text, &x.cost),
		"outcome, numeric factor or expression that says what a configuration costs, such as a derived column: growth is then followed by cost, too")
})

// readObjective reads {maximize: NAME, size: NAME} or {minimize: NAME}. Without
// it, the objective is the logarithm of the speedup of super-programs, and the
// time of other scenarios.
func (s *Study) readObjective(d *yamldoc.Decoder, n *yamldoc.Node) Objective {
	o := defaultObjective(s.outcomes)
	if n == nil {
		return o
	}
	var x aims
	objectiveKeys.Read(d, n, &x)
	if x.minimize != nil && x.maximize != nil {
		d.Fail(x.maximize, "the objective is to minimize and to maximize", "one of them")
		x.minimize, x.maximize = nil, nil
	}
	names := outcomeNames(s.outcomes)
	sizes := append(slices.Clone(names), factorNames(s.Design, numericFactor)...)
	for _, read := range []struct {
		n     *yamldoc.Node
		to    *string
		names []string
		what  string
	}{
		{cmp.Or(x.minimize, x.maximize), &o.Response, names, "outcome"},
		{x.size, &o.Size, sizes, "outcome or numeric factor"},
		{x.cost, &o.Cost, sizes, "outcome or numeric factor"},
	} {
		if read.n != nil {
			*read.to = s.readQuantity(d, read.n, read.names, read.what)
		}
	}
	if x.minimize != nil || x.maximize != nil {
		o.Maximize = x.maximize != nil
	}
	return o
}

// factorNames returns the names of the factors for which so holds.
func factorNames(points *design.Design, so func(f design.Factor) bool) []string {
	return each.Append(nil, each.Where(nil, points.Factors, so), func(f design.Factor) string { return f.Name })
}

func anyFactor(design.Factor) bool       { return true }
func numericFactor(f design.Factor) bool { return f.Numeric }

// levelTexts returns the first levels of a factor, at most some number, without its unit.
func levelTexts(f *design.Factor, most int) []string {
	return each.Of(each.Ascending(min(f.Len(), most)), func(l int) string { return f.Level(l).Text })
}

func outcomeNames(outcomes []system.Outcome) []string {
	return each.Of(outcomes, func(o system.Outcome) string { return o.Name })
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

// Aim changes the objective. Empty names keep the plan's.
func (s *Study) Aim(maximize, minimize, size, cost string) error {
	names := outcomeNames(s.outcomes)
	sizes := append(slices.Clone(names), factorNames(s.Design, numericFactor)...)
	if err := errors.Join(s.checkQuantity(maximize, names), s.checkQuantity(minimize, names), s.checkQuantity(size, sizes), s.checkQuantity(cost, sizes)); err != nil {
		return err
	}
	o := &s.About.Objective
	switch {
	case maximize != "" && minimize != "":
		return errors.New("both --maximize and --minimize; expected one of them")
	case maximize != "":
		o.Response, o.Maximize = maximize, true
	case minimize != "":
		o.Response, o.Maximize = minimize, false
	}
	o.Size = cmp.Or(size, o.Size)
	o.Cost = cmp.Or(cost, o.Cost)
	return nil
}

// Only limits the analysis to the points with some levels, each given as
// FACTOR=LEVEL with or without the unit.
func (s *Study) Only(levels []string) error {
	var problems []error
	for _, text := range levels {
		name, want, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name })
		if i < 0 {
			problems = append(problems, fmt.Errorf("unknown factor %q; expected one of %s", name, strings.Join(factorNames(s.Design, anyFactor), ", ")))
			continue
		}
		f := &s.Design.Factors[i]
		texts := levelTexts(f, f.Len())
		l := slices.IndexFunc(texts, func(text string) bool { return text == want || text+" "+f.Unit == want })
		if l < 0 {
			known := strings.Join(texts[:min(len(texts), 20)], ", ")
			problems = append(problems, fmt.Errorf("%s has no level %q; expected one of %s", name, want, known))
			continue
		}
		s.only = append(s.only, level{i, l})
	}
	return errors.Join(problems...)
}

// Over chooses the two factors of the map, which are otherwise the strongest.
func (s *Study) Over(x, y string) error {
	names := factorNames(s.Design, numericFactor)
	s.Axes = nil
	for _, name := range []string{x, y} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q is not a numeric factor; expected two of %s", name, strings.Join(names, ", "))
		}
		s.Axes = append(s.Axes, slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name }))
	}
	if x == y {
		return fmt.Errorf("a map over %s and %s; expected two factors", x, y)
	}
	return nil
}

// A quantity of an objective is the name of a column, or an expression of outcomes,
// derived columns and numeric factors, which is evaluated when a study is analysed.

// expressionOf compiles an expression over the quantities of points.
func (s *Study) expressionOf(text string) (*formula.Expression, error) {
	e, err := slices.Concat(variablesOf(s.outcomes), s.Design.Variables()).Compile(text, formula.IsNumber)
	return e, explained(text, err)
}

// variablesOf returns the outcomes as variables of expressions.
func variablesOf(outcomes []system.Outcome) formula.Variables {
	all := make(formula.Variables, len(outcomes))
	for i, o := range outcomes {
		all[i].Name, all[i].Unit = o.Name, o.Unit
	}
	return all
}

// explained adds the text of an expression to an error.
func explained(text string, err error) error {
	e, ok := errors.AsType[*formula.Error](err)
	switch {
	case !ok:
		return err
	case e.Expected == "":
		return errors.New(formula.Explain(text, err))
	}
	return fmt.Errorf("%s; expected %s%s", formula.Explain(text, err), e.Expected, input.Suggestion(e.Unknown, e.Known))
}

// readQuantity reads a name or an expression.
func (s *Study) readQuantity(d *yamldoc.Decoder, n *yamldoc.Node, names []string, what string) string {
	text := n.Text()
	if key := system.KeyOf(text); key != "" && !slices.Contains(names, text) {
		d.Fail(n, fmt.Sprintf("unknown outcome %q, for which the plan does not ask", text), key+": true in the plan")
		return ""
	}
	if !n.IsScalar() || columnName.MatchString(text) || slices.Contains(names, text) {
		return d.OneOf(n, names, what)
	}
	if _, err := s.expressionOf(text); err != nil {
		d.Fail(n, err.Error(), "")
		return ""
	}
	return text
}

// checkQuantity is readQuantity for a name from the command line; an empty one means none.
func (s *Study) checkQuantity(text string, names []string) error {
	if text == "" || slices.Contains(names, text) {
		return nil
	}
	if !columnName.MatchString(text) {
		_, err := s.expressionOf(text)
		return err
	}
	return fmt.Errorf("unknown outcome %q; expected one of %s", text, strings.Join(names, ", "))
}

// Longer returns a quantity at a point if its times, and all that goes with them, are multiplied by times.
func (s *Study) Longer(quantity string, levels []int, values []float64, times float64) float64 {
	var changed []float64
	for i, o := range s.outcomes[:len(s.outcomes)-len(s.derived.columns)] {
		changed = append(changed, values[i]*math.Pow(times, o.Longer))
	}
	changed, err := s.withDerived(s.Design.At(levels), changed)
	if err != nil {
		return math.NaN()
	}
	if of := s.evaluator(quantity); of != nil {
		return of(levels, changed)
	}
	return changed[slices.IndexFunc(s.outcomes, func(o system.Outcome) bool { return o.Name == quantity })]
}

// evaluator returns a function that computes a quantity at a point from the values of its outcomes, NaN where it has
// none; nil for the name of a column.
func (s *Study) evaluator(quantity string) func(levels []int, values []float64) float64 {
	if quantity == "" || s.Column(quantity).Kind != "" {
		return nil
	}
	x, err := s.expressionOf(quantity)
	if err != nil {
		return nil
	}
	return func(levels []int, values []float64) float64 {
		variables := s.variables(s.Design.At(levels), values)
		for _, name := range x.Names() {
			if math.IsNaN(variables[name]) {
				return math.NaN() // the point failed
			}
		}
		v, err := x.Number(variables)
		if err != nil {
			return math.NaN()
		}
		return v
	}
}

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
	several := factorNames(points, func(f design.Factor) bool { return f.Len() > 1 })
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
	known := levelTexts(f, 1000)
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
	labels, names := make(map[string]string), make(map[string]string)
	for name, v := range d.Entries(n, wantLabels) {
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
