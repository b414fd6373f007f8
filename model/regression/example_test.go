package regression_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/regression"
)

// Times of the same work on more and more nodes: 10 s that stay and 90 s that are
// divided, with a second more or less.
func Example() {
	times := []regression.Sample{{P: 1, Y: 100}, {P: 2, Y: 56}, {P: 4, Y: 32}, {P: 8, Y: 21}, {P: 16, Y: 16}}
	amdahl, err := regression.FitAmdahl(regression.Time, times)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("T(p) = %s\n", amdahl.Formula)
	limit, _ := amdahl.Limit()
	fmt.Printf("serial fraction %.3f, so at most %.1f times as fast\n", amdahl.Serial, limit)
	band, err := amdahl.Band(32, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("on 32 nodes %.1f s (%.1f to %.1f s), extrapolated: %v\n", band.Value, band.Prediction[0], band.Prediction[1], band.Extrapolates)
	// Output:
	// T(p) = 99.8606 (0.898524/p + 0.101476)
	// serial fraction 0.101, so at most 9.9 times as fast
	// on 32 nodes 12.9 s (11.7 to 14.2 s), extrapolated: true
}

// A search that takes p log2(p) microseconds, and 5 more.
func ExampleFitNormalForm() {
	var samples []regression.Sample
	for _, p := range []float64{2, 4, 8, 16, 32} {
		log := map[float64]float64{2: 1, 4: 2, 8: 3, 16: 4, 32: 5}[p]
		samples = append(samples, regression.Sample{P: p, Y: 5 + p*log})
	}
	fit, err := regression.FitNormalForm(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fit.Formula)
	fmt.Printf("%.6g at p = 64\n", fit.At(64))
	// Output:
	// 5 + 1 p log2(p)
	// 389 at p = 64
}

// Past the peak, sqrt(0.96/0.002), every node added costs throughput.
func ExampleUSL_Peak() {
	var samples []regression.Sample
	for _, p := range []float64{1, 2, 4, 8, 16, 32} {
		samples = append(samples, regression.Sample{P: p, Y: 50 * p / (1 + 0.04*(p-1) + 0.002*p*(p-1))})
	}
	usl, err := regression.FitUSL(regression.Throughput, samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	peak, ok := usl.Peak()
	fmt.Printf("gamma %.4f, alpha %.4f, beta %.4f, peak at p = %.2f %v\n", usl.Gamma, usl.Alpha, usl.Beta, peak, ok)
	// Output:
	// gamma 50.0000, alpha 0.0400, beta 0.0020, peak at p = 21.91 true
}
