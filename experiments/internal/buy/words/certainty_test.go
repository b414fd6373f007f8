package words

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// A figure is worth asking for where knowing it saves something, beyond chance.
func TestWorthAskingIsBeyondChance(t *testing.T) {
	u := &model.UncertainResult{Designs: []model.DesignChance{{Design: "a, x"}}, LeastRegret: "a, x"}
	r := Answer{&model.Result{Plan: &model.Plan{}, Recommended: "a, x", Ranking: []model.Candidate{{Name: "a, x", Design: "a, x"}}}}
	for _, tt := range []struct {
		value, half float64
		asks        bool
	}{{0.01, 0.005, true}, {0.01, 0.02, false}, {1e-5, 1e-6, false}} {
		u.Figures = []model.FigureValue{{Figure: "price of a", Value: tt.value, Error: tt.half}}
		text := strings.Join(r.rangesInWords(u), " ")
		expect.That(t, strings.Contains(text, "Ask for or measure next: price of a.") == tt.asks, "%+v: %s", tt, text)
	}
}

// Node types and networks that differ only in their names are named.
func TestTwinsAreNamed(t *testing.T) {
	text := strings.Replace(buytest.Ideal, "nodes: {", "nodes: {twin: {cores: 1, marked_speed: 1 Gflop/s, memory_bandwidth: 4 GB/s, power: 100 W, price: 900 EUR}, ", 1)
	p := buytest.Read(t, buytest.PlanFile(t, text))
	expect.That(t, slices.Equal(p.Twins(), []string{"node type a differs from twin"}), "%q", p.Twins())
	other := strings.Replace(text, "price: 900 EUR}, ", "price: 901 EUR}, ", 1)
	p = buytest.Read(t, buytest.PlanFile(t, other))
	expect.That(t, len(p.Twins()) == 0, "%q", p.Twins())
}

// What computes is devices on nodes that have them, and cores on others.
func TestPartsAreCalledWhatTheyAre(t *testing.T) {
	p := buytest.HandPlan()
	p.Nodes = append(p.Nodes, model.Node{Entry: model.Entry{Name: "gpu"}, Devices: &topology.Devices{Count: 4}})
	r := Answer{Result: &model.Result{Plan: p}}
	for _, tt := range []struct{ node, part, want string }{
		{"gpu", "cores", "devices"}, {"a", "cores", "cores"}, {"gpu", "memory bandwidth", "memory bandwidth"},
	} {
		expect.That(t, r.part(&model.CauseResult{Node: tt.node}, tt.part) == tt.want, "%s of %q", tt.part, tt.node)
	}
	// A run on a whole machine is on that machine's nodes.
	for want, types := range map[string][]model.NodeCount{"devices": {{Type: "gpu"}}, "cores": {{Type: "a"}}, "cores and devices": {{Type: "a"}, {Type: "gpu"}}} {
		r.Recommended, r.Ranking = "best", []model.Candidate{{Name: "other", Nodes: []model.NodeCount{{Type: "b"}}}, {Name: "best", Nodes: types}}
		expect.Equal(t, r.part(&model.CauseResult{}, "cores"), want, "of the whole machine")
	}
}
