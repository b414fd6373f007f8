package report

import "github.com/isoscale/isoscale/experiments/internal/chart"

// Dimensionless is the unit of an axis that shows pure numbers: counts,
// ratios, category names.
const Dimensionless = chart.Dimensionless

// The parts of a document.
type (
	// A Document is a report from its title to its provenance. Its method Check returns nil
	// for one that can be shown, and otherwise an error that lists every problem.
	Document = chart.Document
	// A Fact is a value with its name.
	Fact = chart.Fact
	// A Section is a heading with paragraphs and, below them, blocks.
	Section = chart.Section
	// A Block is one of *Table, *LineChart, *BarChart, *ScatterChart, *Tornado, *HeatMap,
	// *Surface, *Slices, *Surface3D, *Parallel, *Timeline, *Network and *Notes.
	Block = chart.Block
	// Notes is a list of remarks or, with Warning set, of doubts about a result.
	Notes = chart.Notes
	// A Table shows rows of text under titled columns.
	Table = chart.Table
	// A Column is the head of a table column.
	Column = chart.Column
	// An Axis says what a chart shows in one direction: title and unit, scale and bounds.
	Axis = chart.Axis
)

// A LineChart shows series of points over a numeric x axis.
type LineChart = chart.LineChart

// The parts of a line chart.
type (
	// A Series is one curve.
	Series = chart.Series
	// A Band is the area between two curves over the same x.
	Band = chart.Band
	// A Target is a horizontal reference line.
	Target = chart.Target
	// A MarkedPoint is a point read off a curve.
	MarkedPoint = chart.MarkedPoint
)

// A BarChart shows one bar for each category and series.
type BarChart = chart.BarChart

// A BarSeries is one value for each category.
type BarSeries = chart.BarSeries

// A ScatterChart shows points with names in a plane.
type ScatterChart = chart.ScatterChart

// The parts of a scatter chart.
type (
	// A ScatterSeries is a set of points that mean the same.
	ScatterSeries = chart.ScatterSeries
	// A ScatterPoint is a point with what the reader is told about it.
	ScatterPoint = chart.ScatterPoint
	// A ReferenceLine is a straight line across the chart, such as a budget.
	ReferenceLine = chart.ReferenceLine
)

// A Tornado shows how far a result moves when one parameter at a time is changed.
type Tornado = chart.Tornado

// A Swing is the effect of one parameter on a result.
type Swing = chart.Swing

// A HeatMap shows a number for each of its rows and columns as a colour.
type HeatMap = chart.HeatMap

// A HeatRow is one row of a map.
type HeatRow = chart.HeatRow

// A Surface shows a function of two variables from above, a Surface3D in space. They have
// the same fields, and can be converted.
type (
	Surface   = chart.Surface
	Surface3D = chart.Surface3D
)

// The parts of a surface.
type (
	// A Layer is a set of marks over a surface, with one entry in the legend.
	Layer = chart.Layer
	// A Trace is a line through points of the plane, an arrow or a set of points.
	Trace = chart.Trace
	// A Mark says how the traces of a layer are drawn.
	Mark = chart.Mark
)

// How the traces of a layer are drawn.
const (
	MarkContours = chart.MarkContours // thin lines with their labels
	MarkDashes   = chart.MarkDashes   // dashed lines
	MarkArrows   = chart.MarkArrows   // arrows from the first to the second of two points
	MarkPath     = chart.MarkPath     // bold lines
	MarkPoints   = chart.MarkPoints   // rings
)

// Slices shows one of several maps that differ in further variables.
type Slices = chart.Slices

// A Variable is what a slider chooses, by the names of its levels.
type Variable = chart.Variable

// Parallel shows points of three and more variables, each as a line from axis to axis.
type Parallel = chart.Parallel

// The parts of parallel axes.
type (
	// A ParallelAxis is a variable with levels.
	ParallelAxis = chart.ParallelAxis
	// A ParallelLine is a point.
	ParallelLine = chart.ParallelLine
)

// A Timeline is a picture of what the ranks of a run did when.
type Timeline = chart.Timeline

// A Network is a picture of a network with the use of its links over time.
type Network = chart.Network
