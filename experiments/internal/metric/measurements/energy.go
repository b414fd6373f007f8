package measurements

import (
	"fmt"
	"strconv"
	"strings"
)

// joules are the units of energy.
var joules = map[string]float64{
	"J": 1, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9,
	"Wh": 3600, "kWh": 3.6e6, "MWh": 3.6e9,
}

// parseEnergy reads an energy with its unit, in J.
func parseEnergy(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, " ")
	factor, ok := joules[strings.TrimSpace(unit)]
	if !ok {
		return 0, fmt.Errorf("unknown unit %s of energy; expected J, kJ, MJ, GJ, Wh, kWh or MWh", quoted(unit))
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xX_pPiInN") {
		return 0, fmt.Errorf("%s is not a number", quoted(number))
	}
	return v * factor, nil
}
