package report

import "fmt"

// Parallel shows points of three and more variables: an upright axis for each
// variable, and each point as a line from axis to axis. What is to be explained is on
// the last axis, and is the colour of the line.
type Parallel struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	Axes  []ParallelAxis `json:"axes,omitzero"`  // at least 2, from left to right
	Value Axis           `json:"value,omitzero"` // of the last axis, with both bounds; it may be logarithmic

	Lines  []ParallelLine `json:"lines,omitzero"`  // the last ones are in front
	Marked string         `json:"marked,omitzero"` // what marked lines are; required if there are some
	Least  bool           `json:"least,omitzero"`  // the least value is the best, otherwise the greatest
	Height int            `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A ParallelAxis is a variable with levels, which are at equal distances.
type ParallelAxis struct {
	Name   string   `json:"name,omitzero"`   // required
	Levels []string `json:"levels,omitzero"` // from the bottom up, at least 1
}

// A ParallelLine is a point.
type ParallelLine struct {
	At     []int   `json:"at,omitzero"`     // its level on each axis
	Value  float64 `json:"value,omitzero"`  // within the bounds of the chart
	Label  string  `json:"label,omitzero"`  // what else the reader is told about it; may be empty
	Marked bool    `json:"marked,omitzero"` // bold, in front of the others
}

func (c *Parallel) check(at place) {
	at = at.in("chart", c.Title)
	at.checkPresent("title", c.Title)
	at.checkHeight(c.Height)
	c.Value.check(at.in("value", ""))
	bounded := c.Value.Min != nil && c.Value.Max != nil
	if !bounded {
		at.reportf("value does not say what it spans; expected both bounds")
	}
	if len(c.Axes) < 2 {
		at.reportf("has %d axes; expected at least 2", len(c.Axes))
	}
	for i, a := range c.Axes {
		here := at.in(fmt.Sprintf("axis %d", i+1), a.Name)
		here.checkPresent("name", a.Name)
		if len(a.Levels) == 0 {
			here.reportf("has no levels; expected at least 1")
		}
	}
	for i, l := range c.Lines {
		here := at.in(fmt.Sprintf("line %d", i+1), l.Label)
		if l.Marked && c.Marked == "" {
			here.reportf("is marked, and the chart does not say what marked lines are")
		}
		here.checkNumber("value", l.Value, c.Value.Log)
		if bounded && (l.Value < *c.Value.Min || l.Value > *c.Value.Max) {
			here.reportf("value is %v; expected %v to %v", l.Value, *c.Value.Min, *c.Value.Max)
		}
		if len(l.At) != len(c.Axes) {
			here.reportf("has %d levels; expected %d, one for each axis", len(l.At), len(c.Axes))
			continue
		}
		for k, level := range l.At {
			if level < 0 || level >= len(c.Axes[k].Levels) {
				here.reportf("at[%d] is %d; expected an index into the %d levels of the axis", k, level, len(c.Axes[k].Levels))
			}
		}
	}
}
