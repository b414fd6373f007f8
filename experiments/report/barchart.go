package report

import "fmt"

// A BarChart shows one bar for each category and series.
type BarChart struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	// X is the axis of the categories and Y that of the values, also where
	// Horizontal lays the bars on their side. Both are linear; X has no bounds.
	X Axis `json:"x,omitzero"`
	Y Axis `json:"y,omitzero"`

	Categories []string    `json:"categories,omitzero"`
	Series     []BarSeries `json:"series,omitzero"`
	Horizontal bool        `json:"horizontal,omitzero"`
	Height     int         `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A BarSeries is one value for each category.
type BarSeries struct {
	Name   string    `json:"name,omitzero"`
	Values []float64 `json:"values,omitzero"` // as long as the categories; finite

	// Missing marks values that do not exist: no bar, and no number in the data
	// table. It is nil or as long as Values; a marked value is not read.
	Missing []bool `json:"missing,omitzero"`

	// Stack names a pile: series of the same non-empty Stack are stacked.
	Stack string `json:"stack,omitzero"`

	// Offset leaves a series of a pile undrawn: it moves those after it, as the start
	// moves the bars of a Gantt chart. Its values are in the tooltip and the data table.
	Offset bool `json:"offset,omitzero"`

	// Colour names a group, as in [Series]: series of the same non-empty Colour share
	// one, such as a quantity simulated and published.
	Colour string `json:"colour,omitzero"`

	// A bar is filled, unless it says otherwise. Hollow is for what others are compared
	// with, such as published values; Dashed, hollow with a dashed outline, for predictions.
	Hollow bool `json:"hollow,omitzero"`
	Dashed bool `json:"dashed,omitzero"`
}

func (c *BarChart) check(at place) {
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	if c.X.Log || c.X.Min != nil || c.X.Max != nil {
		at.reportf("x axis shows categories; expected no bounds and no logarithmic scale")
	}
	if c.Y.Log {
		at.reportf("y axis is logarithmic, where the length of a bar means nothing; expected a linear axis, or a LineChart of Points")
	}
	for i := range c.Series {
		c.checkSeries(at, i)
	}
}

func (c *BarChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	if len(s.Values) != len(c.Categories) {
		at.reportf("has %d values; expected %d, one for each category", len(s.Values), len(c.Categories))
	}
	if s.Offset && s.Stack == "" {
		at.reportf("is an offset without a stack; expected the stack of the series that it moves")
	}
	if s.Missing != nil && len(s.Missing) != len(s.Values) {
		at.reportf("has %d missing marks; expected none or %d", len(s.Missing), len(s.Values))
		return
	}
	for k, v := range s.Values {
		if !s.IsMissing(k) {
			at.checkNumber(fmt.Sprintf("value[%d]", k), v, false)
		}
	}
}

// IsMissing reports whether the value of a category does not exist.
func (s *BarSeries) IsMissing(category int) bool { return s.Missing != nil && s.Missing[category] }
