package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// Limits of a point for which a plan says nothing: about the memory that computers have
// for a core, as points take one core each, and far more time than most points take.
const (
	defaultMemory = "4 GB"
	defaultTime   = "24 h"
)

var limitsObject = &schema.Object{What: "limits of a point, as in {memory: 4 GB, time: 24 h}", Fields: []schema.Field{
	{Key: "memory", Type: schema.PositiveSize, Default: defaultMemory, Meaning: "estimated memory of a point; a point above it has an error instead of results"},
	{Key: "time", Type: schema.PositiveTime, Default: defaultTime, Meaning: "wall time of a point; a point above it has an error instead of results"},
}}

// limits bound what a point may take. A point beyond them is a row with an error that
// states the limit. So one that is too large or hangs does not keep its shard from
// becoming complete.
//
// They are part of the plan, so that all computers apply the same. The memory is the
// estimate for the number of processes, which is the same everywhere. Only the time
// depends on the computer.
type limits struct {
	memory units.Bytes
	time   units.Seconds
}

// readLimits reads the value of the key limits; nil has the defaults.
func readLimits(d *yamldoc.Decoder, n *yamldoc.Node) limits {
	m := limitsObject.Open(d, n)
	l := limits{
		memory: schema.PositiveSize.ReadOr(d, m.Take("memory"), schema.PositiveSize.MustParse(defaultMemory)),
		time:   schema.PositiveTime.ReadOr(d, m.Take("time"), schema.PositiveTime.MustParse(defaultTime)),
	}
	m.Done()
	return l
}

// readStoredLimits reads what a directory keeps of the limits, if its plan had some.
func readStoredLimits(text json.RawMessage) (limits, error) {
	var d yamldoc.Decoder
	if len(text) == 0 {
		return readLimits(&d, nil), nil
	}
	root, err := yamldoc.ParseJSON("limits", text)
	if err != nil {
		return limits{}, err
	}
	l := readLimits(&d, root)
	return l, d.Err()
}

// duration is the limit of time; what is beyond the longest Duration is that.
func (l limits) duration() time.Duration {
	if ns := float64(l.time) * float64(time.Second); ns < math.MaxInt64 {
		return max(time.Duration(ns), 1)
	}
	return math.MaxInt64
}

// timeError is the error of a point that took too long. It does not say how long, which
// no two computers agree on.
func (l limits) timeError() error {
	return fmt.Errorf("the simulation takes longer than %v, the limit of wall time for a point; expected fewer processes or a smaller problem, or a larger limits.time in the plan", l.time)
}
