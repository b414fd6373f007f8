package search

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// 8 nodes cost 8580 EUR and 9 cost 11674, so 11673 EUR buy 8 and 11674 buy 9.
// With covers: life a node alone draws 200 W for a year of 8765.82 h, 1753.164
// kWh, which with 1000 EUR for the node is 1876.58 EUR.
func TestAffordable(t *testing.T) {
	for _, tt := range []struct {
		money float64
		life  bool
		power units.Watts
		space float64
		want  int
	}{
		{999, false, 0, 0, 0}, {1000, false, 0, 0, 1}, {2520, false, 0, 0, 2}, {2519, false, 0, 0, 1},
		{11673, false, 0, 0, 8}, {11674, false, 0, 0, 9},
		{11674, false, 858, 0, 8}, {11674, false, 857, 0, 7}, {11674, false, 0, 16, 7},
		{1876.5, true, 0, 0, 0}, {1877, true, 0, 0, 1},
		{1e9, false, 0, 0, 32}, // no more can be connected
	} {
		p := buytest.HandPlan()
		p.Budget = model.Budget{Money: units.Money{Amount: tt.money, Currency: "EUR"}, Life: tt.life, Power: tt.power, RackUnits: tt.space}
		if got := most(p, model.Design{Types: []int{0}}); got != tt.want {
			t.Errorf("%+v: %d nodes, want %d", tt, got, tt.want)
		}
	}
}
