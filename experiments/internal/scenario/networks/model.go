package networks

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/topology"
)

// A Model is a network model without a machine: some parameters come from the file, and the rest from each machine that
// it is put on.
type Model struct {
	*Kind
	node *yamldoc.Node // mapping with parameters; nil for none
}

// ofCandidates reports whether each candidate of a plan has its own values of a parameter, as of those of connections.
func (k *Kind) ofCandidates(f schema.Field) bool {
	return k.connection != nil && (f.Key == "on_node" || f.Key == "between_groups" ||
		slices.ContainsFunc(k.connection(), func(own schema.Field) bool { return own.Key == f.Key }))
}

// ModelType is a network model as a plan states it.
func ModelType() schema.Type {
	forms := schema.AnyOf{schema.OneOf(Names())}
	for _, k := range Kinds {
		forms = append(forms, &schema.Object{What: "a network model", Ref: "model-" + k.Name, Fields: func() []schema.Field {
			return slices.DeleteFunc(slices.Clone(k.record.Fields()), k.ofCandidates)
		}})
	}
	return forms
}

// ReadModel reads the network model of a plan, hockney if n is nil.
func ReadModel(d *yamldoc.Decoder, n *yamldoc.Node) *Model {
	if n == nil {
		return &Model{Kind: &hockneyNetwork}
	}
	m := &Model{}
	if n.IsMapping() {
		m.node = n
		keys := d.Mapping(n, "a network model")
		if k := KindOf(n.Value("name").Text()); k != nil {
			for _, f := range k.Parameters() {
				if k.ofCandidates(f) && keys.Take(f.Key) != nil {
					d.Fail(n.Value(f.Key), f.Key+" is set by the candidate networks", f.Key+" under networks or on_node of the plan")
				}
			}
		}
	}
	before := d.ProblemCount()
	sample := Read(d, n, sampleMachine())
	if d.ProblemCount() > before {
		return nil
	}
	m.Kind = KindOf(sample.Kind.Name)
	return m
}

// sampleMachine stands in for the candidates when a network model is checked.
func sampleMachine() *topology.Machine {
	return &topology.Machine{
		Name: "candidate", Types: []topology.NodeType{{Name: "node", Cores: 1, MarkedSpeed: 1e9}},
		Groups:  []topology.Group{{Type: "node", Name: "node", Count: 2, First: 1}},
		Network: topology.Network{Latency: 1e-6, Bandwidth: 1e9},
	}
}

// On returns the model on a machine.
func (m *Model) On(machine *topology.Machine) (Network, error) {
	var d yamldoc.Decoder
	n := readParameters(&d, m.Kind, m.node, machine)
	if m.SharesLinks {
		machines.CheckLinks(&d, nil, machine)
	}
	return n, d.Err()
}
