package goalsim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/isoscale/isoscale/workloads/goal"
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

// ParseParameters reads "L=2500,o=1500,g=1000,G=6,O=0,S=65535", in any order. Symbols
// are case-sensitive. Missing ones have the values of DefaultParameters.
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

// set returns false for an unknown symbol.
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

// Result is what a complete run gives.
type Result struct {
	HostFinish []Nanoseconds // of each host: when the last of its cores is free
	Makespan   Nanoseconds   // the latest of them
	Messages   int64         // sent
	Events     int64         // operations started and messages arrived; waiting does not count
	Unreceived int64         // messages that arrived and that no receive has taken
}

// OverflowError reports a time that is too large to be computed with.
type OverflowError struct {
	Rank, Line int // of the operation; Line is 0 if it is not known
	Operation  string
}

// Error names the operation.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("%s of rank %d%s would end after more than %d ns; expected smaller sizes or parameters",
		e.Operation, e.Rank, place(e.Line), int64(maxTime))
}

func place(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}

// Memory estimates, on the safe side, the bytes that Run needs for a schedule of
// this size, besides the schedule itself (goal.Shape.Memory):
//
//	48 for an operation: 16 of its state, 32 in the agenda
//	24 for a rank, for the result and the queues of messages
//	16 for a core and 16 for an interface of each rank
//	16 for each pair of a core and an interface of each rank
//
// The agenda holds the events that are pending at one time: in a dissemination barrier
// one operation in forty. Only a schedule that releases nearly all its operations at
// one instant can need more than this, by a quarter.
func Memory(x goal.Shape) int64 {
	const (
		perOp   = int64(unsafe.Sizeof(opState{}) + 2*unsafe.Sizeof(event{}))
		perRank = int64(2*unsafe.Sizeof(queue{}) + unsafe.Sizeof(Nanoseconds(0)))
		word    = int64(unsafe.Sizeof(uint64(0)))
		groups  = int64(unsafe.Sizeof(group{}))
	)
	ranks, cpus, nics := int64(x.Ranks), int64(x.CPUs), int64(x.NICs)
	return perOp*int64(x.Ops) + ranks*(perRank+cpus*(word+groups)+nics*2*word+cpus*nics*2*groups)
}
