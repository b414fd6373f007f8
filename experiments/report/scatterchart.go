package report

import "fmt"

// A ScatterChart shows points with names in a plane, such as what each of many
// configurations costs and yields.
type ScatterChart struct {
	Title   string          `json:"title,omitzero"` // required
	Caption string          `json:"caption,omitzero"`
	X       Axis            `json:"x,omitzero"` // both fit the data: neither need start at zero
	Y       Axis            `json:"y,omitzero"`
	Series  []ScatterSeries `json:"series,omitzero"`
	Lines   []ReferenceLine `json:"lines,omitzero"`
	Height  int             `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A ScatterSeries is a set of points that mean the same, such as those of a
// Pareto front.
type ScatterSeries struct {
	Name   string         `json:"name,omitzero"`
	Points []ScatterPoint `json:"points,omitzero"`
	Faint  bool           `json:"faint,omitzero"` // small and grey, below the others: points that serve as background

	// A line of horizontal and vertical pieces joins the points in the order of x, if
	// one of these is set.
	StepAfter  bool `json:"step_after,omitzero"`  // y changes at the next point: what is had for at most a cost of x
	StepBefore bool `json:"step_before,omitzero"` // y changes at once: what is needed for at least a yield of x
}

// A ScatterPoint is a point with what the reader is told about it.
type ScatterPoint struct {
	Name  string  `json:"name,omitzero"` // what the point is, such as a configuration
	X     float64 `json:"x,omitzero"`
	Y     float64 `json:"y,omitzero"`
	Notes string  `json:"notes,omitzero"` // further facts, shown with the name and the values; may be empty
	Label string  `json:"label,omitzero"` // written beside the point; empty on all but a few
}

// A ReferenceLine is a straight line across a scatter chart, such as a budget.
type ReferenceLine struct {
	Label    string  `json:"label,omitzero"` // required
	At       float64 `json:"at,omitzero"`    // the x of a vertical line, the y of a horizontal one
	Vertical bool    `json:"vertical,omitzero"`
}

func (c *ScatterChart) check(at place) {
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	for i := range c.Series {
		c.checkSeries(at, i)
	}
	for i, l := range c.Lines {
		here := at.in(fmt.Sprintf("line %d", i+1), l.Label)
		here.checkPresent("label", l.Label)
		if l.Vertical {
			here.checkNumber("x", l.At, c.X.Log)
		} else {
			here.checkNumber("y", l.At, c.Y.Log)
		}
	}
}

func (c *ScatterChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	if s.StepAfter && s.StepBefore {
		at.reportf("steps after and before its points; expected one of them")
	}
	for k, p := range s.Points {
		here := at.in(fmt.Sprintf("point %d", k+1), p.Name)
		here.checkNumber("x", p.X, c.X.Log)
		here.checkNumber("y", p.Y, c.Y.Log)
	}
}
