package run

import (
	"context"
	"fmt"
	"maps"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// What a run can be compared with.
const (
	BaselineProcess = "process" // the fastest process alone
	BaselineNode    = "node"    // the fastest node alone, with its processes
)

// Baseline is the run that a run is compared with: the same problem size on less. Its
// JSON form is a contract (docs/formats/json.md).
type Baseline struct {
	Of            string  `json:"of"` // process or node
	Node          string  `json:"node"`
	Processes     int     `json:"processes"`
	Makespan      float64 `json:"makespan_s"`
	Work          float64 `json:"work_flop"`
	MarkedSpeed   float64 `json:"marked_speed_flops"`
	AchievedSpeed float64 `json:"achieved_speed_flops"`
	Speedup       float64 `json:"speedup"`    // achieved speed over that of the baseline
	Efficiency    float64 `json:"efficiency"` // speed-up over how much more marked speed there is
}

// baselineOf simulates a scenario on less and compares.
func baselineOf(ctx context.Context, s *scenario.Scenario, of string, x *system.Simulation) (*Baseline, error) {
	if x.Work == 0 {
		return nil, input.Errorf("--baseline: %s performs no work, which a speed-up compares; expected a workload that computes", s.Workload.Name)
	}
	block := fastest(x.System.Placement, of)
	alone := *s
	alone.Selection.Nodes = map[string]int{block.Type.Name: 1}
	if of == BaselineProcess {
		alone.Selection.Processes = maps.Clone(s.Selection.Processes)
		if alone.Selection.Processes == nil {
			alone.Selection.Processes = map[string]int{}
		}
		alone.Selection.Processes[block.Type.Name] = 1
	}
	sys, err := system.New(&alone)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	sys.Ranks = false
	y, err := sys.Simulate(ctx, s.Workload.N)
	if err != nil {
		return nil, fmt.Errorf("the baseline, %s: %w", block.Type.Name, err)
	}
	// At equal work this is the ratio of the times.
	speedup, err := scalability.Speedup(units.Seconds(1/y.AchievedSpeed), units.Seconds(1/x.AchievedSpeed))
	if err != nil {
		return nil, err
	}
	_, node := sys.Placement.Node(0)
	return &Baseline{
		Of: of, Node: node, Processes: len(sys.Speeds), Makespan: float64(y.Makespan), Work: float64(y.Work),
		MarkedSpeed: float64(y.MarkedSpeed), AchievedSpeed: float64(y.AchievedSpeed),
		Speedup: speedup, Efficiency: speedup / float64(x.MarkedSpeed/y.MarkedSpeed),
	}, nil
}

// fastest returns the first block with the fastest process or node.
func fastest(p *topology.Placement, of string) topology.Block {
	speed := func(b topology.Block) units.FlopsPerSecond {
		if of == BaselineNode {
			return b.Speed() * units.FlopsPerSecond(b.Processes)
		}
		return b.Speed()
	}
	best := p.Blocks[0]
	for _, b := range p.Blocks[1:] {
		if speed(b) > speed(best) {
			best = b
		}
	}
	return best
}

// String says what the baseline is, as "one process on hpc-1".
func (b *Baseline) String() string {
	if b.Processes == 1 {
		return "one process on " + b.Node
	}
	return fmt.Sprintf("%d processes on %s", b.Processes, b.Node)
}

// checkBaseline returns an error for what cannot be a baseline.
func checkBaseline(of string) error {
	if of != "" && of != BaselineProcess && of != BaselineNode {
		return input.Errorf("--baseline: %q; expected %s or %s", of, BaselineProcess, BaselineNode)
	}
	return nil
}
