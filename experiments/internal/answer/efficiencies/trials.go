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
	Program     func(workloads.Program) workloads.Program // in the place of the one of the run; nil: as it is
	Load        func(rank, k int) float64                 // what Program makes of the k-th computation of a rank or stream, if no more: a multiple
}

// Stuck reports whether a program cannot go on as messages come in another order, or are others.
func Stuck(err error) bool {
	_, blocked := errors.AsType[*sim.DeadlockError](err)
	_, wrong := errors.AsType[*sim.ProgramError](err)
	_, scheduled := errors.AsType[*goalsim.DeadlockError](err)
	return blocked || wrong || scheduled
}

// Loads are trials of faster cores and of equal loads of a run whose computations, by rank, take these times.
func Loads(times [][]units.Seconds) []Trial {
	t := newTold(slices.Repeat([]compute.Process{{Speed: 1, Memory: compute.Unlimited}}, len(times)))
	t.did = each.Of(times, func(of []units.Seconds) []work {
		return each.Of(of, func(x units.Seconds) work { return work{flop: units.Flops(x)} })
	})
	return append(t.balanced(), Faster())
}

// OfOrder is a trial of another order of the ranks.
func OfOrder(name string) Trial {
	return Trial{Name: "rank order " + name, Cause: "the order of the ranks"}
}

func Faster() Trial {
	t := loaded("cores twice as fast", "cores", func(int, int) float64 { return 0.5 })
	t.Bound = true
	return t
}

// Tried returns effects, and those of trials of a run, so many at a time, in their order. One in which the program is
// stuck has none.
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

// Trials are what may be tried with the program of a run on some processes, one for each rank: it is run once more, by a
// function that takes what changes the program, and is told of computations and of waits, up to so many. The network is
// nil where messages share links.
func Trials(processes []compute.Process, most int, run func(func(workloads.Program) workloads.Program, sim.Observer) (*sim.Result, error),
	n sim.Network,
) ([]Trial, error) {
	t := newTold(processes)
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

// mostComputations is how many computations of a run are told apart, about: 16 bytes are kept of each.
const mostComputations = 20_000_000

// told is what is known of a run.
type told struct {
	processes []compute.Process // by rank, when all compute at once
	everybody *crew             // all of them
	did       [][]work          // the computations of each rank, and of each stream by its number
	states    *waits.States     // nil: there are too many
	fixed     bool              // what the program does next does not depend on what happens
}

func newTold(processes []compute.Process) *told {
	return &told{processes: processes, everybody: newCrew(processes), did: make([][]work, len(processes))}
}

// work is a computation.
type work struct {
	flop    units.Flops
	traffic units.Bytes
}

func (w work) on(p compute.Process) units.Seconds { return p.Time(w.flop, w.traffic) }

// rearranged are trials of the order of operations, where processes wait for point-to-point messages.
func (told *told) rearranged() []Trial {
	if !told.fixed {
		return nil
	}
	const late = "late senders"
	cause := late
	if s := told.states; s != nil {
		if s.Share(waits.LateSender)+s.Share(waits.LateReceiver)+s.Share(waits.WrongOrder) < Worth {
			return nil
		}
		if s.Chained > chained {
			cause = "a serial chain"
		}
	}
	return []Trial{
		{Name: "sends before computations that they do not need", Cause: late, Program: rearrangement(sendFirst)},
		{Name: fmt.Sprintf("messages and computations in %d pieces", pieces), Cause: cause, Program: rearrangement(inPieces)},
	}
}

// chained is which part of the waits for late senders is due to waits of the senders in a serial chain: of the waits
// 1, 2, ... p-1 in a chain of p equal computations, 1 is due to the computation of the sender: (p-2)/p in all, and
// nothing if two alternate.
const chained = 0.25

// A crew are processes that divide each computation among them, so that all end at once:
//
//	T = 1/(sum of 1/T_i)    T_i  time of process i for the whole computation
type crew struct {
	kinds  []compute.Process // that differ
	counts []float64         // of processes of each kind
	speed  units.FlopsPerSecond
	middle units.FlopsPerSecond // the median speed, of two in the middle the slower
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

// median is how long the median one of them takes alone, of two in the middle the slower.
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

func (told *told) all() bool {
	return !slices.ContainsFunc(told.did, func(of []work) bool { return len(of) == mostComputations/len(told.did) })
}

// ratio is 1 where there is nothing to change.
func ratio(to, from units.Seconds) float64 {
	if from == 0 {
		return 1
	}
	return float64(to / from)
}

// evenSpeeds is a trial of the speeds: that no process is slower than the median one, as fewer than half of them are.
// Who computes what may then change, so that it goes by each computation as it comes.
func (told *told) evenSpeeds() []Trial {
	if len(told.everybody.kinds) == 1 {
		return nil
	}
	load := func(number, _ int, w work) float64 {
		return min(1, ratio(told.everybody.median(w), w.on(told.of(number))))
	}
	for i, did := range told.did {
		if slices.ContainsFunc(did, func(w work) bool { return load(i, 0, w) < 1 }) {
			return []Trial{{Name: "no process slower than the median one", Cause: "slow processes", Program: reloading(load)}}
		}
	}
	return nil
}

// balanced are trials of the loads: that all processes compute equally long in all, as they would if work moved to the
// faster ones, and, where they have equally many computations, at each place of these.
func (told *told) balanced() []Trial {
	if !told.all() {
		return nil
	}
	ranks := len(told.processes)
	sum, mean := make([]units.Seconds, ranks), units.Seconds(0)
	name := "equal loads of processes"
	if len(told.everybody.kinds) > 1 {
		name = "loads in proportion to speeds"
	}
	for i, did := range told.did {
		for _, w := range did {
			sum[i%ranks] += w.on(told.of(i))
			mean += told.everybody.time(w)
		}
	}
	if mean == 0 {
		return nil
	}
	list := []Trial{loaded(name, "load imbalance", func(number, _ int) float64 { return ratio(mean, sum[number%ranks]) })}
	means, alike := told.steps()
	whole, steps, changes := units.Seconds(0), 0, false
	for _, of := range means {
		whole, steps = whole+each.Total(of), steps+len(of)
	}
	if !alike || steps < 2 {
		return list
	}
	at := func(number, k int) units.Seconds { return told.did[number][k].on(told.of(number)) }
	for i, did := range told.did {
		for k := range did {
			m, all := means[i/ranks][k], sum[i%ranks] // a share of the means, but for rounding
			changes = changes || math.Abs(float64(at(i, k)*whole-m*all)) > 1e-9*float64(m*all)
		}
	}
	if !changes {
		return list
	}
	return append(list, loaded(name+" at every step", "load imbalance that changes from step to step, such as noise",
		func(number, k int) float64 {
			if k >= len(told.did[number]) {
				return 1 // who computes what has changed
			}
			return ratio(means[number/ranks][k], at(number, k))
		}))
}

// of returns what computes for a rank or a stream.
func (told *told) of(number int) compute.Process { return told.processes[number%len(told.processes)] }

// steps returns, of the ranks and of each of their streams, for how long all that compute take together for the first
// computation of each, the second one, and so on. alike: all of them have as many.
func (told *told) steps() (means [][]units.Seconds, alike bool) {
	alike = true
	for group := range slices.Chunk(told.did, len(told.processes)) {
		var working []compute.Process
		var of []units.Seconds
		for r, did := range group {
			if len(did) == 0 {
				continue
			}
			working = append(working, told.processes[r])
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

// loaded is a trial of loads: of the k-th computation of each rank a multiple of what it is.
func loaded(name, cause string, load func(rank, k int) float64) Trial {
	return Trial{Name: name, Cause: cause, Load: load, Program: reloading(func(rank, k int, _ work) float64 { return load(rank, k) })}
}

// reloading makes a program whose computations are multiples of those of another.
func reloading(load func(rank, k int, w work) float64) func(workloads.Program) workloads.Program {
	return func(p workloads.Program) workloads.Program {
		return &reloaded{Program: p, load: load, count: make([]int, numbers(p))}
	}
}

// numbers is how many ranks and streams a program has.
func numbers(p workloads.Program) int { return p.Ranks() * (1 + wrapped.Streams(p)) }

// reloaded is a program whose computations are multiples of those of another.
type reloaded struct {
	workloads.Program
	load  func(rank, k int, w work) float64 // of the k-th computation of a rank; nil: as they are
	watch *told                             // is told of them; may be nil
	count []int                             // of computations so far, by rank and then by stream
}

var _ sim.Wrapper = (*reloaded)(nil)

func (p *reloaded) Unwrap() workloads.Program { return p.Program }

func (p *reloaded) Next(rank int, op *workloads.Op) bool {
	more := p.Program.Next(rank, op)
	if !more || op.Kind != workloads.Compute || rank >= p.Ranks() && op.Collective != 0 { // which cores do not do
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
