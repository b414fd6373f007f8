package design

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sort"
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
	switch {
	case f.levels.booleans:
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

// Condition is one condition that excludes points.
type Condition struct {
	Text    string
	Removes int // points that it removes by itself, repetitions included
}

// exclude reads the conditions and finds the combinations that they leave.
//
// A condition sees only the factors that it names, so it is computed once for
// every combination of those, into a table. With r1 + r2 > 12 of ten levels each
// these are 100 evaluations however many points the design has.
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
	conditions := make([]*condition, len(nodes))
	for i, node := range nodes {
		conditions[i] = r.compile(language, node)
	}
	if r.ProblemCount() > before {
		return
	}
	evaluations := 0
	for _, c := range conditions {
		evaluations += s.table(c.factors).size
	}
	if evaluations > r.limits.evaluations {
		r.Fail(n, fmt.Sprintf("the conditions have to be computed %d times, for all combinations of the factors that they name", evaluations),
			fmt.Sprintf("at most %d", r.limits.evaluations))
		return
	}
	var tables []*table
	for _, c := range conditions {
		t := s.table(c.factors)
		t.excluded = newSelection(t.size)
		if err := c.fill(s, t); err != nil {
			r.Fail(c.node, fmt.Sprintf("the condition cannot be computed %v", err), "a condition that has a value everywhere")
			continue
		}
		removed := t.excluded.len() * (s.product / t.size) * s.Repetitions
		s.Conditions = append(s.Conditions, Condition{Text: c.node.Text(), Removes: removed})
		if removed == 0 {
			s.Warnings = append(s.Warnings, s.idle(c))
		}
		tables = merge(tables, t)
	}
	if r.ProblemCount() > before {
		return
	}
	if lookups := len(tables) * s.product; lookups > r.limits.lookups {
		r.Fail(n, fmt.Sprintf("%d conditions on different factors for %d combinations of levels", len(tables), s.product),
			fmt.Sprintf("a product of at most %d", r.limits.lookups))
		return
	}
	s.allowed = s.allow(tables)
	if s.allowed.total == 0 {
		r.Fail(n, s.nothingLeft(), "conditions that leave a point")
	}
}

// nothingLeft says what each condition removes.
func (s *Design) nothingLeft() string {
	const shown = 20
	var parts []string
	for _, c := range s.Conditions[:min(len(s.Conditions), shown)] {
		parts = append(parts, fmt.Sprintf("%q alone removes %d", yamldoc.Clip(c.Text), c.Removes))
	}
	if more := len(s.Conditions) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more conditions", more))
	}
	return fmt.Sprintf("the conditions leave none of %s: %s", count(s.product*s.Repetitions, "point"), strings.Join(parts, ", "))
}

// table says for the combinations of some axes which are excluded.
type table struct {
	axes     []int // increasing; the last varies fastest
	size     int
	excluded *selection
}

// table returns the table, still without bits, for a condition on some factors.
func (s *Design) table(factors []int) *table {
	t := &table{size: 1}
	for i, a := range s.axes {
		if slices.ContainsFunc(a.factors, func(f int) bool { return slices.Contains(factors, f) }) {
			t.axes = append(t.axes, i)
			t.size *= a.size
		}
	}
	return t
}

// merge adds a table to a list with one table for any set of axes.
func merge(tables []*table, t *table) []*table {
	for _, old := range tables {
		if slices.Equal(old.axes, t.axes) {
			for i, word := range t.excluded.bits {
				old.excluded.bits[i] |= word
			}
			return tables
		}
	}
	return append(tables, t)
}

// allow combines the tables: it walks the tree of combinations, axis after axis,
// asks each table as soon as all its axes are fixed, and leaves out a branch
// that is excluded.
func (s *Design) allow(tables []*table) *selection {
	w := walker{axes: s.axes, below: make([]int, len(s.axes)), tables: make([][]*table, len(s.axes)),
		at: make([]int, len(s.axes)), allowed: newSelection(s.product)}
	below := 1
	for a := len(s.axes) - 1; a >= 0; a-- {
		w.below[a] = below
		below *= s.axes[a].size
	}
	none := false
	for _, t := range tables {
		if len(t.axes) == 0 {
			none = none || t.excluded.has(0)
			continue
		}
		last := t.axes[len(t.axes)-1]
		w.tables[last] = append(w.tables[last], t)
		w.deepest = max(w.deepest, last)
	}
	if !none {
		w.walk(0, 0)
	}
	w.allowed.index()
	return w.allowed
}

type walker struct {
	axes    []axis
	below   []int      // combinations of all axes after this one
	tables  [][]*table // by the last of their axes
	deepest int        // the last axis with a table
	at      []int      // place on every axis that is fixed
	allowed *selection
}

// walk fixes axis a and those after it; first is the index of the first
// combination in the branch.
func (w *walker) walk(a, first int) {
	bases := make([]int, len(w.tables[a]))
	for i, t := range w.tables[a] {
		for _, b := range t.axes {
			bases[i] *= w.axes[b].size
			if b < a {
				bases[i] += w.at[b]
			}
		}
	}
next:
	for v := range w.axes[a].size {
		for i, t := range w.tables[a] {
			if t.excluded.has(bases[i] + v) {
				continue next
			}
		}
		branch := first + v*w.below[a]
		if a == w.deepest {
			w.allowed.setRange(branch, w.below[a])
			continue
		}
		w.at[a] = v
		w.walk(a+1, branch)
	}
}

// idle reports a condition that removes no point, with the values of its factors:
// usually a unit or a name in such a condition is wrong.
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

// span describes the levels of a factor: a few are listed, of many numbers it
// gives the smallest and the largest.
func (f *Factor) span() string {
	const shown = 8
	n := f.Len()
	switch {
	case n == 1:
		return yamldoc.Clip(f.levels.text(0)) + f.unitSuffix()
	case f.Numeric && n > shown:
		first, last := 0, 0
		for i := range n {
			if f.levels.value(i) < f.levels.value(first) {
				first = i
			}
			if f.levels.value(i) > f.levels.value(last) {
				last = i
			}
		}
		return fmt.Sprintf("from %s to %s%s", f.levels.text(first), f.levels.text(last), f.unitSuffix())
	}
	var texts []string
	for i := range min(n, shown) {
		texts = append(texts, yamldoc.Clip(f.levels.text(i)))
	}
	if n > shown {
		texts = append(texts, fmt.Sprintf("and %d more", n-shown))
	}
	return "one of " + strings.Join(texts, ", ") + f.unitSuffix()
}

// selection is a set of numbers below a size: a bit for each, and the number of
// those set before every block, so that the i-th is found by a binary search
// and a scan of one block.
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

// setRange sets the n numbers from first.
func (s *selection) setRange(first, n int) {
	for n > 0 {
		low := first & 63
		width := min(64-low, n)
		s.bits[first>>6] |= ^uint64(0) >> (64 - width) << low
		first, n = first+width, n-width
	}
}

func (s *selection) len() int {
	n := 0
	for _, word := range s.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

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
