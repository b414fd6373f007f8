package units

// Amounts to count with: 50 * Microsecond, 1.5 * GB, 128 * KiB, 20 * Gflop. A
// bandwidth or a speed is such an amount in each second: 12.5 * GB.PerSecond().
const (
	Nanosecond  Seconds = 1e-9
	Microsecond Seconds = 1e-6
	Millisecond Seconds = 1e-3

	KB  Bytes = 1e3 // kB in text
	MB  Bytes = 1e6
	GB  Bytes = 1e9
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30

	Mflop Flops = 1e6
	Gflop Flops = 1e9
	Tflop Flops = 1e12
)
