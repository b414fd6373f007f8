package scenario

import (
	"math"
	"path/filepath"
	"slices"
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

// HasLinks reports whether the network model of the scenario has links that
// messages share: only then a run can record their use.
func (s *Scenario) HasLinks() bool { return s.Network.Flow != nil }

// Scenario is one simulation: which part of which machine, which network model,
// which workload.
type Scenario struct {
	Title     string
	Machine   *topology.Machine
	Selection topology.Selection
	Network   networks.Network
	Workload  workload.Workload
	Seed      int64
	Inputs    []input.Input
}

// Read reads a scenario file. Its errors are yamldoc's, with the place
// of every problem.
func Read(path string, overrides []input.Override) (*Scenario, error) {
	return read(&document.Reader{}, path, overrides)
}

func read(r *document.Reader, path string, overrides []input.Override) (*Scenario, error) {
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	return wholeScenario(r, root, path)
}

// wholeScenario reads the root of the file at path.
func wholeScenario(r *document.Reader, root *yamldoc.Node, path string) (*Scenario, error) {
	if input.KindOf(root) != input.KindScenario {
		return nil, input.WrongKind(root, input.KindScenario)
	}
	s := Decode(r, root, filepath.Dir(path))
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// What files contain.
var (
	Type             schema.Type = scenarioObject    // a scenario
	StudyType        schema.Type = studyObject       // a study
	SuperProgramType schema.Type = superProgramForms // a super-program
)

var scenarioObject = &schema.Object{What: "a scenario, with machine, nodes, network and workload", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the scenario in a few words"},
	{Key: "machine", Type: machines.Reference, Required: true, Meaning: "the machine: a name of the catalogue, a file, or the machine itself"},
	{Key: "network", Type: schema.Later(networks.Type), Required: true, Meaning: "the network model"},
	{Key: "nodes", Type: nodesType, Default: "all", Meaning: "how many nodes of each type take part"},
	{Key: "placement", Type: placementType, Default: "1", Meaning: "how many processes run on each node of a type, on what, and with how many threads"},
	{Key: "workload", Type: schema.Later(workload.Type), Required: true, Meaning: "the workload to run"},
	{Key: "seed", Type: SeedType, Default: "1", Meaning: "seed of all random numbers"},
}}

// What scenarios and studies have in common.
var (
	nodesType = schema.Map{Of: schema.Integer{Min: 0, Max: math.MaxInt32}}
)

// SeedType is the seed of all random numbers.
var SeedType = schema.Integer{Min: 0, Max: math.MaxInt}

// reader reads parts of scenarios and studies.
type reader struct{ *document.Reader }

// Decode reads a scenario from the root of a file in folder base. Its problems are those
// of r.
func Decode(r *document.Reader, root *yamldoc.Node, base string) *Scenario {
	return reader{r}.scenario(root, base)
}

func (r reader) scenario(root *yamldoc.Node, base string) *Scenario {
	d := scenarioObject.Open(&r.Decoder, root)
	s := &Scenario{Title: r.String(d.Take("title"), "a title")}
	s.Machine = machines.Read(r.Reader, d.Require("machine", "the machine to simulate"), base)
	s.Network = networks.Read(&r.Decoder, d.Require("network", "the network model: "+input.List(networks.Names())), s.Machine)
	s.Selection = topology.Selection{Nodes: r.nodes(d.Take("nodes"), s.Machine), Oversubscribe: s.Network.SharesCores()}
	work := d.Require("workload", "the workload to run")
	s.Workload = workload.Read(r.Reader, work, true, base)
	r.placement(d.Take("placement"), s.Machine, s.Workload, &s.Selection)
	r.defaultPlacement(work, s.Machine, s.Workload, &s.Selection)
	s.Seed = ReadSeed(&r.Decoder, d.Take("seed"))
	d.Done()
	r.checkPlacement(root, s.Machine, s.Selection, s.Workload)
	r.checkWorkload(work, s)
	s.Inputs = r.Inputs()
	return s
}

// nodes reads how many nodes of each type take part.
func (r reader) nodes(n *yamldoc.Node, m *topology.Machine) map[string]int {
	if n == nil || m == nil {
		return nil
	}
	counts := map[string]int{}
	r.perType(n, m, "how many nodes of each type take part, as in {server: 1, blade: 3}", func(v *yamldoc.Node, name string) {
		before := r.ProblemCount()
		counts[name] = r.Int(v, 0, math.MaxInt32, "a whole number")
		if r.ProblemCount() > before {
			return
		}
		if err := m.CheckNodes(name, counts[name]); err != nil {
			r.Fail(v, err.Error(), "")
		}
	})
	return counts
}

// perType reads a mapping by node type: each value that is there, in the order of the
// machine's types.
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
	return schema.To(schema.Custom(SeedType, ReadSeed), seed).Else("1")
}

// ReadSeed reads a seed, 1 if there is none.
func ReadSeed(d *yamldoc.Decoder, n *yamldoc.Node) int64 {
	if n == nil {
		return 1
	}
	return int64(d.Int(n, 0, math.MaxInt, "a whole number of at least 0"))
}

// checkPlacement reports a selection without any process, or with processes that the
// speed of some computation is not known on.
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

// mostJudged is the number of processes that the parameters of a workload are
// judged on: more take long to set up and say no more.
const mostJudged = 1 << 20

// judgedSpeeds are those of mostJudged equal processes, which no workload changes.
var judgedSpeeds = sync.OnceValue(func() []units.FlopsPerSecond {
	return slices.Repeat([]units.FlopsPerSecond{1}, mostJudged)
})

// checkWorkload reports what the workload itself finds wrong with its
// parameters on these processes.
func (r reader) checkWorkload(n *yamldoc.Node, s *Scenario) {
	if r.ProblemCount() > 0 {
		return
	}
	var speeds []units.FlopsPerSecond
	if p, err := s.Machine.Place(s.Selection); err == nil {
		for _, run := range p.Blocks {
			some := run.Nodes * run.Processes
			if !s.Workload.JudgedWhole {
				some = max(1, min(some, mostJudged-len(speeds)))
			}
			speeds = append(speeds, slices.Repeat([]units.FlopsPerSecond{run.Speed()}, some)...)
		}
	}
	if err := s.Workload.Build(s.Workload.N, speeds, s.Seed).Validate(); err != nil {
		r.Fail(n, err.Error(), "")
	}
}
