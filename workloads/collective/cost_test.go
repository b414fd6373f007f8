package collective_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Powers of two, so that sums are exact.
func TestCostTime(t *testing.T) {
	cost := collective.Cost{Base: 0.5, PerProcess: 0.25, PerByte: 0.125}
	for _, tt := range []struct {
		p    int
		size units.Bytes
		want units.Seconds
	}{
		{0, 0, 0.5},
		{8, 0, 2.5}, // 0.5 + 8/4
		{0, 8, 1.5}, // 0.5 + 8/8
		{8, 8, 3.5},
	} {
		expect.Equal(t, cost.Time(tt.p, tt.size), tt.want, "time for %d processes and %v bytes", tt.p, tt.size)
	}
}

func TestValidateCost(t *testing.T) {
	for _, tt := range []struct {
		name string
		cost collective.Cost
		want string
	}{
		{"zero", collective.Cost{}, ""},
		{"base", collective.Cost{Base: -1}, "base is -1 s; expected a finite number, at least 0"},
		{"process", collective.Cost{PerProcess: units.Seconds(math.NaN())}, "per process is NaN s"},
		{"byte", collective.Cost{PerByte: units.Seconds(math.Inf(1))}, "per byte is +Inf s"},
		{"two", collective.Cost{Base: -1, PerByte: -2}, "at least 0\ncost: per byte is -2 s"},
	} {
		t.Run(tt.name, func(t *testing.T) { verdict(t, tt.cost.Validate(), tt.want) })
	}
}
