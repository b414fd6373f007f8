package report

// Dimensionless is the unit of an axis that shows pure numbers: counts,
// ratios, category names.
const Dimensionless = "1"

// A Document is a report from its title to its provenance. All text is plain
// text: it is escaped, never read as markup.
type Document struct {
	Title      string    // what was studied; required
	Subtitle   string    // one line below the title
	Lead       []string  // paragraphs: the answer first, in plain words
	Facts      []Fact    // the 3 to 6 numbers of the answer, shown as tiles
	Sections   []Section // with a table of contents from 4 sections on
	Provenance []Fact    // version, inputs, seed: the table at the end
}

// A Fact is a value with its name.
type Fact struct {
	Label string
	Value string // with its unit
	Note  string // how to read it; may be empty
}

// A Section is a heading with paragraphs and, below them, blocks.
type Section struct {
	Heading string // required

	// Part names the part of the document that the section is in. Sections of the
	// same part follow each other: the page shows the name once, above the first
	// of them, and the table of contents lists them under it. Empty: no part.
	Part string

	Text   []string
	Blocks []Block
}

// A Block is one of *Table, *LineChart, *BarChart, *ScatterChart, *Tornado,
// *HeatMap, *Surface, *Surface3D and *Notes.
type Block interface {
	check(at place)
	view(id string) (blockView, error)
}

var (
	_ Block = (*Table)(nil)
	_ Block = (*LineChart)(nil)
	_ Block = (*BarChart)(nil)
	_ Block = (*ScatterChart)(nil)
	_ Block = (*Tornado)(nil)
	_ Block = (*HeatMap)(nil)
	_ Block = (*Surface)(nil)
	_ Block = (*Surface3D)(nil)
	_ Block = (*Notes)(nil)
)

// A Table shows rows of text under titled columns.
type Table struct {
	Title   string // required
	Caption string
	Columns []Column
	Rows    [][]string // each as long as Columns
}

// A Column is the head of a table column.
type Column struct {
	Title   string // required
	Unit    string // shown behind the title; empty or Dimensionless: nothing is shown
	Numeric bool   // align right
}

// Notes is a list of remarks or, with Warning set, of doubts about a result
// that the reader must not miss. Without items nothing is shown.
type Notes struct {
	Warning bool
	Items   []string
}

// An Axis says what a chart shows in one direction.
type Axis struct {
	Title string // required
	Unit  string // required; Dimensionless where there is none
	Log   bool   // logarithmic scale; all values must be at least 1e-9

	// Min and Max bound the axis. Nil leaves a bound to the data; a linear y
	// axis then includes zero.
	Min, Max *float64
}

// A LineChart shows series of points over a numeric x axis.
type LineChart struct {
	Title   string // required
	Caption string
	X, Y    Axis
	Series  []Series
	Bands   []Band // below the series
	Targets []Target
	Points  []MarkedPoint
	Height  int // of the chart with one line of legend, in CSS pixels; 0 chooses one
}

// A Series is one curve. X and Y have the same length, which may be 0.
type Series struct {
	Name  string
	X, Y  []float64 // finite
	Style Style

	// Colour names a group: series and bands of the same non-empty Colour share
	// one, such as a law and its extrapolation. Others have one of their own.
	Colour string
}

// A Band is the area between two curves over the same x, such as that of a
// confidence interval, with one entry in the legend.
type Band struct {
	Name      string
	X         []float64 // finite, not decreasing
	Low, High []float64 // as long; finite, Low at most High
	Colour    string    // as in Series
}

// A Style says how a series is drawn.
type Style int

const (
	StyleLine        Style = iota // markers joined by a line
	StyleDashed                   // markers joined by a dashed line, for predictions
	StylePoints                   // markers only, larger and above all lines, for measurements
	StylePlain                    // a line without markers, for laws
	StylePlainDashed              // a dashed line without markers, for laws beyond what they were fitted to
)

// A Target is a horizontal reference line.
type Target struct {
	Label string // required
	Y     float64
}

// A MarkedPoint is a point read off a curve, such as the problem size that
// meets a target.
type MarkedPoint struct {
	Series int // index into LineChart.Series: gives the colour
	X, Y   float64
	Label  string
}

// A BarChart shows one bar for each category and series.
type BarChart struct {
	Title   string // required
	Caption string

	// X is the axis of the categories and Y that of the values, also where
	// Horizontal lays the bars on their side. Both are linear; X has no bounds.
	X, Y Axis

	Categories []string
	Series     []BarSeries
	Horizontal bool
	Height     int // in CSS pixels; 0 chooses one
}

// A BarSeries is one value for each category.
type BarSeries struct {
	Name   string
	Values []float64 // as long as the categories; finite

	// Missing marks values that do not exist: no bar, and no number in the data
	// table. It is nil or as long as Values; a marked value is not read.
	Missing []bool

	// Stack names a pile: series of the same non-empty Stack are stacked.
	Stack string
}

// A ScatterChart shows points with names in a plane, such as what each of many
// configurations costs and yields.
type ScatterChart struct {
	Title   string // required
	Caption string
	X, Y    Axis // both fit the data: neither need start at zero
	Series  []ScatterSeries
	Lines   []ReferenceLine
	Height  int // in CSS pixels; 0 chooses one
}

// A ScatterSeries is a set of points that mean the same, such as those of a
// Pareto front.
type ScatterSeries struct {
	Name   string
	Points []ScatterPoint
	Step   Step
	Faint  bool // small and grey, below the others: points that serve as background
}

// A ScatterPoint is a point with what the reader is told about it.
type ScatterPoint struct {
	Name  string // what the point is, such as a configuration
	X, Y  float64
	Notes string // further facts, shown with the name and the values; may be empty
	Label string // written beside the point; empty on all but a few
}

// A Step says whether and how a line joins the points of a series in the order
// of x, with horizontal and vertical pieces only.
type Step int

const (
	StepNone   Step = iota // no line
	StepAfter              // y changes at the next point: what is had for at most a cost of x
	StepBefore             // y changes at once: what is needed for at least a yield of x
)

// A ReferenceLine is a straight line across a scatter chart, such as a budget.
type ReferenceLine struct {
	Label    string  // required
	At       float64 // the x of a vertical line, the y of a horizontal one
	Vertical bool
}

// A Tornado shows how far a result moves from its base when one parameter at a
// time is lowered and raised: a bar to either side of the base for each
// parameter. The longest is on top: rows are sorted by the distance between the
// ends of their bars, and stay in their order where it is equal.
type Tornado struct {
	Title     string // required
	Caption   string
	Value     Axis    // what the bars measure; linear; it need not start at zero
	Base      float64 // the result with every parameter at its base
	BaseLabel string  // names the base on its line; empty: "base"

	// Low and High say how the parameters are changed, such as "-10 %" and
	// "+10 %". They are the legend.
	Low, High string

	Swings []Swing
	Height int // in CSS pixels; 0 chooses one
}

// A Swing is the effect of one parameter on a result.
type Swing struct {
	Parameter         string
	Low, High         float64 // the result with the parameter lowered and raised
	LowNote, HighNote string  // the values of the parameter then, such as "90 us"; may be empty
}

// A HeatMap shows a number for each of its rows and columns as a colour, such as
// how much of each link was used when.
type HeatMap struct {
	Title   string // required
	Caption string

	// X runs from the left end of the first column to the right end of the last,
	// all equally wide: it has both bounds. Y is what the rows are. Both are linear.
	// Value is what the colours show; its bounds are those of the scale.
	X, Y, Value Axis

	Columns int
	Rows    []HeatRow // the first on top
	Height  int       // in CSS pixels; 0 chooses one
}

// A HeatRow is one row of a map. A value of 0 is left blank; where Value is
// logarithmic, others are above 0.
type HeatRow struct {
	Name   string
	Values []float64 // one for each column; finite
}

// A Surface shows a function of two variables from above: a colour for each
// point of a grid, and over it lines, arrows and points between the grid points.
type Surface struct {
	Title   string // required
	Caption string

	// X and Y have both bounds: those of the first and the last column and row of
	// the grid, whose points are at equal distances. Both are linear. Value is what
	// the colours show; its bounds are those of the scale. It may be logarithmic.
	X, Y, Value Axis

	// XNames and YNames name the columns and rows where they are not numbers at equal
	// distances; nil, or as many.
	XNames, YNames []string

	// Values are at least 2 by 2, rows from the bottom up, all as long. NaN is the
	// value of a point that has none, and left blank.
	Values [][]float64
	Layers []Layer // drawn in this order
	Height int     // in CSS pixels; 0 chooses one
}

// A Surface3D shows the function of a [Surface] as a surface in space, which the
// reader can turn; so a conversion shows the same grid both ways. Value bounds
// the vertical axis too; if it is logarithmic, heights are logarithms, with the
// values on the axis. Layers lie on the surface: their heights are found by
// bilinear interpolation between grid points, and they end where the grid has no
// value. Their labels are in the data table only. The browser needs WebGL; without
// it the page says so and points to the numbers, so a Surface3D belongs beside a
// Surface and never alone.
type Surface3D Surface

// A Layer is a set of marks over a surface, with one entry in the legend.
type Layer struct {
	Name   string
	Mark   Mark
	Traces []Trace
}

// A Mark says how the traces of a layer are drawn.
type Mark int

const (
	MarkContours Mark = iota // thin lines with their labels
	MarkDashes               // dashed lines
	MarkArrows               // arrows from the first to the second of two points
	MarkPath                 // bold lines
	MarkPoints               // rings
)

// A Trace is a line through points of the plane, an arrow or a set of points.
type Trace struct {
	Label string    // shown on contours, and in the data table
	X, Y  []float64 // as many; within the bounds of the axes widened by half a cell
}
