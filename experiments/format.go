package experiments

import (
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// formatFloat prints a number with up to six significant digits, as the units
// do.
func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// list joins names for a message.
func list(names []string) string { return strings.Join(names, ", ") }

// rounded returns a time for running text: three significant digits.
func rounded(seconds float64) units.Seconds {
	if seconds == 0 {
		return 0
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(seconds))))
	return units.Seconds(math.Round(seconds*scale) / scale)
}
