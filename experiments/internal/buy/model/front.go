package model

// An Axis is a quantity of fronts, of which less is better. The name is that
// of the JSON.
type Axis struct {
	Name string
	Of   func(*Candidate) float64
}

var (
	ByTime   = Axis{"time", func(c *Candidate) float64 { return c.Score }}
	ByPrice  = Axis{"price", func(c *Candidate) float64 { return c.Price }}
	ByEnergy = Axis{"energy", func(c *Candidate) float64 { return c.Energy }}
)
