package search

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// A run on one node is one simulation whatever the network of the machine, and its outcome
// does not depend on that network. On two nodes both do.
func TestRunOnOneNodeIsTheSameOnAllNetworks(t *testing.T) {
	for _, network := range []string{"ideal", "hockney", "{name: loggops, o: 1 us, g: 2 us}", "flow"} {
		p := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "model="+network)
		for w := range p.Workloads {
			for node := range p.Nodes {
				for nodes := 1; nodes <= 2; nodes++ {
					var outcomes [2]model.Outcome
					var keys [2]string
					for k := range p.Networks {
						x := simulation{p, model.Choice{Types: []int{node}, Counts: []int{2}, Network: k}, w, model.Way{Node: node, Nodes: nodes}}
						keys[k] = x.key()
						var err error
						if outcomes[k], err = x.run(context.Background()); err != nil {
							t.Fatal(err)
						}
					}
					name := network + ", " + p.Workloads[w].Name + " on " + p.WayName(model.Choice{}, model.Way{Node: node, Nodes: nodes})
					if same := keys[0] == keys[1]; same != (nodes == 1) {
						t.Errorf("%s: keys %q and %q", name, keys[0], keys[1])
					}
					diff := cmp.Diff(outcomes[0], outcomes[1], cmp.AllowUnexported(model.Outcome{}, model.Drawn{}))
					if nodes == 1 && diff != "" {
						t.Errorf("%s: %s", name, diff)
					}
					if nodes == 2 && network != "ideal" && outcomes[0].Run.Time <= outcomes[1].Run.Time {
						t.Errorf("%s: %v on the slow network, %v on the fast one", name, outcomes[0].Run.Time, outcomes[1].Run.Time)
					}
				}
			}
		}
	}
}
