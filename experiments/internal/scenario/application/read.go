package application

import (
	"errors"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Type is an application file.
var Type schema.Type = fileRecord.Object

// reader reads one application.
type reader struct {
	*yamldoc.Decoder
	app        *Application
	requests   []string // names so far
	parts      int      // statements so far
	nested     int      // blocks around the place
	exchanging bool     // the place is inside of an exchange
	streams    []string // names so far
	onStream   bool     // the place is inside of a stream
	procedures []*procedure
	calling    []string // procedures that the place is inside of
}

// Read reads an application from the root of a file, which package input recognises by its key
// application. After a problem, which d records, the application is incomplete.
func Read(d *yamldoc.Decoder, root *yamldoc.Node) *Application {
	r := &reader{Decoder: d, app: empty()}
	fileRecord.Read(d, root, r)
	return r.app
}

// part is a part of an application that is being read.
type part[T any] struct {
	*reader
	of T
}

// declarePart declares the mapping of a part.
func declarePart[T any](what string, keys func(k *schema.Keys, x *part[T])) *schema.Record[part[T]] {
	return schema.Declare(what, func(k *schema.Keys, x *part[T]) {
		if k.Declaring() {
			x.reader = &reader{app: empty()}
		}
		keys(k, x)
	})
}

const (
	onDevices = "devices" // where processes of an application that needs accelerators run
	maxAxes   = 6         // of a grid
	maxLets   = 64        // names for expressions
)

var fileRecord = schema.Declare("an application, with work and program", func(k *schema.Keys, r *reader) {
	if k.Declaring() {
		r.app = empty()
	}
	a := r.app
	k.Required("application", schema.Func(schema.Name, func(n *yamldoc.Node) { a.Name = r.name(n) }),
		"name of the application")
	k.Optional("title", schema.Text.To(&a.Title), "the application in a few words")
	k.Optional("source", schema.Text.To(&a.Source), "where it is described")
	k.Optional("scaling", schema.Choice(&a.Scaling, "scaling", []string{"strong", "weak", "replicated"}).Or(algorithm.Strong),
		"how the total work depends on the number of processes: strong, it does not; weak, it grows with it; replicated, every process does all of it")
	k.Optional("parameters", schema.Func(schema.Map{Of: schema.AnyOf{schema.Text, parameterRecord.Object}}, r.parameters),
		"what a scenario may set, with defaults; n is the problem size")
	k.Optional("grid", schema.Func(schema.Map{Of: expressionType, Min: 1, Max: maxAxes}, r.grid),
		"arrangement of the processes: a number of processes along each axis, or auto")
	k.Optional("distributions", schema.Func(schema.Map{Of: distributionRecord.Object}, r.distributions),
		"which process has which items, such as rows")
	k.Optional("let", schema.Func(schema.Map{Of: expressionType}, r.lets),
		"names for expressions, each of which may use those before it")
	k.Optional("define", schema.Func(schema.Map{Of: procedureRecord.Object}, r.define),
		"blocks of statements that the program calls, with parameters")
	s := a.Scope()
	k.Required("work", schema.Func(expressionType, func(n *yamldoc.Node) { r.work(n, s) }).Wanted(someWork.want),
		"W of the metrics, in flop: the work of all processes, or with scaling: replicated of each")
	k.Optional("memory", r.expr(s, aSize, &a.Memory), "memory of a process")
	k.Optional("isoefficiency", schema.Func(isoefficiencyRecord.Object, func(n *yamldoc.Node) {
		isoefficiencyRecord.Read(r.Decoder, n, &part[struct{}]{reader: r})
	}), "how theory says the work must grow with p equal processes to hold an efficiency, if no messages share a link")
	k.Optional("on", schema.Func(schema.OneOf{onDevices}, func(n *yamldoc.Node) {
		a.OnDevices = r.OneOf(n, []string{onDevices}, "place of the processes") == onDevices
	}), "processes run on the devices of nodes that have some, one on each")
	k.Optional("precision", r.label(&a.Precision, wantPrecision),
		"precision of the marked speed, and of computations that name none, unless the placement names one")
	k.Required("program", schema.Func(blockType, func(n *yamldoc.Node) { a.Statements = r.block(n, s.Program()) }).
		Wanted("a list of statements, such as - compute: 2*n^3"), "the statements of a process")
	r.uncalled()
})

var isoefficiencyRecord = declarePart("an isoefficiency function, as in {latency: {power: 1.5}, bytes: {power: 3, log: 3}}",
	func(k *schema.Keys, r *part[struct{}]) {
		growth := func(to **Growth) *schema.Function {
			return schema.Func(growthRecord.Object, func(n *yamldoc.Node) {
				g := part[Growth]{reader: r.reader}
				growthRecord.Read(r.Decoder, n, &g)
				*to = &g.of
			})
		}
		k.Optional("latency", growth(&r.app.Latency), "if only the latency of messages counts")
		k.Optional("bytes", growth(&r.app.Bytes), "if only the bytes of messages count")
	})

var growthRecord = declarePart("a growth p^power log2(p)^log, as in {power: 1.5, log: 1}", func(k *schema.Keys, g *part[Growth]) {
	s := g.app.Scope()
	k.Required("power", g.expr(s, aNumber, &g.of.Power), "power of the number of processes")
	k.Optional("log", g.expr(s, aNumber, &g.of.Log).Else("0"), "power of its logarithm")
})

func (r *reader) name(n *yamldoc.Node) string {
	text := r.String(n, "the name of the application")
	if n.IsScalar() && (text == "" || len(text) > 64 || strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
	})) {
		r.Fail(n, "not a name", "1 to 64 letters, digits, '-' and '_', such as heat3d")
	}
	return text
}

const wantPrecision = "the name of a precision, such as bf16"

// label binds a key to the name of a kernel, a precision or a stream.
func (r *reader) label(to *string, want string) *schema.Function {
	return schema.Func(schema.Name, func(n *yamldoc.Node) {
		if *to = r.String(n, want); n.IsScalar() && !schema.IsName(*to) {
			r.Fail(n, "not a name", want)
		}
	})
}

// named calls read for each entry of a mapping whose keys are names that the file
// defines; those that it must not define are problems.
func (r *reader) named(n *yamldoc.Node, what string, read func(name string, v *yamldoc.Node)) {
	for key, v := range r.Entries(n, what) {
		if problem, expected := r.app.Scope().CheckName(key); problem != "" {
			r.Fail(v, problem, expected)
			continue
		}
		read(key, v)
	}
}

func (r *reader) grid(n *yamldoc.Node) {
	outside := r.app.Scope() // sides do not refer to other sides
	r.named(n, "the grid of processes, as in {x: auto, y: auto}", func(name string, v *yamldoc.Node) {
		if len(r.app.Grid) == maxAxes {
			r.Fail(v, "more than 6 axes", "at most 6 axes")
			return
		}
		if v.Text() == "auto" && v.IsScalar() {
			r.app.AddAxis(name, nil)
			return
		}
		side := r.expression(v, outside, quantity{"", "a number of processes, an expression, or auto"})
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

var distributionRecord = declarePart("a distribution, as in {of: n, kind: cyclic, by: speed}", func(k *schema.Keys, p *part[expression.Distribution]) {
	d := &p.of
	constant := func(n *yamldoc.Node) *expression.Expression {
		e := p.expression(n, p.app.Scope(), aNumber)
		if !e.Constant() {
			k.Fail(n, "what is distributed must be the same for all processes", "parameters and numbers")
		}
		return e
	}
	k.Required("of", schema.Func(expressionType, func(n *yamldoc.Node) { d.Of = constant(n) }).Wanted(aNumber.want),
		"how many items are distributed")
	kind, by := "blocked", "number"
	k.Optional("kind", schema.Choice(&kind, "kind of distribution", []string{"blocked", "cyclic", "block-cyclic"}).Or(kind),
		"one piece for each process, or items or blocks dealt out in turn")
	if kind == "cyclic" {
		d.Block = expression.Constant(1, "1")
	}
	k.Optional("block", schema.Func(expressionType, func(n *yamldoc.Node) {
		if kind == "block-cyclic" {
			d.Block = constant(n)
		} else {
			k.Fail(n, "block belongs to kind block-cyclic", "kind: block-cyclic, or no block")
		}
	}), "items of a block, with block-cyclic")
	if kind == "block-cyclic" && k.Node("block") == nil {
		k.Fail(k.Self(), `missing key "block"`, "the number of items of a block")
	}
	k.Optional("along", p.axis(&d.Along).Else("all"), "axis of the grid")
	k.Optional("by", schema.Choice(&by, "measure", []string{"number", "speed"}).Or(by),
		"equal parts, or parts in proportion to marked speed")
	d.BySpeed = by == "speed"
})

func (r *reader) distributions(n *yamldoc.Node) {
	r.named(n, "distributions, as in {rows: {of: n}}", func(name string, v *yamldoc.Node) {
		d := part[expression.Distribution]{r, expression.Distribution{Name: name}}
		if distributionRecord.Read(r.Decoder, v, &d); d.of.Of != nil {
			r.app.Distributions = append(r.app.Distributions, &d.of)
		}
	})
}

// axis binds a key to an axis of the grid, by default all processes.
func (r *reader) axis(to *int32) *schema.Function {
	*to = expression.AllAxes
	return schema.Func(schema.Text, func(n *yamldoc.Node) { *to = r.axisOf(n, "all") })
}

// axisOf returns the number of the axis that n names; [expression.AllAxes] for one of more, and after a problem.
func (r *reader) axisOf(n *yamldoc.Node, more ...string) int32 {
	known := each.Append(more, r.app.Grid, func(a expression.Axis) string { return a.Name })
	if axis, ok := r.app.AxisNumber(r.OneOf(n, known, "axis of the grid")); ok {
		return axis
	}
	return expression.AllAxes
}

func (r *reader) lets(n *yamldoc.Node) {
	count := 0
	r.named(n, "names for expressions, as in {nx: share(n, x)}", func(name string, v *yamldoc.Node) {
		if count++; count > maxLets {
			r.Fail(v, "more than 64 names", "at most 64 names")
			return
		}
		r.app.AddLet(name, r.expression(v, r.app.Scope(), aNumber))
	})
}

// work reads the total work, which is a property of the problem: only where the file
// says so does it depend on the number of processes.
func (r *reader) work(n *yamldoc.Node, s *expression.Scope) {
	e := r.expression(n, s, someWork)
	r.app.Work, r.app.WorkAt = e, n.Pos().String()
	switch {
	case !e.Constant():
		r.Fail(n, "the total work depends on the process", "one number for all processes together, from parameters and p")
	case e.DependsOnProcesses() && r.app.Scaling == algorithm.Strong:
		r.Fail(n, "the total work depends on the number of processes", "a work that only depends on parameters, or scaling: weak")
	case e.DependsOnProcesses() && r.app.Scaling == algorithm.Replicated:
		r.Fail(n, "with scaling: replicated, work is that of one process and cannot depend on their number", "a work that only depends on parameters, or scaling: weak")
	}
}

// quantity is what an expression stands for.
type quantity struct {
	dimension string // "": a number without a unit, or with any
	want      string
}

var (
	aNumber  = quantity{"", "a number or an expression, such as n-1"}
	aSize    = quantity{"size", "a size or an expression in bytes, such as 8 B or word*nx"}
	someWork = quantity{"work", "an amount of work or an expression in flop, such as 1 Gflop or 2*n^3"}
	aTime    = quantity{"time", "a time or an expression in seconds, such as 5 us or t*nx"}
)

// expressionType is a number with a unit or an expression.
var expressionType schema.Type = schema.Text

// expr binds a key to an expression of a quantity.
func (r *reader) expr(s *expression.Scope, q quantity, to **expression.Expression) *schema.Function {
	return schema.Func(expressionType, func(n *yamldoc.Node) { *to = r.expression(n, s, q) }).Wanted(q.want)
}

// expression reads an expression of a quantity, the constant 0 after a problem.
func (r *reader) expression(n *yamldoc.Node, s *expression.Scope, q quantity) *expression.Expression {
	nothing := expression.Constant(0, "0")
	text := r.String(n, q.want)
	if text == "" {
		if n.IsScalar() {
			r.Fail(n, "found an empty text", q.want)
		}
		return nothing
	}
	e, err := s.Number(text)
	if err != nil {
		r.failExpression(n, err, q.want)
		return nothing
	}
	r.app.MayDraw = r.app.MayDraw || e.Draws()
	switch d := formula.Dimension(e.Unit()); {
	case q.dimension == "", d == q.dimension:
	case d != "":
		r.Fail(n, text+" is a "+d, q.want)
		return nothing
	case e.Bare() && text != "0":
		r.Fail(n, text+" is a number without a unit", q.want)
		return nothing
	}
	return e
}

func (r *reader) condition(n *yamldoc.Node, s *expression.Scope) *expression.Expression {
	const want = "a condition, such as rank == 0"
	e, err := s.Condition(r.String(n, want))
	if err != nil {
		if n.IsScalar() {
			r.failExpression(n, err, want)
		}
		return expression.Constant(0, "0")
	}
	r.app.MayDraw = r.app.MayDraw || e.Draws()
	return e
}

// failExpression records what is wrong with an expression.
func (r *reader) failExpression(n *yamldoc.Node, err error, want string) {
	e, _ := errors.AsType[*formula.Error](err)
	if e.Expected != "" {
		want = e.Expected
	}
	if text := n.Text(); strings.Count(text, "(") > strings.Count(text, ")") {
		want = "as many ) as (; in braces, an expression with a comma needs quotes"
	}
	if near := yamldoc.Nearest(e.Unknown, e.Known); len(near) > 0 && e.Unknown != "" {
		want += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	r.Fail(n, e.Where(), want)
}
