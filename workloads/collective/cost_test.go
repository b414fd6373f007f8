package collective_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

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
		t.Run(tt.name, func(t *testing.T) { expect.Outcome(t, tt.cost.Validate(), tt.want) })
	}
}
