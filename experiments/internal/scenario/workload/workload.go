package workload

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Workload is an algorithm with all its parameters but, in a study, the problem
// size.
type Workload struct {
	Name string
	N    int // problem size; 0 in a study, which looks for it
	// Sustained is the speed that the algorithm's inner loops reach, as a
	// fraction of the marked speed.
	Sustained float64
	// Kernel is the inner loop whose efficiency each node type states; "" for none.
	// It multiplies Sustained.
	Kernel string
	// Application is what an application file says; nil for other workloads.
	Application *application.Application
	// BytesPerFlop is the memory traffic of its computations, unless they state their
	// traffic themselves.
	BytesPerFlop  float64
	StatesTraffic bool
	Parameters    []input.Parameter
	// Scaling says whether its work depends on the number of processes.
	Scaling algorithm.Scaling
	// JudgedWhole: its parameters can be judged only on the processes that there are.
	JudgedWhole bool
	// BoundedByWork and SendsTogether are those of its algorithm; of an application neither
	// is known.
	BoundedByWork, SendsTogether bool
	// Build makes the algorithm for a problem size on processes of given marked
	// speeds. The seed is the scenario's.
	Build func(n int, speeds []units.FlopsPerSecond, seed int64) algorithm.Algorithm
}

// MovesMemory reports whether its computations have memory traffic.
func (w Workload) MovesMemory() bool { return w.BytesPerFlop > 0 || w.StatesTraffic }

// GrowsWithProcesses reports whether the work at a problem size depends on the number
// of processes: then times on different systems are not of equal work.
func (w Workload) GrowsWithProcesses() bool { return w.Scaling == algorithm.Weak }

// PerformsWork reports whether the workload computes at all, so that its times can be
// compared per unit of work.
func (w Workload) PerformsWork() bool {
	const least, speed = 3, 1e9 // a size and a speed that every workload takes
	return w.Build(least, []units.FlopsPerSecond{speed}, 1).Work() > 0
}

// Names returns the names of all workloads that have one, in the order of lists:
// the algorithms, then the applications of the catalogue.
var Names = sync.OnceValue(func() []string {
	var names []string
	for _, k := range algorithm.Kinds {
		names = append(names, k.Name)
	}
	return append(names, application.CatalogueNames()...)
})

// Kinds returns all workloads that have a name, in the order of their names.
func Kinds() []*algorithm.Kind {
	var all []*algorithm.Kind
	for _, name := range Names() {
		all = append(all, namedWorkloads()[name]().kind)
	}
	return all
}

// namedWorkload is a workload that has a name, with its declaration.
type namedWorkload struct {
	kind   *algorithm.Kind
	object *schema.Object
}

// namedWorkloads has every workload that has a name, by that. Each is made when it is
// first asked for: reading all applications takes 10 ms, and most commands need none.
var namedWorkloads = sync.OnceValue(func() map[string]func() namedWorkload {
	all := map[string]func() namedWorkload{}
	add := func(name string, kind func() *algorithm.Kind) {
		all[name] = sync.OnceValue(func() namedWorkload {
			k := kind()
			o := newObject(k)
			o.Field("name").Type = schema.OneOf{name}
			return namedWorkload{k, o}
		})
	}
	for _, k := range algorithm.Kinds {
		add(k.Name, func() *algorithm.Kind { return k })
	}
	for _, name := range application.CatalogueNames() {
		add(name, func() *algorithm.Kind { return catalogueApplication(name) })
	}
	return all
})

// Parameters returns everything that a scenario may set of a workload,
// what all workloads have in common first.
func Parameters(k *algorithm.Kind) []schema.Field { return objectOf(k).Fields[1:] }

// Ranges of what workloads have in common.
var (
	problemSize = schema.Integer{Min: 1, Max: algorithm.MaxOrder}
	sustained   = schema.Number{Max: 100, Above: true}
	traffic     = schema.Number{Max: 1e6}
	elementSize = schema.PositiveSize.Wanted("the size of a number, above 0 and at most 1 MiB, such as 8 B")
)

// maxElement bounds the size of a number, which a schema cannot.
const maxElement = 1 << 20

// commonObject is a workload that is not known.
var commonObject = &schema.Object{What: "a workload, as in {name: gauss, n: 500}", Fields: []schema.Field{
	{Key: "name", Type: schema.Text, Required: true, Meaning: "the name of a workload"},
	{Key: "n", Type: problemSize, Default: "required", Meaning: "problem size; a study determines it"},
	{Key: "sustained", Type: sustained, Default: "1", Meaning: "speed of the inner loops as a fraction of the marked speed"},
	{Key: "kernel", Type: schema.Name, Meaning: "the inner loop whose efficiency the node types state under kernels; it multiplies sustained"},
	{Key: "bytes_per_flop", Type: traffic, Default: "0", Meaning: "memory traffic of the computations, in byte/flop; processes of a node share its memory bandwidth"},
	{Key: "startup_per_process", Type: schema.Time, Default: "0 s", Meaning: "cost of starting the program, for each process: p processes begin after p times this"},
	{Key: "element_size", Type: elementSize, Default: "8 B", Meaning: "size of a number"},
}}

// newObject returns the declaration of a workload.
func newObject(k *algorithm.Kind) *schema.Object {
	o := &schema.Object{What: commonObject.What, Ref: "workload-" + k.Name, Fields: slices.Clone(commonObject.Fields)}
	o.Field("name").Meaning = k.Title
	o.Field("n").Meaning = "problem size: " + k.Size + "; a study determines it"
	if k.DefaultN > 0 {
		o.Field("n").Default = strconv.Itoa(k.DefaultN)
	}
	o.Field("element_size").Default = k.Element.String()
	o.Fields = slices.DeleteFunc(o.Fields, func(f schema.Field) bool {
		return f.Key == "n" && k.Unsized || f.Key == "bytes_per_flop" && k.StatesTraffic || f.Key == "element_size" && k.Element == 0
	})
	for _, p := range k.Parameters {
		meaning := p.Meaning
		if p.Instead != "" {
			meaning += "; in place of " + p.Instead
		}
		o.Fields = append(o.Fields, schema.Field{Key: p.Name, Type: parameterType(p.Type), Default: p.Default, Meaning: meaning})
	}
	return o
}

// Type is how a scenario gives a workload.
func Type() schema.Type {
	forms := schema.AnyOf{applicationObject}
	for _, k := range Kinds() {
		o := objectOf(k)
		if file := fileParameter(k); file != "" {
			with := o.Requiring(file)
			with.Ref = o.Ref + "-" + file
			forms = append(forms, with)
			o = o.Without(file)
		}
		if k.DefaultN == 0 {
			o = o.Requiring("n")
		}
		forms = append(forms, exclusive(k, o, objectOf(k).Ref)...)
	}
	return forms
}

// exclusive returns the forms of a workload in which no two parameters are given
// that stand in each other's place.
func exclusive(k *algorithm.Kind, o *schema.Object, ref string) []schema.Type {
	for _, p := range k.Parameters {
		if p.Instead != "" {
			with, without := o.Without(p.Instead).Requiring(p.Name), o.Without(p.Name)
			with.Ref, without.Ref = ref+"-"+p.Name, ref
			return []schema.Type{without, with}
		}
	}
	o.Ref = ref
	return []schema.Type{o}
}

// UnsizedType is how a study gives a workload, whose problem size it looks
// for.
func UnsizedType() schema.Type {
	forms := schema.AnyOf{applicationObject}
	for _, k := range Kinds() {
		if !k.Unsized {
			forms = append(forms, exclusive(k, objectOf(k).Without("n"), "unsized-"+objectOf(k).Ref)...)
		}
	}
	return forms
}

func objectOf(k *algorithm.Kind) *schema.Object { return namedWorkloads()[k.Name]().object }

// reader reads the parameters of one workload and notes each with its
// value.
type reader struct {
	*document.Reader
	*schema.Mapping
	notes []input.Parameter
	file  valuesFile
}

// note records the value of a parameter; given says whether the file has it.
func (p *reader) note(name, value string, given bool) {
	source := "default"
	switch {
	case p.file.used[name]:
		source = p.file.name
	case given:
		source = "scenario"
	}
	p.notes = append(p.notes, input.Parameter{Name: name, Value: value, Note: source})
}

// fixed records what the application file says, if it says anything.
func (p *reader) fixed(name, value string) {
	if value != "" {
		p.notes = append(p.notes, input.Parameter{Name: name, Value: value, Note: "application"})
	}
}

// Read reads a workload. In a study (sized false) the problem size is not
// part of it. base is the folder that the name of an application file starts from.
func Read(r *document.Reader, n *yamldoc.Node, sized bool, base string) Workload {
	if n == nil {
		return Workload{}
	}
	kind, d := kindOf(r, n, base)
	w := Workload{
		Name: kind.Name, Sustained: 1, StatesTraffic: kind.StatesTraffic, JudgedWhole: kind.JudgedWhole,
		BoundedByWork: kind.BoundedByWork, SendsTogether: kind.SendsTogether,
	}
	p := &reader{Reader: r, Mapping: d}
	p.readFileOf(kind, base, sized)
	if !kind.Unsized {
		w.N = p.problemSize(kind, sized)
	} else if w.N = kind.DefaultN; !sized {
		r.Fail(n, fmt.Sprintf("application %s has no parameter n, the problem size that a study looks for", kind.Name), "an application with a parameter n")
	}
	v := d.Take("sustained")
	if v != nil {
		w.Sustained = r.Float(v, "a fraction of the marked speed, above 0 and at most 100", sustained.In)
	}
	p.note("sustained", input.Number(w.Sustained), v != nil)
	if v = d.Take("kernel"); v != nil {
		w.Kernel = schema.Name.Read(&r.Decoder, v)
		p.note("kernel", w.Kernel, true)
	}
	if !kind.StatesTraffic {
		v = d.Take("bytes_per_flop")
		w.BytesPerFlop = r.Float(v, "bytes moved for each flop, from 0 to 1e6", traffic.In)
		p.note("bytes_per_flop", input.Number(w.BytesPerFlop), v != nil)
	}
	c := algorithm.Case{Element: kind.Element, Values: parameter.Values{}}
	v = d.Take("startup_per_process")
	c.Startup = schema.Time.Read(&r.Decoder, v)
	p.note("startup_per_process", c.Startup.String(), v != nil)
	if kind.Element > 0 {
		if v = d.Take("element_size"); v != nil {
			c.Element = elementSize.Read(&r.Decoder, v)
			if c.Element > maxElement {
				r.Fail(v, "too large", elementSize.Want)
			}
		}
		p.note("element_size", c.Element.String(), v != nil)
	}
	p.values(kind.Parameters, c.Values)
	w.Scaling = kind.ScalingOf(c.Values)
	if kind.Build == nil { // unknown: its parameters cannot be judged
		return w
	}
	d.Done()
	w.Application = application.Of(kind.Build(c))
	if a := w.Application; a != nil {
		if a.OnDevices {
			p.fixed("on", "devices")
		}
		p.fixed("precision", a.Precision)
	}
	w.Parameters = p.notes
	w.Build = func(n int, speeds []units.FlopsPerSecond, seed int64) algorithm.Algorithm {
		c := c
		c.N, c.Speeds, c.Seed = n, speeds, seed
		return kind.Build(c)
	}
	return w
}

// kindOf reads which workload it is and opens it for reading. A workload that is
// not known can be read, but not built.
func kindOf(r *document.Reader, n *yamldoc.Node, base string) (*algorithm.Kind, *schema.Mapping) {
	unknown := &algorithm.Kind{Element: commonElement}
	if n.Has("application") {
		d := applicationObject.Open(&r.Decoder, n)
		kind := readApplication(r, d.Take("application"), base)
		if kind == nil {
			unknown.DefaultN = 1 // not known to be required
			return unknown, commonObject.Open(&r.Decoder, n)
		}
		d = fileObject(kind).Open(&r.Decoder, n)
		d.Take("application")
		return kind, d
	}
	d := commonObject.Open(&r.Decoder, n)
	unknown.Name = r.OneOf(d.Require("name", "the name of a workload"), Names(), "workload")
	named, known := namedWorkloads()[unknown.Name]
	if !known {
		return unknown, d
	}
	w := named()
	d = w.object.Open(&r.Decoder, n)
	d.Take("name")
	return w.kind, d
}

// problemSize reads the problem size, which a study looks for itself.
func (p *reader) problemSize(k *algorithm.Kind, sized bool) int {
	const want = "a problem size, a whole number above 0"
	v := p.take("n")
	switch {
	case !sized:
		if v != nil {
			p.Fail(v, "a study looks for the problem size itself", "no n here; put the range of sizes under sizes")
		}
	case k.DefaultN > 0:
		return problemSize.ReadOr(&p.Decoder, v, want, k.DefaultN)
	case v != nil:
		return p.Int(v, problemSize.Min, problemSize.Max, want)
	case !p.file.failed:
		p.Require("n", want)
	}
	return 0
}

// commonElement is the size of a number where the workload is not known.
const commonElement units.Bytes = 8
