package design

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// language holds the names that the conditions of a plan may use.
type language struct {
	factors   []Factor
	names     map[string]int   // to factors
	meanings  map[string][]int // of last parts of paths
	hidden    []string         // factors without a name for conditions
	variables formula.Variables
}

// newLanguage gives every factor its name in conditions: its own name or, if the
// factor is named by its path, the last part of the path if that is unambiguous.
func newLanguage(factors []Factor) *language {
	l := &language{factors: factors, names: map[string]int{}, meanings: map[string][]int{}}
	for i := range factors {
		name := factors[i].Name
		last := name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case identifier.MatchString(name):
			l.names[name] = i
		case identifier.MatchString(last) && !formula.IsWord(last):
			l.meanings[last] = append(l.meanings[last], i)
		default:
			l.hidden = append(l.hidden, name)
		}
	}
	for _, last := range slices.Sorted(maps.Keys(l.meanings)) {
		of := l.meanings[last]
		if _, taken := l.names[last]; !taken && len(of) == 1 {
			l.names[last] = of[0]
			continue
		}
		l.hidden = each.Append(l.hidden, of, func(i int) string { return factors[i].Name })
	}
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		f := &factors[l.names[name]]
		l.variables = append(l.variables, formula.Variable{Name: name, Kind: f.kind(), Unit: cmp.Or(f.Unit, formula.Plain)})
	}
	return l
}

// NumericNames returns the numeric factors by the names that they have in conditions and other expressions.
func (d *Design) NumericNames() map[string]int {
	names := newLanguage(d.Factors).names
	maps.DeleteFunc(names, func(_ string, i int) bool { return !d.Factors[i].Numeric })
	return names
}

// Variables returns the numeric factors by their names in expressions, with their units.
func (d *Design) Variables() formula.Variables {
	all := newLanguage(d.Factors).variables
	return slices.DeleteFunc(all, func(v formula.Variable) bool { return v.Kind != formula.IsNumber })
}

// kind is the type that the factor has in conditions.
func (f *Factor) kind() formula.Kind {
	switch {
	case f.levels.booleans:
		return formula.IsTruth
	case f.Numeric:
		return formula.IsNumber
	}
	return formula.IsText
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
	table   *table
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
	c.factors = each.Append(c.factors, c.names, func(name string) int { return l.names[name] })
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
	meanings, of := l.meanings[e.Unknown], l.nameFor(e.Unknown)
	switch {
	case of != "":
		problem.Problem = yamldoc.Clip(e.Unknown) + " is a path"
		problem.Expected = "the name of its factor: use " + of
	case len(meanings) > 0:
		meant := each.Append(nil, meanings, func(i int) string { return l.factors[i].Name })
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

// nameFor returns the name of the factor that sets a path; "" for none.
func (l *language) nameFor(path string) string {
	for name, i := range l.names {
		sets := func(p string) bool { return p == path || strings.HasSuffix(p, "."+path) }
		if strings.ContainsAny(path, ".[") && slices.ContainsFunc(l.factors[i].Paths, sets) {
			return name // no other factor sets it
		}
	}
	return ""
}

// known lists the names, with the likely ones at the end.
func (l *language) known(name string) string {
	names := slices.Sorted(maps.Keys(l.names))
	want := "a function: no factor has a name that conditions can use"
	if len(names) > 0 {
		want = "one of the factors " + strings.Join(names, ", ") + ", or a function; conditions on outcomes are for the key infeasible"
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

// place says which levels the environment contains.
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

// Condition is one condition that excludes points.
type Condition struct {
	Text    string
	Removes int // points that it removes by itself, repetitions included
}

// exclude reads the conditions and finds the combinations that they leave.
//
// A condition depends only on the factors that it names, so it is computed once for every combination of these, into a
// table. For r1 + r2 > 12 with ten levels each that takes 100 evaluations, however many points the design has.
func (s *Design) exclude(r *reader, n *yamldoc.Node) {
	nodes := r.Sequence(n, "conditions")
	if len(nodes) == 0 {
		return
	}
	if len(nodes) > r.limits.conditions {
		r.Fail(n, fmt.Sprintf("there are %d conditions", len(nodes)), fmt.Sprintf("at most %d", r.limits.conditions))
		return
	}
	before := r.ProblemCount()
	language := newLanguage(s.Factors)
	var tables []*table
	var conditions []*condition
	evaluations := 0
	for _, node := range nodes {
		if c := r.compile(language, node); c != nil {
			c.table = s.table(&tables, c.factors)
			evaluations += c.table.size
			conditions = append(conditions, c)
		}
	}
	if r.ProblemCount() > before {
		return
	}
	if evaluations > r.limits.evaluations {
		r.Fail(n, fmt.Sprintf("the conditions have to be computed %d times, for all combinations of the factors that they name", evaluations),
			fmt.Sprintf("at most %d", r.limits.evaluations))
		return
	}
	for _, c := range conditions {
		removed, err := s.fill(c)
		if err != nil {
			r.Fail(c.node, fmt.Sprintf("the condition cannot be computed %v", err), "a condition that has a value everywhere")
			continue
		}
		s.Conditions = append(s.Conditions, Condition{c.node.Text(), removed * (s.product / c.table.size) * s.Repetitions})
		if removed == 0 {
			s.Warnings = append(s.Warnings, s.idle(c))
		}
	}
	if r.ProblemCount() > before {
		return
	}
	if lookups := len(tables) * s.product; lookups > r.limits.lookups {
		r.Fail(n, fmt.Sprintf("%d conditions on different factors for %d combinations of levels", len(tables), s.product),
			fmt.Sprintf("a product of at most %d", r.limits.lookups))
		return
	}
	s.allow(tables)
	if s.allowed.total == 0 {
		r.Fail(n, s.nothingLeft(), "conditions that leave a point")
	}
}

// nothingLeft says what each condition removes.
func (s *Design) nothingLeft() string {
	const shown = 20
	parts := each.Of(s.Conditions[:min(len(s.Conditions), shown)], func(c Condition) string {
		return fmt.Sprintf("%q alone removes %d", yamldoc.Clip(c.Text), c.Removes)
	})
	if more := len(s.Conditions) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more conditions", more))
	}
	return fmt.Sprintf("the conditions leave none of %s: %s", input.Plural(s.product*s.Repetitions, "point"), strings.Join(parts, ", "))
}

// table says which combinations of some axes are excluded.
type table struct {
	axes     []int // increasing; the last varies fastest
	size     int
	excluded *selection // nil until a condition has been computed
}

// table returns the table of the conditions that need the axes of some factors.
func (s *Design) table(tables *[]*table, factors []int) *table {
	t := &table{size: 1}
	for i, a := range s.axes {
		if slices.ContainsFunc(a.factors, func(f int) bool { return slices.Contains(factors, f) }) {
			t.axes = append(t.axes, i)
			t.size *= a.size
		}
	}
	if i := slices.IndexFunc(*tables, func(old *table) bool { return slices.Equal(old.axes, t.axes) }); i >= 0 {
		return (*tables)[i]
	}
	*tables = append(*tables, t)
	return t
}

// each visits the combinations of places on some axes in order. pass may reject the places up to an axis, and with them
// all combinations that continue them; at has the places, by axis.
func (s *Design) each(axes []int, pass func(axis int, at []int) bool, visit func(combination int)) {
	at := make([]int, len(s.axes))
	var from func(i, k int)
	from = func(i, k int) {
		if i == len(axes) {
			visit(k)
			return
		}
		a := axes[i]
		for v := range s.axes[a].size {
			if at[a] = v; pass(a, at) {
				from(i+1, k*s.axes[a].size+v)
			}
		}
	}
	from(0, 0)
}

// index returns the number of a combination of places on some axes.
func (s *Design) index(axes, at []int) int {
	k := 0
	for _, a := range axes {
		k = k*s.axes[a].size + at[a]
	}
	return k
}

// fill marks in a condition's table the combinations that it excludes, and returns their number.
func (s *Design) fill(c *condition) (removed int, err error) {
	t := c.table
	if t.excluded == nil {
		t.excluded = newSelection(t.size)
	}
	env, levels := make(formula.Values, len(c.names)), make([][]any, len(c.names))
	for i, f := range c.factors {
		levels[i] = s.Factors[f].operands()
	}
	test := c.Test()
	s.each(t.axes, func(axis int, at []int) bool {
		if err != nil {
			return false
		}
		for i, f := range c.factors {
			if slices.Contains(s.axes[axis].factors, f) {
				env[c.names[i]] = levels[i][s.level(f, at[axis])]
			}
		}
		return true
	}, func(k int) {
		holds, failure := test(env)
		if failure != nil {
			err = fmt.Errorf("at %s: %w", c.place(env), failure)
		}
		if holds {
			t.excluded.set(k)
			removed++
		}
	})
	return removed, err
}

// allow finds the combinations that no table excludes. It asks each table as soon as all
// its axes have a place.
func (s *Design) allow(tables []*table) {
	s.allowed = newSelection(s.product)
	complete := make([][]*table, len(s.axes)) // by the last of their axes
	for _, t := range tables {
		last := 0 // also for a table whose conditions name no factor
		if n := len(t.axes); n > 0 {
			last = t.axes[n-1]
		}
		complete[last] = append(complete[last], t)
	}
	s.each(each.Ascending(len(s.axes)), func(axis int, at []int) bool {
		for _, t := range complete[axis] {
			if t.excluded.has(s.index(t.axes, at)) {
				return false
			}
		}
		return true
	}, s.allowed.set)
	s.allowed.index()
}

// idle describes a condition that removes no point, with the values of its factors: usually a unit or a name in it is
// wrong.
func (s *Design) idle(c *condition) string {
	text := yamldoc.Clip(c.node.Text()) + " removes no point"
	if len(c.names) == 0 {
		return text + "; it names no factor"
	}
	const shown = 6 // names
	var parts []string
	for i, name := range c.names[:min(len(c.names), shown)] {
		parts = append(parts, name+" is "+s.Factors[c.factors[i]].span())
	}
	return text + "; " + strings.Join(parts, ", ")
}

// span describes the levels of a factor: it lists a few levels, and gives the smallest and the largest of many numbers.
func (f *Factor) span() string {
	const shown = 8
	all := each.Ascending(f.Len())
	if len(all) == 1 {
		return yamldoc.Clip(f.levels.text(0)) + f.unitSuffix()
	}
	if f.Numeric && len(all) > shown {
		byValue := func(a, b int) int { return cmp.Compare(f.levels.value(a), f.levels.value(b)) }
		first, last := slices.MinFunc(all, byValue), slices.MaxFunc(all, byValue)
		return fmt.Sprintf("from %s to %s%s", f.levels.text(first), f.levels.text(last), f.unitSuffix())
	}
	few := all[:min(len(all), shown)]
	texts := each.Of(few, func(i int) string { return yamldoc.Clip(f.levels.text(i)) })
	if more := len(all) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return "one of " + strings.Join(texts, ", ") + f.unitSuffix()
}

// selection is a set of numbers below a size: a bit for each, and for every block the number of bits set before it, so
// that the i-th number is found by a binary search and a scan of one block.
type selection struct {
	bits   []uint64
	before []uint32 // by block, the number of bits set in earlier blocks
	total  int
}

const blockWords = 64 // 4096 bits

func newSelection(size int) *selection {
	return &selection{bits: make([]uint64, (size+63)/64)}
}

func (s *selection) set(i int)      { s.bits[i>>6] |= 1 << (i & 63) }
func (s *selection) has(i int) bool { return s.bits[i>>6]>>(i&63)&1 != 0 }

// index counts the bits before each block. Nothing may be set after it.
func (s *selection) index() {
	for i, word := range s.bits {
		if i%blockWords == 0 {
			s.before = append(s.before, uint32(s.total))
		}
		s.total += bits.OnesCount64(word)
	}
}

// at returns the i-th number of the set, with i from 0 to total-1.
func (s *selection) at(i int) int {
	block := sort.Search(len(s.before), func(b int) bool { return int(s.before[b]) > i }) - 1
	rest := i - int(s.before[block])
	word := block * blockWords
	for n := bits.OnesCount64(s.bits[word]); rest >= n; n = bits.OnesCount64(s.bits[word]) {
		rest -= n
		word++
	}
	b := s.bits[word]
	for ; rest > 0; rest-- {
		b &= b - 1
	}
	return word<<6 + bits.TrailingZeros64(b)
}
