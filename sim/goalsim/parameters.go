package goalsim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Nanoseconds is a simulated time or duration.
type Nanoseconds int64

// Parameters are the six of LogGOPS. All are whole numbers, because the rules
// are stated in integers.
type Parameters struct {
	Latency         Nanoseconds // L: from the end of the send overhead to the arrival of the first byte
	Overhead        Nanoseconds // o: of the core, for each message sent and received
	Gap             Nanoseconds // g: of the interface, between messages
	GapPerByte      Nanoseconds // G: for each byte but the first
	OverheadPerByte Nanoseconds // O: of the core, for each byte but the first
	EagerLimit      int64       // S, bytes: a send of more ends only when it is matched
}

// DefaultParameters are those of LogGOPSim.
func DefaultParameters() Parameters {
	return Parameters{Latency: 2500, Overhead: 1500, Gap: 1000, GapPerByte: 6, OverheadPerByte: 0, EagerLimit: 65535}
}

// parameter ties a symbol to its field.
type parameter struct {
	symbol  string
	value   int64
	largest int64
}

// list returns the parameters in the order of String.
func (p Parameters) list() [6]parameter {
	return [6]parameter{
		{"L", int64(p.Latency), math.MaxInt32},
		{"o", int64(p.Overhead), math.MaxInt32},
		{"g", int64(p.Gap), math.MaxInt32},
		{"G", int64(p.GapPerByte), math.MaxInt32},
		{"O", int64(p.OverheadPerByte), math.MaxInt32},
		{"S", p.EagerLimit, math.MaxUint32},
	}
}

// Validate returns every parameter that is out of its range. The bounds are
// those of LogGOPSim's integers.
func (p Parameters) Validate() error {
	var errs []error
	for _, x := range p.list() {
		if x.value < 0 || x.value > x.largest {
			errs = append(errs, fmt.Errorf("LogGOPS parameter %s is %d; expected 0 to %d %s", x.symbol, x.value, x.largest, unit(x.symbol)))
		}
	}
	return errors.Join(errs...)
}

func unit(symbol string) string {
	if symbol == "S" {
		return "bytes"
	}
	return "ns"
}

// String returns the form that ParseParameters takes, all six.
func (p Parameters) String() string {
	var parts []string
	for _, x := range p.list() {
		parts = append(parts, x.symbol+"="+strconv.FormatInt(x.value, 10))
	}
	return strings.Join(parts, ",")
}

// ParseParameters reads "L=2500,o=1500,g=1000,G=6,O=0,S=65535", in any order.
// Upper and lower case count. What is not mentioned has the value of
// DefaultParameters.
func ParseParameters(text string) (Parameters, error) {
	p := DefaultParameters()
	if text == "" {
		return p, nil
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		symbol, number, ok := strings.Cut(part, "=")
		if !ok {
			return Parameters{}, fmt.Errorf("LogGOPS parameters: %q; expected SYMBOL=NUMBER, as L=2500", part)
		}
		symbol, number = strings.TrimSpace(symbol), strings.TrimSpace(number)
		value, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return Parameters{}, fmt.Errorf("LogGOPS parameter %s: %q; expected a whole number of %s", symbol, number, unit(symbol))
		}
		if !p.set(symbol, value) {
			return Parameters{}, fmt.Errorf("LogGOPS parameters: there is no %q; expected L, o, g, G, O or S", symbol)
		}
		if seen[symbol] {
			return Parameters{}, fmt.Errorf("LogGOPS parameter %s is given twice; expected once", symbol)
		}
		seen[symbol] = true
	}
	if err := p.Validate(); err != nil {
		return Parameters{}, err
	}
	return p, nil
}

// set is false for an unknown symbol.
func (p *Parameters) set(symbol string, value int64) bool {
	switch symbol {
	case "L":
		p.Latency = Nanoseconds(value)
	case "o":
		p.Overhead = Nanoseconds(value)
	case "g":
		p.Gap = Nanoseconds(value)
	case "G":
		p.GapPerByte = Nanoseconds(value)
	case "O":
		p.OverheadPerByte = Nanoseconds(value)
	case "S":
		p.EagerLimit = value
	default:
		return false
	}
	return true
}
