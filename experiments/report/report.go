package report

import "github.com/isoscale/isoscale/experiments/internal/chart"

// Dimensionless is the unit of an axis that shows pure numbers: counts,
// ratios, category names.
const Dimensionless = chart.Dimensionless

// The parts of a document.
type (
	// A Document is a report from its title to its provenance. Its method Check returns nil
	// if it can be shown, otherwise an error that lists every problem.
	Document = chart.Document
	Fact     = chart.Fact    // a value with its name
	Bar      = chart.Bar     // the part of a fact about one of several things
	Section  = chart.Section // a heading with paragraphs and, below them, blocks
	// A Block is a pointer to a chart, or one of *Table, *Slices, *Network and *Notes.
	Block  = chart.Block
	Notes  = chart.Notes  // a list of remarks or, with Warning set, of doubts about a result
	Table  = chart.Table  // rows of text under titled columns
	Column = chart.Column // the head of a table column
	Axis   = chart.Axis   // what a chart shows in one direction: title and unit, scale and bounds
)

// A LineChart shows series of points over a numeric x axis.
type (
	LineChart   = chart.LineChart
	Series      = chart.Series      // one curve
	Band        = chart.Band        // the area between two curves over the same x
	Target      = chart.Target      // a horizontal reference line
	MarkedPoint = chart.MarkedPoint // a point read off a curve
)

// A BarChart shows one bar for each category and series.
type (
	BarChart  = chart.BarChart
	BarSeries = chart.BarSeries // one value for each category
)

// A ScatterChart shows points with names in a plane.
type (
	ScatterChart  = chart.ScatterChart
	ScatterSeries = chart.ScatterSeries // points with the same meaning
	ScatterPoint  = chart.ScatterPoint  // a point with what the reader is told about it
	ReferenceLine = chart.ReferenceLine // a straight line across the chart, such as a budget
)

// A Tornado shows how far a result moves when one parameter at a time is changed.
type (
	Tornado = chart.Tornado
	Swing   = chart.Swing // the effect of one parameter
)

// A HeatMap shows a number for each of its rows and columns as a colour.
type (
	HeatMap = chart.HeatMap
	HeatRow = chart.HeatRow // one row of a map
)

// A Surface shows a function of two variables from above, a Surface3D in space. They have
// the same fields, and can be converted.
type (
	Surface   = chart.Surface
	Surface3D = chart.Surface3D
	Layer     = chart.Layer    // marks over a surface, with one entry in the legend
	Trace     = chart.Trace    // a line through points of the plane, an arrow or a set of points
	Mark      = chart.Mark     // how the traces of a layer are drawn
	Slices    = chart.Slices   // one of several maps that differ in further variables
	Variable  = chart.Variable // what a slider chooses, by the names of its levels
)

// How the traces of a layer are drawn.
const (
	MarkContours = chart.MarkContours // thin lines with their labels
	MarkDashes   = chart.MarkDashes   // dashed lines
	MarkArrows   = chart.MarkArrows   // arrows from the first to the second of two points
	MarkPath     = chart.MarkPath     // bold lines
	MarkPoints   = chart.MarkPoints   // rings
)

// Parallel shows points of three and more variables, each as a line from axis to axis.
type (
	Parallel     = chart.Parallel
	ParallelAxis = chart.ParallelAxis // a variable with levels
	ParallelLine = chart.ParallelLine // a point
)

// A Timeline is a picture of what the ranks of a run did when, a Network one of a network with
// the use of its links over time.
type (
	Timeline = chart.Timeline
	Network  = chart.Network
)
