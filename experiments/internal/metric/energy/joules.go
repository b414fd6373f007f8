package energy

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Joules is an amount of energy.
type Joules float64

// joulesPerKWh is exact.
const joulesPerKWh = 3.6e6

// KWh returns the energy in kilowatt-hours.
func (j Joules) KWh() float64 { return float64(j) / joulesPerKWh }

// over returns the energy of a power that is drawn for a time.
func over(p units.Watts, t units.Seconds) Joules { return Joules(float64(p) * float64(t)) }

// Short prints four digits.
func (j Joules) Short() string {
	value, prefix := float64(j), ""
	for _, p := range []string{"k", "M", "G", "T", "P"} {
		if value < 1000 {
			break
		}
		value, prefix = value/1000, p
	}
	return fmt.Sprintf("%.4g %sJ", value, prefix)
}

// String prints four digits, and the kilowatt-hours of what a bill would show.
func (j Joules) String() string {
	if j < joulesPerKWh/10 {
		return j.Short()
	}
	return fmt.Sprintf("%s (%.4g kWh)", j.Short(), j.KWh())
}
