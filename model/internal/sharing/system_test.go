package sharing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

const tolerance = 1e-9

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// TestAgainstReference plays random sequences on random systems and compares
// everything with the naive implementation after each step.
func TestAgainstReference(t *testing.T) {
	runs := expect.Often(300, 1500)
	steps, ended := 0, 0
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		g := game{t: t, decide: r.IntN, name: fmt.Sprintf("seed %d", seed)}
		g.play(10 + r.IntN(60))
		steps += g.steps
		ended += g.ended
		if t.Failed() {
			t.FailNow()
		}
	}
	expect.That(t, steps >= 10*runs && ended >= runs, "%d steps, %d flows ended: too few to say anything", steps, ended)
}

// TestManyFlowsAgainstReference plays longer on larger systems, where sums live
// long enough to be computed anew.
func TestManyFlowsAgainstReference(t *testing.T) {
	for seed := range expect.Often(2, 6) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		g := game{t: t, decide: r.IntN, name: fmt.Sprintf("large, seed %d", seed), most: 120, hosts: 8 + 12*(seed%5), backbone: seed%2 == 0}
		g.play(700)
		expect.That(t, g.ended >= 100, "seed %d: only %d flows ended", seed, g.ended)
	}
}

// FuzzSystem reads decisions from bytes.
func FuzzSystem(f *testing.F) {
	f.Add([]byte{3, 1, 2, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte("sixteen resources and a number of flows over them, some with bounds"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			t.Skip("long inputs say no more and take long")
		}
		at := 0
		decide := func(n int) int {
			if at >= len(data) {
				return 0
			}
			at++
			return int(data[at-1]) % n
		}
		g := game{t: t, decide: decide, name: "fuzz", fuzzing: true}
		g.play(len(data) / 4)
	})
}

// game makes a random sequence of calls of a System and of the reference.
type game struct {
	t      *testing.T
	name   string
	decide func(n int) int // one of 0..n-1

	// If above 0, the largest number of flows, and of resources at the start.
	most, hosts int
	backbone    bool // all flows use the first resource

	s            *sharing.System
	m            reference
	equal        bool // penalties and weights
	odd          bool // no round numbers: nothing is full at the same level by design
	fuzzing      bool
	moved        bool // a capacity was changed
	steps, ended int
	noise        *rand.Rand
	dead         []sharing.Flow
}

func (g *game) pick(values ...float64) float64 {
	x := values[g.decide(len(values))]
	if g.odd {
		// Not from decide: a fuzzer would find ties.
		x *= 1 + g.noise.Float64()
	}
	return x
}

func (g *game) capacity() float64 {
	if g.odd {
		return g.pick(1, 2, 3, 10, 0.5, 1e-9, 1e12, 7)
	}
	return g.pick(1, 1, 2, 3, 10, 0.5, 1e-9, 1e12, 7, 0)
}

func (g *game) bound() float64 {
	if g.decide(3) > 0 {
		return math.Inf(1)
	}
	return g.pick(1, 0.25, 0.1, 3, 1e-6, 1e6, 0)
}

func (g *game) play(steps int) {
	g.s = sharing.New()
	g.noise = rand.New(rand.NewPCG(1, 2))
	g.equal = g.decide(3) == 0
	g.odd = g.decide(2) == 0
	fat := g.decide(3)
	if fat > 0 && !g.equal {
		g.odd = true // see candidateFat: at ties of unequal shares the order counts
	}
	if g.most == 0 {
		g.most, g.hosts = 25, 1+g.decide(8)
	}
	for range g.hosts {
		g.addResource(fat > 0 && g.decide(3) == 0)
	}
	for i := range steps {
		g.step()
		g.steps++
		if g.m.doubt > tolerance/2 {
			return // two ways of adding up may differ by more than is compared
		}
		g.compare()
		if g.t.Failed() {
			g.t.Logf("%s, step %d, at %g", g.name, i, g.m.now)
			return
		}
	}
}

func (g *game) addResource(fat bool) {
	c := g.capacity()
	g.s.AddResource(c, fat)
	g.m.resources = append(g.m.resources, refResource{capacity: c, fat: fat})
	for _, f := range g.m.flows {
		f.weights = append(f.weights, 0)
	}
}

func (g *game) flow() *refFlow { return g.m.flows[g.decide(len(g.m.flows))] }

func (g *game) step() {
	now := units.Seconds(g.m.now)
	next, ok := g.s.Next()
	switch action := g.decide(12); {
	case action < 3 && ok:
		g.finish(next)
		return
	case action < 5: // same instant
	case ok:
		now = min(next, now+(next-now)*units.Seconds(g.decide(17))/16)
	default:
		now += units.Seconds(g.decide(3))
	}
	g.m.advance(float64(now))
	switch action := g.decide(10); {
	case action == 0 && len(g.m.flows) > 0:
		f := g.flow()
		g.s.Stop(now, f.id)
		g.m.remove(f.id)
	case action == 1 && len(g.m.flows) > 0:
		f := g.flow()
		b := g.bound()
		if len(f.order) == 0 {
			b = min(b, 5)
		}
		g.s.SetBound(now, f.id, b)
		g.m.setBound(f, b)
	case action == 2:
		k := g.decide(len(g.m.resources))
		c := g.capacity()
		g.s.SetCapacity(now, sharing.Resource(k), c)
		g.m.resources[k].capacity = c
		g.moved = true
		g.m.fill()
	case action == 3 && len(g.m.resources) < g.hosts+4:
		g.addResource(false)
	default:
		for range min(1+g.decide(3), g.most-len(g.m.flows)) {
			g.start(now)
		}
	}
}

func (g *game) start(now units.Seconds) {
	d := sharing.Demand{Amount: g.pick(1, 2, 5, 1, 1e-6, 1e6, 0), Penalty: 1, Bound: g.bound()}
	if !g.equal {
		d.Penalty = g.pick(1, 2, 0.1, 30, 1e-3)
	}
	if g.backbone {
		d.Uses = append(d.Uses, sharing.Use{Resource: 0, Weight: 1})
	}
	for range g.decide(5) {
		w := 1.0
		if !g.equal {
			w = g.pick(1, 0.05, 2, 100)
		}
		d.Uses = append(d.Uses, sharing.Use{Resource: sharing.Resource(g.decide(len(g.m.resources))), Weight: w})
	}
	if len(d.Uses) == 0 {
		d.Bound = min(d.Bound, 7)
	}
	kept := slices.Clone(d.Uses)
	id := g.s.Start(now, d)
	for i := range d.Uses {
		d.Uses[i] = sharing.Use{} // must not be kept
	}
	d.Uses = kept
	g.m.start(id, d)
}

func (g *game) finish(next units.Seconds) {
	g.m.advance(float64(next))
	before := g.m.flows
	g.dead = g.s.Finish(next, g.dead[:0])
	expect.That(g.t, len(g.dead) != 0, "nothing ended at %g", float64(next))
	at := 0
	for _, id := range g.dead {
		i := slices.IndexFunc(before, func(f *refFlow) bool { return f.id == id })
		if i < at {
			g.t.Errorf("flow %d ended out of the order of starts, or twice", id)
			return
		}
		at = i
		f := before[i]
		expect.That(g.t, f.left <= tolerance*f.amount+g.m.resolution(f),
			"flow %d ended at %g with %g of %g left", id, float64(next), f.left, f.amount)
	}
	for _, id := range g.dead {
		g.m.flows = slices.DeleteFunc(slices.Clone(g.m.flows), func(f *refFlow) bool { return f.id == id })
		g.ended++
	}
	g.m.fill()
}

func (g *game) compare() {
	next := math.Inf(1)
	for _, f := range g.m.flows {
		rate, left := g.s.Rate(f.id), g.s.Left(units.Seconds(g.m.now), f.id)
		expect.That(g.t, near(rate, f.rate), "flow %d has rate %g, want %g", f.id, rate, f.rate)
		expect.That(g.t, rate <= f.bound, "flow %d has rate %g above its bound %g", f.id, rate, f.bound)
		expect.That(g.t, math.Abs(left-f.left) <= tolerance*f.amount+g.m.resolution(f), "flow %d has %g left, want %g", f.id, left, f.left)
		g.optimal(f)
		if left == 0 {
			next = g.m.now
		} else {
			next = min(next, g.m.now+left/rate)
		}
	}
	at, ok := g.s.Next()
	again, okAgain := g.s.Next()
	expect.That(g.t, again == at && okAgain == ok, "Next says %g, then %g", float64(at), float64(again))
	expect.That(g.t, ok == (next <= math.MaxFloat64) && (!ok || near(float64(at), next) && float64(at) >= g.m.now),
		"Next is %g, %v, want %g", float64(at), ok, next)
	for k, r := range g.m.resources {
		id := sharing.Resource(k)
		load, highest := g.m.load(k)
		got := g.s.Load(id)
		expect.That(g.t, near(got, load) && got <= r.capacity*(1+tolerance), "resource %d of %g has load %g, want %g", k, r.capacity, got, load)
		if g.s.Saturated(id) {
			expect.That(g.t, near(load, r.capacity), "resource %d of %g is saturated with %g", k, r.capacity, load)
			expect.That(g.t, near(g.s.Level(id), highest), "resource %d has level %g, want %g", k, g.s.Level(id), highest)
		} else if !math.IsInf(g.s.Level(id), 1) {
			g.t.Errorf("resource %d is not saturated and has level %g", k, g.s.Level(id))
		}
		users := 0
		for _, f := range g.m.flows {
			if f.weights[k] > 0 {
				users++
			}
		}
		expect.Equal(g.t, g.s.Flows(id), users, "flows of resource %d", k)
		// With equal numbers flows have several bottlenecks to choose from.
		if g.odd && !g.moved && !g.fuzzing {
			expect.Near(g.t, float64(g.s.Lost(units.Seconds(g.m.now), id)), r.lost, tolerance*(1+g.m.now*float64(g.most+30)), "resource %d lost", k)
		}
	}
}

// optimal checks what makes rates max-min fair: each flow is at its bound, or
// there is a full resource on which nobody has a higher level. (On a fat pipe
// the largest of its members fills it, the others have the same level.)
func (g *game) optimal(f *refFlow) {
	if near(g.s.Rate(f.id), f.bound) {
		return
	}
	for _, k := range f.order {
		_, highest := g.m.load(k)
		if near(g.s.Load(sharing.Resource(k)), g.m.resources[k].capacity) && near(g.s.Rate(f.id)*f.penalty, highest) {
			return
		}
	}
	g.t.Errorf("flow %d with rate %g could have more", f.id, g.s.Rate(f.id))
}
