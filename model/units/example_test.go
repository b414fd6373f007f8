package units_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// A message of 1 MB over a link of 100 Mbit/s with a latency of 50 us.
func Example() {
	latency, err := units.Time.Parse("50 us")
	if err != nil {
		fmt.Println(err)
		return
	}
	bandwidth, err := units.Bandwidth.Parse("100 Mbit/s")
	if err != nil {
		fmt.Println(err)
		return
	}
	size, err := units.Size.Parse("1 MB")
	if err != nil {
		fmt.Println(err)
		return
	}
	// Hockney: 50 us + 1e6 B / 12.5e6 B/s = 0.05 ms + 80 ms.
	fmt.Println(latency + size.Over(bandwidth))
	// Output: 80.05 ms
}

// The same in code, and 5 Gflop on a core of 20 Gflop/s.
func ExampleBytes_Over() {
	latency, bandwidth := 50*units.Microsecond, 12.5*units.MB.PerSecond()
	fmt.Println(latency + units.MB.Over(bandwidth))
	fmt.Println((5 * units.Gflop).At(20 * units.Gflop.PerSecond()))
	// Output:
	// 80.05 ms
	// 250 ms
}

func ExampleDimension_Parse_ambiguous() {
	_, err := units.Bandwidth.Parse("100 Mb/s")
	fmt.Println(err)
	// Output:
	// bandwidth "100 Mb/s": unit "Mb/s" is not accepted, perhaps "MB/s" or "Mbit/s" is meant; expected a number with a unit such as "100 Mbit/s"
}

func ExampleParseError() {
	_, err := units.Time.Parse("50")
	fmt.Println(err)
	// Output:
	// time "50": the unit is missing; expected a number with a unit such as "50 us"
}

func ExampleBytes_Binary() {
	buffer := units.Bytes(128 * 1024 * 1024)
	fmt.Println(buffer.Binary())
	fmt.Println(buffer) // 134217728 B, 6 digits
	// Output:
	// 128 MiB
	// 134.218 MB
}

func ExampleBytesPerSecond_Bits() {
	ethernet := units.BytesPerSecond(12.5e6)
	fmt.Println(ethernet, "=", ethernet.Bits())
	// Output: 12.5 MB/s = 100 Mbit/s
}

func ExampleParseMoney() {
	price, err := units.ParseMoney("3200 EUR")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(price.Amount, price.Currency)
	// Output: 3200 EUR
}
