package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// language holds the names that the conditions of a plan may use.
type language struct {
	factors   []Factor
	names     map[string]int   // to factors
	ambiguous map[string][]int // last parts of several paths
	hidden    []string         // factors without a name for conditions
	variables formula.Variables
}

// newLanguage gives every factor its name in conditions: its own name or, if the
// factor is named by its path, the last part of the path if that is unambiguous.
func newLanguage(factors []Factor) *language {
	l := &language{factors: factors, names: map[string]int{}, ambiguous: map[string][]int{}}
	short := map[string][]int{}
	for i := range factors {
		name := factors[i].Name
		last := name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case identifier.MatchString(name):
			l.names[name] = i
		case identifier.MatchString(last) && !formula.IsWord(last):
			short[last] = append(short[last], i)
		default:
			l.hidden = append(l.hidden, name)
		}
	}
	for i := range factors {
		name := factors[i].Name
		last := name[strings.LastIndexByte(name, '.')+1:]
		users := short[last]
		if !slices.Contains(users, i) {
			continue
		}
		_, taken := l.names[last]
		if len(users) == 1 && !taken {
			l.names[last] = i
			continue
		}
		l.hidden = append(l.hidden, name)
		if !taken {
			l.ambiguous[last] = users
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		f := &factors[l.names[name]]
		l.variables = append(l.variables, formula.Variable{Name: name, Kind: f.kind(), Unit: f.measure()})
	}
	return l
}

// NumericNames returns the numeric factors by their names in expressions: as in
// conditions.
func (d *Design) NumericNames() map[string]int {
	names := newLanguage(d.Factors).names
	maps.DeleteFunc(names, func(_ string, i int) bool { return !d.Factors[i].Numeric })
	return names
}

// Variables are the numeric factors by their names in expressions, with their units.
func (d *Design) Variables() formula.Variables {
	all := newLanguage(d.Factors).variables
	return slices.DeleteFunc(all, func(v formula.Variable) bool { return v.Kind != formula.IsNumber })
}

// kind is the type that the factor has in conditions.
func (f *Factor) kind() formula.Kind {
	switch l, ok := f.levels.(*list); {
	case ok && l.booleans:
		return formula.IsTruth
	case f.Numeric:
		return formula.IsNumber
	}
	return formula.IsText
}

// measure is the unit of the numbers.
func (f *Factor) measure() string {
	if f.Unit == "" {
		return formula.Plain
	}
	return f.Unit
}

// operands are the levels as conditions see them.
func (f *Factor) operands() []any {
	values := make([]any, f.Len())
	for i := range values {
		switch f.kind() {
		case formula.IsTruth:
			values[i] = f.levels.text(i) == "true"
		case formula.IsNumber:
			values[i] = f.levels.value(i)
		default:
			values[i] = f.levels.text(i)
		}
	}
	return values
}

// condition is one compiled condition.
type condition struct {
	*formula.Expression
	node    *yamldoc.Node
	names   []string // in the condition
	factors []int    // that they name
}

const conditionWant = "a condition such as r1 + r2 > 12"

// compile reads one condition. It returns nil after a problem.
func (r *reader) compile(l *language, n *yamldoc.Node) *condition {
	if !n.IsScalar() {
		r.Fail(n, "found "+describe(n), conditionWant)
		return nil
	}
	compiled, err := l.variables.Compile(n.Text(), formula.IsTruth)
	if err != nil {
		msg, want := l.explain(err)
		r.Fail(n, msg, want)
		return nil
	}
	c := &condition{Expression: compiled, node: n, names: compiled.Names()}
	for _, name := range c.names {
		c.factors = append(c.factors, l.names[name])
	}
	return c
}

// explain says what is wrong with a condition, in terms of the factors, and what
// was expected.
func (l *language) explain(err error) (msg, want string) {
	var e *formula.Error
	if !errors.As(err, &e) {
		return err.Error(), conditionWant
	}
	problem := *e
	switch meanings := l.ambiguous[e.Unknown]; {
	case l.nameFor(e.Unknown) != "":
		problem.Problem = yamldoc.Clip(e.Unknown) + " is a path"
		problem.Expected = "the name of its factor: use " + l.nameFor(e.Unknown)
	case len(meanings) > 0:
		var meant []string
		for _, i := range meanings {
			meant = append(meant, l.factors[i].Name)
		}
		problem.Problem = fmt.Sprintf("%s may mean %s", e.Unknown, strings.Join(meant, " or "))
		problem.Expected = "a name for each of them, as in block: {path: " + meant[0] + ", ...}"
	case e.Unknown != "":
		problem.Problem = "unknown name " + yamldoc.Clip(e.Unknown)
		problem.Expected = l.known(e.Unknown)
	case e.Expected == "":
		problem.Expected = conditionWant
	}
	return problem.Where(), problem.Expected
}

// nameFor returns the name of the factor that sets a path, "" for none.
func (l *language) nameFor(path string) string {
	for name, i := range l.names {
		sets := func(p string) bool { return p == path || strings.HasSuffix(p, "."+path) }
		if strings.ContainsAny(path, ".[") && slices.ContainsFunc(l.factors[i].Paths, sets) {
			return name // no other factor sets it
		}
	}
	return ""
}

// known lists the names, followed by the likely ones.
func (l *language) known(name string) string {
	var names []string
	for known := range l.names {
		names = append(names, known)
	}
	slices.Sort(names)
	want := "a function: no factor has a name that conditions can use"
	if len(names) > 0 {
		want = "one of the factors " + strings.Join(names, ", ") + ", or a function"
	}
	names = append(names, formula.FunctionNames()...)
	if len(l.hidden) > 0 {
		want += "; " + yamldoc.Clip(strings.Join(l.hidden, ", ")) + " can be named, as in block: {path: " + yamldoc.Clip(l.hidden[0]) + ", ...}"
	}
	if near := yamldoc.Nearest(name, names); len(near) > 0 {
		want += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return want
}

// fill computes the condition for every combination of a table.
func (c *condition) fill(s *Design, t *table) error {
	env := make(formula.Values, len(c.names))
	axes := make([]bound, len(t.axes))
	for i, a := range t.axes {
		axes[i] = c.bind(s, a)
		axes[i].set(env, 0)
	}
	at := make([]int, len(axes))
	for k := range t.size {
		holds, err := c.Holds(env)
		if err != nil {
			return fmt.Errorf("at %s: %w", c.place(env), err)
		}
		if holds {
			t.excluded.set(k)
		}
		// Advance to the next combination.
		for i := len(axes) - 1; i >= 0; i-- {
			if at[i]++; at[i] < axes[i].size {
				axes[i].set(env, at[i])
				break
			}
			at[i] = 0
			axes[i].set(env, 0)
		}
	}
	return nil
}

// bound are the factors of one axis that a condition names.
type bound struct {
	size   int
	names  []string
	values [][]any // by name and place on the axis
}

func (c *condition) bind(s *Design, a int) bound {
	b := bound{size: s.axes[a].size}
	for i, f := range c.factors {
		if !slices.Contains(s.axes[a].factors, f) {
			continue
		}
		levels := s.Factors[f].operands()
		values := make([]any, b.size)
		for at := range values {
			values[at] = levels[s.level(f, at)]
		}
		b.names, b.values = append(b.names, c.names[i]), append(b.values, values)
	}
	return b
}

func (b *bound) set(env formula.Values, at int) {
	for i, name := range b.names {
		env[name] = b.values[i][at]
	}
}

// place says which levels the environment holds.
func (c *condition) place(env formula.Values) string {
	var parts []string
	for _, name := range c.names {
		value := fmt.Sprint(env[name])
		if x, ok := env[name].(float64); ok {
			value = numberText(x)
		}
		parts = append(parts, name+" = "+yamldoc.Clip(value))
	}
	return strings.Join(parts, ", ")
}
