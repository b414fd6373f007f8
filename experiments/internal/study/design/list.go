package design

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// list are levels that are written one by one.
type list struct {
	items    []listed
	booleans bool // all cells are true or false
}

type listed struct {
	cell   string
	number float64
	values []*yamldoc.Node // by path
}

func (l *list) len() int            { return len(l.items) }
func (l *list) text(i int) string   { return l.items[i].cell }
func (l *list) value(i int) float64 { return l.items[i].number }

// maxValue keeps a value in one line that yamldoc.Node.Set reads.
const maxValue = 4096

// values reads a list of levels. With several paths each level is a list with
// a value for each path. Labels, if there are any, take the place of the values
// in results and conditions.
func (r *reader) values(f *Factor, n, labels *yamldoc.Node) {
	levels := r.Sequence(n, "levels")
	if n.IsSequence() && len(levels) == 0 {
		r.Fail(n, "there are no levels", "at least one")
	}
	if len(levels) > r.limits.levels {
		r.tooMany(n, fmt.Sprint(len(levels)))
		return
	}
	l := &list{items: make([]listed, len(levels))}
	for i, level := range levels {
		l.items[i] = listed{values: r.forPaths(level, len(f.Paths))}
		if len(flow(level)) > maxValue {
			r.Fail(level, "the level is too long", fmt.Sprintf("at most %d bytes when written in one line", maxValue))
		}
	}
	cells := levels
	if labels != nil {
		cells = r.Sequence(labels, "labels")
		if labels.IsSequence() && len(cells) != len(levels) {
			r.Fail(labels, fmt.Sprintf("%s for %s", count(len(cells), "label"), count(len(levels), "level")), "a label for every level")
		}
		if len(cells) != len(levels) {
			return
		}
		for _, c := range cells {
			if !c.IsScalar() {
				r.Fail(c, "found "+describe(c), "a word or number as label")
			}
		}
	}
	r.cells(f, l, cells)
	f.levels = l
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
		r.Fail(level, "found "+count(len(values), "value"), want)
		return nil
	}
	return values
}

// cells determines the texts and the type of the levels, and checks that no two
// are equal.
func (r *reader) cells(f *Factor, l *list, nodes []*yamldoc.Node) {
	numbers := make([]quantity, 0, len(nodes))
	l.booleans = true
	for _, n := range nodes {
		if q, ok := parseQuantity(n); ok {
			numbers = append(numbers, q)
		}
		if _, ok := n.Plain().(bool); !ok {
			l.booleans = false
		}
	}
	if len(numbers) == len(nodes) {
		if unit, values, ok := commonUnit(numbers); ok {
			f.Unit, f.Numeric = unit, true
			for i, v := range values {
				l.items[i].number, l.items[i].cell = v, numberText(v)
			}
		}
	}
	if !f.Numeric {
		for i, n := range nodes {
			l.items[i].cell = cellText(n)
		}
	}
	if l.booleans {
		for i, n := range nodes {
			l.items[i].cell = fmt.Sprint(n.Plain()) // not TRUE or True
		}
	}
	first := make(map[string]*yamldoc.Node, len(nodes))
	for i, n := range nodes {
		cell := l.items[i].cell
		if old, ok := first[cell]; ok {
			r.Fail(n, fmt.Sprintf("duplicate level %s, first given in line %d", yamldoc.Clip(cell), old.Pos().Line), "every level once")
			return
		}
		first[cell] = n
	}
}

// cellText is what a table shows of a level that is not a number.
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

func (r *reader) tooMany(n *yamldoc.Node, levels string) {
	r.Fail(n, levels+" levels", fmt.Sprintf("at most %d in a factor", r.limits.levels))
}
