package experiments

import (
	"math"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Scenario is one simulation: which part of which machine, which network model,
// which workload.
type Scenario struct {
	Title     string
	Machine   *topology.Machine
	Selection topology.Selection
	Network   Network
	Workload  Workload
	Seed      int64
	Inputs    []Input
}

// ReadScenario reads a scenario file. Its errors are yamldoc's, with the place
// of every problem.
func ReadScenario(path string, overrides []Override) (*Scenario, error) {
	r := &reader{}
	root, err := r.open(path, overrides)
	if err != nil {
		return nil, err
	}
	return r.wholeScenario(root, path)
}

// wholeScenario reads the root of the file at path.
func (r *reader) wholeScenario(root *yamldoc.Node, path string) (*Scenario, error) {
	if kind := kindOf(root); kind != KindScenario {
		return nil, wrongKind(root, kind, KindScenario)
	}
	s := r.scenario(root, filepath.Dir(path))
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (r *reader) scenario(root *yamldoc.Node, base string) *Scenario {
	d := r.Mapping(root, "a scenario, with machine, nodes, network and workload")
	s := &Scenario{Title: r.String(d.Take("title"), "a title")}
	s.Machine = r.machine(d.Require("machine", "the machine to simulate"), base)
	s.Network = r.network(d.Require("network", "the network model: "+list(networkNames())), s.Machine)
	s.Selection = topology.Selection{
		Nodes:         r.nodes(d.Take("nodes"), s.Machine),
		Processes:     r.placement(d.Take("placement"), s.Machine, s.Network),
		Oversubscribe: s.Network.sharesCores(),
	}
	workload := d.Require("workload", "the workload to run")
	s.Workload = r.workload(workload, true)
	s.Seed = r.seed(d.Take("seed"))
	d.Done()
	r.checkPlacement(root, s.Machine, s.Selection)
	r.checkWorkload(workload, s)
	s.Inputs = r.inputs
	return s
}

// nodes reads how many nodes of each type take part.
func (r *reader) nodes(n *yamldoc.Node, m *topology.Machine) map[string]int {
	return r.perType(n, m, "how many nodes of each type take part, as in {server: 1, blade: 3}", 0, m.CheckNodes)
}

// placement reads how many processes run on each node of a type: no more than it
// has cores, unless the network model lets them share cores.
func (r *reader) placement(n *yamldoc.Node, m *topology.Machine, network Network) map[string]int {
	return r.perType(n, m, "how many processes run on each node of a type, as in {server: 2}", 1, func(name string, processes int) error {
		return m.CheckProcesses(name, processes, network.sharesCores())
	})
}

func (r *reader) perType(n *yamldoc.Node, m *topology.Machine, want string, least int, check func(name string, n int) error) map[string]int {
	if n == nil || m == nil {
		return nil
	}
	d := r.Mapping(n, want)
	counts := map[string]int{}
	for _, t := range m.Types {
		v := d.Take(t.Name)
		if v == nil {
			continue
		}
		before := r.problems()
		counts[t.Name] = r.Int(v, least, math.MaxInt32, "a whole number")
		if r.problems() > before {
			continue
		}
		if err := check(t.Name, counts[t.Name]); err != nil {
			r.Fail(v, err.Error(), "")
		}
	}
	d.Done()
	return counts
}

func (r *reader) seed(n *yamldoc.Node) int64 {
	if n == nil {
		return 1
	}
	return int64(r.Int(n, 0, math.MaxInt, "a whole number of at least 0"))
}

// problems returns how many problems have been found so far.
func (r *reader) problems() int {
	p, _ := r.Err().(yamldoc.Problems)
	return len(p)
}

// checkPlacement reports a selection that leaves nobody to run.
func (r *reader) checkPlacement(n *yamldoc.Node, m *topology.Machine, sel topology.Selection) {
	if m == nil || r.problems() > 0 {
		return
	}
	if _, err := m.Place(sel); err != nil {
		r.Fail(n, err.Error(), "")
	}
}

// checkWorkload reports what the workload itself finds wrong with its
// parameters on these processes.
func (r *reader) checkWorkload(n *yamldoc.Node, s *Scenario) {
	if r.problems() > 0 {
		return
	}
	// The parameters are judged on one process of each speed: a million of them
	// would take long to set up and say no more.
	var speeds []units.FlopsPerSecond
	if p, err := s.Machine.Place(s.Selection); err == nil {
		for _, run := range p.Runs {
			speeds = append(speeds, run.Type.MarkedSpeed)
		}
	}
	if err := s.Workload.build(s.Workload.N, speeds, s.Seed).Validate(); err != nil {
		r.Fail(n, err.Error(), "")
	}
}

// system is a scenario's machine made ready: the processes and their speeds.
type system struct {
	placement *topology.Placement
	speeds    []units.FlopsPerSecond
	carriage  *carriage
	workload  Workload
	seed      int64
	ranks     bool // whether simulations report every rank
	workers   int  // cores for one simulation, 0 for all
	observer  sim.Observer
}

func newSystem(m *topology.Machine, sel topology.Selection, n Network, w Workload, seed int64) (*system, error) {
	p, err := m.Place(sel)
	if err != nil {
		return nil, err
	}
	c, err := newCarriage(n, m, p)
	if err != nil {
		return nil, err
	}
	return &system{placement: p, speeds: p.Speeds(), carriage: c, workload: w, seed: seed, ranks: true}, nil
}

// algorithm returns the workload at problem size n on this system.
func (s *system) algorithm(n int) Algorithm { return s.workload.build(n, s.speeds, s.seed) }

// config returns the simulation of a, where a process computes at the
// sustained fraction of its marked speed.
func (s *system) config(a Algorithm) (sim.Config, error) {
	rates := s.speeds
	if k := units.FlopsPerSecond(s.workload.Sustained); k != 1 {
		rates = make([]units.FlopsPerSecond, len(s.speeds))
		for i, c := range s.speeds {
			rates[i] = k * c
		}
	}
	c := sim.Config{Program: s.workload.program(a), Rates: rates, Ranks: s.ranks, Workers: s.workers, Observer: s.observer}
	return c, s.carriage.carry(&c)
}
