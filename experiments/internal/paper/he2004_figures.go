package paper

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// heNodes is the largest number of nodes of a set in [He2004].
const heNodes = 10

// heFigure returns Figure 1 or 2: for sets of one and of two processors in a node,
// the curves from each set to all larger ones, and the same as a surface.
func heFigure(id, title, metric, times string) Figure {
	measured := heTimes(times)
	var blocks []report.Block
	for a := 1; a <= 2; a++ {
		curves := &report.LineChart{
			Title:   fmt.Sprintf("%s between sets %dxb", metric, a),
			Caption: "One curve for each smaller set, from itself on, where it is 1. From printed times.",
			X:       nodesAxis("nodes b' of the larger set"),
			Y:       report.Axis{Title: metric, Unit: report.Dimensionless},
		}
		surface := &report.HeatMap{
			Title:   fmt.Sprintf("Surface of %s between sets %dxb", metric, a),
			X:       nodesAxis("nodes b' of the larger set"),
			Y:       report.Axis{Title: "smaller set", Unit: report.Dimensionless},
			Value:   report.Axis{Title: metric, Unit: report.Dimensionless, Min: new(0.0), Max: new(1.0)},
			Columns: heNodes,
		}
		// Columns are centred on their number of nodes.
		*surface.X.Min, *surface.X.Max = 0.5, heNodes+0.5
		for b := 1; b <= heNodes; b++ {
			from := fmt.Sprintf("%dx%d", a, b)
			curve, row := report.Series{Name: from}, report.HeatRow{Name: from, Values: make([]float64, heNodes)}
			for to := b; to <= heNodes; to++ {
				ratio := measured[from].Value / measured[fmt.Sprintf("%dx%d", a, to)].Value
				curve.X, curve.Y = append(curve.X, float64(to)), append(curve.Y, ratio)
				row.Values[to-1] = ratio
			}
			if b < heNodes { // there is no set larger than the largest
				curves.Series = append(curves.Series, curve)
			}
			surface.Rows = append(surface.Rows, row)
		}
		blocks = append(blocks, curves, surface)
	}
	return Figure{ID: id, Title: title, Draw: blocks}
}

func nodesAxis(title string) report.Axis {
	return report.Axis{Title: title, Unit: report.Dimensionless, Min: new(1.0), Max: new(float64(heNodes))}
}
