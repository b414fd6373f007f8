package sweep

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// derived is what follows from the factors of a point without being a factor itself.
type derived struct {
	fields  []derivation // of the scenario, by path
	columns []derivation // of the results, by name
	names   map[string]int
	free    []string // factors that only formulas use: they set no field
}

// derivation is a formula of factors; for a column, also of outcomes and earlier columns.
type derivation struct {
	name    string
	text    string
	unit    string // of the value set in a field; "" for none
	formula *formula.Expression
	node    *yamldoc.Node
}

const wantDerived = "formulas of factors, by the field of the scenario that they set or the column that they make, as in {machine.nodes[0].count: n1*n2, cost: 50*n1 + 10*n1*n2}"

var formulaType = schema.AnyOf{schema.Number{Min: -1e300, Max: 1e300}, schema.Text}

// derivationKeys are those of a formula with a unit.
var derivationKeys = schema.Declare("a formula with a unit, as in {formula: 50*n1, unit: EUR}", func(k *schema.Keys, x *derivation) {
	k.Required("formula", schema.Node(formulaType, &x.node).Wanted("an expression of factors"),
		"an expression of factors; for a column also of outcomes and columns above")
	k.Optional("unit", schema.Func(schema.Text, func(n *yamldoc.Node) { x.unit = k.String(n, "a unit") }).Else("none"), "the unit of its value")
})

var derivedType = schema.Map{Of: append(slices.Clone(formulaType), derivationKeys.Object)}

// columnName matches a key that makes a column, unless the scenario has such a field.
var columnName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readDerived reads the key derived of a plan. A key that is a path, or a field of the
// scenario, sets that field; another name makes a column.
func readDerived(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design, root *yamldoc.Node, outcomes []system.Outcome) derived {
	x := derived{names: points.NumericNames()}
	if n == nil {
		return x
	}
	factors := points.Variables()
	known := slices.Concat(factors, variablesOf(outcomes))
	for key, v := range d.Entries(n, wantDerived) {
		one := derivation{name: key, node: v}
		if v.IsMapping() {
			one.node = nil
			derivationKeys.Read(d, v, &one)
			v = one.node
		}
		if !v.IsScalar() {
			if v != nil {
				d.Fail(v, "found no formula", wantDerived)
			}
			continue
		}
		one.text = v.Text()
		field := !columnName.MatchString(key) || isField(root, key)
		names := known
		if field {
			names = factors
		}
		var err error
		if one.formula, err = names.Compile(one.text, formula.IsNumber); err != nil {
			d.Fail(v, explained(one.text, err).Error(), "")
			continue
		}
		for _, name := range one.formula.Names() {
			if columnName.MatchString(name) && !isField(root, name) {
				x.free = append(x.free, name)
			}
		}
		isKnown := func(name string) bool {
			return slices.ContainsFunc(known, func(v formula.Variable) bool { return v.Name == name })
		}
		set := func(f design.Factor) bool { return slices.Contains(f.Paths, key) || f.Name == key }
		switch {
		case slices.ContainsFunc(points.Factors, set):
			d.Fail(v, key+" is set by a factor", "another field or name")
		case field:
			x.fields = append(x.fields, one)
		case isKnown(key) || slices.Contains([]string{"point", "repetition", "seed", "status", "error"}, key):
			d.Fail(v, key+" is the name of another column", "another name")
		default:
			x.columns = append(x.columns, one)
			known = append(known, variablesOf([]system.Outcome{{Name: key, Unit: one.unit}})...)
		}
	}
	return x
}

// isField reports whether a key is a field of this kind of scenario.
func isField(root *yamldoc.Node, key string) bool {
	kind := scenario.Type
	if input.KindOf(root) == input.KindSuper {
		kind = scenario.SuperProgramType
	}
	return slices.ContainsFunc((schema.AnyOf{kind}).Objects(), func(o *schema.Object) bool {
		return slices.ContainsFunc(o.Fields(), func(f schema.Field) bool { return f.Key == key })
	})
}

// number is the value of a formula.
func (x *derivation) number(variables map[string]float64) (float64, error) {
	v, err := x.formula.Number(variables)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", x.name, explained(x.text, err))
	}
	return v, nil
}

// variables returns the numeric factors of a point and values of outcomes, by their names in formulas.
func (s *Study) variables(p design.Point, values []float64) map[string]float64 {
	all := make(map[string]float64, len(s.derived.names)+len(values))
	for name, i := range s.derived.names {
		all[name] = p.Level(i).Value
	}
	for i, v := range values {
		all[s.outcomes[i].Name] = v
	}
	return all
}

// changes returns what a point changes in the scenario: its levels and what follows from them.
func (s *Study) changes(p design.Point) ([]yamldoc.Change, error) {
	all := slices.DeleteFunc(p.Settings(), func(c yamldoc.Change) bool { return slices.Contains(s.derived.free, c.Path) })
	if len(s.derived.fields) == 0 {
		return s.perturbed(p, all)
	}
	variables := s.variables(p, nil)
	for _, one := range s.derived.fields {
		v, err := one.number(variables)
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(strconv.FormatFloat(v, 'f', -1, 64) + " " + one.unit)
		all = append(all, yamldoc.Change{Path: one.name, Value: yamldoc.Scalar(one.node.Pos(), text)})
	}
	return s.perturbed(p, all)
}

// Field returns what a factor or a formula sets a field of the scenario to in a configuration; "" if neither does.
func (s *Study) Field(levels []int, path string) (text string) {
	changes, _ := s.changes(s.Design.At(levels)) // none where a formula has no value; such points fail
	for _, c := range changes {
		if c.Path == path {
			text = c.Value.Text()
		} else if within, ok := strings.CutPrefix(path, c.Path+"."); ok {
			text = c.Value.At(within).Text()
		}
	}
	return text
}

// withDerived appends the columns of a point to its outcomes.
func (s *Study) withDerived(p design.Point, values []float64) ([]float64, error) {
	if len(s.derived.columns) == 0 {
		return values, nil
	}
	variables := s.variables(p, values)
	for _, one := range s.derived.columns {
		v, err := one.number(variables)
		if err != nil {
			return nil, err
		}
		variables[one.name] = v
		values = append(values, v)
	}
	return values, nil
}

// Probe is a change of the scenario. Every point is simulated once more with it, to find what limits the point: the
// change that saves most time.
type Probe struct {
	Name    string
	changes []yamldoc.Change
}

const wantProbes = "changes of the scenario by name, as in {nodes: {machine.node_types.node.marked_speed: 2 Gflop/s}}"

// probesType leaves open which paths there are.
var probesType = schema.Map{Of: schema.Map{Of: schema.Any, Min: 1}}

// readProbes reads the key probes of a plan.
func readProbes(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design, outcomes []system.Outcome) []Probe {
	if n == nil {
		return nil
	}
	var all []Probe
	for name, fields := range d.Entries(n, wantProbes) {
		one := Probe{Name: name}
		for path, v := range d.Entries(fields, wantProbes) {
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
			d.Fail(n, fmt.Sprintf("%q is not a name for a probe", name), "letters, digits and underscores, as in uplinks")
		case len(one.changes) == 0:
			d.Fail(n, "probe "+name+" changes nothing", wantProbes)
		case slices.ContainsFunc(outcomes, taken):
			d.Fail(n, one.Column()+" is the name of another column", "another name")
		}
		all = append(all, one)
	}
	return all
}

// Column returns the name of the column with the fraction of the time that a probe saves.
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

// saved appends how much of the time of a point each probe saves.
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
	all, err := s.changes(p)
	if err != nil {
		return nil, err
	}
	return s.Template.Case(p.Seed, append(all, one.changes...)...)
}

// Default limits of a point: about the memory that computers have per core, because each point takes one core, and far
// more time than most points take.
const (
	defaultMemory = "4 GB"
	defaultTime   = "24 h"
)

var limitsKeys = schema.Declare("limits of a point, as in {memory: 4 GB, time: 24 h}", func(k *schema.Keys, l *limits) {
	k.Optional("memory", schema.PositiveSize.To(&l.memory).Or(schema.PositiveSize.MustParse(defaultMemory)).Else(defaultMemory),
		"estimated memory of a point; a point above it has an error instead of results")
	k.Optional("time", schema.PositiveTime.To(&l.time).Or(schema.PositiveTime.MustParse(defaultTime)).Else(defaultTime),
		"wall time of a point; a point above it has an error instead of results")
})

// limits bound what a point may take. A point beyond them is a row with an error that states the limit, so a point that
// is too large or hangs does not keep its shard from becoming complete.
//
// They are part of the plan, so that all computers apply the same limits. The memory is the estimate for the number of
// processes, which is the same everywhere; only the time depends on the computer.
type limits struct {
	memory units.Bytes
	time   units.Seconds
}

// duration returns the limit of time, at most the longest Duration.
func (l limits) duration() time.Duration {
	if ns := float64(l.time) * float64(time.Second); ns < math.MaxInt64 {
		return max(time.Duration(ns), 1)
	}
	return math.MaxInt64
}

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
			"runs of each point, the first unchanged")
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
			return nil, fmt.Errorf("perturb: %s is %q, not a number", path, values[i].Text())
		}
		more = append(more, yamldoc.Change{Path: path, Value: n})
	}
	return more, nil
}
