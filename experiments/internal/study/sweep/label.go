package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

const wantLabels = "what reports call factors and outcomes, by their names, as in {latency: latency of the network, time: time of a run}"

var labelsType = schema.Map{Of: schema.Text}

// readLabels reads the key labels of a plan: names for readers of factors and outcomes.
func readLabels(d *yamldoc.Decoder, n *yamldoc.Node, known []string) map[string]string {
	if n == nil {
		return nil
	}
	m := d.Mapping(n, wantLabels)
	labels, names := make(map[string]string), make(map[string]string)
	for _, name := range m.Keys() {
		v := m.Take(name)
		label := strings.TrimSpace(d.String(v, "a label, as in latency of the network"))
		switch other, used := names[label]; {
		case !slices.Contains(known, name):
			d.Fail(v, fmt.Sprintf("no factor or outcome is called %q", yamldoc.Clip(name)), "one of "+strings.Join(known, ", "))
		case v.IsScalar() && label == "":
			d.Fail(v, "the label is empty", "a few words")
		case used:
			d.Fail(v, fmt.Sprintf("%s has the label %q too", other, yamldoc.Clip(label)), "every label once")
		default:
			labels[name], names[label] = label, name
		}
	}
	return labels
}
