package design

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

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

func (f *Factor) unitSuffix() string {
	if f.Unit == "" {
		return ""
	}
	return " " + f.Unit
}
