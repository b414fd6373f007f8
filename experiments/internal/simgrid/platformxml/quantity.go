package platformxml

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/model/units"
)

// The units of SimGrid's files. They differ from those of package units: "Bps"
// and "f" for B/s and flop/s, "m" for minutes, and a number may have none.
// Values are the number times the factor in float64, as in SimGrid, so that
// they agree to the last bit: "100us" is 100 * 1e-6, which is not 1e-4.
var (
	timeUnits = map[string]float64{"": 1, "w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6,
		"ns": 1e-9, "ps": 1e-12}
	rateUnits = prefixed(base{"bps", 0.125, shortPrefixes, true}, base{"Bps", 1, shortPrefixes, true})
	// flops may be written out.
	speedUnits = prefixed(base{"f", 1, shortPrefixes, false}, base{"flops", 1, longPrefixes, false})
)

var (
	shortPrefixes = []string{"k", "M", "G", "T", "P", "E", "Z", "Y"}
	longPrefixes  = []string{"kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta"}
)

// base is a unit with the prefixes that it takes, binary ones too.
type base struct {
	unit     string
	factor   float64
	prefixes []string
	binary   bool
}

// prefixed returns units with and without prefixes, and the factor 1 of a number without a unit.
func prefixed(units ...base) map[string]float64 {
	all := map[string]float64{"": 1}
	for _, u := range units {
		all[u.unit] = u.factor
		decimal, power := u.factor, u.factor
		for _, p := range u.prefixes {
			decimal, power = decimal*1000, power*1024
			all[p+u.unit] = decimal
			if u.binary {
				all[strings.ToUpper(p)+"i"+u.unit] = power
			}
		}
	}
	return all
}

// decimal is the number that a quantity begins with. An "E" that no digit follows belongs to the unit: "1EBps" is an
// exabyte a second.
var decimal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t\r\n]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
})

// quantity reads a number of at least 0 with one of the units.
func quantity(text string, known map[string]float64) (float64, error) {
	number := decimal().FindString(text)
	value, err := strconv.ParseFloat(strings.TrimLeft(number, " \t\r\n"), 64)
	unit := text[len(number):]
	factor, ok := known[unit]
	switch value *= factor; {
	case number == "":
		return 0, fmt.Errorf("no number")
	case err != nil:
		return 0, fmt.Errorf("a number out of range")
	case !ok:
		return 0, fmt.Errorf("unknown unit %q", unit)
	case value < 0:
		return 0, fmt.Errorf("a negative value")
	case math.IsInf(value, 0):
		return 0, fmt.Errorf("a number out of range")
	}
	return value, nil
}

const (
	timeExample  = "a time of at least 0 such as 50us, with one of the units w, d, h, m, s, ms, us, ns, ps"
	rateExample  = "a bandwidth above 0 such as 125MBps, 1GiBps or 1Gbps"
	speedExample = "a speed above 0 such as 1Gf or 500megaflops"
)

// time reads the attribute as a time; an empty one is 0.
func (el *element) time(name string) units.Seconds {
	text := el.value(name)
	if text == "" {
		return 0
	}
	t, err := quantity(text, timeUnits)
	if err != nil {
		el.refuse(name, err.Error(), timeExample)
	}
	return units.Seconds(t)
}

// rate reads the attribute as a bandwidth. If mayBeZero, it may be 0, and an
// empty one is 0.
func (el *element) rate(name string, mayBeZero bool) units.BytesPerSecond {
	text := el.value(name)
	if text == "" && mayBeZero {
		return 0
	}
	b, err := quantity(text, rateUnits)
	if err == nil && b == 0 && !mayBeZero {
		err = fmt.Errorf("no bandwidth")
	}
	if err != nil {
		el.refuse(name, err.Error(), rateExample)
	}
	return units.BytesPerSecond(b)
}

// speed reads the attribute as a list of speeds, one for each state of the
// processor, and returns that of the state. States without speed, as while a
// host boots, may be in the list.
func (el *element) speed(name string, state int) units.FlopsPerSecond {
	var speeds []float64
	for text := range strings.SplitSeq(el.value(name), ",") {
		v, err := quantity(strings.TrimSpace(text), speedUnits)
		if err == nil && v == 0 && len(speeds) == state {
			err = fmt.Errorf("no speed")
		}
		if err != nil {
			el.refuse(name, err.Error(), speedExample)
		}
		speeds = append(speeds, v)
	}
	if state >= len(speeds) {
		el.refuse("pstate", fmt.Sprintf("there are %d speeds", len(speeds)), "the number of one, from 0")
		return 0
	}
	return units.FlopsPerSecond(speeds[state])
}

// count reads the attribute as a whole number in [least, most].
func (el *element) count(name string, least, most int) int {
	// SimGrid's own default of pstate is 0.0.
	n, err := whole(strings.TrimSuffix(el.value(name), ".0"))
	if err != nil || n < least || n > most {
		el.refuse(name, "not such a number", fmt.Sprintf("a whole number from %d to %d", least, most))
		return least
	}
	return n
}

// whole reads a whole number of at least 0 that fits into 32 bits.
func whole(text string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
	return int(n), err
}

// wholes reads a list of whole numbers above 0.
func wholes(text string) ([]int, error) {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := whole(part)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%q is not a number above 0", part)
		}
		list = append(list, n)
	}
	return list, nil
}

// A span is first, first+1, ..., last.
type span struct{ first, last int }

// radical reads numbers and ranges of them, "0-7,9,12-13", and how many there
// are in all.
func (el *element) radical() (spans []span, total int) {
	const example = "numbers and ranges of numbers such as 0-7,9,12-13"
	for part := range strings.SplitSeq(el.value("radical"), ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err := whole(low)
		last, err2 := whole(high)
		if err != nil || err2 != nil || first > last {
			el.refuse("radical", fmt.Sprintf("%q is neither", part), example)
			return nil, 0
		}
		spans = append(spans, span{first, last})
		// No overflow: 64 bits hold 2^32 spans of 2^31.
		total += last - first + 1
	}
	return spans, total
}
