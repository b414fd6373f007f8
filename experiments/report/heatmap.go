package report

import "fmt"

// A HeatMap shows a number for each of its rows and columns as a colour, such as
// how much of each link was used when.
type HeatMap struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	// X runs from the left end of the first column to the right end of the last,
	// all equally wide: it has both bounds. Y is what the rows are. Both are linear.
	// Value is what the colours show; its bounds are those of the scale.
	X     Axis `json:"x,omitzero"`
	Y     Axis `json:"y,omitzero"`
	Value Axis `json:"value,omitzero"`

	Columns int       `json:"columns,omitzero"`
	Rows    []HeatRow `json:"rows,omitzero"`   // the first on top
	Height  int       `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A HeatRow is one row of a map. A value of 0 is left blank; where Value is
// logarithmic, others are above 0.
type HeatRow struct {
	Name   string    `json:"name,omitzero"`
	Values []float64 `json:"values,omitzero"` // one for each column; finite
}

func (c *HeatMap) check(at place) {
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	c.Value.check(at.in("value", ""))
	if c.X.Log || c.X.Min == nil || c.X.Max == nil {
		at.reportf("x axis does not say what the columns span; expected both bounds and a linear scale")
	}
	if c.Y.Log || c.Y.Min != nil || c.Y.Max != nil {
		at.reportf("y axis shows rows; expected no bounds and no logarithmic scale")
	}
	if c.Value.Min == nil || c.Value.Max == nil {
		at.reportf("value does not say what the colours span; expected both bounds")
	}
	if c.Columns < 0 {
		at.reportf("has %d columns; expected 0 or more", c.Columns)
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		here := at.in(fmt.Sprintf("row %d", i+1), r.Name)
		if len(r.Values) != c.Columns {
			here.reportf("has %d values; expected %d, one for each column", len(r.Values), c.Columns)
		}
		for k, v := range r.Values {
			here.checkNumber(fmt.Sprintf("value[%d]", k), v, c.Value.Log && v != 0)
		}
	}
}
