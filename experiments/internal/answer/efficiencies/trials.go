package efficiencies

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// A Trial is a change of a run that might make it faster.
type Trial struct {
	Name, Cause string
	Bound       bool                                      // see [Effect]
	Program     func(workloads.Program) workloads.Program // in the place of the one of the run; nil: as it is
	Load        func(rank, k int) float64                 // what Program makes of the k-th computation of a rank, if no more: a multiple
}

// Effect returns what a run would gain, by the run with the change; nothing where that is none, as the program is stuck.
func (t *Trial) Effect(makespan units.Seconds, run func() (*sim.Result, error)) (e Effect, err error) {
	r, err := run()
	if stuck := (*sim.DeadlockError)(nil); errors.As(err, &stuck) && t.Program != nil {
		return e, nil
	}
	if err == nil {
		e = Effect{Change: t.Name, Cause: t.Cause, Bound: t.Bound}
		e.Of(makespan, r.Makespan)
	}
	return e, err
}

// Loads are trials of faster cores and of equal loads of a run whose computations, by rank, take these times.
func Loads(times [][]units.Seconds) []Trial {
	alike := slices.Repeat([]units.FlopsPerSecond{1}, len(times))
	return append((&told{rates: alike, times: times}).balanced(), Faster())
}

// OfOrder is a trial of another order of the ranks.
func OfOrder(name string) Trial {
	return Trial{Name: "rank order " + name, Cause: "the order of the ranks"}
}

// Faster is a trial of faster cores.
func Faster() Trial {
	t := loaded("cores twice as fast", "cores", func(int, int) float64 { return 0.5 })
	t.Bound = true
	return t
}

// Tried returns effects, and those of trials of a run, in their order.
func Tried(effects []Effect, makespan units.Seconds, trials []Trial, run func(Trial) (*sim.Result, error)) ([]Effect, error) {
	for _, t := range trials {
		e, err := t.Effect(makespan, func() (*sim.Result, error) { return run(t) })
		if err != nil {
			return nil, err
		}
		effects = append(effects, e)
	}
	return Sorted(effects), nil
}

// Trials are what may be tried with the program of a run: it is run once more, by a function that takes what changes the
// program, and is told of computations, each of which takes a time, and of waits, up to so many. rates are those of the
// ranks; the network is nil where messages share links.
func Trials(rates []units.FlopsPerSecond, most int, time func(rank int, op *workloads.Op) units.Seconds,
	run func(func(workloads.Program) workloads.Program, sim.Observer) (*sim.Result, error), n sim.Network,
) ([]Trial, error) {
	t := &told{time: time, rates: rates, times: make([][]units.Seconds, len(rates))}
	recording := waits.NewRecording(len(rates), most, func() {})
	r, err := run(func(p workloads.Program) workloads.Program {
		t.fixed = canRearrange(p)
		return recording.Program(&reloaded{Program: p, watch: t, count: make([]int, p.Ranks())})
	}, recording)
	if err != nil {
		return nil, err
	}
	if recording.Err() == nil {
		t.states = recording.States(r.Makespan, n, nil)
	}
	return slices.Concat(evenSpeeds(rates), t.balanced(), t.rearranged()), nil
}

// evenSpeeds is a trial of the speeds: that no process is slower than the median one.
func evenSpeeds(rates []units.FlopsPerSecond) []Trial {
	median := slices.Sorted(slices.Values(rates))[len(rates)/2]
	if slices.Min(rates) == median {
		return nil
	}
	return []Trial{loaded("no process slower than the median one", "slow processes",
		func(rank, _ int) float64 { return min(1, float64(rates[rank]/median)) })}
}

// mostComputations is how many computations of a run are told apart, about: 8 bytes are kept of each.
const mostComputations = 20_000_000

// told is what is known of a run.
type told struct {
	time   func(rank int, op *workloads.Op) units.Seconds
	rates  []units.FlopsPerSecond // of the ranks
	times  [][]units.Seconds      // of the computations of each rank, as far as nobody else uses their memory
	states *waits.States          // nil: there are too many
	fixed  bool                   // what the program does next does not depend on what happens
}

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

// meanTime returns how long all ranks that take part compute for what they do in these times together, if it is dealt out
// by their rates.
func (told *told) meanTime(of func(rank int) (t units.Seconds, takesPart bool)) units.Seconds {
	var work units.Flops
	var rate units.FlopsPerSecond
	for r, c := range told.rates {
		if t, ok := of(r); ok {
			work += units.Flops(float64(t) * float64(c)) // rounded before it is added, on every processor
			rate += c
		}
	}
	return work.At(rate)
}

// balanced are trials of the loads: that all processes compute equally long in all, as they would if work moved to the
// faster ones, and, where they have equally many computations, at each place of these.
func (told *told) balanced() []Trial {
	sum := make([]units.Seconds, len(told.times))
	steps, alike, name := 0, true, "equal loads of processes"
	if slices.Min(told.rates) < slices.Max(told.rates) {
		name = "loads in proportion to speeds"
	}
	for r, times := range told.times {
		sum[r] = each.Total(times)
		if len(times) == mostComputations/len(sum) {
			return nil // not all were told
		}
		if len(times) > 0 {
			alike = alike && (steps == 0 || steps == len(times))
			steps = len(times)
		}
	}
	mean := told.meanTime(func(rank int) (units.Seconds, bool) { return sum[rank], true })
	if mean == 0 {
		return nil
	}
	ratio := func(mean, t units.Seconds) float64 {
		if t == 0 {
			return 1
		}
		return float64(mean / t)
	}
	list := []Trial{loaded(name, "load imbalance", func(rank, _ int) float64 { return ratio(mean, sum[rank]) })}
	if !alike || steps < 2 {
		return list
	}
	means, whole := make([]units.Seconds, steps), units.Seconds(0)
	for k := range means {
		means[k] = told.meanTime(func(rank int) (units.Seconds, bool) {
			if len(told.times[rank]) == 0 {
				return 0, false
			}
			return told.times[rank][k], true
		})
		whole += means[k]
	}
	changes := false
	for r, times := range told.times {
		for k, t := range times { // a share of the means, but for rounding
			changes = changes || math.Abs(float64(t*whole-means[k]*sum[r])) > 1e-9*float64(means[k]*sum[r])
		}
	}
	if !changes {
		return list
	}
	return append(list, loaded(name+" at every step", "load imbalance that changes from step to step, such as noise",
		func(rank, k int) float64 { return ratio(means[k], told.times[rank][k]) }))
}

// loaded is a trial of loads: of the k-th computation of each rank a multiple of what it is.
func loaded(name, cause string, load func(rank, k int) float64) Trial {
	return Trial{Name: name, Cause: cause, Load: load, Program: func(p workloads.Program) workloads.Program {
		return &reloaded{Program: p, load: load, count: make([]int, p.Ranks())}
	}}
}

// reloaded is a program whose computations are multiples of those of another.
type reloaded struct {
	workloads.Program
	load  func(rank, k int) float64 // nil: as they are
	watch *told                     // is told of them; may be nil
	count []int                     // of computations so far, by rank
}

var _ sim.Wrapper = (*reloaded)(nil)

func (p *reloaded) Unwrap() workloads.Program { return p.Program }

func (p *reloaded) Next(rank int, op *workloads.Op) bool {
	more := p.Program.Next(rank, op)
	if !more || op.Kind != workloads.Compute || rank >= len(p.count) { // or of a stream
		return more
	}
	if w := p.watch; w != nil && len(w.times[rank]) < mostComputations/len(w.times) {
		w.times[rank] = append(w.times[rank], w.time(rank, op))
	}
	if p.load != nil {
		by := p.load(rank, p.count[rank])
		op.Work *= units.Flops(by)
		op.Size *= units.Bytes(by)
	}
	p.count[rank]++
	return more
}
