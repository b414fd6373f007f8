package dispatch

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// smooth is the formula of the source [Jin, Eq. 24-26], as log2 of the speedup
// over one node:
//
//	sum_i log2(w_i n_i/(w_i + c_i (n_i - 1)))
func smooth(w, n []int, c []float64) float64 {
	sum := 0.0
	for i := range w {
		sum += math.Log2(float64(w[i]) * float64(n[i]) / (float64(w[i]) + c[i]*float64(n[i]-1)))
	}
	return sum
}

// The imbalance c that the formula would need for a simulated level: w SIs on n nodes take (w + c (n-1))/n times as
// long as one.
func imbalance(makespan units.Seconds, w, n int) float64 {
	return (float64(n)*float64(makespan) - float64(w)) / float64(n-1)
}

// With equal times and no costs the makespan is ceil(w/n). From w to w + n - 1
// the nodes that are idle in the last round are n-1, n-2, ... 0 in some order,
// on average (n-1)/2: the mean of c is 1/2, whatever n, w and b are.
func TestMeanImbalanceIsHalf(t *testing.T) {
	for _, n := range []int{2, 3, 8, 13} {
		for _, b := range []int{1, 4} {
			sum := 0.0
			for w := 5 * n; w < 6*n; w++ {
				r := mustRun(t, Config{Machine: Machine{Ideal(n, b)}, Work: Work{SIs: []int{w}, Time: 1}})
				sum += imbalance(r.Makespan, w, n)
			}
			expect.Near(t, sum/float64(n), 0.5, 1e-12, "%d nodes, %d outstanding: mean c", n, b)
		}
	}
}

// The source's case 1: w_1 = w_2 = 512, c_1 = 0.9, c_2 = 0.7. 512 is a multiple
// of all its numbers of nodes, so whole SIs without costs give the perfect
// speedup, and the formula is below it. At r_1 = r_2 = 9 the formula loses
// log2(1 + 0.9 x 511/512) + log2(1 + 0.7 x 511/512) = 1.689, as in Table I,
// where 16.311 is printed.
func TestCase1(t *testing.T) {
	worst := 0.0
	for r1 := 0; r1 < 10; r1 += 3 {
		for r2 := 0; r2 < 10; r2 += 3 {
			n := []int{1 << r1, 1 << r2}
			r := mustRun(t, Config{Machine: Machine{Ideal(n[0], 1), Ideal(n[1], 1)}, Work: Work{SIs: []int{512, 512}, Time: 1}})
			simulated := math.Log2(r.Speedup())
			expect.Equal(t, simulated, float64(r1+r2), "r = (%d, %d): log2 speedup", r1, r2)
			worst = max(worst, simulated-smooth([]int{512, 512}, n, []float64{0.9, 0.7}))
		}
	}
	expect.Near(t, worst, 18-16.311, 0.0005, "how far the formula is below")
}

// measurement is a row of the source's Table II.
type measurement struct {
	subclusters, nodes int
	speedup            float64
}

func readTable2(t testing.TB) []measurement {
	t.Helper()
	f := expect.Value(os.Open("../../paper/data/jin_table2.csv"))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows := expect.Value(r.ReadAll())(t)
	var table []measurement
	for _, row := range rows[1:] {
		var m measurement
		expect.Value(fmt.Sscan(row[0]+" "+row[1], &m.subclusters, &m.nodes))(t)
		m.speedup = expect.Value(strconv.ParseFloat(row[2], 64))(t)
		table = append(table, m)
	}
	expect.Need(t, len(table) == 10, "%d rows, want 10", len(table))
	return table
}

// fit are the three free parameters, in times of a product of two building
// blocks on one PC (BB times).
type fit struct {
	delay float64 // of an LMB product on a remote subcluster, both ways, not shared
	trunk float64 // of the data of an LMB product on the trunk, alone
	fetch float64 // of the data of a BB product through the interface of a remote PC
}

// The fitted values; docs/models/spm.md states them.
var fitted = fit{delay: 44, trunk: 12, fetch: 4.5625}

// The multiplication of the source's section 6: 64 products of large matrix
// blocks (LMBs), each 64 products of building blocks. The IDUs are on the first
// nodes. Up to four SIs at a time are printed for level 2.
func (f fit) level1(subclusters int) Level {
	return level(subclusters, 1, func(l *Level) {
		l.Latency = units.Seconds(f.delay / 2)
		l.Operands, l.Trunk = 1, units.BytesPerSecond(1/f.trunk)
	})
}

func (f fit) level2(nodes int) Level {
	return level(nodes, 4, func(l *Level) {
		l.Operands, l.Bandwidth = 1, units.BytesPerSecond(1/f.fetch)
	})
}

// fitter evaluates fits. An LMB product does not depend on level 1, so its times are kept.
type fitter struct {
	t        testing.TB
	table    []measurement
	products map[float64]map[int]units.Seconds // by interface, nodes
	tried    int
}

// deviations returns the relative deviation of each speedup.
func (s *fitter) deviations(f fit) []float64 {
	s.tried++
	times := s.products[f.fetch]
	if times == nil {
		times = map[int]units.Seconds{}
		s.products[f.fetch] = times
	}
	var dev []float64
	for _, m := range s.table {
		if _, ok := times[m.nodes]; !ok {
			times[m.nodes] = mustRun(s.t, Config{Machine: Machine{f.level2(m.nodes)}, Work: Work{SIs: []int{64}, Time: 1}}).Makespan
		}
		r := mustRun(s.t, Config{Machine: Machine{f.level1(m.subclusters)}, Work: Work{SIs: []int{64}, Time: times[m.nodes]}})
		dev = append(dev, 64*64/float64(r.Makespan)/m.speedup-1)
	}
	return dev
}

// rms is the root mean square over the 9 rows that are not (1, 1), where the
// speedup is 1 by definition.
func (s *fitter) rms(f fit) float64 {
	sum := each.Sum(s.deviations(f), func(d float64) float64 { return d * d })
	return math.Sqrt(sum / 9)
}

// search goes to the best of eight neighbours until none is better, then halves the steps, seven times: six neighbours
// lie along the axes, and two trade delay for trunk, because these two can nearly replace each other.
func (s *fitter) search(at fit) (fit, float64) {
	value := s.rms(at)
	step := fit{8, 4, 1}
	for halved := 0; halved < 7; {
		best, lowest := at, value
		for _, d := range []fit{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 1, 0}, {1, -1, 0}} {
			next := fit{at.delay + d.delay*step.delay, at.trunk + d.trunk*step.trunk, at.fetch + d.fetch*step.fetch}
			if next.delay < 0 || next.trunk <= 0 || next.fetch <= 0 {
				continue
			}
			if v := s.rms(next); v < lowest {
				best, lowest = next, v
			}
		}
		if lowest < value {
			at, value = best, lowest
			continue
		}
		halved++
		step = fit{step.delay / 2, step.trunk / 2, step.fetch / 2}
	}
	return at, value
}

func newFitter(t testing.TB) *fitter {
	return &fitter{t: t, table: readTable2(t), products: map[float64]map[int]units.Seconds{}}
}

// The mechanism explains the measured column of Table II to the deviations that docs/models/spm.md states. This test
// runs the whole two-level machine.
func TestTable2(t *testing.T) {
	want := []float64{0, -0.021, -0.009, -0.003, -0.027, 0, 0.027, -0.002, -0.002, 0.024}
	s := newFitter(t)
	byLevel := s.deviations(fitted)
	for i, m := range s.table {
		r := mustRun(t, Config{
			Machine: Machine{fitted.level1(m.subclusters), fitted.level2(m.nodes)},
			Work:    Work{SIs: []int{64, 64}, Time: 1},
		})
		dev := r.Speedup()/m.speedup - 1
		t.Logf("(%d, %d): measured %.3f, simulated %.3f, %+.1f %%", m.subclusters, m.nodes, m.speedup, r.Speedup(), 100*dev)
		expect.That(t, math.Abs(dev-want[i]) <= 0.0006 && math.Abs(dev-byLevel[i]) <= 1e-12,
			"(%d, %d): deviation %.5f, in the search %.5f; documented %.3f", m.subclusters, m.nodes, dev, byLevel[i], want[i])
	}
	rms := s.rms(fitted)
	expect.That(t, math.Abs(rms-0.0168) <= 0.00005, "rms %.5f; documented 0.0168", rms)
}

// A search from a distant start ends at the fitted parameters. These are the best of their neighbourhood, also for
// steps that the search did not take.
func TestTable2Fit(t *testing.T) {
	s := newFitter(t)
	found, rms := s.search(fit{16, 16, 4})
	t.Logf("%v: rms %.3f %%, %d fits tried", found, 100*rms, s.tried)
	expect.Equal(t, found, fitted, "fit")
	least := s.rms(fitted)
	neighbours := 0
	for _, size := range []float64{1, 16} {
		for k := range 27 {
			d := fit{float64(k%3 - 1), float64(k/3%3 - 1), float64(k/9 - 1)}
			near := fit{
				fitted.delay + size*d.delay/8,
				fitted.trunk + size*d.trunk/16,
				fitted.fetch + size*d.fetch/64,
			}
			if near == fitted {
				continue
			}
			neighbours++
			v := s.rms(near)
			expect.That(t, v >= least, "%v: rms %.5f, below %.5f of the fitted", near, v, least)
		}
	}
	expect.That(t, neighbours == 2*26, "%d neighbours, want 52", neighbours)
}
