package purchase

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A run on one node is one simulation whatever the network of the machine, and its outcome
// does not depend on that network. On two nodes both do.
func TestRunOnOneNodeIsTheSameOnAllNetworks(t *testing.T) {
	for _, model := range []string{"ideal", "hockney", "{name: loggops, o: 1 us, g: 2 us}", "flow"} {
		p := read(t, planFile(t, site), "model="+model)
		for w := range p.Workloads {
			for node := range p.Nodes {
				for nodes := 1; nodes <= 2; nodes++ {
					var outcomes [2]outcome
					var keys [2]string
					for network := range p.Networks {
						x := simulation{p, Choice{Types: []int{node}, Counts: []int{2}, Network: network}, w, way{node, nodes}}
						keys[network] = x.key()
						var err error
						if outcomes[network], err = x.run(context.Background()); err != nil {
							t.Fatal(err)
						}
					}
					name := model + ", " + p.Workloads[w].Name + " on " + p.wayName(Choice{}, way{node, nodes})
					if same := keys[0] == keys[1]; same != (nodes == 1) {
						t.Errorf("%s: keys %q and %q", name, keys[0], keys[1])
					}
					diff := cmp.Diff(outcomes[0], outcomes[1], cmp.AllowUnexported(outcome{}, drawn{}))
					if nodes == 1 && diff != "" {
						t.Errorf("%s: %s", name, diff)
					}
					if nodes == 2 && model != "ideal" && outcomes[0].run.Time <= outcomes[1].run.Time {
						t.Errorf("%s: %v on the slow network, %v on the fast one", name, outcomes[0].run.Time, outcomes[1].run.Time)
					}
				}
			}
		}
	}
}
