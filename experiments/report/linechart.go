package report

import "fmt"

// A LineChart shows series of points over a numeric x axis.
type LineChart struct {
	Title   string        `json:"title,omitzero"` // required
	Caption string        `json:"caption,omitzero"`
	X       Axis          `json:"x,omitzero"`
	Y       Axis          `json:"y,omitzero"`
	Series  []Series      `json:"series,omitzero"`
	Bands   []Band        `json:"bands,omitzero"` // below the series
	Targets []Target      `json:"targets,omitzero"`
	Points  []MarkedPoint `json:"points,omitzero"`

	// Square gives both axes the same limits and ticks, and a square plot, as for the
	// speed-up over the number of processes: y = x is at 45 degrees. Both axes are
	// logarithmic or both linear.
	Square bool `json:"square,omitzero"`

	// Ordered says that the series are levels of one quantity in their order, such as
	// problem sizes: their colours are a ramp of lightness.
	Ordered bool `json:"ordered,omitzero"`

	Height int `json:"height,omitzero"` // of the chart with one line of legend, in CSS pixels; 0 chooses one
}

// A Series is one curve. X and Y have the same length, which may be 0.
type Series struct {
	Name string    `json:"name,omitzero"`
	X    []float64 `json:"x,omitzero"` // finite
	Y    []float64 `json:"y,omitzero"`

	// A series is markers joined by a line, unless it says otherwise. Dashed is for
	// predictions, Plain for laws, both for laws beyond what they were fitted to, and
	// Points for measurements.
	Dashed bool `json:"dashed,omitzero"` // the line is dashed
	Plain  bool `json:"plain,omitzero"`  // no markers
	Points bool `json:"points,omitzero"` // no line; the markers are larger and above all lines

	// Ideal is for what is compared with, such as the speed-up that equals the number
	// of processes: a thin dashed line in grey, which takes no colour from the others.
	Ideal bool `json:"ideal,omitzero"`

	// Low and High are the ends of the whiskers of each point, such as the fastest and
	// the slowest run; nil, or as long as Y with Low at most Y at most High.
	Low  []float64 `json:"low,omitzero"`
	High []float64 `json:"high,omitzero"`

	// Colour names a group: series and bands of the same non-empty Colour share
	// one, such as a law and its extrapolation. Others have one of their own.
	Colour string `json:"colour,omitzero"`
}

// A Band is the area between two curves over the same x, such as that of a
// confidence interval, with one entry in the legend.
type Band struct {
	Name   string    `json:"name,omitzero"`
	X      []float64 `json:"x,omitzero"`   // finite, not decreasing
	Low    []float64 `json:"low,omitzero"` // as long; finite, Low at most High
	High   []float64 `json:"high,omitzero"`
	Colour string    `json:"colour,omitzero"` // as in Series
}

// A Target is a horizontal reference line.
type Target struct {
	Label string  `json:"label,omitzero"` // required
	Y     float64 `json:"y,omitzero"`
}

// A MarkedPoint is a point read off a curve, such as the problem size that
// meets a target.
type MarkedPoint struct {
	Series int     `json:"series,omitzero"` // index into LineChart.Series: gives the colour
	X      float64 `json:"x,omitzero"`
	Y      float64 `json:"y,omitzero"`
	Label  string  `json:"label,omitzero"`
}

func (c *LineChart) check(at place) {
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	if c.Square && c.X.Log != c.Y.Log {
		at.reportf("is square with one logarithmic axis; expected both or none")
	}
	for i := range c.Series {
		c.checkSeries(at, i)
	}
	for i := range c.Bands {
		c.checkBand(at, i)
	}
	for i, t := range c.Targets {
		here := at.in(fmt.Sprintf("target %d", i+1), t.Label)
		here.checkPresent("label", t.Label)
		here.checkNumber("y", t.Y, c.Y.Log)
	}
	for i, p := range c.Points {
		here := at.in(fmt.Sprintf("point %d", i+1), p.Label)
		here.checkNumber("x", p.X, c.X.Log)
		here.checkNumber("y", p.Y, c.Y.Log)
		if p.Series < 0 || p.Series >= len(c.Series) {
			here.reportf("series index is %d; expected an index into the %d series", p.Series, len(c.Series))
		}
	}
}

func (c *LineChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	if s.Points && (s.Plain || s.Dashed) {
		at.reportf("has points only, and a line that is plain or dashed; expected one of them")
	}
	if len(s.X) != len(s.Y) {
		at.reportf("has %d x values and %d y values; expected as many", len(s.X), len(s.Y))
	}
	at.checkNumbers("x", s.X, c.X.Log)
	at.checkNumbers("y", s.Y, c.Y.Log)
	if s.Low == nil && s.High == nil {
		return
	}
	if len(s.Low) != len(s.Y) || len(s.High) != len(s.Y) {
		at.reportf("has %d low and %d high values; expected %d, as many as y values", len(s.Low), len(s.High), len(s.Y))
		return
	}
	at.checkNumbers("low", s.Low, c.Y.Log)
	at.checkNumbers("high", s.High, c.Y.Log)
	for k, y := range s.Y {
		if s.Low[k] > y || s.High[k] < y {
			at.reportf("y[%d] is %v, not between low %v and high %v", k, y, s.Low[k], s.High[k])
		}
	}
}

func (c *LineChart) checkBand(at place, i int) {
	b := &c.Bands[i]
	at = at.in(fmt.Sprintf("band %d", i+1), b.Name)
	if len(b.Low) != len(b.X) || len(b.High) != len(b.X) {
		at.reportf("has %d x values, %d low and %d high values; expected as many", len(b.X), len(b.Low), len(b.High))
		return
	}
	for k := range b.X {
		at.checkNumber(fmt.Sprintf("x[%d]", k), b.X[k], c.X.Log)
		at.checkNumber(fmt.Sprintf("low[%d]", k), b.Low[k], c.Y.Log)
		at.checkNumber(fmt.Sprintf("high[%d]", k), b.High[k], c.Y.Log)
		if k > 0 && b.X[k] < b.X[k-1] {
			at.reportf("x[%d] is %v, below the one before; expected x values that do not decrease", k, b.X[k])
		}
		if b.Low[k] > b.High[k] {
			at.reportf("low[%d] is %v, above high[%d], %v", k, b.Low[k], k, b.High[k])
		}
	}
}
