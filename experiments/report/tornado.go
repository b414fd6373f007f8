package report

import "fmt"

// A Tornado shows how far a result moves from its base when one parameter at a
// time is lowered and raised: a bar to either side of the base for each
// parameter. The longest is on top: rows are sorted by the distance between the
// ends of their bars, and stay in their order where it is equal.
type Tornado struct {
	Title     string  `json:"title,omitzero"` // required
	Caption   string  `json:"caption,omitzero"`
	Value     Axis    `json:"value,omitzero"`      // what the bars measure; linear; it need not start at zero
	Base      float64 `json:"base,omitzero"`       // the result with every parameter at its base
	BaseLabel string  `json:"base_label,omitzero"` // names the base on its line; empty: "base"

	// Low and High say how the parameters are changed, such as "-10 %" and
	// "+10 %". They are the legend.
	Low  string `json:"low,omitzero"`
	High string `json:"high,omitzero"`

	Swings []Swing `json:"swings,omitzero"`
	Height int     `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A Swing is the effect of one parameter on a result.
type Swing struct {
	Parameter string  `json:"parameter,omitzero"`
	Low       float64 `json:"low,omitzero"` // the result with the parameter lowered and raised
	High      float64 `json:"high,omitzero"`
	LowNote   string  `json:"low_note,omitzero"` // the values of the parameter then, such as "90 us"; may be empty
	HighNote  string  `json:"high_note,omitzero"`
}

func (c *Tornado) check(at place) {
	at = at.in("chart", c.Title)
	at.checkPresent("title", c.Title)
	at.checkHeight(c.Height)
	c.Value.check(at.in("value", ""))
	if c.Value.Log {
		at.reportf("value is logarithmic, where bars to both sides do not compare; expected a linear axis")
	}
	at.checkPresent("low", c.Low)
	at.checkPresent("high", c.High)
	at.checkNumber("base", c.Base, false)
	for i, s := range c.Swings {
		here := at.in(fmt.Sprintf("swing %d", i+1), s.Parameter)
		here.checkPresent("parameter", s.Parameter)
		here.checkNumber("low", s.Low, false)
		here.checkNumber("high", s.High, false)
	}
}
