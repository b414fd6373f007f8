package input

import (
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// A Quantity is a kind of number with a unit that files hold: how it is written,
// which values it may have, and what messages say was expected.
type Quantity[T ~float64] struct {
	Want   string // as in "a time of at least 0, such as 50 us"
	parse  func(string) (T, error)
	within yamldoc.Range
}

// The quantities that describe machines.
var (
	Time      = Quantity[units.Seconds]{"a time of at least 0, such as 50 us", units.ParseSeconds, yamldoc.NonNegative}
	Bandwidth = Quantity[units.BytesPerSecond]{"a bandwidth above 0, such as 100 Mbit/s or 12.5 MB/s", units.ParseBytesPerSecond, yamldoc.Positive}
	Speed     = Quantity[units.FlopsPerSecond]{"a speed above 0, such as 36.45 Gflop/s", units.ParseFlopsPerSecond, yamldoc.Positive}
	Size      = Quantity[units.Bytes]{"a size above 0, such as 4 GB or 128 MiB", units.ParseBytes, yamldoc.Positive}
	Power     = Quantity[units.Watts]{"a power of at least 0, such as 350 W", units.ParseWatts, yamldoc.NonNegative}
)

// Read returns the value of n: 0 if n is nil, and after a problem, which d records.
func (q Quantity[T]) Read(d *yamldoc.Decoder, n *yamldoc.Node) T {
	return yamldoc.Quantity(d, n, q.parse, q.within, q.Want)
}
