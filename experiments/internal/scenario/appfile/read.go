package appfile

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// reader reads one application.
type reader struct {
	*yamldoc.Decoder
	app      *application.Application
	kinds    []statement
	requests []string // names so far
	parts    int      // statements so far
	nested   int      // blocks around the place
	// exchanging: the place is inside of an exchange.
	exchanging bool
}

// Read reads an application from the root of a file. After a problem, which d records,
// the application is incomplete.
func Read(d *yamldoc.Decoder, root *yamldoc.Node) *application.Application {
	m := fileObject.Open(d, root)
	r := &reader{Decoder: d, app: application.New(""), kinds: statements()}
	a := r.app
	a.Name = r.name(m.Require("application", "the name of the application"))
	a.Title = r.String(m.Take("title"), "a title")
	a.Source = r.String(m.Take("source"), "a source")
	if n := m.Take("scaling"); n != nil {
		a.Scaling = algorithm.Scaling(r.OneOf(n, scalings, "scaling"))
	}
	r.parameters(m.Take("parameters"))
	r.grid(m.Take("grid"))
	r.distributions(m.Take("distributions"))
	r.lets(m.Take("let"))
	s := a.Scope()
	r.work(m.Require("work", work.want), s)
	a.Memory = r.expression(m.Take("memory"), s, size)
	if n := m.Take("on"); n != nil {
		a.OnDevices = r.OneOf(n, []string{onDevices}, "place of the processes") == onDevices
	}
	a.Precision = r.label(m.Take("precision"), "the name of a precision, such as bf16")
	a.Statements = r.block(m.Require("program", "a list of statements, such as - compute: 2*n^3"), s)
	m.Done()
	return a
}

// name reads the name of the application.
func (r *reader) name(n *yamldoc.Node) string {
	text := r.String(n, "the name of the application")
	if n.IsScalar() && (text == "" || len(text) > 64 || strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
	})) {
		r.Fail(n, "not a name", "1 to 64 letters, digits, '-' and '_', such as heat3d")
	}
	return text
}

// label reads the name of a kernel or a precision, "" if n is nil.
func (r *reader) label(n *yamldoc.Node, want string) string {
	if n == nil {
		return ""
	}
	text := r.String(n, want)
	if n.IsScalar() && !schema.IsName(text) {
		r.Fail(n, "not a name", want)
	}
	return text
}

// named calls read for each entry of a mapping whose keys are names that the file
// defines; those that it must not define are problems.
func (r *reader) named(n *yamldoc.Node, what string, read func(name string, v *yamldoc.Node)) {
	m := r.Mapping(n, what)
	for _, key := range m.Keys() {
		v := m.Take(key)
		if problem, expected := r.app.Scope().CheckName(key); problem != "" {
			r.Fail(v, problem, expected)
			continue
		}
		read(key, v)
	}
}

// grid reads the axes of the grid.
func (r *reader) grid(n *yamldoc.Node) {
	const want = "a number of processes, an expression, or auto"
	outside := r.app.Scope() // sides do not refer to other sides
	r.named(n, "the grid of processes, as in {x: auto, y: auto}", func(name string, v *yamldoc.Node) {
		if len(r.app.Grid) == maxAxes {
			r.Fail(v, "more than 4 axes", "at most 4 axes")
			return
		}
		if v.Text() == "auto" && v.IsScalar() {
			r.app.AddAxis(name, nil)
			return
		}
		side := r.expression(v, outside, quantity{"", want})
		if !side.Constant() {
			r.Fail(v, "the side of a grid must be the same for all processes", "parameters and numbers")
			return
		}
		r.app.AddAxis(name, side)
	})
	if n.IsMapping() && len(r.app.Grid) == 0 {
		r.Fail(n, "a grid without axes", "at least one axis, as in {x: auto}")
	}
}

// distributions reads which process has which items.
func (r *reader) distributions(n *yamldoc.Node) {
	r.named(n, "distributions, as in {rows: {of: n}}", func(name string, v *yamldoc.Node) {
		m := distributionObject.Open(r.Decoder, v)
		d := &expression.Distribution{Name: name}
		s := r.app.Scope()
		of := m.Require("of", number.want)
		d.Of = r.expression(of, s, number)
		d.Along = r.axis(m.Take("along"))
		kind := distributionKinds[0]
		if k := m.Take("kind"); k != nil {
			kind = r.OneOf(k, distributionKinds, "kind of distribution")
		}
		b := m.Take("block")
		switch {
		case kind == "block-cyclic":
			if b == nil {
				b = m.Require("block", "the number of items of a block")
			}
			d.Block = r.expression(b, s, number)
		case b != nil:
			r.Fail(b, "block belongs to kind block-cyclic", "kind: block-cyclic, or no block")
		case kind == "cyclic":
			d.Block = expression.Constant(1, "1")
		}
		if by := m.Take("by"); by != nil {
			d.BySpeed = r.OneOf(by, distributionMeasures, "measure") == "speed"
		}
		m.Done()
		for at, e := range map[*yamldoc.Node]*expression.Expression{of: d.Of, b: d.Block} {
			if e != nil && !e.Constant() {
				r.Fail(at, "what is distributed must be the same for all processes", "parameters and numbers")
			}
		}
		if d.Of != nil {
			r.app.Distributions = append(r.app.Distributions, d)
		}
	})
}

// axis reads an axis of the grid, by default all processes.
func (r *reader) axis(n *yamldoc.Node) int32 {
	all, _ := r.app.AxisNumber("all")
	if n == nil {
		return all
	}
	known := []string{"all"}
	for _, a := range r.app.Grid {
		known = append(known, a.Name)
	}
	if name := r.OneOf(n, known, "axis of the grid"); name != "" {
		axis, _ := r.app.AxisNumber(name)
		return axis
	}
	return all
}

// lets reads names for expressions.
func (r *reader) lets(n *yamldoc.Node) {
	const most = 64
	count := 0
	r.named(n, "names for expressions, as in {nx: share(n, x)}", func(name string, v *yamldoc.Node) {
		if count++; count > most {
			r.Fail(v, "more than 64 names", "at most 64 names")
			return
		}
		if e := r.expression(v, r.app.Scope(), number); e != nil {
			r.app.AddLet(name, e)
		}
	})
}

// work reads the total work, which is a property of the problem: only where the file
// says so does it depend on the number of processes.
func (r *reader) work(n *yamldoc.Node, s *expression.Scope) {
	e := r.expression(n, s, work)
	r.app.Work = e
	switch {
	case e == nil:
	case !e.Constant():
		r.Fail(n, "the total work depends on the process", "one number for all processes together, from parameters and p")
	case e.DependsOnProcesses() && r.app.Scaling == algorithm.Strong:
		r.Fail(n, "the total work depends on the number of processes", "a work that only depends on parameters, or scaling: weak")
	case e.DependsOnProcesses() && r.app.Scaling == algorithm.Replicated:
		r.Fail(n, "with scaling: replicated, work is that of one process and cannot depend on their number", "a work that only depends on parameters, or scaling: weak")
	}
}
