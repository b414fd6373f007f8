package chart

// Dimensionless is the unit of an axis that shows pure numbers: counts,
// ratios, category names.
const Dimensionless = "1"

// An Axis says what a chart shows in one direction.
type Axis struct {
	Title string `json:"title,omitzero"` // required
	Unit  string `json:"unit,omitzero"`  // required; Dimensionless where there is none
	Log   bool   `json:"log,omitzero"`   // logarithmic scale; all values must be at least 1e-9

	// Min and Max bound the axis. Nil leaves a bound to the data; a linear y
	// axis then includes zero.
	Min *float64 `json:"min,omitzero"`
	Max *float64 `json:"max,omitzero"`
}

func (a *Axis) check(at place) {
	at.checkPresent("title", a.Title)
	if a.Unit == "" {
		at.reportf("unit is missing; expected a unit, or %q where there is none", Dimensionless)
	}
	if a.Min != nil {
		at.checkNumber("min", *a.Min, a.Log)
	}
	if a.Max != nil {
		at.checkNumber("max", *a.Max, a.Log)
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		at.reportf("min %v is not below max %v", *a.Min, *a.Max)
	}
}
