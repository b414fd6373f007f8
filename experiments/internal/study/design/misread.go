package design

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// word matches what may be misread in a condition: texts, paths (among them
// plain names) and numbers that are followed by something like a unit.
var word = regexp.MustCompile(`'[^']*'|"[^"]*"` +
	`|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]+\])*` +
	`|[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?: ?[A-Za-z%µ][A-Za-z0-9/µ]*)?`)

// misread looks for the usual mistakes in a condition that does not compile: a path
// instead of the name of its factor, and quantities with units. It returns what is
// wrong and what was expected, or empty texts.
func (l *language) misread(text string) (msg, want string) {
	const longest = 1000 // bytes; a longer condition is rejected for its length
	if len(text) > longest {
		return "", ""
	}
	var words [][]int
	for _, at := range word.FindAllStringIndex(text, -1) {
		words = append(words, at)
		if msg, want := l.pathFor(text[at[0]:at[1]]); msg != "" {
			return fmt.Sprintf("%s (at character %d)", msg, character(text, at[0])), want
		}
	}
	return l.withoutUnits(text, words)
}

// character counts from 1.
func character(text string, at int) int { return utf8.RuneCountInString(text[:at]) + 1 }

// pathFor returns which name to use instead of a path.
func (l *language) pathFor(path string) (msg, want string) {
	if !strings.ContainsAny(path, ".[") || strings.ContainsAny(path[:1], `'"0123456789`) {
		return "", ""
	}
	for i := range l.factors {
		f := &l.factors[i]
		if !slices.ContainsFunc(f.Paths, func(p string) bool { return p == path || strings.HasSuffix(p, "."+path) }) {
			continue
		}
		if name, ok := l.nameOf(i); ok {
			return yamldoc.Clip(path) + " is a path", "the name of its factor: use " + name
		}
	}
	return "", ""
}

// nameOf returns the name of a factor in conditions.
func (l *language) nameOf(factor int) (string, bool) {
	for name, i := range l.names {
		if i == factor {
			return name, true // there is one
		}
	}
	return "", false
}

// withoutUnits rewrites a condition with every quantity as a plain number in the
// unit of the factor next to it, if the result compiles.
func (l *language) withoutUnits(text string, words [][]int) (msg, want string) {
	var rewritten strings.Builder
	var found, reasons []string
	done := 0
	for k, at := range words {
		q, ok := parseText(strings.Trim(text[at[0]:at[1]], `'"`))
		if !ok || q.unit == "" {
			continue
		}
		name, unit, ok := l.unitBeside(text, words, k)
		if !ok {
			continue
		}
		if unit.kind != q.kind {
			return fmt.Sprintf("%s, but %s is in %s (at character %d)", measure(q), name, unitName(unit), character(text, at[0])), "a number without a unit"
		}
		rewritten.WriteString(text[done:at[0]] + numberText(q.in(unit)))
		done = at[1]
		found = append(found, fmt.Sprintf("%s %s has a unit (at character %d)", numberText(q.value), q.unit, character(text, at[0])))
		if reason := name + " is in " + unit.unit; !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	rewritten.WriteString(text[done:])
	if len(found) == 0 {
		return "", ""
	}
	if _, err := formula.NewCondition(rewritten.String(), l.values); err != nil {
		return "", ""
	}
	return found[0], "a plain number: write " + yamldoc.Clip(rewritten.String()) + ": " + strings.Join(reasons, ", ")
}

func unitName(q quantity) string {
	if q.unit == "" {
		return "plain numbers"
	}
	return q.unit
}

// unitBeside returns the name of the numeric factor that a quantity is compared
// with, and its unit: the last one before the quantity, or else the first after
// it.
func (l *language) unitBeside(text string, words [][]int, k int) (name string, unit quantity, ok bool) {
	numeric := func(at []int) bool {
		i, known := l.names[text[at[0]:at[1]]]
		return known && l.factors[i].Numeric
	}
	beside := -1
	for j := k - 1; j >= 0 && beside < 0; j-- {
		if numeric(words[j]) {
			beside = j
		}
	}
	for j := k + 1; j < len(words) && beside < 0; j++ {
		if numeric(words[j]) {
			beside = j
		}
	}
	if beside < 0 {
		return "", quantity{}, false
	}
	name = text[words[beside][0]:words[beside][1]]
	f := &l.factors[l.names[name]]
	if f.Unit == "" {
		return name, quantity{}, true
	}
	unit, ok = parseText("1 " + f.Unit)
	return name, unit, ok
}
