package efficiencies

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Efficiencies are fractions of the time T of a run. Their JSON form is a contract (docs/formats/json.md). C is the
// marked speed of all processes, W the work, and U the time for which a process computes, with the mean U_mean and the
// maximum U_max. T' and U' are those of the same run on a network that is free of cost:
//
//	speed-efficiency  W/(T C)       = Parallel Computation
//	Parallel          U_mean/T      = LoadBalance Communication
//	LoadBalance       U_mean/U_max
//	Communication     U_max/T       = Serialisation Transfer
//	Serialisation     U'_max/T'
//	Transfer          (U_max/T)/(U'_max/T')
//	Computation       W/(C U_mean)  below 1 where processes compute more than W, or slower than their marked speeds
//	MemoryBandwidth   mean time of computations if no memory limited them, over U_mean: a factor of Computation
//
// Where messages share links, Transfer divides further. T_a is the time of the run if each message has its links to
// itself, T_l if links also have unlimited bandwidth, so that only latencies and the times of cores remain:
//
//	Transfer    = Contention Bandwidth Latency
//	Contention  T_a/T
//	Bandwidth   T_l/T_a
//	Latency     the rest, T'/T_l where computations take as long on all of these networks
//
// Source: [Rosas2014], as implemented in BSC's modelfactors. Deviation: the factors of Transfer,
// which need runs that no real machine can make.
type Efficiencies struct {
	Parallel      float64 `json:"parallel_efficiency"`
	LoadBalance   float64 `json:"load_balance"`
	Communication float64 `json:"communication_efficiency"`
	Serialisation float64 `json:"serialisation_efficiency"`
	Transfer      float64 `json:"transfer_efficiency"`
	Contention    float64 `json:"contention_efficiency,omitempty"`
	Bandwidth     float64 `json:"bandwidth_efficiency,omitempty"`
	Latency       float64 `json:"latency_efficiency,omitempty"`
	Computation   float64 `json:"computation_efficiency,omitempty"` // 0 if W or C is not known
	// MemoryBandwidth is 0 if computations have no memory traffic.
	MemoryBandwidth float64 `json:"memory_bandwidth_efficiency,omitempty"`
	IdealMakespan   float64 `json:"ideal_makespan_s"` // T'

	Serialised string `json:"-"` // what the loss by Serialisation consists of
}

// A Part is one of the efficiencies. Its factors are the parts that follow it with a depth of one more.
type Part struct {
	Depth         int
	Name, Outcome string // the name in tables; that of the outcome in studies, "" if there is none
	Meaning       string
	Value         func(e *Efficiencies) float64 // 0: not known
}

// Parts are all efficiencies.
var Parts = []Part{
	{0, "parallel efficiency", "parallel_efficiency", "mean computation time of a process / time",
		func(e *Efficiencies) float64 { return e.Parallel }},
	{1, "load balance", "load_balance", "mean computation time / that of the process that computes longest",
		func(e *Efficiencies) float64 { return e.LoadBalance }},
	{1, "communication", "communication_efficiency", "computation time of that process / time",
		func(e *Efficiencies) float64 { return e.Communication }},
	{2, "serialisation", "serialisation_efficiency", "communication_efficiency on a network free of cost",
		func(e *Efficiencies) float64 { return e.Serialisation }},
	{2, "transfer", "transfer_efficiency", "communication_efficiency / serialisation_efficiency: the effect of messages alone",
		func(e *Efficiencies) float64 { return e.Transfer }},
	{3, "contention", "contention_efficiency", "time with links for each message alone / time",
		func(e *Efficiencies) float64 { return e.Contention }},
	{3, "bandwidth", "bandwidth_efficiency", "time without a limit of bandwidth / time with links for each message alone",
		func(e *Efficiencies) float64 { return e.Bandwidth }},
	{3, "latency", "latency_efficiency", "the rest of transfer_efficiency: latencies and what messages cost cores",
		func(e *Efficiencies) float64 { return e.Latency }},
	{0, "computation", "", "speed-efficiency / parallel efficiency",
		func(e *Efficiencies) float64 { return e.Computation }},
	{1, "memory bandwidth", "memory_bandwidth_efficiency", "time of computations without a memory limit / their time",
		func(e *Efficiencies) float64 { return e.MemoryBandwidth }},
	{1, "work and speed", "", "the rest of computation: work besides W, and speeds other than the marked ones",
		func(e *Efficiencies) float64 {
			if e.MemoryBandwidth == 0 {
				return 0
			}
			return e.Computation / e.MemoryBandwidth
		}},
}

// ErrIdle says that no process computes, so that there are no efficiencies.
var ErrIdle = errors.New("no process computes")

// Refused turns ErrIdle into an error about the flag --efficiencies and what it was applied to.
func Refused(err error, of string) error {
	if errors.Is(err, ErrIdle) {
		return input.Errorf("--efficiencies: %v in %s; expected one in which a process computes", err, of)
	}
	return err
}

// Networks that a run is compared with.
var (
	free      = cluster.Change{}
	alone     = but(func(c *cluster.Change) { c.Shared = false })
	unlimited = but(func(c *cluster.Change) { c.Shared, c.Transfer = false, 0 })
)

// but returns the network as it is, except for a change.
func but(change func(*cluster.Change)) cluster.Change {
	c := cluster.AsIs
	change(&c)
	return c
}

// needed returns the networks on which the efficiencies need runs.
func needed(sharesLinks bool) []cluster.Change {
	if sharesLinks {
		return []cluster.Change{free, alone, unlimited}
	}
	return []cluster.Change{free}
}

// Of returns the efficiencies of a run from runs of the same case on other networks.
// REQUIRES: results have their ranks.
func Of(ctx context.Context, run *sim.Result, sharesLinks bool, runs *Runs) (*Efficiencies, error) {
	useful := computing(run)
	if slices.Max(useful) == 0 {
		return nil, ErrIdle
	}
	others, err := runs.On(ctx, needed(sharesLinks))
	if err != nil {
		return nil, err
	}
	f, err := scalability.ParallelFactors(useful, run.Makespan, slices.Max(computing(others[0])), others[0].Makespan)
	if err != nil {
		return nil, err
	}
	e := &Efficiencies{Parallel: f.Parallel, LoadBalance: f.LoadBalance, Communication: f.Communication,
		Serialisation: f.Serialisation, Transfer: f.Transfer, IdealMakespan: float64(others[0].Makespan), Serialised: serialised(others[0])}
	if sharesLinks {
		e.Contention = float64(others[1].Makespan / run.Makespan)
		e.Bandwidth = float64(others[2].Makespan / others[1].Makespan)
		e.Latency = e.Transfer / (e.Contention * e.Bandwidth)
	}
	return e, nil
}

// serialised says why time is lost even on a network that is free of cost.
func serialised(ideal *sim.Result) string {
	const waits = "processes wait for computations of others, whatever the network"
	if slices.ContainsFunc(ideal.Ranks, func(r sim.RankResult) bool { return r.Delay > 0 }) {
		return "delays take time, or " + waits
	}
	return waits
}

// computing returns how long each process or its streams compute.
func computing(r *sim.Result) []units.Seconds {
	return each.Of(r.Ranks, func(x sim.RankResult) units.Seconds { return x.Useful() })
}

// Simulations is the number of runs on other networks that the efficiencies took.
func (e *Efficiencies) Simulations() int { return len(needed(e.Contention > 0)) }

// A Factor is an efficiency that is not divided into others.
type Factor struct {
	Name    string
	Value   float64
	Meaning string // why time is lost by it
}

// Factors are the factors of the parallel efficiency.
func (e *Efficiencies) Factors() []Factor {
	list := []Factor{
		{"load balance", e.LoadBalance, "some processes compute longer than others"},
		{"serialisation", e.Serialisation, e.Serialised},
	}
	if e.Contention == 0 {
		return append(list, Factor{"transfer", e.Transfer, "messages take time, on the network and on cores"})
	}
	return append(list,
		Factor{"contention", e.Contention, "messages share links"},
		Factor{"bandwidth", e.Bandwidth, "bytes take time, even on links of their own"},
		Factor{"latency", e.Latency, "messages take time whatever their size, on the network and on cores"})
}

// Lowest is the factor that costs most.
func (e *Efficiencies) Lowest() Factor {
	return slices.MinFunc(e.Factors(), func(a, b Factor) int { return cmp.Compare(a.Value, b.Value) })
}
