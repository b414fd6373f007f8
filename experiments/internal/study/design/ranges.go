package design

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// whole are whole numbers with a step.
type whole struct{ from, step, n int }

func (w *whole) len() int            { return w.n }
func (w *whole) text(i int) string   { return strconv.Itoa(w.from + i*w.step) }
func (w *whole) value(i int) float64 { return float64(w.from + i*w.step) }

// powers are powers of two.
type powers struct{ exponent, n int }

func (p *powers) len() int            { return p.n }
func (p *powers) text(i int) string   { return strconv.Itoa(1 << (p.exponent + i)) }
func (p *powers) value(i int) float64 { return float64(int(1) << (p.exponent + i)) }

// spaced are n numbers from one end to the other, both included.
type spaced struct {
	line
	n      int
	digits int // significant digits of numbers that do not terminate
}

func (s *spaced) len() int          { return s.n }
func (s *spaced) text(i int) string { return numberText(s.value(i)) }

// value is rounded: the number in the text is the number that is used.
func (s *spaced) value(i int) float64 {
	switch i {
	case 0:
		return s.from
	case s.n - 1:
		return s.to
	}
	x := s.at(float64(i) / float64(s.n-1))
	if math.Abs(x) < 1e-12*max(math.Abs(s.from), math.Abs(s.to)) && !s.log {
		return 0 // rounding error of the difference of the ends
	}
	if r, ok := terminates(x); ok {
		return r
	}
	return rounded(x, s.digits)
}

// increasing reports whether all levels are different after rounding.
func (s *spaced) increasing() bool {
	for i, last := 1, s.value(0); i < s.n; i++ {
		next := s.value(i)
		if next <= last {
			return false
		}
		last = next
	}
	return true
}

// strata are the levels of a continuous factor in a Latin hypercube: one number
// in each 1/n of the line, at a place drawn for this stratum alone.
type strata struct {
	line
	n   int
	key uint64 // of the draws
}

func (s *strata) len() int          { return s.n }
func (s *strata) text(i int) string { return numberText(s.value(i)) }

// value has 6 significant digits, or more if needed to stay in the stratum and to
// move by at most a hundredth of its width.
func (s *strata) value(i int) float64 {
	low, high := s.edge(i), s.edge(i+1)
	x := s.at((float64(i) + jitter(s.key, i)) / float64(s.n))
	for digits := 6; digits <= 17; digits++ {
		if v := rounded(x, digits); low <= v && v < high && math.Abs(v-x) <= (high-low)/100 {
			return v
		}
	}
	return low
}

func (s *strata) edge(i int) float64 { return s.at(float64(i) / float64(s.n)) }

// increasing reports whether all strata have some width.
func (s *strata) increasing() bool {
	for i := range s.n {
		if s.edge(i+1) <= s.edge(i) {
			return false
		}
	}
	return true
}

// line leads from one number to another, with equal differences or with equal
// ratios.
type line struct {
	from, to float64
	log      bool
}

// at returns the number at t, from 0 to 1.
func (l line) at(t float64) float64 {
	switch {
	case t == 0:
		return l.from
	case t == 1:
		return l.to
	case l.log:
		// Not from*(to/from)^t: the quotient may overflow.
		return math.Pow(l.from, 1-t) * math.Pow(l.to, t)
	}
	// The conversion prevents the compiler from fusing the product and the sum on
	// processors that can.
	return l.from + float64((l.to-l.from)*t)
}

const quantityWant = "a number, or a number with a unit such as 50 us"

// ends reads the quantities of a range and converts them to one unit. A nil node
// gives 0; the caller checks whether it may be absent.
func (r *reader) ends(f *Factor, nodes ...*yamldoc.Node) ([]float64, bool) {
	var given []quantity
	values := make([]float64, len(nodes))
	for _, n := range nodes {
		if n == nil {
			continue
		}
		q, ok := parseQuantity(n)
		if !ok {
			r.Fail(n, "found "+describe(n), quantityWant)
			return nil, false
		}
		given = append(given, q)
		unit, all, ok := commonUnit(given)
		if !ok {
			r.Fail(n, fmt.Sprintf("%s, but %s", measure(q), measure(given[0])), "one kind of quantity in from, to and step")
			return nil, false
		}
		f.Unit = unit
		at := 0
		for i, n := range nodes {
			if n != nil && at < len(all) {
				values[i] = all[at]
				at++
			}
		}
	}
	f.Numeric = true
	return values, true
}

// measure describes a quantity with its kind, as in "50 us is a time".
func measure(q quantity) string {
	text := numberText(q.value)
	switch {
	case q.unit == "":
		return text + " is a plain number"
	case q.kind == q.unit:
		return text + " " + q.unit + " is money"
	}
	return text + " " + q.unit + " is a " + q.kind
}

// whole reads from, to and step.
func (r *reader) whole(f *Factor, n, from, to, step *yamldoc.Node) {
	if from == nil || to == nil {
		missing := "from"
		if from != nil {
			missing = "to"
		}
		r.Fail(n, fmt.Sprintf("missing key %q", missing), "both from and to")
		return
	}
	v, ok := r.ends(f, from, to, step)
	if !ok {
		return
	}
	for i, end := range []*yamldoc.Node{from, to, step} {
		if end != nil && (v[i] != math.Trunc(v[i]) || math.Abs(v[i]) > exactInt) {
			r.Fail(end, numberText(v[i])+" is not a whole number up to 2^53", "a whole number; use log or linear for other numbers")
			return
		}
	}
	w := &whole{from: int(v[0]), step: 1}
	if step != nil {
		w.step = int(v[2])
	}
	switch last := int(v[1]); {
	case w.step <= 0:
		r.Fail(step, fmt.Sprintf("the step is %d", w.step), "a step of at least 1")
	case w.from > last:
		r.Fail(from, fmt.Sprintf("from %d is more than to %d", w.from, last), "a range with from <= to")
	case (last-w.from)/w.step >= r.limits.levels:
		r.tooMany(n, strconv.Itoa((last-w.from)/w.step+1))
	default:
		w.n = (last-w.from)/w.step + 1
		f.levels = w
	}
}

// powers reads powers_of_two.
func (r *reader) powers(f *Factor, n *yamldoc.Node) {
	m := powersObject.Open(r.Decoder, n)
	from, to := m.Require("from", "the first power of two"), m.Require("to", "the last power of two")
	m.Done()
	if from == nil || to == nil {
		return
	}
	v, ok := r.ends(f, from, to)
	if !ok {
		return
	}
	for i, end := range []*yamldoc.Node{from, to} {
		if v[i] < 1 || v[i] > exactInt || v[i] != math.Trunc(v[i]) || bits.OnesCount64(uint64(v[i])) != 1 {
			r.Fail(end, numberText(v[i])+" is not a power of two from 1 to 2^53", "a number such as 64")
			return
		}
	}
	if v[0] > v[1] {
		r.Fail(from, fmt.Sprintf("from %s is more than to %s", numberText(v[0]), numberText(v[1])), "a range with from <= to")
		return
	}
	p := &powers{exponent: bits.Len64(uint64(v[0])) - 1}
	p.n = bits.Len64(uint64(v[1])) - p.exponent
	f.levels = p
}

// spaced reads log and linear. In a Latin hypercube the number of samples takes
// the place of count.
func (r *reader) spaced(f *Factor, n *yamldoc.Node, log bool, samples int) {
	m := spacedObject.Open(r.Decoder, n)
	from, to := m.Require("from", "where the range begins"), m.Require("to", "where the range ends")
	number := m.Take("count")
	if number == nil && samples == 0 {
		number = m.Require("count", "the number of levels")
	}
	m.Done()
	if number != nil && samples > 0 {
		r.Fail(number, "a count in a Latin hypercube", "no count: a Latin hypercube has as many levels as samples")
		return
	}
	levels := r.Int(number, 2, r.limits.levels, "")
	if from == nil || to == nil || number == nil && samples == 0 {
		return
	}
	v, ok := r.ends(f, from, to)
	if !ok {
		return
	}
	l := line{from: v[0], to: v[1], log: log}
	switch {
	case log && l.from <= 0:
		r.Fail(from, fmt.Sprintf("a logarithmic range from %s", numberText(l.from)), "a number above 0")
		return
	case l.from >= l.to:
		r.Fail(from, fmt.Sprintf("from %s is not less than to %s", numberText(l.from), numberText(l.to)), "from less than to")
		return
	case math.IsInf(l.to-l.from, 0):
		r.Fail(to, "the range is too wide for 64-bit numbers", "a smaller range")
		return
	}
	if samples > 0 {
		s := &strata{line: l, n: samples, key: mix(nameKey(r.seed, f.Name))}
		f.levels = s
		if !s.increasing() {
			r.Fail(n, fmt.Sprintf("the range is too narrow for %d different levels", samples), "fewer samples or a wider range")
		}
		return
	}
	if levels == 0 {
		return
	}
	s := &spaced{line: l, n: levels, digits: 6}
	for !s.increasing() {
		if s.digits++; s.digits > 17 {
			r.Fail(n, fmt.Sprintf("the range is too narrow for %d different levels", levels), "a smaller count or a wider range")
			return
		}
	}
	f.levels = s
}
