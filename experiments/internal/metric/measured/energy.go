package measured

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/model/units"
)

// EnergyFit is the two powers of a process that explain the energies of a system at one
// size: docs/models/energy.md.
type EnergyFit struct {
	System string        `json:"system"`
	N      *float64      `json:"n,omitempty"` // the size, of n or of work
	Load   float64       `json:"load_w"`      // a process that computes, with its part of the machine
	Wait   float64       `json:"wait_w"`      // one in messages
	Points []EnergyPoint `json:"points"`
}

// EnergyPoint compares the energy on a number of processes with what the powers give, and
// with that of processes that draw what they do on the fewest, at all times.
type EnergyPoint struct {
	Processes int      `json:"processes"`
	Time      float64  `json:"time_s"`
	Energy    *float64 `json:"energy_j,omitempty"` // as measured; nil: a prediction
	Fitted    float64  `json:"fitted_j"`
	Constant  float64  `json:"constant_power_j"`
}

// fitEnergy fits the energies of each system at each size that has some, and notes why
// there are no powers.
func (r *Result) fitEnergy() {
	for _, systems := range r.byName() {
		sizes := make(map[float64][]EnergyPoint)
		for _, s := range systems {
			for _, p := range s.Points {
				sizes[p.Size] = append(sizes[p.Size], EnergyPoint{Processes: s.Processes, Time: p.Time, Energy: p.Energy})
			}
		}
		for _, size := range slices.Sorted(maps.Keys(sizes)) {
			f := EnergyFit{System: systems[0].System, Points: sizes[size]}
			if size > 0 {
				f.N = &size
			}
			if given := f.given(); len(given) == 0 {
				continue
			} else if err := f.fit(given); err != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("no powers for %s: %v", r.EnergyName(&f), err))
			} else {
				r.Energies = append(r.Energies, f)
			}
		}
	}
}

// given returns the runs whose energy was measured.
func (f *EnergyFit) given() []energy.Sample {
	var runs []energy.Sample
	for _, x := range f.Points {
		if x.Energy != nil {
			runs = append(runs, energy.Sample{Processes: x.Processes, Time: units.Seconds(x.Time), Energy: energy.Joules(*x.Energy)})
		}
	}
	return runs
}

// fit determines the powers and the energies that follow from them.
func (f *EnergyFit) fit(given []energy.Sample) error {
	powers, err := energy.Fit(given)
	if err != nil {
		return err
	}
	f.Load, f.Wait = float64(powers.Load), float64(powers.Wait)
	first := given[0] // points are in the order of processes
	constant := float64(first.Energy) / (float64(first.Processes) * float64(first.Time))
	for i := range f.Points {
		x := &f.Points[i]
		x.Fitted = float64(powers.Of(x.Processes, units.Seconds(x.Time)))
		x.Constant = constant * float64(x.Processes) * x.Time
	}
	return nil
}

// EnergyName tells the powers from those of other systems and sizes.
func (r *Result) EnergyName(f *EnergyFit) string {
	return cmp.Or(r.FitName(&Fit{System: f.System, N: f.N}), "all")
}
