package design

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Factor is a quantity or choice that a study varies.
type Factor struct {
	Name    string
	Paths   []string // of the fields that a level sets, as yamldoc.Node.Set takes them
	Unit    string   // of the numbers in the texts; "" for plain numbers and other texts
	Numeric bool     // all levels are numbers
	Role    Role     // as stated by the plan; "" if it states none
	Node    *yamldoc.Node

	levels levels
}

// Role is what a factor stands for. The study looks for the best machine, for each problem and each condition.
type Role string

const (
	RoleMachine   Role = "machine"   // what one buys or chooses
	RoleProblem   Role = "problem"   // what is to be computed
	RoleCondition Role = "condition" // a circumstance that one cannot choose
)

var roles = []string{string(RoleMachine), string(RoleProblem), string(RoleCondition)}

// levels are the levels of a factor: listed in the plan, or numbers computed on demand, because a factor may have a
// million.
type levels struct {
	n        int
	number   func(i int) float64 // of computed levels
	items    []listed
	booleans bool // all levels are listed, and true or false
}

// listed is a level that the plan lists.
type listed struct {
	cell   string
	number float64         // 0 if the levels are not numbers
	values []*yamldoc.Node // by path
}

// text is the cell in results.
func (l *levels) text(i int) string {
	if l.number != nil {
		return numberText(l.number(i))
	}
	return l.items[i].cell
}

// value is 0 if the levels are not numbers.
func (l *levels) value(i int) float64 {
	if l.number != nil {
		return l.number(i)
	}
	return l.items[i].number
}

// Level is one value of a factor.
type Level struct {
	Text  string  // the cell in results, without the unit of the factor
	Value float64 // of a numeric factor, in its unit; otherwise 0
	// Settings are the fields that it sets. A listed value has its place in the plan; a computed one has that of the
	// factor.
	Settings []yamldoc.Change
}

// Len returns the number of levels. In a Latin hypercube a continuous factor
// has one level for each sample, its stratum.
func (f *Factor) Len() int { return f.levels.n }

// Level returns a level, with an index from 0 to Len()-1, in the order of the
// file.
func (f *Factor) Level(i int) Level {
	l := Level{Text: f.levels.text(i), Value: f.levels.value(i)}
	for k, path := range f.Paths {
		var n *yamldoc.Node
		if f.levels.items != nil {
			n = f.levels.items[i].values[k]
		} else {
			n = yamldoc.Scalar(f.Node.Pos(), l.Text+f.unitSuffix())
		}
		l.Settings = append(l.Settings, yamldoc.Change{Path: path, Value: n})
	}
	return l
}

// Text returns a level with its unit.
func (f *Factor) Text(level int) string { return f.levels.text(level) + f.unitSuffix() }

func (f *Factor) unitSuffix() string {
	if f.Unit == "" {
		return ""
	}
	return " " + f.Unit
}

// columns are result columns whose names a factor must not have.
var columns = []string{"repetition", "seed", "status", "error"}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

const levelsWant = "one of values, from and to, powers_of_two, log, linear"

// Ends of ranges: numbers, or numbers with a unit of any dimension.
var (
	quantityType = schema.AnyOf{schema.Number{Min: -math.MaxFloat64, Max: math.MaxFloat64}, schema.Pattern(withUnit.String())}
	wholeType    = schema.AnyOf{schema.Integer{Min: -exactInt, Max: exactInt}, schema.Pattern(withUnit.String())}
)

var levelsType = schema.List{Of: schema.Any, Min: 1}

// long is the long form of a factor.
type long struct {
	span
	path, paths, values, labels, powers, log, linear *yamldoc.Node
	role                                             string
}

var longForm = schema.Declare("a factor", func(k *schema.Keys, x *long) {
	k.Optional("path", schema.Node(schema.Text, &x.path).Else("the name of the factor"), "the field of the scenario that the levels set, such as nodes.blade")
	k.Optional("paths", schema.Node(schema.List{Of: schema.Text, Min: 1}, &x.paths), "several fields that the levels set together")
	k.Optional("role", schema.Choice(&x.role, "role", roles).Else("found from the fields that it sets"),
		"what it stands for: machine, problem or condition; the best is sought among machines, for each problem and condition")
	k.Optional("values", schema.Node(levelsType, &x.values), "the levels")
	k.Optional("labels", schema.Node(schema.List{Of: schema.Text}, &x.labels), "names of the values in the results, one for each value")
	k.Optional("from", schema.Node(wholeType, &x.from), "first of the whole numbers that are the levels")
	k.Optional("to", schema.Node(wholeType, &x.to), "last of the whole numbers")
	k.Optional("step", schema.Node(wholeType, &x.step).Else("1"), "distance between the whole numbers")
	k.Optional("powers_of_two", schema.Node(powersRange.Object, &x.powers), "levels that are powers of two")
	k.Optional("log", schema.Node(spacedRange.Object, &x.log), "levels with logarithmic spacing")
	k.Optional("linear", schema.Node(spacedRange.Object, &x.linear), "levels with linear spacing")
})

// factorType is a factor: its levels, or a mapping that says which levels set what.
var factorType = schema.AnyOf{
	levelsType,
	longForm.Only([]string{"values"}, "path", "paths", "role", "labels"),
	longForm.Only([]string{"from", "to"}, "path", "paths", "role", "step"),
	longForm.Only([]string{"powers_of_two"}, "path", "paths", "role"),
	longForm.Only([]string{"log"}, "path", "paths", "role"),
	longForm.Only([]string{"linear"}, "path", "paths", "role"),
}

func (r *reader) factors(n *yamldoc.Node) []Factor {
	m := r.Mapping(n, "the factors")
	names := m.Keys()
	switch {
	case n.IsMapping() && len(names) == 0:
		r.Fail(n, "there are no factors", "at least one, such as nodes: [1, 2, 4]")
	case len(names) > r.limits.factors:
		r.Fail(n, fmt.Sprintf("there are %d factors", len(names)), fmt.Sprintf("at most %d", r.limits.factors))
		return nil
	}
	var factors []Factor
	for _, name := range names {
		f := Factor{Name: name, Node: m.Take(name)}
		r.factor(&f)
		r.unique(factors, &f)
		factors = append(factors, f)
	}
	return factors
}

func (r *reader) factor(f *Factor) {
	n, x := f.Node, long{}
	switch {
	case n.IsSequence():
		x.values = n
	case n.IsMapping():
		longForm.Read(r.Decoder, n, &x)
	default:
		r.Fail(n, "found "+describe(n), "levels: a list, or a mapping such as {path: nodes, from: 1, to: 8}")
		return
	}
	f.Paths, f.Role = r.paths(&x, f), Role(x.role)
	r.name(f)
	type way struct {
		n    *yamldoc.Node
		read func()
	}
	ways := slices.DeleteFunc([]way{
		{x.values, func() { r.values(f, x.values, x.labels) }},
		{cmp.Or(x.from, x.to), func() { r.whole(f, &x.span) }},
		{x.powers, func() { r.powers(f, x.powers) }},
		{x.log, func() { r.spaced(f, x.log, true) }},
		{x.linear, func() { r.spaced(f, x.linear, false) }},
	}, func(w way) bool { return w.n == nil })
	switch {
	case len(ways) == 0:
		r.Fail(n, "there are no levels", levelsWant)
		return
	case len(ways) > 1:
		r.Fail(n, "the levels are given in more than one way", levelsWant)
		return
	}
	if x.step != nil && x.from == nil && x.to == nil {
		r.Fail(x.step, "a step without from and to", "from and to beside it")
	}
	if x.labels != nil && x.values == nil {
		r.Fail(x.labels, "labels without values", "labels for a list of values")
	}
	ways[0].read()
}

// paths reads path or paths. Without them the name is the path.
func (r *reader) paths(x *long, f *Factor) []string {
	const want = "a path such as nodes.blade"
	var items []*yamldoc.Node
	switch {
	case x.path != nil && x.paths != nil:
		r.Fail(f.Node, "both path and paths", "one of them")
		return []string{f.Name}
	case x.path != nil:
		items = []*yamldoc.Node{x.path}
	case x.paths != nil:
		items = r.Sequence(x.paths, "paths")
		if x.paths.IsSequence() && len(items) == 0 {
			r.Fail(x.paths, "there are no paths", "at least one, such as nodes.blade")
		}
	default:
		return []string{f.Name}
	}
	var paths []string
	for _, item := range items {
		path := r.String(item, want)
		switch {
		case item.IsScalar() && path == "":
			r.Fail(item, "the path is empty", want)
		case slices.Contains(paths, path):
			r.Fail(item, fmt.Sprintf("the path %s is given twice", yamldoc.Clip(path)), "every path once")
		}
		paths = append(paths, path)
	}
	return paths
}

// name checks that a factor can be a column of the results and, unless it is
// named by its path, a name in conditions.
func (r *reader) name(f *Factor) {
	const want = "letters, digits and underscores, such as log_latency, and its field under path"
	switch {
	case slices.Contains(columns, f.Name):
		r.Fail(f.Node, fmt.Sprintf("%s is already a column of the results", f.Name), "another name, with path: "+f.Name)
	case formula.IsWord(f.Name):
		r.Fail(f.Node, fmt.Sprintf("%s is a reserved word in conditions", f.Name), "another name, with path: "+f.Name)
	case !isPrintable(f.Name):
		r.Fail(f.Node, fmt.Sprintf("%q cannot be a column of the results", yamldoc.Clip(f.Name)), want)
	case !identifier.MatchString(f.Name) && !slices.Equal(f.Paths, []string{f.Name}):
		r.Fail(f.Node, fmt.Sprintf("%q cannot be used in conditions", yamldoc.Clip(f.Name)), want)
	}
}

// unique rejects a factor with a path that an earlier factor sets.
func (r *reader) unique(earlier []Factor, f *Factor) {
	for i := range earlier {
		for _, path := range f.Paths {
			if slices.Contains(earlier[i].Paths, path) {
				r.Fail(f.Node, fmt.Sprintf("factor %s sets %s too", yamldoc.Clip(earlier[i].Name), yamldoc.Clip(path)), "every path in one factor")
			}
		}
	}
}

// describe names the type of n for a message.
func describe(n *yamldoc.Node) string {
	switch {
	case n.IsMapping():
		return "a mapping"
	case n.IsSequence():
		return "a list"
	case n.IsNull():
		return "no value"
	}
	return fmt.Sprintf("%q", yamldoc.Clip(n.Text()))
}

// maxValue bounds values to what fits in one line for yamldoc.Node.Set.
const maxValue = 4096

// values reads a list of levels. With several paths each level is a list with a value for each path. Labels, if given,
// replace the values in results and conditions.
func (r *reader) values(f *Factor, n, labels *yamldoc.Node) {
	nodes := r.Sequence(n, "levels")
	if n.IsSequence() && len(nodes) == 0 {
		r.Fail(n, "there are no levels", "at least one")
	}
	if len(nodes) > r.limits.levels {
		r.tooMany(n, len(nodes))
		return
	}
	items := make([]listed, len(nodes))
	for i, level := range nodes {
		items[i] = listed{values: r.forPaths(level, len(f.Paths))}
		if len(flow(level)) > maxValue {
			r.Fail(level, "the level is too long", fmt.Sprintf("at most %d bytes when written in one line", maxValue))
		}
	}
	cells := nodes
	if labels != nil {
		cells = r.Sequence(labels, "labels")
		if labels.IsSequence() && len(cells) != len(nodes) {
			r.Fail(labels, fmt.Sprintf("%s for %s", input.Plural(len(cells), "label"), input.Plural(len(nodes), "level")), "a label for every level")
		}
		if len(cells) != len(nodes) {
			return
		}
		for _, c := range cells {
			if !c.IsScalar() {
				r.Fail(c, "found "+describe(c), "a word or number as label")
			}
		}
	}
	f.levels = levels{n: len(items), items: items}
	r.cells(f, cells)
}

// forPaths splits the value of a level into the values for the paths.
func (r *reader) forPaths(level *yamldoc.Node, paths int) []*yamldoc.Node {
	if paths == 1 {
		return []*yamldoc.Node{level}
	}
	want := fmt.Sprintf("a list with a value for each of the %d paths", paths)
	if !level.IsSequence() {
		r.Fail(level, "found "+describe(level), want)
		return nil
	}
	values := r.Sequence(level, "values")
	if len(values) != paths {
		r.Fail(level, "found "+input.Plural(len(values), "value"), want)
		return nil
	}
	return values
}

// cells determines the texts and the type of the levels, and checks that no two
// are equal.
func (r *reader) cells(f *Factor, nodes []*yamldoc.Node) {
	items := f.levels.items
	var numbers []quantity
	booleans := 0
	for i, n := range nodes {
		items[i].cell = cellText(n)
		if q, ok := parseQuantity(n); ok {
			numbers = append(numbers, q)
		}
		if _, ok := n.Plain().(bool); ok {
			booleans++
		}
	}
	if unit, values, ok := commonUnit(numbers); ok && len(numbers) == len(nodes) {
		f.Unit, f.Numeric = unit, true
		for i, v := range values {
			items[i].number, items[i].cell = v, numberText(v)
		}
	}
	if f.levels.booleans = booleans == len(nodes); f.levels.booleans {
		for i, n := range nodes {
			items[i].cell = fmt.Sprint(n.Plain()) // not TRUE or True
		}
	}
	first := make(map[string]*yamldoc.Node, len(nodes))
	for i, n := range nodes {
		cell := items[i].cell
		if old, ok := first[cell]; ok {
			r.Fail(n, fmt.Sprintf("duplicate level %s, first given in line %d", yamldoc.Clip(cell), old.Pos().Line), "every level once")
			return
		}
		first[cell] = n
	}
}

// cellText returns what a table shows for a level that is not a number.
func cellText(n *yamldoc.Node) string {
	if text := n.Text(); isPrintable(text) {
		return text
	}
	return flow(n)
}

// isPrintable reports whether a text is distinguishable from others in a table.
func isPrintable(text string) bool {
	return text != "" && text == strings.TrimSpace(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (r *reader) tooMany(n *yamldoc.Node, levels int) {
	r.Fail(n, fmt.Sprintf("%d levels", levels), fmt.Sprintf("at most %d in a factor", r.limits.levels))
}
