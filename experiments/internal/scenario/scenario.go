package scenario

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Scenario is one simulation: which part of which machine, which network model,
// which workload.
type Scenario struct {
	Title     string
	Machine   *topology.Machine
	Selection topology.Selection
	RankOrder RankOrder
	Network   networks.Network
	Workload  workload.Workload
	Seed      int64
	Inputs    []input.Input
}

// HasLinks reports whether the network model of the scenario has links that
// messages share: only then a run can record their use.
func (s *Scenario) HasLinks() bool { return s.Network.Flow != nil }

// Documents are the texts of files by name. They replace the file system where there is none, as in a browser: a file
// that a document names is looked up among them, relative to the folder of that document.
type Documents map[string][]byte

// Disk stands for the files of the file system.
var Disk Documents

func (d Documents) reader() *document.Reader {
	if d == nil {
		return &document.Reader{}
	}
	return document.OfTexts(d)
}

// Root returns the tree of a document with the overrides set in it.
func (d Documents) Root(name string, overrides []input.Override) (*yamldoc.Node, error) {
	return d.reader().Open(name, overrides)
}

// WithMachine is [Documents.Root] with the machine that the document names written into it, so that the machine needs
// no other file.
func (d Documents) WithMachine(name string, overrides []input.Override) (*yamldoc.Node, error) {
	r := d.reader()
	root, err := r.Open(name, overrides)
	if err != nil {
		return nil, err
	}
	return r.WithMachine(root, filepath.Dir(name))
}

// Read reads a scenario. Its errors are yamldoc's, with the place of every problem.
func (d Documents) Read(path string, overrides []input.Override) (*Scenario, error) {
	r, root, err := d.open(path, overrides, input.KindScenario)
	if err != nil {
		return nil, err
	}
	return Decode(r, root, filepath.Dir(path)), r.Err()
}

// open reads the tree of a document, which must be of one of some kinds.
func (d Documents) open(path string, overrides []input.Override, kinds ...input.Kind) (
	*document.Reader, *yamldoc.Node, error,
) {
	r := d.reader()
	root, err := r.Open(path, overrides)
	if err == nil && !slices.Contains(kinds, input.KindOf(root)) {
		err = input.WrongKind(root, kinds[0])
	}
	return r, root, err
}

// What files contain.
var (
	Type             schema.Type = scenarioRecord.Object // a scenario
	StudyType        schema.Type = studyRecord.Object    // a study
	SuperProgramType schema.Type = superProgramForms     // a super-program
)

// file is a scenario or a study that is being read.
type file[T any] struct {
	reader
	base string // the folder that names of files start from
	of   T
}

var scenarioRecord = schema.Declare("a scenario, with machine, nodes, network and workload", func(k *schema.Keys, f *file[Scenario]) {
	s := &f.of
	k.Optional("title", schema.Text.To(&s.Title), "the scenario in a few words")
	systemKeys(k, f, &s.Machine, &s.Network)
	s.Selection.Oversubscribe = s.Network.SharesCores()
	k.Optional("nodes", f.nodesKey(s.Machine, &s.Selection), "how many nodes of each type take part")
	var placement, order, work *yamldoc.Node // read last, because they depend on others
	k.Optional("placement", schema.Node(placementType, &placement).Else("1"),
		"how many processes run on each node of a type, on what, and with how many threads")
	RankOrderKey(k, &order)
	k.Required("workload", schema.Node(schema.Later(workload.Type), &work), "the workload to run")
	if !k.Declaring() {
		s.Workload = workload.Read(f.Reader, work, true, f.base)
		f.placement(placement, s.Machine, s.Workload, &s.Selection)
		f.defaultPlacement(work, s.Machine, s.Workload, &s.Selection)
		s.RankOrder = f.rankOrder(order, s.Machine, &s.Selection)
	}
	k.Optional("seed", Seed(&s.Seed), "seed of all random numbers")
})

// systemKeys declares the first keys of scenarios and studies.
func systemKeys[T any](k *schema.Keys, f *file[T], m **topology.Machine, n *networks.Network) {
	k.Required("machine", schema.Func(machineType, func(v *yamldoc.Node) {
		*m = machines.Read(f.Reader, v, f.base)
	}), "the machine: a name of the catalogue, a file, or the machine itself")
	k.Required("network", schema.Func(schema.Later(networks.Type), func(v *yamldoc.Node) {
		*n = networks.Read(k.Decoder, v, *m)
	}).Wanted("the network model: "+input.List(networks.Names())), "the network model")
}

var machineType schema.Type = machines.Reference

// SeedType is the seed of all random numbers.
var SeedType = schema.Integer{Min: 0, Max: math.MaxInt, Want: "a whole number of at least 0"}

// reader reads parts of scenarios and studies.
type reader struct{ *document.Reader }

// Decode reads a scenario from the root of a file in folder base. It reports problems to r.
func Decode(r *document.Reader, root *yamldoc.Node, base string) *Scenario {
	f := &file[Scenario]{reader: reader{r}, base: base}
	scenarioRecord.Read(&r.Decoder, root, f)
	s := &f.of
	f.checkPlacement(root, s.Machine, s.Selection, s.Workload)
	f.fillMemory(root.Value("workload").Value("n"), s)
	f.checkWorkload(root.Value("workload"), s)
	s.Inputs = r.Inputs()
	return s
}

// nodesKey binds a key to the number of nodes of each type that take part.
func (r reader) nodesKey(m *topology.Machine, sel *topology.Selection) *schema.Function {
	return schema.Func(nodesType, func(n *yamldoc.Node) {
		if m == nil {
			return
		}
		sel.Nodes = map[string]int{}
		const want = "how many nodes of each type take part, as in {server: 1, blade: 3}"
		r.perType(n, m, want, func(v *yamldoc.Node, name string) {
			r.counted(v, nodesOfType, 0, sel.Nodes, name, func(count int) error { return m.CheckNodes(name, count) })
		})
	}).Else("all")
}

var nodesType schema.Type = schema.Map{Of: nodesOfType}

var nodesOfType = schema.Integer{Min: 0, Max: math.MaxInt32, Want: "a whole number"}

// perType reads a mapping by node type: each value present, in the order of the machine's types.
func (r reader) perType(n *yamldoc.Node, m *topology.Machine, want string, read func(v *yamldoc.Node, name string)) {
	d := r.Mapping(n, want)
	for _, t := range m.Types {
		if v := d.Take(t.Name); v != nil {
			read(v, t.Name)
		}
	}
	d.Done()
}

// Seed binds a key to a seed, which is 1 if the key is absent.
func Seed(seed *int64) *schema.Variable[int64] {
	*seed = 1
	return schema.To(seedValue, seed).Else("1")
}

var seedValue = schema.Custom(SeedType, ReadSeed)

// ReadSeed reads a seed, 1 if there is none.
func ReadSeed(d *yamldoc.Decoder, n *yamldoc.Node) int64 {
	if n == nil {
		return 1
	}
	return int64(SeedType.Read(d, n))
}

// checkPlacement reports a selection without processes, or with processes on which the speed of some computation is not
// known.
func (r reader) checkPlacement(n *yamldoc.Node, m *topology.Machine, sel topology.Selection, w workload.Workload) {
	if m == nil || r.ProblemCount() > 0 {
		return
	}
	p, err := m.Place(sel)
	if err == nil {
		err = w.CheckSpeeds(p)
	}
	if err != nil {
		r.Fail(n, err.Error(), "")
	}
}

// mostJudged bounds the processes on which a workload's parameters are judged: more would take long to set up and
// reveal nothing new.
const mostJudged = 1 << 20

// judgedSpeeds are the speeds of mostJudged equal processes; no workload changes them.
var judgedSpeeds = sync.OnceValue(func() []units.FlopsPerSecond {
	return slices.Repeat([]units.FlopsPerSecond{1}, mostJudged)
})

// fewSpeeds returns the speeds of some processes of each block, about mostJudged in all.
func fewSpeeds(p *topology.Placement) (speeds []units.FlopsPerSecond) {
	for _, b := range p.Blocks {
		some := max(1, min(b.Nodes*b.Processes, mostJudged-len(speeds)))
		speeds = append(speeds, slices.Repeat([]units.FlopsPerSecond{b.Speed()}, some)...)
	}
	return speeds
}

// checkWorkload reports what the workload itself finds wrong with its
// parameters on these processes.
func (r reader) checkWorkload(n *yamldoc.Node, s *Scenario) {
	if r.ProblemCount() > 0 {
		return
	}
	var speeds []units.FlopsPerSecond
	if p, err := s.Machine.Place(s.Selection); err != nil {
		return // reported already
	} else if s.Workload.JudgedWhole || s.Selection.Order != nil {
		speeds = p.Speeds()
	} else {
		speeds = fewSpeeds(p)
	}
	if err := s.Workload.Build(s.Workload.N, speeds, s.Seed).Validate(); err != nil {
		failEach(r.Reader, n, err)
	}
}

// failEach reports each of the problems joined in an error.
func failEach(r *document.Reader, n *yamldoc.Node, err error) {
	for problem := range strings.SplitSeq(err.Error(), "\n") {
		r.Fail(n, problem, "")
	}
}

// ReadWorkload reads a workload as in a scenario, if sized is true, or as in a study, which searches the problem size
// itself. base is the folder to which file names are relative.
func ReadWorkload(r *document.Reader, n *yamldoc.Node, sized bool, base string) workload.Workload {
	w := workload.Read(r, n, sized, base)
	if w.MemoryUse > 0 {
		r.Fail(n.Value("n"), "a share of memory as the problem size", "a whole number here")
	}
	if n != nil && r.ProblemCount() == 0 && sized && !w.JudgedWhole {
		if err := w.Build(w.N, judgedSpeeds(), 1).Validate(); err != nil {
			failEach(r, n, err)
		}
	}
	return w
}

// Facts list the machine, the network and the workload with all their parameters.
func (s *Scenario) Facts() []input.Parameter {
	return settingFacts(s.Machine, s.Network, s.Workload, s.RankOrder.Name)
}

func settingFacts(m *topology.Machine, n networks.Network, w workload.Workload, order string) []input.Parameter {
	facts := []input.Parameter{{Name: "machine", Value: m.Name}}
	if order != "" {
		facts = append(facts, input.Parameter{Name: "rank_order", Value: order})
	}
	of := func(what, name string, parameters []input.Parameter) {
		facts = append(facts, input.Parameter{Name: what, Value: name})
		for _, p := range parameters {
			p.Name = what + "." + p.Name
			facts = append(facts, p)
		}
	}
	of("network", n.Kind.Name, n.Parameters)
	of("workload", w.Name, w.Parameters)
	return facts
}
