package workload

import (
	"fmt"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Workload is an algorithm with all its parameters except, in a study, the problem size.
type Workload struct {
	Name string
	N    int // problem size; 0 in a study, which searches it
	// MemoryUse is the share of the fullest memory that the data may take, if N follows from it; else 0.
	MemoryUse float64
	// Sustained is the speed that the algorithm's inner loops reach, as a
	// fraction of the marked speed.
	Sustained      float64
	SustainedGiven bool // stated by the file
	// Kernel is the inner loop for which each node type states an efficiency; "" for none. The efficiency multiplies
	// Sustained.
	Kernel string
	// Application is the content of an application file; nil for other workloads.
	Application *application.Application
	// BytesPerFlop is the memory traffic of the computations, unless they state their traffic themselves.
	BytesPerFlop  float64
	StatesTraffic bool
	Parameters    []input.Parameter
	// Scaling says whether the work depends on the number of processes, as it does if it fills their memory.
	Scaling algorithm.Scaling
	// JudgedWhole: its parameters can be judged only on the actual processes.
	JudgedWhole bool
	// BoundedByWork and SendsTogether are the algorithm's; for an application they are not known.
	BoundedByWork, SendsTogether bool
	// Error and ErrorWith are the algorithm's.
	Error     float64
	ErrorWith map[string]float64
	// Build makes the algorithm for a problem size on processes of given marked
	// speeds. The seed is the scenario's.
	Build func(n int, speeds []units.FlopsPerSecond, seed int64) algorithm.Algorithm
	// Choosing makes the workload whose collective operations are carried out as a function says; the function comes
	// before those of earlier calls of Choosing.
	Choosing func(func(collective.Choice) collective.Choice) Workload
}

// MovesMemory reports whether its computations have memory traffic.
func (w Workload) MovesMemory() bool { return w.BytesPerFlop > 0 || w.StatesTraffic }

// GrowsWithProcesses reports whether the work at a problem size depends on the number of processes, so that times on
// different systems are for unequal work.
func (w Workload) GrowsWithProcesses() bool { return w.Scaling == algorithm.Weak }

// PerformsWork reports whether the workload computes at all, so that its times can be
// compared per unit of work.
func (w Workload) PerformsWork() bool {
	const least, speed = 3, 1e9 // a size and a speed that every workload takes
	return w.Build(least, []units.FlopsPerSecond{speed}, 1).Work() > 0
}

// Names returns the names of all named workloads, in the order of lists: the algorithms, then the applications of the
// catalogue.
var Names = sync.OnceValue(func() []string {
	names := each.Append(nil, algorithm.Kinds, func(k *algorithm.Kind) string { return k.Name })
	return append(names, application.CatalogueNames()...)
})

// Kinds returns all named workloads, in the order of their names.
func Kinds() []*algorithm.Kind {
	return each.Append(nil, Names(), Named)
}

// Named returns the workload with a name, and reads no other.
func Named(name string) *algorithm.Kind { return named()[name]().kind }

// declared is a workload with its declaration.
type declared struct {
	kind   *algorithm.Kind
	record *schema.Record[reading]
}

// named has every named workload by its name. Each is made on demand: reading all applications takes 10 ms, and most
// commands need none.
var named = sync.OnceValue(func() map[string]func() declared {
	all := map[string]func() declared{}
	for _, k := range algorithm.Kinds {
		all[k.Name] = sync.OnceValue(func() declared { return declare(k) })
	}
	for _, name := range application.CatalogueNames() {
		all[name] = sync.OnceValue(func() declared { return declare(catalogueApplication(name)) })
	}
	return all
})

func catalogueApplication(name string) *algorithm.Kind {
	root, err := yamldoc.Parse("catalogue/"+name+".yaml", application.CatalogueFile(name))
	if err == nil {
		var d yamldoc.Decoder
		k := application.Read(&d, root).Kind()
		if err = d.Err(); err == nil && k.Name == name {
			return k
		}
	}
	panic(fmt.Sprintf("workload: application %s of the catalogue: %v", name, err)) // a file of the program itself, read by tests
}

func objectOf(k *algorithm.Kind) *schema.Object { return named()[k.Name]().record.Object }

// Parameters returns everything that a scenario may set of a workload, beginning with what all workloads have in
// common.
func Parameters(k *algorithm.Kind) []schema.Field { return objectOf(k).Fields()[1:] }

// FileParameters is [Parameters] of a workload whose application is in a file.
func FileParameters(k *algorithm.Kind) []schema.Field { return declare(k).record.Fields()[1:] }

// applicationObject is a workload whose application is in a file, which determines the parameters.
var applicationObject = &schema.Object{
	What: "a workload, as in {application: heat3d.yaml, n: 1024}", Ref: "workload-application", Others: schema.Any,
	Fields: func() []schema.Field {
		return []schema.Field{{Key: "application", Type: document.FileType, Required: true, Meaning: "an application file; its parameters are keys beside it"}}
	},
}

// Type is a workload as a scenario states it.
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

// exclusive returns the forms of a workload in which no two parameters that exclude each other are given.
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

// UnsizedType is a workload as a study states it; the study searches the problem size.
func UnsizedType() schema.Type {
	forms := schema.AnyOf{applicationObject}
	for _, k := range Kinds() {
		if !k.Unsized {
			forms = append(forms, exclusive(k, objectOf(k).Without("n"), "unsized-"+objectOf(k).Ref)...)
		}
	}
	return forms
}
