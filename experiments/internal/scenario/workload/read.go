package workload

import (
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// reading is a workload that is being read, with a note of each value.
type reading struct {
	*document.Reader
	base  string // the folder that names of files start from
	sized bool   // false for a study
	file  valuesFile
	Workload
	of algorithm.Case
}

// note records the value of a parameter; given says whether the file has it.
func (x *reading) note(name, value string, given bool) {
	source := "default"
	switch {
	case x.file.used[name]:
		source = x.file.name
	case given:
		source = "scenario"
	}
	x.Parameters = append(x.Parameters, input.Parameter{Name: name, Value: value, Note: source})
}

// Read reads a workload, without its problem size for a study (sized false). base is the folder to which the name of an
// application file is relative.
func Read(r *document.Reader, n *yamldoc.Node, sized bool, base string) Workload {
	if n == nil {
		return Workload{}
	}
	of, known := declarationOf(r, n, base)
	if !n.IsMapping() {
		return Workload{} // reported already
	}
	kind := of.kind
	x := &reading{Reader: r, base: base, sized: sized}
	x.of = algorithm.Case{Element: kind.Element, Values: make(parameter.Values, len(kind.Parameters))}
	x.Parameters = make([]input.Parameter, 0, 8+len(kind.Parameters))
	of.record.Read(&r.Decoder, n, x)
	w := x.Workload
	w.Name, w.StatesTraffic, w.JudgedWhole = kind.Name, kind.StatesTraffic, kind.JudgedWhole
	w.Error, w.ErrorWith, w.BoundedByWork, w.SendsTogether, w.Scaling = kind.Error, kind.ErrorWith, kind.BoundedByWork, kind.SendsTogether, kind.ScalingOf(x.of.Values)
	if w.MemoryUse > 0 {
		w.Scaling = algorithm.Weak
	}
	if kind.Unsized && !sized {
		r.Fail(n, fmt.Sprintf("application %s has no parameter n, the problem size that a study searches for", kind.Name), "an application with a parameter n")
	}
	if !known {
		w.Parameters = nil
		return w
	}
	c := x.of
	w.Application = application.Of(kind.Build(c))
	if a := w.Application; a != nil {
		fixed := func(name, value string) {
			w.Parameters = append(w.Parameters, input.Parameter{Name: name, Value: value, Note: "application"})
		}
		if a.OnDevices {
			fixed("on", "devices")
		}
		if a.Precision != "" {
			fixed("precision", a.Precision)
		}
	}
	w.Choosing = func(choose func(collective.Choice) collective.Choice) Workload {
		other := w
		other.Choosing = func(before func(collective.Choice) collective.Choice) Workload {
			return w.Choosing(func(c collective.Choice) collective.Choice { return choose(before(c)) })
		}
		other.Build = func(n int, speeds []units.FlopsPerSecond, seed int64) algorithm.Algorithm {
			c := c
			c.N, c.Speeds, c.Seed, c.Choose = n, speeds, seed, choose
			return kind.Build(c)
		}
		return other
	}
	return w.Choosing(func(c collective.Choice) collective.Choice { return c })
}

// unknownWorkload stands for a workload whose parameters cannot be judged; its numbers have the usual size.
var unknownWorkload = declare(&algorithm.Kind{Element: 8})

// declarationOf reads which workload it is. An unknown one can be read, but not built.
func declarationOf(r *document.Reader, n *yamldoc.Node, base string) (of declared, known bool) {
	m := r.Mapping(n, what)
	if n.Has("application") {
		of = readApplication(r, m.Take("application"), base)
		if of.kind == nil {
			return unknownWorkload, false
		}
		return of, true
	}
	name := r.OneOf(m.Require("name", "the name of a workload"), Names(), "workload")
	if of, known := named()[name]; known {
		return of(), true
	}
	return unknownWorkload, false
}

// readApplication reads the application file that n names; it returns nothing after a problem.
func readApplication(r *document.Reader, n *yamldoc.Node, base string) declared {
	const want = "the name of an application file, which ends in .yaml or contains a /"
	before := r.ProblemCount()
	name := r.String(n, want)
	switch {
	case r.ProblemCount() > before:
		return declared{}
	case name == "":
		r.Fail(n, "no file is named", want)
		return declared{}
	case !document.LooksLikeFile(name):
		r.Fail(n, fmt.Sprintf("%q is not a file name", name), want+"; one of the catalogue is given by name: "+name)
		return declared{}
	}
	return *document.Once(r, name, func() *declared {
		path := input.Resolve(base, name)
		root, err := r.ReadFile(path)
		if err != nil {
			r.Unread(n, path, err)
			return &declared{}
		}
		if kind := input.KindOf(root); kind != input.KindApplication {
			r.Fail(n, fmt.Sprintf("%s is a %s", path, kind), "an application, which begins with application: NAME")
			return &declared{}
		}
		before := r.ProblemCount()
		a := application.Read(&r.Decoder, root)
		if r.ProblemCount() > before {
			return &declared{}
		}
		of := declare(a.Kind())
		return &of
	})
}

const what = "a workload, as in {name: gauss, n: 500}"

// filling is a problem size that fills memory.
var filling = schema.Declare("the share of memory that is filled, as in {memory_use: 0.8}", func(k *schema.Keys, share *float64) {
	k.Required("memory_use", schema.Number{Max: 1, Above: true, Want: "a share above 0 and at most 1"}.To(share),
		"n is the largest problem whose data take at most this share of the memory of every node, or device")
})

// Ranges common to all workloads. A schema cannot bound the size of a number.
var (
	problemSize = schema.Integer{Min: 1, Max: algorithm.MaxOrder, Want: "a problem size, a whole number above 0"}

	sustained   schema.Value[float64] = schema.Number{Max: 100, Above: true, Want: "a fraction of the marked speed, above 0 and at most 100"}
	traffic     schema.Value[float64] = schema.Number{Max: 1e6, Want: "bytes moved per flop, from 0 to 1e6"}
	elementSize                       = schema.PositiveSize.Wanted("the size of a number, above 0 and at most 1 MiB, such as 8 B")
)

const maxElement = 1 << 20

// declare declares what a scenario may set of a workload.
func declare(kind *algorithm.Kind) declared {
	var bound []func(k *schema.Keys, x *reading)
	var first, second string // parameters that exclude each other
	for _, q := range kind.Parameters {
		bound = append(bound, bind(q))
		if q.Instead != "" {
			first, second = q.Instead, q.Name
		}
	}
	name := schema.Func(schema.OneOf{kind.Name}, func(*yamldoc.Node) {})
	return declared{kind, schema.Declare(what, func(k *schema.Keys, x *reading) {
		if k.Declaring() {
			x.of.Values = parameter.Values{}
		}
		if k.Noted = x.note; fileParameter(kind) != "" {
			k.Elsewhere = x.elsewhere
		}
		k.Open = kind.Build == nil
		if k.Declaring() || !k.Self().Has("application") {
			k.Required("name", name, kind.Title)
		} else {
			k.Node("application")
		}
		x.readFileOf(k, kind)
		x.problemSize(k, kind)
		k.Optional("sustained", schema.To(sustained, &x.Sustained).Or(1),
			"speed of the inner loops as a fraction of the marked speed")
		x.SustainedGiven = !k.Declaring() && k.Node("sustained") != nil
		k.Optional("kernel", schema.Name.To(&x.Kernel),
			"the inner loop whose efficiency the node types state under kernels; it multiplies sustained")
		if !kind.StatesTraffic {
			k.Optional("bytes_per_flop", schema.To(traffic, &x.BytesPerFlop).Or(0),
				"memory traffic of the computations, in byte/flop; processes of a node share its memory bandwidth")
		}
		k.Optional("startup_per_process", schema.Time.To(&x.of.Startup).Or(0),
			"cost of starting the program per process: p processes begin after p times this")
		if kind.Element > 0 {
			k.Optional("element_size", elementSize.To(&x.of.Element).Or(kind.Element), "size of a number")
			if x.of.Element > maxElement {
				k.Fail(k.Node("element_size"), "too large", elementSize.Want)
			}
		}
		absent := "" // the one of the two without a value
		if second != "" && !k.Declaring() {
			absent = second
			if n := k.Node(second); n != nil {
				absent = first
				if k.Node(first) != nil {
					k.Fail(n, "both "+first+" and "+second+" are given", "one of them")
				}
			}
		}
		for i, q := range kind.Parameters {
			if q.Name != absent {
				bound[i](k, x)
			}
		}
	}).Shared("workload-" + kind.Name)}
}

// problemSize declares the problem size, which a study searches itself.
func (x *reading) problemSize(k *schema.Keys, kind *algorithm.Kind) {
	if x.N = kind.DefaultN; kind.Unsized {
		return
	}
	var v *yamldoc.Node
	if k.Declaring() {
		otherwise := "required"
		if kind.DefaultN > 0 {
			otherwise = strconv.Itoa(kind.DefaultN)
		}
		k.Optional("n", schema.Node(schema.AnyOf{problemSize, filling.Object}, &v).Else(otherwise), "problem size: "+kind.Size+"; a study determines it")
	} else if v = k.Node("n"); v == nil {
		v = x.elsewhere("n")
	}
	switch {
	case !x.sized:
		if x.N = 0; v != nil {
			k.Fail(v, "a study searches for the problem size itself", "no n here; put the range of sizes under sizes")
		}
	case v.IsMapping():
		filling.Read(k.Decoder, v, &x.MemoryUse)
	case v != nil:
		x.N = problemSize.Read(k.Decoder, v)
	case kind.DefaultN == 0 && !x.file.failed && k.Self().IsMapping() && !k.Self().Has("application"):
		k.Fail(k.Self(), `missing key "n"`, problemSize.Want)
	}
}

// bind returns a function that declares a parameter and reads its value.
func bind(q parameter.Parameter) func(k *schema.Keys, x *reading) {
	if q.Instead != "" {
		q.Meaning += "; in place of " + q.Instead
	}
	switch t := q.Type.(type) {
	case parameter.Work:
		return quantity(q, &schema.Work)
	case parameter.Size:
		return quantity(q, &schema.Size)
	case parameter.Time:
		return quantity(q, &schema.Time)
	case parameter.Bandwidth:
		return quantity(q, &schema.Bandwidth)
	case parameter.Speed:
		return quantity(q, &schema.Speed)
	case parameter.Count:
		v, _ := strconv.Atoi(q.Default)
		return to(q, schema.Integer{Min: t.Min, Max: t.Max, Want: fmt.Sprintf("an integer from %d to %d", t.Min, t.Max)}, v)
	case parameter.Number:
		least := "from"
		if t.Above {
			least = "above"
		}
		v, _ := strconv.ParseFloat(q.Default, 64)
		return to(q, schema.Number{Min: t.Min, Max: t.Max, Above: t.Above,
			Want: fmt.Sprintf("a number %s %s and at most %s", least, input.Number(t.Min), input.Number(t.Max))}, v)
	case parameter.Flag:
		return to(q, schema.Boolean, q.Default == "true")
	case parameter.Word:
		return func(k *schema.Keys, x *reading) {
			v := q.Default
			k.Optional(q.Name, schema.Choice(&v, q.Name, t.Of).Or(v), q.Meaning)
			x.of.Values[q.Name] = v
		}
	case parameter.Algorithm:
		return choice(q, schema.AnyOf{application.ChoiceType(t.Operation), measuredTable.Object}, func(parameter.Values) (workloads.Collective, string) {
			return t.Operation, q.Default
		})
	case parameter.AlgorithmOf:
		every := schema.AnyOf{application.ChoiceType(collective.Operations()...), measuredTable.Object}
		return choice(q, every, func(v parameter.Values) (op workloads.Collective, otherwise string) {
			if op = application.Operation(v.Word(t.Word)); op != 0 { // otherwise unknown: reported already
				otherwise = collective.Default(op).Algorithm.Name()
			}
			return op, otherwise
		})
	case parameter.File:
		return func(k *schema.Keys, _ *reading) {
			k.Optional(q.Name, schema.Func(schema.Text, func(*yamldoc.Node) {}).Else(q.Default), q.Meaning) // read already
		}
	}
	panic(fmt.Sprintf("workload: no form for a parameter of type %T", q.Type))
}

// to binds a parameter to a type of value.
func to[T any](q parameter.Parameter, of schema.Value[T], otherwise T) func(k *schema.Keys, x *reading) {
	return func(k *schema.Keys, x *reading) {
		v := otherwise
		k.Optional(q.Name, schema.To(of, &v).Else(q.Default), q.Meaning)
		x.of.Values[q.Name] = v
	}
}

// quantity is to for a number with a unit.
func quantity[T ~float64](q parameter.Parameter, of *schema.Quantity[T]) func(k *schema.Keys, x *reading) {
	var otherwise T
	if q.Instead == "" {
		otherwise = of.MustParse(q.Default)
	}
	return to(q, of, otherwise)
}

// operation returns the operation to which a choice applies, given the values of the parameters so far, and the name of
// its default algorithm.
type operation func(parameter.Values) (op workloads.Collective, otherwise string)

// choice binds a parameter to how a collective operation is carried out; the default is an algorithm.
func choice(q parameter.Parameter, form schema.Type, of operation) func(k *schema.Keys, x *reading) {
	return func(k *schema.Keys, x *reading) {
		if k.Declaring() {
			k.Optional(q.Name, schema.Node(form, new(*yamldoc.Node)).Else(q.Default), q.Meaning)
			return
		}
		var c collective.Choice
		n := k.Node(q.Name)
		switch op, otherwise := of(x.of.Values); {
		case op == 0:
		case n == nil:
			c = application.DefaultChoice(op, otherwise)
			x.note(q.Name, otherwise, false)
		case n.IsMapping() && n.Has("measured"):
			if t := x.measuredTimes(k.Decoder, n, op); t != nil {
				c = collective.Choice{Operation: op, Algorithm: t}
				x.note(q.Name, t.String(), true)
			}
		default:
			var words string
			if c, words = application.ReadChoice(k.Decoder, n, op); words != "" {
				x.note(q.Name, words, true)
			}
		}
		x.of.Values[q.Name] = c
	}
}
