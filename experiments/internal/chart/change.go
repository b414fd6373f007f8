package chart

import (
	"fmt"
	"slices"
	"strings"
)

// A Change says what is different from the report in a figure of it.
type Change struct {
	X, Y   string   // "log" or "linear"; "" leaves the axis as it is
	Series []string // which to keep; nil keeps all
}

// Apply returns a changed copy of a chart. The error names what the chart lacks.
func (c Change) Apply(of Named) (Named, error) {
	if c.X == "" && c.Y == "" && c.Series == nil {
		return of, nil
	}
	from, ok := of.Block.(changeable)
	if !ok {
		return Named{}, fmt.Errorf("chart %q: it has no series and no axes to change", of.Name)
	}
	changed, err := from.changed(c)
	if err != nil {
		return Named{}, fmt.Errorf("chart %q: %w", of.Name, err)
	}
	d := &Document{Title: "figure", Sections: []Section{{Heading: "figure", Blocks: []Block{changed}}}}
	if err := d.Check(); err != nil {
		return Named{}, err
	}
	return Named{of.Name, changed}, nil
}

// changeable charts have series and axes to change.
type changeable interface {
	changed(to Change) (Block, error)
}

// selected returns the series that are kept.
func selected[S any](all []S, keep []bool) []S {
	var some []S
	for i, s := range all {
		if keep[i] {
			some = append(some, s)
		}
	}
	return some
}

func scaled(a Axis, to string) Axis {
	if to != "" {
		a.Log = to == "log"
		a.Min, a.Max = nil, nil
	}
	return a
}

// kept marks the series to keep.
func kept(wanted, names []string) ([]bool, error) {
	keep := make([]bool, len(names))
	for i, name := range names {
		keep[i] = wanted == nil || slices.Contains(wanted, name)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no series is called %q; expected some of %s", name, strings.Join(names, ", "))
		}
	}
	return keep, nil
}
