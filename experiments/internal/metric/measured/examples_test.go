package measured

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var updateExamples = flag.Bool("update-examples", false, "write the CSV files with known laws anew")

// The laws from which examples/weak-scaling.csv and examples/strong-scaling.csv were made, with normal errors of 2 % of
// the time and three runs of each point.
const (
	weakSerial   = 0.2  // f of Gustafson's law
	weakTime     = 60.0 // s on one process, for weakWork
	weakWork     = 240  // Gflop for each process
	strongSerial = 0.004
	strongTime   = 5400.0 // s on one process
	strongWork   = 21600  // Gflop
	runError     = 0.02
)

// knownTimes makes one of the two files.
func knownTimes(head string, work func(p int) int, time func(p float64) float64) string {
	random := rand.New(rand.NewPCG(1988, 1967))
	var b strings.Builder
	b.WriteString(head + "processes,work [Gflop],repetition,time [s]\n")
	for p := 1; p <= 1024; p *= 2 {
		for run := 1; run <= 3; run++ {
			fmt.Fprintf(&b, "%d,%d,%d,%.3f\n", p, work(p), run, time(float64(p))*(1+runError*random.NormFloat64()))
		}
	}
	return b.String()
}

func weakFile() string {
	return knownTimes(`# Weak scaling: the work grows as the processes do. Made up: Gustafson's law with a
# serial part of 20 % of the parallel time, 60 s on one process, and errors of 2 %.
#
#   isoscale metrics examples/weak-scaling.csv --report weak.html
#
`, func(p int) int { return weakWork * p }, func(p float64) float64 { return weakTime * p / (weakSerial + (1-weakSerial)*p) })
}

func strongFile() string {
	return knownTimes(`# Strong scaling: the work is the same on all processes. Made up: Amdahl's law with a
# serial part of 0.4 %, 5400 s on one process, and errors of 2 %.
#
#   isoscale metrics examples/strong-scaling.csv --report strong.html
#
`, func(int) int { return strongWork }, func(p float64) float64 { return strongTime * (strongSerial + (1-strongSerial)/p) })
}

// The examples are what the laws say, and the laws are found in them: f within three
// standard errors, and the true law within the band of 95 % everywhere.
func TestKnownLawsAreFound(t *testing.T) {
	for _, c := range []struct {
		file, text, law string
		serial          float64
		truth           func(p float64) float64 // of what is fitted: speeds in flop/s, times in s
	}{
		{"../../../../examples/weak-scaling.csv", weakFile(), "gustafson", weakSerial,
			func(p float64) float64 { return weakWork * 1e9 / weakTime * (weakSerial + (1-weakSerial)*p) }},
		{"../../../../examples/strong-scaling.csv", strongFile(), "amdahl", strongSerial,
			func(p float64) float64 { return strongTime * (strongSerial + (1-strongSerial)/p) }},
	} {
		if *updateExamples {
			expect.Success(t, os.WriteFile(c.file, []byte(c.text), 0o644))
		}
		if text, err := os.ReadFile(c.file); err != nil || string(text) != c.text {
			t.Errorf("%s is not what its law makes (%v)", c.file, err)
		}
		r := metricsOf(t, c.text)
		var fit *Fit
		for i := range r.Fits {
			if r.Fits[i].Law == c.law {
				fit = &r.Fits[i]
			}
		}
		expect.Need(t, fit != nil, "%s: no fit of %s", c.file, c.law)
		// Both laws have the serial fraction as their second parameter.
		off := math.Abs(fit.SerialFraction - c.serial)
		expect.That(t, off <= 3*fit.fitted.Parameters[1].StandardError,
			"%s: f = %g, want %g within three standard errors", c.file, fit.SerialFraction, c.serial)
		for p := 1.0; p <= 1024; p *= 2 {
			b, err := fit.fitted.Band(p, 0.95)
			expect.That(t, err == nil && c.truth(p) >= b.Prediction[0] && c.truth(p) <= b.Prediction[1],
				"%s, p = %g: %g is not within %v (%v)", c.file, p, c.truth(p), b.Prediction, err)
		}
	}
}
