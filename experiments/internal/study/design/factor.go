package design

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Factor is a quantity or choice that a study varies.
type Factor struct {
	Name    string
	Paths   []string // of the fields that a level sets, as yamldoc.Node.Set takes them
	Unit    string   // of the numbers in the texts; "" for plain numbers and for other texts
	Numeric bool     // all levels are numbers
	Node    *yamldoc.Node

	levels levels
}

// levels are the levels of a factor. Only listed ones are stored: a factor may
// have a million.
type levels interface {
	len() int
	text(i int) string
	value(i int) float64 // 0 if the levels are not numbers
}

// Level is one value of a factor.
type Level struct {
	Text     string  // the cell in results, without the unit of the factor
	Value    float64 // of a numeric factor, in its unit; otherwise 0
	Numeric  bool    // as the factor
	Settings []Setting
}

// Setting sets one field of a scenario.
type Setting struct {
	Path  string
	Value string        // YAML in one line, as yamldoc.Node.Set takes it
	Node  *yamldoc.Node // the value in the plan; nil if it was computed
}

// Len returns the number of levels. In a Latin hypercube a continuous factor
// has one level for each sample, its stratum.
func (f *Factor) Len() int { return f.levels.len() }

// Level returns a level, with an index from 0 to Len()-1, in the order of the
// file.
func (f *Factor) Level(i int) Level {
	l := Level{Text: f.levels.text(i), Value: f.levels.value(i), Numeric: f.Numeric}
	l.Settings = make([]Setting, len(f.Paths))
	if listed, ok := f.levels.(*list); ok {
		for k, n := range listed.items[i].values {
			l.Settings[k] = Setting{f.Paths[k], flow(n), n}
		}
		return l
	}
	value := l.Text
	if f.Unit != "" {
		value += " " + f.Unit
	}
	for k, path := range f.Paths {
		l.Settings[k] = Setting{Path: path, Value: value}
	}
	return l
}

// Text is a level with its unit.
func (f *Factor) Text(level int) string {
	text := f.Level(level).Text
	if f.Unit != "" {
		text += " " + f.Unit
	}
	return text
}

// columns are the columns of the results whose names a factor must not have.
var columns = []string{"repetition", "seed", "status", "error"}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

const levelsWant = "one of values, from and to, powers_of_two, log, linear"

// factors reads all factors. If samples is above 0, the ranges log and linear are
// cut into that many strata.
func (r *reader) factors(n *yamldoc.Node, samples int) []Factor {
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
		r.factor(&f, samples)
		r.unique(factors, &f)
		factors = append(factors, f)
	}
	return factors
}

func (r *reader) factor(f *Factor, samples int) {
	n := f.Node
	if n.IsSequence() {
		f.Paths = []string{f.Name}
		r.name(f)
		r.values(f, n, nil)
		return
	}
	if !n.IsMapping() {
		r.Fail(n, "found "+describe(n), "levels: a list, or a mapping such as {path: nodes, from: 1, to: 8}")
		return
	}
	m := factorObject.Open(r.Decoder, n)
	f.Paths = r.paths(m, n, f.Name)
	r.name(f)
	labels := m.Take("labels")
	from, to, step := m.Take("from"), m.Take("to"), m.Take("step")
	values, powers := m.Take("values"), m.Take("powers_of_two")
	log, linear := m.Take("log"), m.Take("linear")
	m.Done()

	ranged := from
	if ranged == nil {
		ranged = to
	}
	given := slices.DeleteFunc([]*yamldoc.Node{values, ranged, powers, log, linear},
		func(n *yamldoc.Node) bool { return n == nil })
	switch {
	case len(given) == 0:
		r.Fail(n, "there are no levels", levelsWant)
		return
	case len(given) > 1:
		r.Fail(n, "the levels are given in more than one way", levelsWant)
		return
	}
	if step != nil && ranged == nil {
		r.Fail(step, "a step without from and to", "from and to beside it")
	}
	if labels != nil && values == nil {
		r.Fail(labels, "labels without values", "labels for a list of values")
	}
	switch {
	case values != nil:
		r.values(f, values, labels)
	case ranged != nil:
		r.whole(f, n, from, to, step)
	case powers != nil:
		r.powers(f, powers)
	case log != nil:
		r.spaced(f, log, true, samples)
	default:
		r.spaced(f, linear, false, samples)
	}
}

// paths reads path or paths. Without them the name is the path.
func (r *reader) paths(m *schema.Mapping, n *yamldoc.Node, name string) []string {
	const want = "a path such as nodes.blade"
	one, several := m.Take("path"), m.Take("paths")
	var paths []string
	switch {
	case one != nil && several != nil:
		r.Fail(n, "both path and paths", "one of them")
		paths = []string{name}
	case one != nil:
		paths = []string{r.String(one, want)}
		if one.IsScalar() && paths[0] == "" {
			r.Fail(one, "the path is empty", want)
		}
	case several != nil:
		items := r.Sequence(several, "paths")
		if several.IsSequence() && len(items) == 0 {
			r.Fail(several, "there are no paths", "at least one, such as nodes.blade")
		}
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
	default:
		paths = []string{name}
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

// unique rejects a factor that sets a path that an earlier one sets.
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
