package iso

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Psi is the scalability from one system to another.
type Psi struct {
	From         string   `json:"from"`
	To           string   `json:"to"`
	Psi          float64  `json:"psi"`
	PsiPredicted *float64 `json:"psi_predicted"` // from T_o in closed form; null where that failed
	PsiCompared  *float64 `json:"psi_compared,omitempty"`
	// Growth is false where the marked speed of To is not larger than that of From:
	// psi is then no scalability, and is set apart from the others.
	Growth bool        `json:"growth"`
	EqualN []EqualSize `json:"equal_n"` // the sizes that hold the target on From and on To
}

// EqualSize is one problem on both systems of a step. Where a system cannot have the
// problem, its time is nil.
type EqualSize struct {
	N    int      `json:"n"`
	From *float64 `json:"time_from_s"`
	To   *float64 `json:"time_to_s"`
}

// ratio is how many times as fast To is; nil without both times.
func (e EqualSize) ratio() *float64 {
	if e.From == nil || e.To == nil || *e.To == 0 {
		return nil
	}
	q := *e.From / *e.To
	return &q
}

// pair is two systems that are compared, by their places in the study.
type pair struct{ from, to int }

// ends returns the systems of smallest and largest marked speed; ok is false if all
// have the same.
func (r *Result) ends() (_ pair, ok bool) {
	var p pair
	for i, s := range r.Systems {
		if s.MarkedSpeed < r.Systems[p.from].MarkedSpeed {
			p.from = i
		}
		if s.MarkedSpeed > r.Systems[p.to].MarkedSpeed {
			p.to = i
		}
	}
	return p, r.Systems[p.from].MarkedSpeed < r.Systems[p.to].MarkedSpeed
}

// findSteps compares neighbouring systems, and the smallest with the largest.
func (r *Result) findSteps(ctx context.Context) error {
	var pairs []pair
	for i := range len(r.Systems) - 1 {
		pairs = append(pairs, pair{i, i + 1})
	}
	ends, grows := r.ends()
	if grows {
		pairs = append(pairs, ends)
	}
	if err := r.simulateEqualSizes(ctx, pairs); err != nil {
		return err
	}
	for i, p := range pairs {
		step, err := r.step(p)
		if err != nil {
			return err
		}
		if i == len(r.Systems)-1 {
			r.Ends = &step
			continue
		}
		if c := r.study.Compare; c != nil && i < len(c.Psi) {
			step.PsiCompared = &c.Psi[i]
		}
		if !step.Growth {
			a, b := r.Systems[p.from], r.Systems[p.to]
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s to %s: the marked speed does not grow, from %.6g to %.6g Mflop/s, so psi = %.3f is no scalability; order the systems by marked speed",
				a.Name, b.Name, a.MarkedSpeed, b.MarkedSpeed, step.Psi))
		}
		r.Psi = append(r.Psi, step)
	}
	return nil
}

// simulateEqualSizes simulates on both systems of each pair the sizes that hold the
// target on either. What a system cannot have is missing in its curve.
func (r *Result) simulateEqualSizes(ctx context.Context, pairs []pair) error {
	return system.Each(len(r.details), 0, func(i int) error {
		for _, p := range pairs {
			other := p.to
			switch i {
			case p.from:
			case p.to:
				other = p.from
			default:
				continue
			}
			n := r.details[other].solution.N
			// The problem of one system may be impossible on another, such as one of
			// fewer rows than processes. That is an answer, and no error of the study.
			if _, err := r.details[i].curve.At(ctx, n); err != nil && ctx.Err() != nil {
				return err
			}
		}
		return nil
	}, nil)
}

// step is what is known of two systems.
func (r *Result) step(p pair) (Psi, error) {
	a, b := &r.details[p.from], &r.details[p.to]
	psi, err := scalability.IsospeedEfficiency(operatingPoint(a), operatingPoint(b))
	if err != nil {
		return Psi{}, err
	}
	s := Psi{From: a.name, To: b.name, Psi: psi, Growth: b.solution.MarkedSpeed > a.solution.MarkedSpeed}
	if a.predict != nil && b.predict != nil {
		if p, err := scalability.Theorem1(a.predict.sequential, a.predict.overhead, b.predict.sequential, b.predict.overhead); err == nil {
			s.PsiPredicted = &p
		}
	}
	sizes := []int{a.solution.N, b.solution.N}
	slices.SortFunc(sizes, cmp.Compare[int])
	for _, n := range slices.Compact(sizes) {
		s.EqualN = append(s.EqualN, EqualSize{N: n, From: timeAt(a, n), To: timeAt(b, n)})
	}
	return s, nil
}

func operatingPoint(d *detail) scalability.Point {
	return scalability.Point{MarkedSpeed: d.solution.MarkedSpeed, Work: d.solution.Work}
}

// timeAt is the simulated time of a size, nil if it was not simulated.
func timeAt(d *detail, n int) *float64 {
	points := d.curve.Points()
	i, found := slices.BinarySearchFunc(points, n, func(x *system.Simulation, n int) int { return cmp.Compare(x.N, n) })
	if !found {
		return nil
	}
	t := float64(points[i].Makespan)
	return &t
}

// Growing returns the steps to systems of larger marked speed.
func (r *Result) Growing() []Psi { return r.steps(true) }

// Apart returns the steps to systems of no larger marked speed, whose psi is no
// scalability.
func (r *Result) Apart() []Psi { return r.steps(false) }

func (r *Result) steps(growth bool) []Psi {
	return slices.DeleteFunc(slices.Clone(r.Psi), func(p Psi) bool { return p.Growth != growth })
}

// EqualSizeRows are the rows of a table of times at equal problem size: from, to, n,
// both times, and how many times as fast the second system is. The smallest and the
// largest system are the last, unless they are neighbours in either order.
func (r *Result) EqualSizeRows() [][]string {
	var rows [][]string
	steps := slices.Clone(r.Psi)
	if e := r.Ends; e != nil && !slices.ContainsFunc(steps, func(p Psi) bool {
		return p.From == e.From && p.To == e.To || p.From == e.To && p.To == e.From
	}) {
		steps = append(steps, *e)
	}
	for _, p := range steps {
		for _, e := range p.EqualN {
			rows = append(rows, []string{p.From, p.To, fmt.Sprint(e.N), timeText(e.From), timeText(e.To), input.Optional(e.ratio(), "%.3g")})
		}
	}
	return rows
}

func timeText(t *float64) string {
	if t == nil {
		return input.None
	}
	return units.Seconds(*t).String()
}
