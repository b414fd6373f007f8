package measured

import (
	"cmp"
	"math"
	"slices"
)

// Fit is a law of speedup fitted to the points of a system.
type Fit struct {
	Law            string   `json:"law"` // amdahl or gustafson
	System         string   `json:"system"`
	N              *float64 `json:"n,omitempty"`                      // Amdahl: the size, of n or of work
	WorkEach       *float64 `json:"work_each,omitempty"`              // Gustafson: flop for each process
	Points         int      `json:"points"`                           // that were fitted, on more than one process
	SerialFraction float64  `json:"serial_fraction"`                  // by least squares; not forced into 0 to 1
	RMS            *float64 `json:"rms_relative_deviation,omitempty"` // of more than one point
	Limit          *float64 `json:"speedup_limit,omitempty"`          // Amdahl: 1/f
}

// A speedupPoint is a speedup, or a scaled speedup.
type speedupPoint struct {
	processes int
	speedup   float64
}

// fit fits Amdahl's law to points of one size and Gustafson's to points of equal
// work for each process, for every system.
func (r *Result) fit() {
	for i := 0; i < len(r.Systems); {
		k := i
		for k < len(r.Systems) && r.Systems[k].System == r.Systems[i].System {
			k++
		}
		r.fitAmdahl(r.Systems[i:k])
		r.fitGustafson(r.Systems[i:k])
		i = k
	}
	slices.SortStableFunc(r.Fits, func(a, b Fit) int { return cmp.Compare(a.Law, b.Law) })
}

func (r *Result) fitAmdahl(systems []System) {
	bySize := make(map[float64][]speedupPoint)
	var sizes []float64
	for _, s := range systems {
		for _, p := range s.Points {
			if s.Processes > 1 && p.Speedup != nil {
				if bySize[p.size] == nil {
					sizes = append(sizes, p.size)
				}
				bySize[p.size] = append(bySize[p.size], speedupPoint{s.Processes, *p.Speedup})
			}
		}
	}
	slices.Sort(sizes)
	for _, size := range sizes {
		points := bySize[size]
		if len(points) < 2 {
			continue // one point is what Karp-Flatt says
		}
		f := Fit{Law: "amdahl", System: systems[0].System, Points: len(points)}
		if size > 0 {
			f.N = &size
		}
		f.set(amdahlFit(points))
		if f.SerialFraction > 0 {
			limit := 1 / f.SerialFraction
			f.Limit = &limit
		}
		r.addFit(f)
	}
}

// amdahlFit returns the f that minimizes the squares of T/T_1 = 1/S over the points,
//
//	1/S - 1/p = f (1 - 1/p)
//
// and the root mean square of the relative deviations of the times.
func amdahlFit(points []speedupPoint) (f, rms float64) {
	var xy, xx float64
	for _, q := range points {
		p := float64(q.processes)
		x := 1 - 1/p
		xy += x * (1/q.speedup - 1/p)
		xx += x * x
	}
	f = xy / xx
	var sum float64
	for _, q := range points {
		d := (f+(1-f)/float64(q.processes))*q.speedup - 1
		sum += d * d
	}
	return f, math.Sqrt(sum / float64(len(points)))
}

// sameWorkEach is how far the work of a process may be from that on one process.
const sameWorkEach = 0.02

// fitGustafson looks for weak scaling: points whose work for each process is that
// of a run on one process. Their scaled speedup is their speed over that of the one
// process.
func (r *Result) fitGustafson(systems []System) {
	if systems[0].Processes != 1 {
		return
	}
	// The points of each system by their work for each process.
	type share struct{ work, speed float64 }
	shares := make([][]share, len(systems))
	for i, s := range systems {
		for _, p := range s.Points {
			if p.AchievedSpeed != nil {
				shares[i] = append(shares[i], share{*p.Work / float64(s.Processes), *p.AchievedSpeed})
			}
		}
		slices.SortStableFunc(shares[i], func(a, b share) int { return cmp.Compare(a.work, b.work) })
	}
	for _, base := range shares[0] {
		var points []speedupPoint
		for i := 1; i < len(systems); i++ {
			all := shares[i]
			k, _ := slices.BinarySearchFunc(all, base.work, func(s share, w float64) int { return cmp.Compare(s.work, w) })
			nearest, off := -1, sameWorkEach
			for j := max(k-1, 0); j <= k && j < len(all); j++ {
				if d := math.Abs(all[j].work/base.work - 1); d <= off {
					nearest, off = j, d
				}
			}
			if nearest >= 0 {
				points = append(points, speedupPoint{systems[i].Processes, all[nearest].speed / base.speed})
			}
		}
		if len(points) == 0 {
			continue
		}
		f := Fit{Law: "gustafson", System: systems[0].System, WorkEach: &base.work, Points: len(points)}
		f.set(gustafsonFit(points))
		r.addFit(f)
	}
}

// gustafsonFit returns the f that minimizes the squares of the scaled speedup over
// the points,
//
//	p - S = f (p - 1)
//
// and the root mean square of the relative deviations of the speedups.
func gustafsonFit(points []speedupPoint) (f, rms float64) {
	var xy, xx float64
	for _, q := range points {
		x := float64(q.processes) - 1
		xy += x * (float64(q.processes) - q.speedup)
		xx += x * x
	}
	f = xy / xx
	var sum float64
	for _, q := range points {
		p := float64(q.processes)
		d := (f+(1-f)*p)/q.speedup - 1
		sum += d * d
	}
	return f, math.Sqrt(sum / float64(len(points)))
}

func (f *Fit) set(fraction, rms float64) {
	f.SerialFraction = fraction
	if f.Points > 1 {
		f.RMS = &rms
	}
}

// addFit keeps a fit whose numbers are finite.
func (r *Result) addFit(f Fit) {
	for _, v := range []float64{f.SerialFraction, value(f.RMS), value(f.Limit)} {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return
		}
	}
	r.Fits = append(r.Fits, f)
}
