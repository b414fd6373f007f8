package efficiencies

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads"
)

// A Trial is a change of a run that might make it faster.
type Trial struct {
	Name, Cause string
	Bound       bool                                      // see [Effect]
	Program     func(workloads.Program) workloads.Program // replaces the program of the run; nil: as it is
	Load        func(rank, k int) float64                 // if Program only scales: by rank or stream, the factor of the k-th computation
}

// Stuck reports whether an error says that a program cannot go on, as when messages come in another order.
func Stuck(err error) bool {
	_, blocked := errors.AsType[*sim.DeadlockError](err)
	_, wrong := errors.AsType[*sim.ProgramError](err)
	_, scheduled := errors.AsType[*goalsim.DeadlockError](err)
	return blocked || wrong || scheduled
}

// Loads returns trials of faster cores and of equal loads. times has those of the run's computations, by rank.
func Loads(times [][]units.Seconds) []Trial {
	t := newHistory(slices.Repeat([]compute.Process{{Speed: 1, Memory: compute.Unlimited}}, len(times)))
	t.did = each.Of(times, func(of []units.Seconds) []work {
		return each.Of(of, func(x units.Seconds) work { return work{flop: units.Flops(x)} })
	})
	return append(t.balanced(), Faster())
}

// OfOrder names a trial of another order of the ranks.
func OfOrder(name string) Trial {
	return Trial{Name: "rank order " + name, Cause: "the order of the ranks"}
}

func Faster() Trial {
	t := loaded("cores twice as fast", "cores", func(int, int) float64 { return 0.5 })
	t.Bound = true
	return t
}

// Tried returns the effects and those of the trials of a run, sorted. It makes jobs trials at the same time. A trial
// in which the program is stuck has no effect.
func Tried(jobs int, effects []Effect, makespan units.Seconds, trials []Trial,
	run func(trial int) (*sim.Result, error)) ([]Effect, error) {
	tried := make([]Effect, len(trials))
	err := pool.Each(len(trials), jobs, func(i int) error {
		r, err := run(i)
		if Stuck(err) {
			return nil
		}
		if err == nil {
			tried[i] = effectOf(&trials[i], makespan, r.Makespan)
		}
		return err
	}, nil)
	return Sorted(append(effects, tried...)), err
}

// Trials returns what may be tried with the program of a run. processes are those of the ranks. run repeats the run
// with a changed program and an observer: it records computations, and waits up to most spans, messages and calls. n is
// nil where messages share links.
func Trials(processes []compute.Process, most int, run func(func(workloads.Program) workloads.Program, sim.Observer) (*sim.Result, error),
	n sim.Network,
) ([]Trial, error) {
	t := newHistory(processes)
	recording := waits.NewRecording(len(processes), most, func() {})
	r, err := run(func(p workloads.Program) workloads.Program {
		t.fixed, t.did = canRearrange(p), make([][]work, numbers(p))
		return recording.Program(&reloaded{Program: p, watch: t, count: make([]int, numbers(p))})
	}, recording)
	if err != nil {
		return nil, err
	}
	if recording.Err() == nil {
		t.states = recording.States(r.Makespan, n, nil)
	}
	return slices.Concat(t.evenSpeeds(), t.balanced(), t.rearranged()), nil
}

// mostComputations is about how many computations of a run are recorded, each in 16 bytes.
const mostComputations = 20_000_000

// history is what was recorded of a run.
type history struct {
	processes []compute.Process // by rank, when all compute at once
	everybody *crew             // all of them
	did       [][]work          // the computations of each rank, then of each stream by its number
	states    *waits.States     // nil: the run is too large for them
	fixed     bool              // the program performs the same operations whatever happens
}

func newHistory(processes []compute.Process) *history {
	return &history{processes: processes, everybody: newCrew(processes), did: make([][]work, len(processes))}
}

// work is a computation.
type work struct {
	flop    units.Flops
	traffic units.Bytes
}

func (w work) on(p compute.Process) units.Seconds { return p.Time(w.flop, w.traffic) }

// rearranged returns trials of other orders of operations, if processes wait for point-to-point messages.
func (h *history) rearranged() []Trial {
	if !h.fixed {
		return nil
	}
	const late = "late senders"
	cause := late
	if s := h.states; s != nil {
		forSenders, forReceivers := s.Share(waits.LateSender)+s.Share(waits.WrongOrder), s.Share(waits.LateReceiver)
		switch {
		case forSenders+forReceivers < Worth:
			return nil
		case forReceivers > forSenders: // pieces may be so small that they do not wait
			cause = waitingSenders
		case s.Chained > chained:
			cause = "a serial chain"
		}
	}
	return []Trial{
		{Name: "sends before computations that they do not depend on", Cause: late, Program: rearrangement(sendFirst)},
		{Name: fmt.Sprintf("messages and computations in %d pieces", pieces), Cause: cause, Program: rearrangement(inPieces)},
	}
}

// chained is the share of the waits for late senders that is due to waits of the senders, above which they are called a
// serial chain. In a chain of p equal computations, ranks wait for 1, 2, ... p-1 of them, 1 of which is the sender's
// own: the share is (p-2)/p. If two ranks alternate, it is 0.
const chained = 0.25

// A crew is a set of processes that divide each computation among themselves, so that all end at once:
//
//	T = 1/(sum of 1/T_i)    T_i  time of process i for the whole computation
type crew struct {
	kinds  []compute.Process // each different
	counts []float64         // of processes of each kind
	speed  units.FlopsPerSecond
	middle units.FlopsPerSecond // the median speed; of two in the middle, the lower
}

func newCrew(processes []compute.Process) *crew {
	var c crew
	at := map[compute.Process]int{}
	speeds := each.Of(processes, func(p compute.Process) units.FlopsPerSecond { return p.Speed })
	slices.Sort(speeds)
	if n := len(speeds); n > 0 {
		c.middle = speeds[(n-1)/2]
	}
	for _, p := range processes {
		k, known := at[p]
		if !known {
			k = len(c.kinds)
			at[p], c.kinds, c.counts = k, append(c.kinds, p), append(c.counts, 0)
		}
		c.counts[k]++
		c.speed += p.Speed
	}
	return &c
}

func (c *crew) time(w work) units.Seconds {
	if w.traffic == 0 {
		return w.flop.At(c.speed)
	}
	rate := 0.0 // 1/s
	for k, p := range c.kinds {
		rate += c.counts[k] / float64(w.on(p))
	}
	return units.Seconds(1 / rate)
}

// median is how long the median process takes alone; of two in the middle, the slower.
func (c *crew) median(w work) units.Seconds {
	if w.traffic == 0 {
		return w.flop.At(c.middle)
	}
	kinds := each.Ascending(len(c.kinds))
	slices.SortFunc(kinds, func(a, b int) int { return cmp.Compare(w.on(c.kinds[a]), w.on(c.kinds[b])) })
	half, faster, k := each.Total(c.counts)/2, 0.0, 0
	for ; faster+c.counts[kinds[k]] <= half; k++ {
		faster += c.counts[kinds[k]]
	}
	return w.on(c.kinds[kinds[k]])
}

func (h *history) all() bool {
	return !slices.ContainsFunc(h.did, func(of []work) bool { return len(of) == mostComputations/len(h.did) })
}

// ratio is to/from, and 1 if from is 0: then there is nothing to scale.
func ratio(to, from units.Seconds) float64 {
	if from == 0 {
		return 1
	}
	return float64(to / from)
}

// evenSpeeds is a trial in which no process is slower than the median one, as fewer than half of them are. It may
// change which process computes what, so each computation is scaled when it comes.
func (h *history) evenSpeeds() []Trial {
	if len(h.everybody.kinds) == 1 {
		return nil
	}
	load := func(number, _ int, w work) float64 {
		return min(1, ratio(h.everybody.median(w), w.on(h.of(number))))
	}
	for i, did := range h.did {
		if slices.ContainsFunc(did, func(w work) bool { return load(i, 0, w) < 1 }) {
			return []Trial{{Name: "no process slower than the median one", Cause: "slow processes", Program: reloading(load)}}
		}
	}
	return nil
}

// balanced returns trials of equal loads: all processes compute equally long in total, as if work had moved to faster
// ones, and, if all have the same number of computations, also in each step, their k-th computations.
func (h *history) balanced() []Trial {
	if !h.all() {
		return nil
	}
	ranks := len(h.processes)
	sum, mean := make([]units.Seconds, ranks), units.Seconds(0)
	name := "equal loads of processes"
	if len(h.everybody.kinds) > 1 {
		name = "loads in proportion to speeds"
	}
	for i, did := range h.did {
		for _, w := range did {
			sum[i%ranks] += w.on(h.of(i))
			mean += h.everybody.time(w)
		}
	}
	if mean == 0 {
		return nil
	}
	list := []Trial{loaded(name, "load imbalance", func(number, _ int) float64 { return ratio(mean, sum[number%ranks]) })}
	means, alike := h.steps()
	whole, steps, changes := units.Seconds(0), 0, false
	for _, of := range means {
		whole, steps = whole+each.Total(of), steps+len(of)
	}
	if !alike || steps < 2 {
		return list
	}
	at := func(number, k int) units.Seconds { return h.did[number][k].on(h.of(number)) }
	for i, did := range h.did {
		for k := range did {
			m, all := means[i/ranks][k], sum[i%ranks] // no change if at(i, k)/all = m/whole, but for rounding
			changes = changes || math.Abs(float64(at(i, k)*whole-m*all)) > 1e-9*float64(m*all)
		}
	}
	if !changes {
		return list
	}
	return append(list, loaded(name+" at every step", "load imbalance that changes from step to step",
		func(number, k int) float64 {
			if k >= len(h.did[number]) {
				return 1 // the trial changes who computes what
			}
			return ratio(means[number/ranks][k], at(number, k))
		}))
}

// of returns the process that computes for a rank or a stream.
func (h *history) of(number int) compute.Process { return h.processes[number%len(h.processes)] }

// steps returns, for the ranks and for each of their streams, how long all that compute take together for their first
// computations, their second ones, and so on. alike reports whether all that compute have the same number of them.
func (h *history) steps() (means [][]units.Seconds, alike bool) {
	alike = true
	for group := range slices.Chunk(h.did, len(h.processes)) {
		var working []compute.Process
		var of []units.Seconds
		for r, did := range group {
			if len(did) == 0 {
				continue
			}
			working = append(working, h.processes[r])
			alike = alike && (of == nil || len(of) == len(did))
			of = make([]units.Seconds, len(did))
		}
		they := newCrew(working)
		for _, did := range group {
			for k, w := range did[:min(len(did), len(of))] {
				of[k] += they.time(w)
			}
		}
		means = append(means, of)
	}
	return means, alike
}

// loaded is a trial of other loads: load is the factor of the k-th computation of each rank.
func loaded(name, cause string, load func(rank, k int) float64) Trial {
	return Trial{Name: name, Cause: cause, Load: load, Program: reloading(func(rank, k int, _ work) float64 { return load(rank, k) })}
}

// reloading returns a function that makes a reloaded program.
func reloading(load func(rank, k int, w work) float64) func(workloads.Program) workloads.Program {
	return func(p workloads.Program) workloads.Program {
		return &reloaded{Program: p, load: load, count: make([]int, numbers(p))}
	}
}

// numbers is the number of ranks and streams of a program.
func numbers(p workloads.Program) int { return p.Ranks() * (1 + wrapped.Streams(p)) }

// reloaded is a program whose computations are multiples of those of another.
type reloaded struct {
	workloads.Program
	load  func(rank, k int, w work) float64 // the factor of the k-th computation of a rank; nil: 1
	watch *history                          // records the computations; may be nil
	count []int                             // of computations so far, by rank and then by stream
}

var _ sim.Wrapper = (*reloaded)(nil)

func (p *reloaded) Unwrap() workloads.Program { return p.Program }

func (p *reloaded) Next(rank int, op *workloads.Op) bool {
	more := p.Program.Next(rank, op)
	if !more || op.Kind != workloads.Compute || rank >= p.Ranks() && op.Collective != 0 { // reductions of streams take no core
		return more
	}
	if t := p.watch; t != nil && len(t.did[rank]) < mostComputations/len(t.did) {
		t.did[rank] = append(t.did[rank], work{op.Work, op.Size})
	}
	if p.load != nil {
		by := p.load(rank, p.count[rank], work{op.Work, op.Size})
		op.Work *= units.Flops(by)
		op.Size *= units.Bytes(by)
	}
	p.count[rank]++
	return more
}
