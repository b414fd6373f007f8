package workload

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/nccltests"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// measuring is a collective operation with the times of files.
type measuring struct {
	files     []string
	otherwise string
}

var measuredTable = schema.Declare("measured times, as in {measured: [node.txt], otherwise: ring}", func(k *schema.Keys, m *measuring) {
	k.Required("measured", schema.ListOf[string]{Of: schema.Text, What: "files", Min: 1}.To(&m.files), "output of nccl-tests, a file for each group")
	k.Required("otherwise", schema.Text.To(&m.otherwise), "algorithm among other groups")
}).Shared("measured-times")

// measuredTimes reads the files of measured times; nil after a problem.
func (x *reading) measuredTimes(d *yamldoc.Decoder, n *yamldoc.Node, op workloads.Collective) *nccltests.Table {
	before := d.ProblemCount()
	var m measuring
	if measuredTable.Read(d, n, &m); d.ProblemCount() > before {
		return nil
	}
	otherwise, err := collective.Lookup(op, m.otherwise)
	if err != nil {
		d.OneOf(n.Value("otherwise"), collective.Names(op), "algorithm of "+op.String())
		return nil
	}
	t := nccltests.New(otherwise)
	for i, name := range m.files {
		at := n.Value("measured").Item(i)
		t.Add(d, at, x.ReadNamed(nccltests.File, at, input.Resolve(x.base, name)))
	}
	if d.ProblemCount() > before {
		return nil
	}
	return t
}
