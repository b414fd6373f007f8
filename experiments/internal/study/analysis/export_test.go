package analysis

const MaxBounds = maxBounds

var (
	SpacedByRatio = spacedByRatio
	AxisOf        = (*Cells).axis
	Even          = Axis.even
	BySize        = (*Cells).bySize
	StepsTo       = (*Cells).stepsTo
	Between       = (*Cells).between
	Upwards       = (*Cells).upwards
)

// Crossing returns where a level is crossed between a value of a grid and the next in x, or in y if up.
func Crossing(g *Grid, i, j int, up bool, level float64) (x, y float64) {
	return g.crossing(edge{i, j, up}, level)
}
