package sharing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

var unbounded = math.Inf(1)

// over returns uses with weight 1.
func over(resources ...sharing.Resource) []sharing.Use {
	var uses []sharing.Use
	for _, r := range resources {
		uses = append(uses, sharing.Use{Resource: r, Weight: 1})
	}
	return uses
}

func TestSharesByHand(t *testing.T) {
	type link struct {
		capacity float64
		fat      bool
	}
	for _, tt := range []struct {
		name   string
		links  []link
		flows  []sharing.Demand
		rates  []float64
		levels []float64 // 0: not saturated
	}{
		{
			// The middle link of a dogbone is shared by two, 3 each; the
			// third has what the first left of its access link, 10-3.
			name:   "dogbone",
			links:  []link{{10, false}, {6, false}, {10, false}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0, 1)}, {Penalty: 1, Bound: unbounded, Uses: over(1, 2)}, {Penalty: 1, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{3, 3, 7},
			levels: []float64{7, 3, 0},
		},
		{
			// One flow over three links, one more on each. The link of 2
			// gives 1 each. Then 4-1 and 8-1 for the others.
			name:  "parking lot",
			links: []link{{4, false}, {2, false}, {8, false}},
			flows: []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0, 1, 2)}, {Penalty: 1, Bound: unbounded, Uses: over(0)},
				{Penalty: 1, Bound: unbounded, Uses: over(1)}, {Penalty: 1, Bound: unbounded, Uses: over(2)}},
			rates:  []float64{1, 3, 1, 7},
			levels: []float64{3, 1, 7},
		},
		{
			// Level m: m/1 + m/2 + m/3 = 11, m = 6.
			name:  "penalties",
			links: []link{{11, false}},
			flows: []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0)}, {Penalty: 2, Bound: unbounded, Uses: over(0)},
				{Penalty: 3, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{6, 3, 2},
			levels: []float64{6},
		},
		{
			// Equal shares were 4. The first is bound to 2, so the others
			// have (12-2)/2 = 5; the bound of 5.5 is not reached.
			name:  "bound",
			links: []link{{12, false}},
			flows: []sharing.Demand{{Penalty: 1, Bound: 2, Uses: over(0)}, {Penalty: 1, Bound: 5.5, Uses: over(0)},
				{Penalty: 1, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{2, 5, 5},
			levels: []float64{5},
		},
		{
			// A bound acts on the rate, the order is that of bound*penalty:
			// m/1 + m/4 = 5 gives m = 4 and rates 4 and 1; the bound of 0.5
			// is level 2, below. Then 4.5 are left for the first.
			name:   "bound and penalty",
			links:  []link{{5, false}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0)}, {Penalty: 4, Bound: 0.5, Uses: over(0)}},
			rates:  []float64{4.5, 0.5},
			levels: []float64{4.5},
		},
		{
			// Both over the link forward, and 5 % on the way back over the
			// link of the other: 1.05 m = 21. Both links are full, and either
			// may be taken as the bottleneck of both flows.
			name:  "cross traffic",
			links: []link{{21, false}, {21, false}},
			flows: []sharing.Demand{
				{Penalty: 1, Bound: unbounded, Uses: []sharing.Use{{Resource: 0, Weight: 1}, {Resource: 1, Weight: 0.05}}},
				{Penalty: 1, Bound: unbounded, Uses: []sharing.Use{{Resource: 1, Weight: 1}, {Resource: 0, Weight: 0.05}}}},
			rates: []float64{20, 20},
		},
		{
			// The same link twice: weights 1 + 0.05, alone 21/1.05.
			name:   "met twice",
			links:  []link{{21, false}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: []sharing.Use{{Resource: 0, Weight: 1}, {Resource: 0, Weight: 0.05}}}},
			rates:  []float64{20},
			levels: []float64{20},
		},
		{
			name:   "met twice on a fat pipe",
			links:  []link{{21, true}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: []sharing.Use{{Resource: 0, Weight: 1}, {Resource: 0, Weight: 0.05}}}},
			rates:  []float64{21},
			levels: []float64{21},
		},
		{
			name:   "fat pipe, equal",
			links:  []link{{8, true}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0)}, {Penalty: 1, Bound: unbounded, Uses: over(0)}, {Penalty: 1, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{8, 8, 8},
			levels: []float64{8},
		},
		{
			// The quirk: level 8/max(1, 1/2) = 8, so the second has 8/2.
			name:   "fat pipe, twice the penalty",
			links:  []link{{8, true}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0)}, {Penalty: 2, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{8, 4},
			levels: []float64{8},
		},
		{
			// As before, but the first is held back by a link of 3 at level
			// 3. It does not count on the fat pipe any more, and the second
			// rises to level 8/(1/2) = 16: rate 8.
			name:   "fat pipe, the other one held back",
			links:  []link{{8, true}, {3, false}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0, 1)}, {Penalty: 2, Bound: unbounded, Uses: over(0)}},
			rates:  []float64{3, 8},
			levels: []float64{16, 3},
		},
		{
			// Full at the same level 8: the fat pipe goes first, so the
			// second is held at level 8 although the first has two reasons.
			name:   "fat pipe, at the same level as a link",
			links:  []link{{8, false}, {8, true}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0, 1)}, {Penalty: 2, Bound: unbounded, Uses: over(1)}},
			rates:  []float64{8, 4},
			levels: []float64{0, 8},
		},
		{
			name:   "no capacity, no rate",
			links:  []link{{0, false}, {5, false}},
			flows:  []sharing.Demand{{Penalty: 1, Bound: unbounded, Uses: over(0, 1)}, {Penalty: 1, Bound: unbounded, Uses: over(1)}},
			rates:  []float64{0, 5},
			levels: []float64{0, 5},
		},
		{
			name:  "nothing but a bound",
			flows: []sharing.Demand{{Penalty: 3, Bound: 7}},
			rates: []float64{7},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sharing.New()
			for _, l := range tt.links {
				s.AddResource(l.capacity, l.fat)
			}
			var flows []sharing.Flow
			for _, d := range tt.flows {
				d.Amount = 1
				flows = append(flows, s.Start(0, d))
			}
			for i, f := range flows {
				got := s.Rate(f)
				expect.That(t, near(got, tt.rates[i]), "flow %d has rate %g, want %g", i, got, tt.rates[i])
			}
			for i, want := range tt.levels {
				r := sharing.Resource(i)
				if want == 0 && tt.links[i].capacity > 0 {
					want = math.Inf(1)
				}
				got := s.Level(r)
				expect.That(t, near(got, want) && s.Saturated(r) != math.IsInf(want, 1),
					"resource %d has level %g (%v), want %g", i, got, s.Saturated(r), want)
			}
		})
	}
}

// Two flows on a link of capacity 1: 3 of work from time 0, 1 of work from time
// 1. Alone until 1 (2 left), half each until 3 when the second ends (1 left),
// alone until 4. From 1 to 3 each gets half of what it had alone: 2 lost.
func TestCourseByHand(t *testing.T) {
	s := sharing.New()
	link := s.AddResource(1, false)
	long := s.Start(0, sharing.Demand{Amount: 3, Penalty: 1, Bound: unbounded, Uses: over(link)})
	if at, ok := s.Next(); !ok || at != 3 {
		t.Errorf("alone it ends at %g, want 3", float64(at))
	}
	short := s.Start(1, sharing.Demand{Amount: 1, Penalty: 1, Bound: unbounded, Uses: over(link)})
	expect.Equal(t, s.Left(2, long), 1.5, "left at 2")
	expect.Equal(t, s.Lost(2, link), 1, "lost at 2")
	for _, want := range []struct {
		at   units.Seconds
		flow sharing.Flow
	}{{3, short}, {4, long}} {
		at, ok := s.Next()
		expect.Need(t, ok && at == want.at, "the next end is at %g, want %g", float64(at), float64(want.at))
		ended := s.Finish(at, nil)
		expect.That(t, slices.Equal(ended, []sharing.Flow{want.flow}), "%v ended at %g, want %d", ended, float64(at), want.flow)
	}
	_, ok := s.Next()
	expect.That(t, !ok && s.Flows(link) == 0 && s.Load(link) == 0 && !s.Saturated(link), "the link is not empty at the end")
	expect.Equal(t, s.Lost(9, link), 2, "s lost")
}

// Changes at the time of an end, before Finish, must not postpone it.
func TestChangeAtAnEnd(t *testing.T) {
	s := sharing.New()
	link := s.AddResource(0.3, false)
	var flows []sharing.Flow
	for i := range 7 {
		flows = append(flows, s.Start(0.1*units.Seconds(i), sharing.Demand{Amount: 0.7, Penalty: 1, Bound: unbounded, Uses: over(link)}))
	}
	at, _ := s.Next()
	s.SetCapacity(at, link, 1e-9)
	s.Start(at, sharing.Demand{Amount: 1, Penalty: 1, Bound: unbounded, Uses: over(link)})
	again, ok := s.Next()
	expect.Need(t, ok && again == at, "the end moved from %g to %g", float64(at), float64(again))
	ended := s.Finish(at, nil)
	expect.That(t, slices.Equal(ended, flows[:1]), "%v ended, want the first", ended)
}

// N equal flows over private links and one that all share, which are full at
// the same level, end together, in the order of their start, and after they
// started at different times and were disturbed too.
func TestSymmetricFlowsEndTogether(t *testing.T) {
	const n = 100
	s := sharing.New()
	backbone := s.AddResource(n*0.1, false)
	var up []sharing.Resource
	for range n {
		up = append(up, s.AddResource(0.1, false))
	}
	var now units.Seconds
	for round := range 20 {
		var flows []sharing.Flow
		for i := range n {
			flows = append(flows, s.Start(now, sharing.Demand{Amount: 0.7, Penalty: 0.3, Bound: unbounded, Uses: over(up[(i*7)%n], backbone)}))
		}
		for k := range 10 {
			now += 0.1
			disturbing := s.Start(now, sharing.Demand{Amount: 1, Penalty: 1.0 / float64(k+1), Bound: unbounded, Uses: over(backbone)})
			now += 0.03
			s.Stop(now, disturbing)
		}
		at, ok := s.Next()
		ended := s.Finish(at, nil)
		expect.Need(t, ok && slices.Equal(ended, flows),
			"round %d: %d of %d ended together, or in another order", round, len(ended), n)
		now = at
	}
}

func TestBrokenPromisesPanic(t *testing.T) {
	nan := math.NaN()
	fine := sharing.Demand{Amount: 1, Penalty: 1, Bound: unbounded, Uses: over(0)}
	with := func(change func(*sharing.Demand)) sharing.Demand {
		d := fine
		change(&d)
		return d
	}
	for name, call := range map[string]func(s *sharing.System){
		"capacity NaN":        func(s *sharing.System) { s.AddResource(nan, false) },
		"capacity infinite":   func(s *sharing.System) { s.AddResource(unbounded, true) },
		"capacity negative":   func(s *sharing.System) { s.SetCapacity(0, 0, -1) },
		"time NaN":            func(s *sharing.System) { s.Start(units.Seconds(nan), fine) },
		"time infinite":       func(s *sharing.System) { s.Start(units.Seconds(unbounded), fine) },
		"time goes back":      func(s *sharing.System) { s.Stop(0.5, s.Start(0.5, fine)); s.Start(0.25, fine) },
		"past an end":         func(s *sharing.System) { s.Start(0, fine); s.Start(2, fine) },
		"amount NaN":          func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Amount = nan })) },
		"amount negative":     func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Amount = -1 })) },
		"amount infinite":     func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Amount = unbounded })) },
		"penalty zero":        func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Penalty = 0 })) },
		"penalty infinite":    func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Penalty = unbounded })) },
		"bound NaN":           func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Bound = nan })) },
		"bound negative":      func(s *sharing.System) { s.SetBound(0, s.Start(0, fine), -1) },
		"nothing holds it":    func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Uses = nil })) },
		"weight zero":         func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Uses = []sharing.Use{{}} })) },
		"no such resource":    func(s *sharing.System) { s.Start(0, with(func(d *sharing.Demand) { d.Uses = over(1) })) },
		"no such flow":        func(s *sharing.System) { s.Stop(0, 0) },
		"flow is gone":        func(s *sharing.System) { f := s.Start(0, fine); s.Stop(0, f); s.Rate(f) },
		"finish, but nothing": func(s *sharing.System) { s.Finish(0, nil) },
		"finish too early":    func(s *sharing.System) { s.Start(0, fine); s.Finish(0.5, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			s := sharing.New()
			s.AddResource(1, false)
			defer func() {
				text, ok := recover().(string)
				expect.That(t, ok && len(text) >= 9 && text[:9] == "sharing: ", "recovered %q, want a panic that begins with sharing:", text)
			}()
			call(s)
		})
	}
}

// In steady state nothing is allocated.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	const n = 200
	c := newCluster(n, n/8.0)
	for i := range n {
		c.start(0, 1+c.random.Float64(), i, (i+1)%n, c.between[0])
	}
	var ended []sharing.Flow
	cycle := func() {
		at, _ := c.s.Next()
		ended = c.s.Finish(at, ended[:0])
		for range ended {
			i := c.random.IntN(n)
			c.start(at, 1+c.random.Float64(), i, (i+1)%n, c.between[0])
		}
	}
	for range 20 * n {
		cycle()
	}
	got := testing.AllocsPerRun(1000, cycle)
	expect.That(t, got < 1, "%g allocations for an end and a start", got)
}

// A flow that has just started has all of its amount left, also where the clock
// of its bottleneck, which a flow of 1e6 bytes has moved to 3e7, does not resolve
// its 1e-9.
func TestLeftOfASmallFlowBesideALargeOne(t *testing.T) {
	for _, begin := range []units.Seconds{0, 1e9, 1e11} {
		s := sharing.New()
		link := s.AddResource(7, false)
		s.Start(begin, sharing.Demand{Amount: 1e6, Penalty: 30, Bound: math.Inf(1), Uses: []sharing.Use{{Resource: link, Weight: 0.05}}})
		now := begin + 7142 // shortly before the large one ends
		small := s.Start(now, sharing.Demand{Amount: 1e-6, Penalty: 1e-3, Bound: math.Inf(1), Uses: []sharing.Use{{Resource: link, Weight: 2.05}}})
		got := s.Left(now, small)
		expect.That(t, math.Abs(got-1e-6) <= 1e-18, "begin %v: %g left, want 1e-6", begin, got)
	}
}

// A flow at its bound that would end within a tick of the clock has all of its
// amount left when another one takes half of its link at the same instant.
func TestLeftOfAFlowThatEndsWithinATick(t *testing.T) {
	const begin = 1e11 // a tick is 15 us
	s := sharing.New()
	link := s.AddResource(2, false)
	first := s.Start(begin, sharing.Demand{Amount: 1e-6, Penalty: 1, Bound: 1.5, Uses: over(link)})
	rate := s.Rate(first)
	expect.Need(t, rate == 1.5, "alone it has rate %g, want 1.5", rate)
	s.Start(begin, sharing.Demand{Amount: 1e-6, Penalty: 1, Bound: unbounded, Uses: over(link)})
	rate, left := s.Rate(first), s.Left(begin, first)
	expect.That(t, rate == 1 && left == 1e-6, "rate %g, %g left; want 1 and 1e-6", rate, left)
}
