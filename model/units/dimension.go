package units

// A Dimension is a kind of quantity, with the units that its parser takes.
type Dimension struct{ of *dimension }

// The dimensions, each with its parser: [ParseSeconds], [ParseBytes],
// [ParseBytesPerSecond], [ParseFlops], [ParseFlopsPerSecond], [ParseWatts].
var (
	Time      = Dimension{&timeDimension}
	Size      = Dimension{&sizeDimension}
	Bandwidth = Dimension{&bandwidthDimension}
	Work      = Dimension{&workDimension}
	Speed     = Dimension{&speedDimension}
	Power     = Dimension{&powerDimension}
)

// Symbols returns the units as they are written: "s", "ms", ...
func (d Dimension) Symbols() []string {
	symbols := make([]string, len(d.of.units))
	for i, u := range d.of.units {
		symbols[i] = u.symbol
	}
	return symbols
}

// Name returns what the quantity is called in messages: "time".
func (d Dimension) Name() string { return d.of.name }
