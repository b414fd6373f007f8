package energy

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/isoscale/isoscale/model/units"
)

// A Sample is a measured run of a program of fixed size.
type Sample struct {
	Processes int
	Time      units.Seconds
	Energy    Joules
}

// Powers are what a process, with its part of the machine, draws while it computes and
// while it is in messages.
type Powers struct {
	Load, Wait units.Watts
	first      Sample // of the fewest processes, which are taken to compute all the time
}

// Fit determines two powers from runs of one size on different numbers of processes,
//
//	E_i = p_i (P_load t_i + P_wait (T_i - t_i))        t_i = p_1 T_1/p_i
//
// with p_1 the smallest number of processes, which is taken to compute all the time,
// and work that is divided evenly. It minimizes the squares of relative errors. The
// error says why there are no such powers: fewer than two numbers of processes, no time
// in messages, or a power below 0.
func Fit(runs []Sample) (Powers, error) {
	f, err := firstOf(runs)
	if err != nil {
		return Powers{}, err
	}
	a, b := mat.NewDense(len(runs), 2, nil), mat.NewVecDense(len(runs), nil)
	messages := units.Seconds(0)
	for i, r := range runs {
		compute, wait := f.times(r.Processes, r.Time)
		messages = max(messages, wait)
		a.Set(i, 0, float64(over(units.Watts(r.Processes), compute)/r.Energy))
		a.Set(i, 1, float64(over(units.Watts(r.Processes), wait)/r.Energy))
		b.SetVec(i, 1)
	}
	if messages == 0 {
		return Powers{}, errors.New("no run spends time in messages")
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return Powers{}, fmt.Errorf("the energies do not determine two powers: %w", err)
	}
	f.Load, f.Wait = units.Watts(x.AtVec(0)), units.Watts(x.AtVec(1))
	if !(f.Load > 0 && f.Wait >= 0) || math.IsInf(float64(f.Load+f.Wait), 0) {
		return Powers{}, fmt.Errorf("the energies would need powers of %v computing and %v in messages", f.Load, f.Wait)
	}
	return f, nil
}

// firstOf returns powers that know the mean run on the fewest processes.
func firstOf(runs []Sample) (Powers, error) {
	var f Powers
	most, count := 0, 0
	for _, r := range runs {
		most = max(most, r.Processes)
		if f.first.Processes == 0 || r.Processes < f.first.Processes {
			f.first, count = Sample{Processes: r.Processes}, 0
		}
		if r.Processes == f.first.Processes {
			f.first.Time += r.Time
			count++
		}
	}
	if most == f.first.Processes {
		return f, errors.New("the energies are of one number of processes")
	}
	f.first.Time /= units.Seconds(count)
	return f, nil
}

// times divides the time of a run on p processes. A run that is faster than evenly
// divided work only computes.
func (f Powers) times(p int, t units.Seconds) (compute, wait units.Seconds) {
	compute = min(t, units.Seconds(float64(f.first.Processes)/float64(p))*f.first.Time)
	return compute, t - compute
}

// Of returns the energy of a run on p processes that takes a time.
func (f Powers) Of(p int, t units.Seconds) Joules {
	compute, wait := f.times(p, t)
	return Joules(p) * (over(f.Load, compute) + over(f.Wait, wait))
}
