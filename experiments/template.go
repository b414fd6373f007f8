package experiments

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// Template is a scenario, or a super-program, whose fields are changed again and
// again, as the points of a study do. It can be used by several goroutines at
// once, and after [Template.Documents] it needs no file.
type Template struct {
	root    *yamldoc.Node
	library *library
}

// Document is a file that scenarios of a template name.
type Document struct {
	Name string
	Root *yamldoc.Node
}

// OpenTemplate returns a template of the scenario in a node of a file in folder
// base: the scenario itself, the name of its file, or {name: file} with keys that
// take the place of the file's. Files that scenarios name are read when they are
// first asked for.
func OpenTemplate(n *yamldoc.Node, base string) (*Template, error) {
	var d yamldoc.Decoder
	root, over := n, (*yamldoc.Node)(nil)
	if name := d.Mapping(n, "").Take("name"); n.IsMapping() && name.IsScalar() {
		n, over = name, n.Without("name")
	}
	if n.IsScalar() {
		path := resolve(base, n.Text())
		base = filepath.Dir(path)
		var err error
		if root, err = (&reader{}).open(path, nil); err != nil {
			return nil, err
		}
		if over != nil {
			root = root.Merge(over)
		}
	}
	if kind := kindOf(root); kind != KindScenario && kind != KindSuper {
		return nil, wrongKind(root, kind, KindScenario)
	}
	return &Template{root, &library{base: base}}, nil
}

// NewTemplate returns a template that reads no file: the scenario and the
// documents that it names are given.
func NewTemplate(scenario *yamldoc.Node, documents []Document) *Template {
	return &Template{scenario, &library{sealed: true, documents: documents}}
}

// Scenario returns the scenario as it is before any change.
func (t *Template) Scenario() *yamldoc.Node { return t.root }

// Documents returns the files that were asked for so far, by name.
func (t *Template) Documents() []Document {
	all := t.library.all()
	slices.SortFunc(all, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Case is one scenario of a template, ready to be carried out.
type Case struct {
	scenario *Scenario
	super    *SuperProgram
}

// Case returns the scenario with changes. If it says nothing about a seed, seed
// is its seed.
func (t *Template) Case(seed int64, changes ...yamldoc.Change) (*Case, error) {
	r := &reader{library: t.library}
	root, err := r.changed(t.root, changes)
	if err != nil {
		return nil, err
	}
	var c Case
	var into *int64
	if kindOf(root) == KindSuper {
		c.super = r.superProgram(root)
		into = &c.super.Seed
	} else {
		c.scenario = r.scenario(root, "")
		into = &c.scenario.Seed
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if !root.Has("seed") {
		*into = seed
	}
	return &c, nil
}

// changed makes changes of a scenario; those of values in its machine reach into the
// file or the entry of the catalogue that is named.
func (r *reader) changed(root *yamldoc.Node, changes []yamldoc.Change) (*yamldoc.Node, error) {
	inside := func(c yamldoc.Change) bool { return strings.HasPrefix(c.Path, "machine.") }
	if !slices.ContainsFunc(changes, inside) {
		return root.With(changes...)
	}
	var first, second []yamldoc.Change
	for _, c := range changes {
		if inside(c) {
			second = append(second, c)
		} else {
			first = append(first, c)
		}
	}
	root, err := root.With(first...)
	if err != nil {
		return nil, err
	}
	if root, err = r.withMachine(root, ""); err != nil {
		return nil, err
	}
	return root.With(second...)
}

// Seed returns the seed that the case uses.
func (c *Case) Seed() int64 {
	if c.super != nil {
		return c.super.Seed
	}
	return c.scenario.Seed
}

// HasSeed reports whether the scenario says which seed it uses.
func (t *Template) HasSeed() bool { return t.root.Has("seed") }

// Outcome is what a case is measured by.
type Outcome struct {
	Name, Unit string
	Meaning    string
}

// Outcomes returns what cases of a template are measured by, in the order of the
// values of [RunCase].
func Outcomes(t *Template) []Outcome {
	if kindOf(t.root) == KindSuper {
		return []Outcome{
			{"nodes", "", "nodes of the last level, in all"},
			{"time", "s", "time of the super-program"},
			{"speedup", "", "over one node without dispatch that does the same work"},
			{"log2_speedup", "", "log2 of the speedup"},
			{"efficiency", "", "speedup over nodes"},
		}
	}
	return []Outcome{
		{"processes", "", "processes that take part"},
		{"time", "s", "makespan: from the start to the end of the last process"},
		{"work", "flop", "W, work of the algorithm"},
		{"marked_speed", "flop/s", "C, sum of the benchmarked speeds of the cores that take part"},
		{"achieved_speed", "flop/s", "W/T"},
		{"speed_efficiency", "", "achieved speed over marked speed"},
		{"compute", "s", "mean over processes of the time spent computing"},
		{"overhead", "s", "mean time busy with sending, receiving and starting"},
		{"wait", "s", "mean time of waiting, to the end of the whole run"},
		{"messages", "", "messages sent"},
		{"bytes", "B", "sum of their sizes"},
	}
}

// RunCase carries out a case on one core and returns its outcomes.
func RunCase(ctx context.Context, c *Case) ([]float64, error) {
	if c.super != nil {
		r, err := RunSuperProgram(ctx, c.super, nil)
		if err != nil {
			return nil, err
		}
		return []float64{r.Nodes, r.Time, r.Speedup, r.Log2Speedup, r.Efficiency}, nil
	}
	s := c.scenario
	sys, err := newSystem(s.Machine, s.Selection, s.Network, s.Workload, s.Seed)
	if err != nil {
		return nil, err
	}
	ranks := sys.placement.Ranks()
	// Asking the system takes longer than a small run.
	if ranks > 1<<16 {
		if err := checkRunMemory(ranks, true); err != nil {
			return nil, err
		}
	}
	sys.workers = 1
	a := sys.algorithm(s.Workload.N)
	res, err := simulate(ctx, sys, a)
	if err != nil {
		return nil, err
	}
	var compute, overhead units.Seconds
	for _, x := range res.Ranks {
		compute += x.Compute
		overhead += x.Overhead()
	}
	p := float64(ranks)
	speed, efficiency := 0.0, 0.0
	marked := float64(sys.placement.MarkedSpeed())
	if w := float64(a.Work()); w > 0 && res.Makespan > 0 {
		speed = w / float64(res.Makespan)
		efficiency = speed / marked
	}
	return []float64{
		p, float64(res.Makespan), float64(a.Work()), marked, speed, efficiency,
		float64(compute) / p, float64(overhead) / p, max(0, float64(res.Makespan)-float64(compute+overhead)/p), // rounding may leave less than 0
		float64(res.Messages), float64(res.Bytes),
	}, nil
}
