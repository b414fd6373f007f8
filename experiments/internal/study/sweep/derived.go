package sweep

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// derived are what follows from the factors of a point and is no factor itself.
type derived struct {
	fields  []derivation // of the scenario, by path
	columns []derivation // of the results, by name
	names   map[string]int
	free    []string // factors that only formulas use: they set no field
}

// derivation is a formula of factors; of a column also of outcomes and of columns
// before it.
type derivation struct {
	name    string
	text    string
	unit    string // of the value, in which a field is set; "" for none
	formula *formula.Expression
	node    *yamldoc.Node
}

const wantDerived = "formulas of factors, by the field of the scenario that they set or the column that they make, as in {machine.nodes[0].count: n1*n2, cost: 50*n1 + 10*n1*n2}"

var formulaType = schema.AnyOf{schema.Number{Min: -1e300, Max: 1e300}, schema.Text}

// derivationObject is a formula with a unit.
var derivationObject = &schema.Object{What: "a formula with a unit, as in {formula: 50*n1, unit: EUR}", Fields: []schema.Field{
	{Key: "formula", Type: formulaType, Required: true, Meaning: "an expression of factors; of a column also of outcomes and columns above"},
	{Key: "unit", Type: schema.Text, Default: "none", Meaning: "the unit of its value"},
}}

var derivedType = schema.Map{Of: append(slices.Clone(formulaType), derivationObject)}

// columnName is a key that makes a column, unless the scenario has such a field.
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
	m := d.Mapping(n, wantDerived)
	for _, key := range m.Keys() {
		v := m.Take(key)
		one := derivation{name: key}
		if v.IsMapping() {
			o := derivationObject.Open(d, v)
			v = o.Require("formula", "an expression of factors")
			one.unit = d.String(o.Take("unit"), "a unit")
			o.Done()
		}
		if !v.IsScalar() {
			if v != nil {
				d.Fail(v, "found no formula", wantDerived)
			}
			continue
		}
		one.text, one.node = v.Text(), v
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

// isField reports whether a key is one of scenarios of a kind.
func isField(root *yamldoc.Node, key string) bool {
	kind := scenario.Type
	if input.KindOf(root) == input.KindSuper {
		kind = scenario.SuperProgramType
	}
	for _, o := range (schema.AnyOf{kind}).Objects() {
		for _, f := range o.Fields {
			if f.Key == key {
				return true
			}
		}
	}
	return false
}

// factors are the values of the numeric factors of a point.
func (x *derived) factors(p design.Point) map[string]float64 {
	values := make(map[string]float64, len(x.names))
	for name, i := range x.names {
		values[name] = p.Level(i).Value
	}
	return values
}

// changes are what the formulas set of the scenario at a point.
func (x *derived) changes(p design.Point) ([]yamldoc.Change, error) {
	if len(x.fields) == 0 {
		return nil, nil
	}
	var all []yamldoc.Change
	values := x.factors(p)
	for _, one := range x.fields {
		v, err := one.formula.Number(values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, explained(one.text, err))
		}
		all = append(all, yamldoc.Change{Path: one.name, Value: yamldoc.Scalar(one.node.Pos(), strings.TrimSpace(strconv.FormatFloat(v, 'f', -1, 64)+" "+one.unit))})
	}
	return all, nil
}

// outcomes are the columns, after the outcomes of the scenario.
func (x *derived) outcomes() []system.Outcome {
	var all []system.Outcome
	for _, one := range x.columns {
		all = append(all, system.Outcome{Name: one.name, Unit: one.unit, Meaning: one.text})
	}
	return all
}

// values appends the columns of a point to its outcomes.
func (x *derived) values(p design.Point, outcomes []system.Outcome, values []float64) ([]float64, error) {
	if len(x.columns) == 0 {
		return values, nil
	}
	variables := x.factors(p)
	for i, v := range values {
		variables[outcomes[i].Name] = v
	}
	for _, one := range x.columns {
		v, err := one.formula.Number(variables)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, explained(one.text, err))
		}
		variables[one.name] = v
		values = append(values, v)
	}
	return values, nil
}

// changes are what a point changes of the scenario.
func changes(d *design.Design, x *derived, p design.Point) ([]yamldoc.Change, error) {
	var all []yamldoc.Change
	for _, set := range p.Settings() { // whole mappings before what is in them
		if slices.Contains(x.free, set.Path) {
			continue
		}
		n := set.Node
		if n == nil { // a computed level
			i := slices.IndexFunc(d.Factors, func(f design.Factor) bool { return slices.Contains(f.Paths, set.Path) })
			n = yamldoc.Scalar(d.Factors[i].Node.Pos(), set.Value)
		}
		all = append(all, yamldoc.Change{Path: set.Path, Value: n})
	}
	more, err := x.changes(p)
	return append(all, more...), err
}
