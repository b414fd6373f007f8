package scalability_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// 1000 responses of half a point for 100 EUR are 5 points for each EUR. Half as many
// again for twice the money are worth three quarters; twice as many, all of it.
func TestProductivityByHand(t *testing.T) {
	service := func(responses, value, cost float64) scalability.Service {
		return scalability.Service{Responses: responses, Value: value, Cost: units.Money{Amount: cost, Currency: "EUR"}}
	}
	base := service(1000, 0.5, 100)
	expect.Equal(t, expect.Value(base.Productivity())(t), 5, "F")
	for _, test := range []struct {
		name   string
		scaled scalability.Service
		want   float64
	}{
		{"unchanged", base, 1},
		{"twice the system, half as many again", service(1500, 0.5, 200), 0.75},
		{"twice everything", service(2000, 0.5, 200), 1},
		{"twice the system, but quicker", service(1000, 1, 200), 1},
		{"cheaper", service(1000, 0.5, 50), 2},
		{"over ten times the period", service(10000, 0.5, 1000), 1},
	} {
		psi, err := base.Scalability(test.scaled)
		expect.That(t, err == nil && near(psi, test.want), "%s: %v, %v, want %v", test.name, psi, err, test.want)
	}
}

// A response is worth 1 at once, half at the target, a third at twice the target.
func TestResponseValue(t *testing.T) {
	for _, test := range []struct {
		time units.Seconds
		want float64
	}{{0, 1}, {2, 0.5}, {4, 1. / 3}} {
		expect.Close(t, expect.Value(scalability.ResponseValue(test.time, 2))(t), test.want, 1e-13, "T = %v", test.time)
	}
}
