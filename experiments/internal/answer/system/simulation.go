package system

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Simulation is a finished simulation of a system with its measures.
type Simulation struct {
	*sim.Result
	System *System
	N      int // problem size

	Work            units.Flops          // W of the algorithm; if it is random, as drawn
	MarkedSpeed     units.FlopsPerSecond // C of the system
	AchievedSpeed   units.FlopsPerSecond // W/T; 0 without work, as in a barrier
	SpeedEfficiency float64              // W/(T C); 0 without work

	// Means over the processes, which add up to the makespan; 0 if the system does
	// not report them. A process that has finished waits for the end of the run.
	Compute, Overhead, Wait units.Seconds
	// How long the processes or their streams compute: the mean and the maximum.
	Useful, Longest units.Seconds

	Energy *energy.Account // nil if the system does not report its processes, or a power is not known

	inCores units.Seconds // mean time of computations without limits of memory; 0: no memory traffic, or shared cores
	data    scenario.Data // if outcomes need it
	speedup float64       // if it was asked for
	Why     Why           // as far as it was asked for
	others  *efficiencies.Runs
	trials  int // simulations besides others
}

func measure(s *System, n int, w units.Flops, r *sim.Result) (*Simulation, error) {
	x := &Simulation{Result: r, System: s, N: n, Work: w, MarkedSpeed: s.Placement.MarkedSpeed()}
	if w > 0 {
		var err error
		if x.AchievedSpeed, err = scalability.AchievedSpeed(w, r.Makespan); err != nil {
			return nil, err
		}
		if x.SpeedEfficiency, err = scalability.SpeedEfficiency(w, r.Makespan, x.MarkedSpeed); err != nil {
			return nil, err
		}
	}
	if len(r.Ranks) > 0 {
		for i := range r.Ranks {
			useful := r.Ranks[i].Useful()
			x.Compute += r.Ranks[i].Compute
			x.Useful, x.Longest = x.Useful+useful, max(x.Longest, useful)
			x.Overhead += r.Ranks[i].Overhead()
			// The rest of the makespan, without the rounding error of a difference.
			x.Wait += r.Ranks[i].Wait() + (r.Makespan - r.Ranks[i].Finish)
		}
		p := units.Seconds(len(r.Ranks))
		x.Compute /= p
		x.Useful /= p
		x.Overhead /= p
		x.Wait /= p
		x.Energy = energy.Of(s.Placement, s.power, r)
	}
	return x, nil
}

// applicationError returns why the run of an application ended early: nil if it did
// not, and for other programs.
func applicationError(p workloads.Program) error {
	if r, ok := p.(application.Run); ok && r.Err() != nil {
		return &input.Error{Msg: r.Err().Error(), Placed: true}
	}
	return nil
}

// timeless returns an error if an application states work but takes no time: a speed
// W/T does not exist.
func (s *System) timeless(a algorithm.Algorithm, r *sim.Result) error {
	of := application.Of(a)
	if of == nil || r.Makespan > 0 || a.Work() <= 0 {
		return nil
	}
	return &input.Error{Placed: true, Msg: fmt.Sprintf("%s: work: %v, and the program takes no time, because no "+
		"process computes and nothing else takes any: there is no speed W/T; expected a program that computes, or "+
		"work: 0 flop",
		of.WorkAt, a.Work())}
}

// workTolerance is the relative difference up to which computed work counts as equal to W:
// sums of many terms have rounding errors.
const workTolerance = 1e-9

// workWarning compares the total work that an application declares with the work that it
// computed; "" if they agree.
func (s *System) workWarning(p workloads.Program, declared units.Flops) string {
	r, ok := p.(application.Run)
	if !ok {
		return ""
	}
	want, of := declared, "its work"
	if s.Workload.Scaling == algorithm.Replicated {
		want, of = declared*units.Flops(p.Ranks()), fmt.Sprintf("its work on each of %d processes", p.Ranks())
	}
	did, random := r.Performed()
	if random || math.Abs(float64(did-want)) <= workTolerance*max(float64(want), float64(did)) {
		return ""
	}
	return fmt.Sprintf("application %s computes %v in all and %s is %v: speeds and efficiencies, which use the "+
		"latter, are wrong unless the difference is intended (then say counts: false where it is computed)",
		s.Workload.Name, did, of, want)
}

// Check returns the error with which a run of a scenario fails before time passes: in the
// machine, the parameters, or an expression as far as [application.Try] looks.
func Check(s *scenario.Scenario) error {
	sys, err := New(s)
	if err != nil {
		return err
	}
	return sys.Check(s.Workload.N)
}

// Check returns the error that [System.Simulate] returns before time passes.
func (s *System) Check(n int) error {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return err
	}
	p := s.Workload.Program(a, s.Placement)
	if r, ok := p.(application.Run); ok {
		application.Try(r)
	}
	return applicationError(p)
}

// CheckSuperProgram is [Check] for a super-program.
func CheckSuperProgram(s *scenario.SuperProgram) error {
	if s.Method == scenario.Dispatch {
		return dispatchOf(s).Validate()
	}
	return computeSuperProgram(s, &SuperProgramResult{Levels: make([]SuperLevel, len(s.Levels))})
}
