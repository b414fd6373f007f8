package iso

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// The efficiency need not rise with the problem size: it falls where a size divides unevenly among
// processes, so the curve may cross the target several times. Then no crossing by itself is the size
// at which systems should be compared. On a grid of processes, the sizes that all its sides divide form
// the upper trend, and psi is taken there. Elsewhere [detail.trendAt] has the trend, and among the sizes
// at which the curve rises through the target, the one nearest to that of the trend is taken. The first
// and the last crossing are the range.

// crossings returns the pairs of neighbours between which a curve crosses the target.
func crossings(curve []*system.Simulation, target float64) (all [][2]*system.Simulation) {
	for i := 1; i < len(curve); i++ {
		if below(curve[i-1], target) != below(curve[i], target) {
			all = append(all, [2]*system.Simulation{curve[i-1], curve[i]})
		}
	}
	return all
}

func below(x *system.Simulation, target float64) bool { return x.SpeedEfficiency < target }

// firstRise returns the neighbours between which a curve first rises to an efficiency; nil if it does not.
func firstRise(curve []*system.Simulation, e float64) (low, high *system.Simulation) {
	for _, c := range crossings(curve, e) {
		if below(c[0], e) {
			return c[0], c[1]
		}
	}
	return nil, nil
}

// scans is the number of sizes that are simulated around the crossings of a curve that falls
// somewhere, and rounds how often that is done while it finds crossings further out.
const scans, rounds = 24, 3

// settle looks at all sizes simulated so far, and simulates more if the efficiency falls somewhere. If the
// curve crosses the target several times, the solution becomes the rise through it that is nearest to the
// trend, otherwise the first rise.
func (d *detail) settle(ctx context.Context, target float64, r scenario.SizeRange) error {
	if settled, err := d.settleOnGrid(ctx, target, r); settled || err != nil {
		return err
	}
	low, high := firstRise(d.curve.Points(), target)
	if high != nil && high.N < d.solution.N {
		var err error
		if d.solution, err = d.curve.Between(ctx, target, low, high); err != nil {
			return err
		}
	}
	for range rounds {
		all := crossings(d.curve.Points(), target)
		if from, _ := d.fall(); from == nil && !d.uneven(d.solution.N/2) || len(all) == 0 {
			return nil
		}
		margin := max(4, d.solution.N/16)
		from, to := max(r.From, all[0][0].N-margin), min(r.To, all[len(all)-1][1].N+margin)
		for i := range scans {
			n := from + int(math.Round(float64(i)*float64(to-from)/(scans-1)))
			if _, err := d.curve.Near(ctx, n); err != nil {
				return err
			}
		}
		found := crossings(d.curve.Points(), target)
		if found[0][0].N >= all[0][0].N && found[len(found)-1][1].N <= all[len(all)-1][1].N {
			break
		}
	}
	all := crossings(d.curve.Points(), target)
	if len(all) == 1 {
		return nil
	}
	trend := d.trendAt(target)
	rises := slices.DeleteFunc(all, func(c [2]*system.Simulation) bool { return !below(c[0], target) })
	nearest := slices.MinFunc(rises, func(a, b [2]*system.Simulation) int {
		far := func(c [2]*system.Simulation) float64 { return math.Abs(math.Log(float64(c[1].N) / trend)) }
		return cmp.Compare(far(a), far(b))
	})
	x, err := d.curve.Between(ctx, target, nearest[0], nearest[1])
	if err == nil {
		d.settled(x, crossings(d.curve.Points(), target)) // again: Between has simulated more sizes
	}
	return err
}

// settled makes one of several crossings the solution, which may lie outside the range of the others.
func (d *detail) settled(x *system.Simulation, all [][2]*system.Simulation) {
	d.solution = x
	d.crossed = &[2]int{min(x.N, all[0][1].N), max(x.N, all[len(all)-1][1].N)}
}

// settleOnGrid makes the size nearest to the target that all sides of the grid of processes divide the solution,
// if the curve crosses the target several times, but only once at such sizes. Sizes of one more divide least
// evenly: the range ends near where their efficiency rises through the target.
func (d *detail) settleOnGrid(ctx context.Context, target float64, r scenario.SizeRange) (bool, error) {
	period := 1 // the least common multiple of the sides
	for _, side := range d.grid(d.solution.N) {
		for step := period; period%side != 0; period += step {
		}
	}
	all := crossings(d.curve.Points(), target)
	if period == 1 || len(all) == 0 {
		return false, nil
	}
	best, err := d.riseNear(ctx, target, r, period, 0, all[0][0].N/period)
	if best == nil || err != nil {
		return false, err
	}
	for _, share := range []float64{0.75, 1.5} { // to show that only uneven division makes the efficiency fall
		if n := int(share*float64(best.N/period)) * period; r.From <= n && n <= r.To {
			if _, err := d.curve.At(ctx, n); err != nil {
				return false, err
			}
		}
	}
	_, err = d.riseNear(ctx, target, r, period, 1, max(best.N, all[len(all)-1][0].N)/period)
	if err != nil {
		return false, err
	}
	points := d.curve.Points()
	all = crossings(points, target)
	even := slices.DeleteFunc(slices.Clone(points), func(x *system.Simulation) bool { return x.N%period != 0 })
	if from, _ := fall(even, best.N/2, 2*best.N, 0); len(all) == 1 || len(crossings(even, target)) != 1 || from != nil {
		return false, nil
	}
	d.period = period
	d.settled(best, all)
	return true, nil
}

// riseNear returns the simulation of the size period k + rest that holds the target, where the efficiency at such
// sizes rises through it. It looks in growing steps from k = near, and returns nil if no size of the study does.
func (d *detail) riseNear(ctx context.Context, target float64, r scenario.SizeRange, period, rest, near int) (
	*system.Simulation, error) {
	efficiency := func(k int) (float64, error) {
		x, err := d.curve.At(ctx, period*k+rest)
		if err != nil {
			return 0, err
		}
		return x.SpeedEfficiency, nil
	}
	first, last := max(1, (r.From-rest+period-1)/period), (r.To-rest)/period
	if first > last {
		return nil, nil
	}
	k := min(max(near, first), last)
	e, err := efficiency(k)
	low, high, rising := k, k, e < target
	for step := 1; err == nil && (e < target) == rising; step *= 2 {
		switch {
		case rising && high < last:
			low, high = high, min(high+step, last)
			e, err = efficiency(high)
		case !rising && low > first:
			low, high = max(low-step, first), low
			e, err = efficiency(low)
		default:
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if k, err = hold.Bisect(target, low, high, efficiency); err != nil {
		return nil, err
	}
	return d.curve.At(ctx, period*k+rest)
}

// grid returns the sides of the grid of processes at a problem size, nil without one.
func (d *detail) grid(n int) []int {
	if of, ok := d.curve.System.Algorithm(n).(interface{ Grid() []int }); ok {
		return of.Grid()
	}
	return nil
}

// fall returns the neighbours around the solution between which the efficiency falls most; nil if it
// never falls by more than the tolerance.
func (d *detail) fall() (from, to *system.Simulation) {
	return fall(d.curve.Points(), d.solution.N/2, 2*d.solution.N, hold.Tolerance(d.solution.SpeedEfficiency))
}

// uneven reports whether some size, from a first one to twice the solution, divides worse than a smaller one: its work
// is a smaller part of the longest computation. Then the efficiency may fall between simulated sizes.
func (d *detail) uneven(first int) bool {
	last := 0.0
	for _, x := range d.curve.Points() {
		if x.N < first || x.N > 2*d.solution.N {
			continue
		}
		share := float64(x.Work) / (float64(x.MarkedSpeed) * float64(x.Longest))
		if share < last*(1-1e-9) {
			return true
		}
		last = share
	}
	return false
}

// fall returns the neighbours between a first and a last size between which the efficiency falls most; nil if
// it never falls by more than the tolerance and rounding.
func fall(all []*system.Simulation, first, last int, tolerance float64) (from, to *system.Simulation) {
	worst := max(tolerance, 1e-12)
	for i := 1; i < len(all); i++ {
		if all[i-1].N < first || all[i].N > last {
			continue
		}
		if f := all[i-1].SpeedEfficiency - all[i].SpeedEfficiency; f > worst {
			worst, from, to = f, all[i-1], all[i]
		}
	}
	return from, to
}

// trendAt returns the size at which the trend reaches the target. The trend is the efficiency that never
// falls and is nearest to that of the curve, by least squares over the problem size.
//
// Source: isotonic regression by pooling adjacent violators. Deviation: the trend is linear between the
// centres of blocks.
func (d *detail) trendAt(target float64) float64 {
	type block struct{ weight, n, e float64 } // sums, times weight
	all := d.curve.Points()
	var blocks []block
	for i, x := range all {
		// A size stands for all sizes that are nearer to it than to others.
		low, high := all[max(i-1, 0)].N, all[min(i+1, len(all)-1)].N
		w := float64(high-low) / 2
		b := block{w, float64(w * float64(x.N)), float64(w * x.SpeedEfficiency)}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.e*b.weight < b.e*last.weight {
				break
			}
			b = block{b.weight + last.weight, b.n + last.n, b.e + last.e}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	k := slices.IndexFunc(blocks, func(b block) bool { return b.e >= target*b.weight })
	switch k {
	case -1:
		return float64(all[len(all)-1].N)
	case 0:
		return float64(all[0].N)
	}
	a, b := blocks[k-1], blocks[k]
	share := (target - a.e/a.weight) / (b.e/b.weight - a.e/a.weight)
	return a.n/a.weight + share*(b.n/b.weight-a.n/a.weight)
}

// warnCrossings warns once about all systems that cross the target several times: it says what was done about it
// and, if known, why they do.
func (r *Result) warnCrossings() {
	var where, trends, grids []string
	uneven := true
	var example string
	for i := range r.details {
		d := &r.details[i]
		if d.crossed == nil {
			continue
		}
		where = append(where, fmt.Sprintf("%s from n = %d to %d", d.name, d.crossed[0], d.crossed[1]))
		from, to := d.fall()
		if d.period > 0 {
			grids = append(grids, fmt.Sprintf("%d on %s", d.period, d.name))
			continue
		}
		trends = append(trends, d.name)
		if from == nil {
			uneven = false
			continue
		}
		a, b := balance(from), balance(to)
		lost := 1 - to.SpeedEfficiency/from.SpeedEfficiency
		if !(1-b/a >= lost/2) {
			uneven = false
		}
		if example == "" {
			example = fmt.Sprintf("on %s from n = %d to %d the load balance falls from %.3g to %.3g and the "+
				"speed-efficiency from %.3g to %.3g", d.name, from.N, to.N, a, b, from.SpeedEfficiency, to.SpeedEfficiency)
		}
	}
	if len(where) == 0 {
		return
	}
	text := fmt.Sprintf("the speed-efficiency crosses the target several times: %s; ", strings.Join(where, ", "))
	if len(grids) > 0 {
		text += fmt.Sprintf("the cause is grids of processes that divide n unevenly: at multiples of %s it does not "+
			"fall, and the one nearest to the target is used", input.List(grids))
	}
	if len(trends) > 0 {
		on := ""
		if len(grids) > 0 {
			on = "; on " + input.List(trends) + ", "
		}
		text += on + "of the sizes at which it rises through the target, the one nearest to the rising trend is used"
	}
	text += ", with its own speed-efficiency, and psi is given as a range over all crossings seen"
	if uneven && len(trends) > 0 {
		text += ". The cause is work that divides unevenly among processes: " + example
	}
	r.Warnings = append(r.Warnings, text)
}

// balance is the load balance: the mean computation of processes over the longest.
func balance(x *system.Simulation) float64 { return float64(x.Useful / x.Longest) }

// elongated is the ratio between two systems' ratios of the longest to the shortest side of the grid of processes
// from which on their grids differ in kind.
const elongated = 4

// warnGrids warns once if psi compares grids of processes of different shape, as when one number of
// processes is prime.
func (r *Result) warnGrids() {
	type grid struct {
		text  string
		shape float64
	}
	var all []grid
	for i := range r.details {
		d := &r.details[i]
		sides := d.grid(d.solution.N)
		if len(sides) < 2 {
			return
		}
		text := strings.ReplaceAll(strings.Trim(fmt.Sprint(sides), "[]"), " ", " x ")
		all = append(all, grid{d.name + " " + text, float64(slices.Max(sides)) / float64(slices.Min(sides))})
	}
	compact := slices.MinFunc(all, func(a, b grid) int { return cmp.Compare(a.shape, b.shape) })
	var long []string
	for _, g := range all {
		if g.shape > elongated*compact.shape {
			long = append(long, g.text)
		}
	}
	if len(long) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("psi compares not only systems but also process grids of "+
			"different shapes: %s, but %s; choose numbers of processes whose grids have nearly equal sides",
			compact.text, input.List(long)))
	}
}
