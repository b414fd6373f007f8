package chart

import "fmt"

// Slices shows one of several maps that differ in further variables, which the reader
// chooses by a slider for each. Without JavaScript the page shows the first choice.
type Slices struct {
	Title   string // required
	Caption string

	// Variables are what the maps differ in, each with at least two levels.
	Variables []Variable

	// Surfaces are a map for each combination of levels, those of the last variable next
	// to each other. A map without values is left out by a nil.
	Surfaces []*Surface

	Start []int // the level of each variable at first; its map is not nil
}

// A Variable is what a slider chooses, by the names of its levels.
type Variable struct {
	Name   string
	Levels []string
}

func (c *Slices) check(at place) {
	at = at.in("slices", c.Title)
	at.checkPresent("title", c.Title)
	maps, start := 1, 0
	for i, v := range c.Variables {
		here := at.in(fmt.Sprintf("variable %d", i+1), v.Name)
		here.checkPresent("name", v.Name)
		if len(v.Levels) < 2 {
			here.reportf("has %d levels; expected at least 2", len(v.Levels))
		}
		if i < len(c.Start) {
			if c.Start[i] < 0 || c.Start[i] >= len(v.Levels) {
				here.reportf("starts at level %d; expected an index into its %d levels", c.Start[i], len(v.Levels))
				return
			}
			start = start*len(v.Levels) + c.Start[i]
		}
		maps *= len(v.Levels)
	}
	switch {
	case len(c.Variables) == 0:
		at.reportf("has no variables; expected at least 1")
		return
	case len(c.Start) != len(c.Variables):
		at.reportf("has %d levels at the start; expected %d, one for each variable", len(c.Start), len(c.Variables))
		return
	case len(c.Surfaces) != maps:
		at.reportf("has %d maps; expected %d, one for each combination of levels", len(c.Surfaces), maps)
		return
	case c.Surfaces[start] == nil:
		at.reportf("has no map at the start")
	}
	for _, s := range c.Surfaces {
		if s != nil {
			s.check(at)
		}
	}
}
