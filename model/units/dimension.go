package units

// A Dimension is a kind of quantity, whose values have type T, with the units in
// which it may be written.
type Dimension[T ~float64] struct{ of *dimension }

// The dimensions.
var (
	Time      = Dimension[Seconds]{&timeDimension}
	Size      = Dimension[Bytes]{&sizeDimension}
	Bandwidth = Dimension[BytesPerSecond]{&bandwidthDimension}
	Work      = Dimension[Flops]{&workDimension}
	Speed     = Dimension[FlopsPerSecond]{&speedDimension}
	Power     = Dimension[Watts]{&powerDimension}
)

// Parse reads a number with a unit of the dimension: a time such as "50 us", a size
// such as "64 MiB", "1.5 GB" or "8 Mbit", a bandwidth such as "100 Mbit/s" or
// "12.5 MB/s", an amount of work such as "2.5 Gflop", a speed such as "36.45 Mflop/s",
// a power such as "350 W".
func (d Dimension[T]) Parse(text string) (T, error) {
	value, err := d.of.parse(text)
	return T(value), err
}

// Symbols returns the units as they are written: "s", "ms", ...
func (d Dimension[T]) Symbols() []string {
	symbols := make([]string, len(d.of.units))
	for i, u := range d.of.units {
		symbols[i] = u.symbol
	}
	return symbols
}

// Name returns what the quantity is called in messages: "time".
func (d Dimension[T]) Name() string { return d.of.name }
