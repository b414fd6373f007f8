package units

// Seconds is a time in seconds.
type Seconds float64

// Bytes is an amount of data in bytes.
type Bytes float64

// BytesPerSecond is a bandwidth in bytes per second.
type BytesPerSecond float64

// Flops is an amount of work in floating point operations (flop).
type Flops float64

// FlopsPerSecond is a computing speed in floating point operations per second
// (flop/s).
type FlopsPerSecond float64

// Watts is an electrical power in watts.
type Watts float64

// Money is an amount in one currency, which is named by three upper case
// letters such as "EUR". An empty Currency is meaningful only with Amount 0,
// which is nothing in any currency.
type Money struct {
	Amount   float64
	Currency string
}

// String prints the time with the prefix that suits it: "260.77 ms". There is
// no prefix above the second: an hour is "3600 s".
func (t Seconds) String() string { return format(float64(t), timeLadder, "s") }

// String prints the size with a decimal prefix: "1.5 GB".
func (b Bytes) String() string { return format(float64(b), byteLadder, "B") }

// Binary prints the size with a binary prefix: "128 MiB".
func (b Bytes) Binary() string { return format(float64(b), binaryLadder, "B") }

// String prints the bandwidth in bytes with a decimal prefix: "12.5 MB/s".
func (r BytesPerSecond) String() string { return format(float64(r), byteRateLadder, "B/s") }

// Bits prints the bandwidth in bits with a decimal prefix: "100 Mbit/s".
func (r BytesPerSecond) Bits() string { return format(float64(r), bitRateLadder, "bit/s") }

// String prints the work with a decimal prefix: "2.5 Gflop".
func (w Flops) String() string { return format(float64(w), workLadder, "flop") }

// String prints the speed with a decimal prefix: "36.45 Mflop/s".
func (s FlopsPerSecond) String() string { return format(float64(s), speedLadder, "flop/s") }

// String prints the power in W, kW or MW: "1.2 kW".
func (p Watts) String() string { return format(float64(p), powerLadder, "W") }
