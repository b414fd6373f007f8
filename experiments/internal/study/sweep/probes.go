package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Probe is a change of the scenario with which every point is simulated once more, to
// find what limits it: the change that saves most time.
type Probe struct {
	Name    string
	changes []yamldoc.Change
}

const wantProbes = "changes of the scenario by name, as in {nodes: {machine.node_types.node.marked_speed: 2 Gflop/s}}"

// probesType does not say which paths there are.
var probesType = schema.Map{Of: schema.Map{Of: schema.Any, Min: 1}}

// readProbes reads the key probes of a plan.
func readProbes(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design, outcomes []system.Outcome) []Probe {
	if n == nil {
		return nil
	}
	var all []Probe
	m := d.Mapping(n, wantProbes)
	for _, name := range m.Keys() {
		one := Probe{Name: name}
		fields := d.Mapping(m.Take(name), wantProbes)
		for _, path := range fields.Keys() {
			v := fields.Take(path)
			one.changes = append(one.changes, yamldoc.Change{Path: path, Value: v})
			for i := range points.Factors {
				if f := &points.Factors[i]; slices.Contains(f.Paths, path) {
					d.Fail(v, path+" is set by factor "+f.Name, "another field")
				}
			}
		}
		taken := func(o system.Outcome) bool { return o.Name == one.Column() }
		switch {
		case !columnName.MatchString(name):
			d.Fail(n, fmt.Sprintf("%q is no name of a probe", name), "letters, digits and underscores, as in uplinks")
		case len(one.changes) == 0:
			d.Fail(n, "probe "+name+" changes nothing", wantProbes)
		case slices.ContainsFunc(outcomes, taken):
			d.Fail(n, one.Column()+" is the name of another column", "another name")
		}
		all = append(all, one)
	}
	return all
}

// Column returns the name of the column with the share of the time that a probe saves.
func (p *Probe) Column() string { return "saved_" + p.Name }

// Sets says what a probe changes.
func (p *Probe) Sets() string {
	var parts []string
	for _, c := range p.changes {
		value := c.Value.Text()
		if !c.Value.IsScalar() {
			value = string(c.Value.JSON())
		}
		parts = append(parts, c.Path+" = "+value)
	}
	return strings.Join(parts, ", ")
}

// probed are the outcomes of probes, after those of the scenario.
func probed(probes []Probe) []system.Outcome {
	var all []system.Outcome
	for _, p := range probes {
		all = append(all, system.Outcome{Name: p.Column(), Meaning: "share of the time that is saved with " + p.Sets()})
	}
	return all
}

// saved appends what each probe saves of the time of a point.
func (s *Study) saved(ctx context.Context, p design.Point, values []float64) ([]float64, error) {
	if len(s.Probes) == 0 {
		return values, nil
	}
	at := slices.Index(outcomeNames(s.outcomes), system.Time)
	for i := range s.Probes {
		c, err := s.probedScenario(p, &s.Probes[i])
		var changed []float64
		if err == nil {
			changed, err = system.RunCaseWithin(ctx, c, s.more, s.limits.memory)
		}
		if err != nil {
			return nil, fmt.Errorf("probe %s: %w", s.Probes[i].Name, err)
		}
		share := 0.0
		if values[at] > 0 {
			share = 1 - changed[at]/values[at]
		}
		values = append(values, share)
	}
	return values, nil
}

// probedScenario returns the scenario of a point with the changes of a probe.
func (s *Study) probedScenario(p design.Point, one *Probe) (*scenario.Case, error) {
	all, err := changes(s.Design, &s.derived, p)
	if err != nil {
		return nil, err
	}
	return s.Template.Case(p.Seed, append(all, one.changes...)...)
}
