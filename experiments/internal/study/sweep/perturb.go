package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/each"
)

// A Perturbation repeats all points with small changes of some fields. A message that just misses a deadline can change
// a time by more than a hundred times the change, so a difference between points that is no larger than those of
// perturbed repetitions does not distinguish machines. The first repetition is the unchanged point; in the others each
// point has its own changes, lest all points move alike.
type Perturbation struct {
	Fields []string
	By     float64 // largest relative change
	Draws  int     // repetitions, with the first
}

const mostFields = 20 // of a perturbation

var perturbKeys = schema.Declare("small changes, as in {fields: [machine.network.bandwidth], by: 0.0001}",
	func(k *schema.Keys, x *Perturbation) {
		var fields *yamldoc.Node
		k.Required("fields", schema.Node(schema.List{Of: schema.Text, Min: 1, Max: mostFields}, &fields).Wanted("paths of numbers of the scenario"),
			"numbers of the scenario, by their paths")
		k.Optional("by", schema.Number{Max: 0.5, Above: true, Want: "a share above 0, at most 0.5"}.To(&x.By).Or(1e-4),
			"largest change, as a share of the number; drawn evenly to both sides")
		k.Optional("draws", schema.Integer{Min: 2, Max: 1000, Want: "a number of runs from 2 to 1000"}.To(&x.Draws).Or(Enough),
			"runs of each point, the first as it is")
		if fields != nil {
			paths := k.Sequence(fields, "paths of fields")
			x.Fields = each.Append(nil, paths, func(n *yamldoc.Node) string { return k.String(n, "the path of a field") })
		}
	})

// readPerturbation reads the key perturb of a plan and repeats the points.
func (s *Study) readPerturbation(d *yamldoc.Decoder, n, repetitions *yamldoc.Node) {
	if n == nil {
		return
	}
	s.Perturb = &Perturbation{}
	before := d.ProblemCount()
	perturbKeys.Read(d, n, s.Perturb)
	switch {
	case d.ProblemCount() > before:
	case repetitions != nil:
		d.Fail(repetitions, "repetitions beside perturb", "draws of perturb alone")
	case s.Search != nil:
		d.Fail(n, "perturb in a search", "a plan without a search")
	case !s.Design.Repeat(s.Perturb.Draws):
		d.Fail(n, "too many points", "fewer draws")
	}
	s.Design.SharedSeeds = true
}

// perturbed adds the small changes of a point to its other changes.
func (s *Study) perturbed(p design.Point, all []yamldoc.Change) ([]yamldoc.Change, error) {
	if s.Perturb == nil || p.Repetition == 1 {
		return all, nil
	}
	draws := rand.New(rand.NewPCG(uint64(p.OwnSeed()), 0))
	more := slices.Clone(all)
	values, err := s.Template.Values(s.Perturb.Fields, all...)
	if err != nil {
		return nil, err
	}
	for i, path := range s.Perturb.Fields {
		change := 1 + s.Perturb.By*(2*draws.Float64()-1)
		if values[i] == nil {
			return nil, fmt.Errorf("perturb: the scenario does not state %s", path)
		}
		n, ok := design.Times(values[i], change)
		if !ok {
			return nil, fmt.Errorf("perturb: %s is %q, no number", path, values[i].Text())
		}
		more = append(more, yamldoc.Change{Path: path, Value: n})
	}
	return more, nil
}
