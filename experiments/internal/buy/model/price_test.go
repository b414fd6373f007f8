package model_test

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// Switches counted by hand. With 8 ports and no oversubscription a leaf has 4
// nodes and 4 uplinks; two spines of 8 ports take the 12 uplinks of three leaves.
// With oversubscription 3 a leaf has 6 nodes and 2 uplinks, so three leaves have 6,
// which one spine takes.
func TestWire(t *testing.T) {
	for _, tt := range []struct {
		name             string
		nodes            int
		fatTree          bool
		oversubscription float64
		want             model.Wiring
		ok               bool
	}{
		{"one node", 1, true, 1, model.Wiring{}, true},
		{"two nodes", 2, true, 1, model.Wiring{Ports: 2, Leaves: 1, Down: 8}, true},
		{"full switch", 8, false, 1, model.Wiring{Ports: 8, Leaves: 1, Down: 8}, true},
		{"no second level", 9, false, 1, model.Wiring{}, false},
		{"three leaves", 9, true, 1, model.Wiring{Ports: 9, Leaves: 3, Spines: 2, Uplinks: 12, Down: 4}, true},
		{"full tree", 32, true, 1, model.Wiring{Ports: 32, Leaves: 8, Spines: 4, Uplinks: 32, Down: 4}, true},
		{"beyond it", 33, true, 1, model.Wiring{Ports: 33, Leaves: 9, Spines: 5, Uplinks: 36, Down: 4}, false},
		{"oversubscribed", 13, true, 3, model.Wiring{Ports: 13, Leaves: 3, Spines: 1, Uplinks: 6, Down: 6}, true},
		{"very oversubscribed", 9, true, 100, model.Wiring{Ports: 9, Leaves: 2, Spines: 1, Uplinks: 2, Down: 7}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := model.Network{Switch: model.Switch{Ports: 8}, FatTree: tt.fatTree, Oversubscription: tt.oversubscription}
			if w, ok := n.Wire(tt.nodes); w != tt.want || ok != tt.ok {
				t.Errorf("%+v, %v, want %+v, %v", w, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestPrice(t *testing.T) {
	for _, tt := range []struct {
		name      string
		existing  int
		bought    int
		want      model.Bill
		power     units.Watts
		rackUnits float64
		retired   bool
	}{
		{"one node", 0, 1, model.Bill{Nodes: 1000, Ports: 0, Switches: 0, Cables: 0}, 100, 2, false},
		// 1 switch; 800 + 8 + 50 W.
		{"one switch", 0, 8, model.Bill{Nodes: 8000, Ports: 80, Switches: 500, Cables: 0}, 858, 17, false},
		// 3 + 2 switches and 12 cables; 900 + 9 + 250 W.
		{"fat tree", 0, 9, model.Bill{Nodes: 9000, Ports: 90, Switches: 2500, Cables: 84}, 1159, 23, false},
		// 4 nodes more where a switch and 4 ports are there.
		{"extension on the switch", 4, 4, model.Bill{Nodes: 4000, Ports: 40, Switches: 0, Cables: 0}, 858, 17, false},
		// From one switch to 3 + 2, with all 12 cables.
		{"extension to a tree", 8, 1, model.Bill{Nodes: 1000, Ports: 10, Switches: 2000, Cables: 84}, 1159, 23, false},
		// A single node had no port.
		{"extension of one node", 1, 1, model.Bill{Nodes: 1000, Ports: 20, Switches: 500, Cables: 0}, 252, 5, false},
		// The switch of 4 retired nodes stays; 8 new ones need their own ports.
		{"in the place of retired nodes", 4, 8, model.Bill{Nodes: 8000, Ports: 80, Switches: 0, Cables: 0}, 858, 17, true},
		// Of 3 + 2 switches and 12 cables one switch is there.
		{"a tree in the place of retired nodes", 8, 9, model.Bill{Nodes: 9000, Ports: 90, Switches: 2000, Cables: 84}, 1159, 23, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := buytest.HandPlan()
			if tt.existing > 0 {
				p.Existing = &model.Existing{Count: tt.existing}
			}
			c := model.Choice{Types: []int{0}, Counts: []int{tt.bought}, Retired: tt.retired}
			b, ok := p.Price(c)
			if b != tt.want || !ok {
				t.Errorf("%+v, %v, want %+v", b, ok, tt.want)
			}
			if got := p.Power(c); got != tt.power {
				t.Errorf("power %v, want %v", got, tt.power)
			}
			if got := p.RackUnits(c); got != tt.rackUnits {
				t.Errorf("%v rack units, want %v", got, tt.rackUnits)
			}
		})
	}
}
