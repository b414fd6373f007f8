package dispatch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// A second simulator, written from docs/models/spm.md. It shares no idea with the first: times are fractions, there is
// no agenda, and queues are lists that are searched by the rule for ties. At each instant it ends everything that ends,
// from the innermost level outwards, then starts everything that can start, from the outermost level inwards.

// paperLevel is a level with times, sizes and bandwidths as fractions. A nil
// bandwidth is infinite.
type paperLevel struct {
	nodes, outstanding, sis                         int
	separate                                        bool
	dispatch, latency, operands, results, bw, trunk *big.Rat

	unequal []int      // nodes of successive groups; nil: nodes of each
	speeds  []*big.Rat // of each group's nodes in turn; nil: 1
}

// in returns the nodes of a group.
func (l paperLevel) in(group int) int {
	if l.unequal == nil {
		return l.nodes
	}
	return l.unequal[group%len(l.unequal)]
}

// processors counts the nodes of the last level in a group of the first of some levels.
func processors(levels []paperLevel, group int) (all int) {
	if len(levels) == 0 {
		return 1
	}
	first := 0
	for earlier := range group {
		first += levels[0].in(earlier)
	}
	for node := range levels[0].in(group) {
		all += processors(levels[1:], first+node)
	}
	return all
}

type paperConfig struct {
	levels  []paperLevel // outermost first
	time    *big.Rat
	scatter float64
	seed    uint64
}

// timeOf is the time of an SI of the last level; the product's code decides which times are drawn.
func (c paperConfig) timeOf(number int) *big.Rat {
	factor := Work{Scatter: c.scatter, Seed: c.seed}.factor(uint64(number))
	return new(big.Rat).Mul(c.time, new(big.Rat).SetFloat64(factor))
}

// paperPlace is a place and its SI.
type paperPlace struct {
	node, index int
	number      int      // of its SI among all of the level; before the first, how late it is in the queue at the start, below 0
	state       string   // what it waits for, or does
	since       *big.Rat // when that began
	free        *big.Rat // when it became free
	begun       *big.Rat // when what counts as transfer began
	until       *big.Rat // end of what it does, if that is fixed
	left        *big.Rat // bytes to move on a trunk
	inner       *paperGroup
}

type paperGroup struct {
	depth, number, next int
	index, nodes        int      // among the groups of its level; how many nodes it has
	speed               *big.Rat // of the node that it is
	places              []*paperPlace
	dispatching         bool
}

// part is the group that corresponds to a node.
func (s *paperSimulation) part(g *paperGroup, node int) (index int, speed *big.Rat) {
	for other := range g.index {
		index += s.levels[g.depth].in(other)
	}
	return index + node, s.speed(g, node)
}

// speed is the speed of a node.
func (s *paperSimulation) speed(g *paperGroup, node int) *big.Rat {
	speeds := s.levels[g.depth].speeds
	if speeds == nil {
		return g.speed
	}
	return new(big.Rat).Mul(g.speed, speeds[node%len(speeds)])
}

type paperSimulation struct {
	paperConfig
	now      *big.Rat
	running  [][]*paperGroup // by depth
	executed []int
	busy     []*big.Rat
	transfer []*big.Rat
	waited   []*big.Rat
	work     big.Rat

	lostToTransfer, lostToDispatch []*big.Rat
}

var zero = new(big.Rat)

func (s *paperSimulation) run() {
	s.now = new(big.Rat)
	s.running = make([][]*paperGroup, len(s.levels))
	for range s.levels {
		s.executed = append(s.executed, 0)
		s.busy = append(s.busy, new(big.Rat))
		s.transfer = append(s.transfer, new(big.Rat))
		s.waited = append(s.waited, new(big.Rat))
		s.lostToTransfer = append(s.lostToTransfer, new(big.Rat))
		s.lostToDispatch = append(s.lostToDispatch, new(big.Rat))
	}
	s.begin(0, 0, 0, big.NewRat(1, 1))
	s.startAll()
	for len(s.running[0]) > 0 {
		s.advance()
		for depth := len(s.levels) - 1; depth >= 0; depth-- {
			s.endAll(depth)
		}
		s.startAll()
	}
}

// begin creates a group that executes a super-program.
func (s *paperSimulation) begin(depth, number, index int, speed *big.Rat) *paperGroup {
	l := s.levels[depth]
	g := &paperGroup{depth: depth, number: number, index: index, nodes: l.in(index), speed: speed}
	for index := range l.outstanding {
		for node := range g.nodes {
			g.places = append(g.places, &paperPlace{node: node, index: index, state: "free", free: s.now})
		}
	}
	for i, p := range g.places {
		p.number = i - len(g.places)
	}
	s.running[depth] = append(s.running[depth], g)
	return g
}

// rate is the rate of each of n transfers on a trunk.
func (l paperLevel) rate(n int) *big.Rat {
	rate := new(big.Rat).Quo(l.trunk, big.NewRat(int64(n), 1))
	if l.bw != nil && l.bw.Cmp(rate) < 0 {
		return l.bw
	}
	return rate
}

func moving(g *paperGroup, state string) []*paperPlace {
	return each.Where(nil, g.places, func(p *paperPlace) bool { return p.state == state && p.left != nil })
}

// advance goes to the next instant at which something ends.
func (s *paperSimulation) advance() {
	var next *big.Rat
	earlier := func(t *big.Rat) {
		if next == nil || t.Cmp(next) < 0 {
			next = t
		}
	}
	each := func(visit func(l paperLevel, p *paperPlace, rate *big.Rat)) {
		for depth, groups := range s.running {
			l := s.levels[depth]
			for _, g := range groups {
				for _, state := range []string{"fetching", "returning"} {
					all := moving(g, state)
					for _, p := range all {
						visit(l, p, l.rate(len(all)))
					}
				}
			}
		}
	}
	for _, groups := range s.running {
		for _, g := range groups {
			for _, p := range g.places {
				if p.until != nil {
					earlier(p.until)
				}
			}
		}
	}
	each(func(_ paperLevel, p *paperPlace, rate *big.Rat) {
		t := new(big.Rat).Quo(p.left, rate)
		earlier(t.Add(t, s.now))
	})
	elapsed := new(big.Rat).Sub(next, s.now)
	each(func(_ paperLevel, p *paperPlace, rate *big.Rat) {
		moved := new(big.Rat).Mul(elapsed, rate)
		p.left = new(big.Rat).Sub(p.left, moved)
	})
	s.lose(elapsed)
	s.now = next
}

// lose counts the idle nodes of all groups by what they wait for.
func (s *paperSimulation) lose(elapsed *big.Rat) {
	for depth, groups := range s.running {
		l := s.levels[depth]
		for _, g := range groups {
			free := slices.DeleteFunc(slices.Clone(g.places), func(p *paperPlace) bool { return p.state != "free" })
			slices.SortFunc(free, func(a, b *paperPlace) int { return cmp.Or(a.free.Cmp(b.free), cmp.Compare(a.number, b.number)) })
			free = free[:min(len(free), l.sis-g.next)]
			for node := range g.nodes {
				if count(g, "executing", node) > 0 {
					continue
				}
				coming := count(g, "outbound", node) + count(g, "waits for in", node) + count(g, "fetching", node)
				turn := count(g, "dispatching", node)
				for _, p := range free {
					if p.node == node {
						turn++
					}
				}
				first := 0
				for earlier := range g.index {
					first += l.in(earlier)
				}
				all := int64(processors(s.levels[depth+1:], first+node))
				lost := new(big.Rat).Mul(elapsed, big.NewRat(all, 1))
				back := count(g, "waits for out", node) + count(g, "returning", node) + count(g, "inbound", node)
				switch {
				case coming > 0 || turn == 0 && back > 0:
					s.lostToTransfer[depth].Add(s.lostToTransfer[depth], lost)
				case turn > 0:
					s.lostToDispatch[depth].Add(s.lostToDispatch[depth], lost)
				}
			}
		}
	}
}

// endAll ends what ends now at a level.
func (s *paperSimulation) endAll(depth int) {
	for _, g := range slices.Clone(s.running[depth]) {
		for _, p := range g.places {
			timed := p.until != nil && p.until.Cmp(s.now) == 0
			moved := p.left != nil && p.left.Sign() == 0
			inner := p.inner != nil && !slices.Contains(s.running[depth+1], p.inner)
			if !timed && !moved && !inner {
				continue
			}
			p.until, p.left, p.inner = nil, nil, nil
			s.proceed(g, p)
		}
		if s.over(g) {
			s.running[depth] = slices.DeleteFunc(s.running[depth], func(x *paperGroup) bool { return x == g })
		}
	}
}

func (s *paperSimulation) over(g *paperGroup) bool {
	for _, p := range g.places {
		if p.state != "free" {
			return false
		}
	}
	return g.next == s.levels[g.depth].sis
}

func (s *paperSimulation) local(g *paperGroup, p *paperPlace) bool {
	return p.node == 0 && !s.levels[g.depth].separate
}

func (s *paperSimulation) add(to *big.Rat, since *big.Rat) {
	to.Add(to, new(big.Rat).Sub(s.now, since))
}

// proceed goes from what has ended to the next thing that takes time or has a queue.
func (s *paperSimulation) proceed(g *paperGroup, p *paperPlace) {
	l := s.levels[g.depth]
	set := func(state string) { p.state, p.since = state, s.now }
	lasts := func(state string, d *big.Rat) bool {
		set(state)
		if d.Sign() > 0 {
			p.until = new(big.Rat).Add(s.now, d)
			return true
		}
		return false
	}
	switch p.state {
	case "dispatching":
		g.dispatching = false
		s.add(s.waited[g.depth], p.free)
		p.begun = s.now
		if s.local(g, p) {
			p.state = "fetching"
			s.proceed(g, p)
		} else if !lasts("outbound", l.latency) {
			s.proceed(g, p)
		}
	case "outbound":
		if set("waits for in"); l.alone(l.operands).Sign() == 0 {
			p.state = "fetching"
			s.proceed(g, p)
		}
	case "fetching":
		s.add(s.transfer[g.depth], p.begun)
		set("waits for processor")
	case "executing":
		s.add(s.busy[g.depth], p.since)
		s.executed[g.depth]++
		p.begun = s.now
		if s.local(g, p) {
			p.state = "inbound"
			s.proceed(g, p)
		} else if set("waits for out"); l.alone(l.results).Sign() == 0 {
			p.state = "returning"
			s.proceed(g, p)
		}
	case "returning":
		if !lasts("inbound", l.latency) {
			s.proceed(g, p)
		}
	case "inbound":
		s.add(s.transfer[g.depth], p.begun)
		set("free")
		p.free = s.now
	}
}

// alone is the time of a transfer without contention.
func (l paperLevel) alone(size *big.Rat) *big.Rat {
	slowest := l.bw
	if slowest == nil || l.trunk != nil && l.trunk.Cmp(slowest) < 0 {
		slowest = l.trunk
	}
	if slowest == nil {
		return zero
	}
	return new(big.Rat).Quo(size, slowest)
}

// first returns the earliest of those that wait in a state: by time, then by number.
func first(g *paperGroup, state string, node int) *paperPlace {
	var all []*paperPlace
	for _, p := range g.places {
		if p.state == state && (node < 0 || p.node == node) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b *paperPlace) int {
		if state == "free" {
			return cmp.Or(a.free.Cmp(b.free), cmp.Compare(a.number, b.number))
		}
		return cmp.Or(a.since.Cmp(b.since), cmp.Compare(a.number, b.number))
	})
}

func count(g *paperGroup, state string, node int) int {
	n := 0
	for _, p := range g.places {
		if p.state == state && p.node == node {
			n++
		}
	}
	return n
}

// startAll starts what can start now.
func (s *paperSimulation) startAll() {
	for depth := range s.levels {
		for _, g := range s.running[depth] {
			s.start(g)
		}
	}
}

func (s *paperSimulation) start(g *paperGroup) {
	l := s.levels[g.depth]
	link := func(waits, moves string, size *big.Rat) {
		for node := range g.nodes {
			if count(g, moves, node) > 0 {
				continue
			}
			if p := first(g, waits, node); p != nil {
				p.state = moves
				if l.trunk != nil {
					p.left = size
				} else {
					p.until = new(big.Rat).Add(s.now, l.alone(size))
				}
			}
		}
	}
	link("waits for out", "returning", l.results)
	for !g.dispatching && g.next < l.sis {
		p := first(g, "free", -1)
		if p == nil {
			break
		}
		p.number = g.number*l.sis + g.next
		g.next++
		p.state = "dispatching"
		if l.dispatch.Sign() == 0 {
			s.proceed(g, p)
			continue
		}
		g.dispatching = true
		p.until = new(big.Rat).Add(s.now, l.dispatch)
	}
	link("waits for in", "fetching", l.operands)
	for node := range g.nodes {
		if p := first(g, "waits for processor", node); p != nil && count(g, "executing", node) == 0 {
			p.state, p.since = "executing", s.now
			if g.depth+1 < len(s.levels) {
				index, speed := s.part(g, node)
				p.inner = s.begin(g.depth+1, p.number, index, speed)
			} else {
				t := s.timeOf(p.number)
				s.work.Add(&s.work, t)
				p.until = new(big.Rat).Add(s.now, new(big.Rat).Quo(t, s.speed(g, node)))
			}
		}
	}
}

// drawPaper draws round numbers, which give many ties.
func drawPaper(r *rand.Rand, depth int) paperConfig {
	pick := func(from ...int64) *big.Rat { return big.NewRat(from[r.IntN(len(from))], 1) }
	bandwidth := func() *big.Rat {
		if r.IntN(3) == 0 {
			return nil
		}
		return pick(1, 2, 3, 5, 10)
	}
	c := paperConfig{time: pick(1, 2, 3, 5, 10, 20, 50, 100)}
	for range depth {
		l := paperLevel{
			nodes: 1 + r.IntN(max(4, 12/depth/depth)), outstanding: 1 + r.IntN(3), sis: 1 + r.IntN(24/depth/depth+2),
			separate: r.IntN(2) == 0,
			dispatch: pick(0, 0, 1, 2, 5, 10, 50), latency: pick(0, 0, 1, 5, 10, 25, 100),
			operands: pick(0, 1, 10, 30, 100), results: pick(0, 0, 1, 10, 30), bw: bandwidth(), trunk: bandwidth(),
		}
		c.levels = append(c.levels, l)
	}
	return c
}

// vary makes the groups and nodes of a machine differ.
func (c *paperConfig) vary(r *rand.Rand) {
	for i := range c.levels {
		l := &c.levels[i]
		if i > 0 && r.IntN(2) == 0 {
			for range 1 + r.IntN(3) {
				l.unequal = append(l.unequal, 1+r.IntN(4))
			}
		}
		if r.IntN(2) == 0 {
			for range 1 + r.IntN(3) {
				l.speeds = append(l.speeds, big.NewRat([]int64{1, 2, 3, 4, 10}[r.IntN(5)], []int64{1, 2, 5}[r.IntN(3)]))
			}
		}
	}
}

// config is a paperConfig with a unit of time, in seconds: each number is computed in floating point, as a user's
// script would do.
func (c paperConfig) config(unit float64) Config {
	value := func(r *big.Rat) float64 { f, _ := r.Float64(); return f }
	seconds := func(r *big.Rat) units.Seconds { return units.Seconds(value(r) * unit) }
	bandwidth := func(r *big.Rat) units.BytesPerSecond {
		if r == nil {
			return units.BytesPerSecond(inf)
		}
		return units.BytesPerSecond(value(r) / unit)
	}
	all := Config{Work: Work{Time: seconds(c.time), Scatter: c.scatter, Seed: c.seed}}
	for _, l := range c.levels {
		idu := FirstNode
		if l.separate {
			idu = Separate
		}
		speeds := each.Append(nil, l.speeds, value)
		nodes := l.nodes
		if l.unequal != nil {
			nodes = slices.Max(l.unequal)
		}
		all.Machine = append(all.Machine, Level{
			Counts: l.unequal, Speeds: speeds,
			Nodes: nodes, Outstanding: l.outstanding, IDU: idu,
			Dispatch: seconds(l.dispatch), Latency: seconds(l.latency),
			Operands: units.Bytes(value(l.operands)), Results: units.Bytes(value(l.results)),
			Bandwidth: bandwidth(l.bw), Trunk: bandwidth(l.trunk),
		})
		all.Work.SIs = append(all.Work.SIs, l.sis)
	}
	return all
}

// agree compares the results of two simulations to 1e-12, with times of the second in units of the given number of
// seconds.
func agree(want, got Result, unit float64) error {
	near := func(what string, want, got units.Seconds) error {
		if w := float64(want) * unit; math.Abs(float64(got)-w) > 1e-12*max(w, float64(got)) {
			return fmt.Errorf("%s: %v, want %v", what, float64(got), w)
		}
		return nil
	}
	if err := cmp.Or(near("makespan", want.Makespan, got.Makespan), near("work", want.Work, got.Work)); err != nil {
		return err
	}
	sum := got.Levels[len(got.Levels)-1].Utilization
	for i, w := range want.Levels {
		g := got.Levels[i]
		sum += g.Lost.Transfer + g.Lost.Dispatch + g.Lost.End
		if math.Abs(w.Lost.Transfer-g.Lost.Transfer) > 1e-12 || math.Abs(w.Lost.Dispatch-g.Lost.Dispatch) > 1e-12 || g.Lost.End < 0 {
			return fmt.Errorf("level %d loses %+v, want %+v", i+1, g.Lost, w.Lost)
		}
		if w.Executed != g.Executed {
			return fmt.Errorf("level %d: %d SIs, want %d", i+1, g.Executed, w.Executed)
		}
		if err := cmp.Or(near("busy", w.Busy, g.Busy), near("busy or idle", w.Busy+w.Idle, g.Busy+g.Idle),
			near("transfer", w.Transfer, g.Transfer), near("dispatch wait", w.DispatchWait, g.DispatchWait)); err != nil {
			return fmt.Errorf("level %d: %w", i+1, err)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		return fmt.Errorf("losses and utilization add up to %v", sum)
	}
	return nil
}

func (s *paperSimulation) result() Result {
	seconds := func(r *big.Rat) units.Seconds { f, _ := r.Float64(); return units.Seconds(f) }
	r := Result{Makespan: seconds(s.now), Work: seconds(&s.work)}
	whole := new(big.Rat).Mul(s.now, big.NewRat(int64(processors(s.levels, 0)), 1))
	part := func(x *big.Rat) float64 { f, _ := new(big.Rat).Quo(x, whole).Float64(); return f }
	groups := 1
	for i, l := range s.levels {
		nodes := 0
		for group := range groups {
			nodes += l.in(group)
		}
		groups = nodes
		available := new(big.Rat).Mul(s.now, big.NewRat(int64(nodes), 1))
		r.Levels = append(r.Levels, LevelResult{
			Executed: int64(s.executed[i]), Busy: seconds(s.busy[i]),
			Idle:     seconds(new(big.Rat).Sub(available, s.busy[i])),
			Transfer: seconds(s.transfer[i]), DispatchWait: seconds(s.waited[i]),
			Lost: Lost{Transfer: part(s.lostToTransfer[i]), Dispatch: part(s.lostToDispatch[i])},
		})
	}
	return r
}

// Round numbers in any unit of time give what the simulator above gives for the fractions, whether every SI is
// simulated or one group of each level, and the same speedup to the last bit. One group of each level and a second run
// give the same as all groups, to the last bit.
func TestIndependentSimulator(t *testing.T) {
	cases := expect.Often(200, 2000)
	seconds := []float64{1, 1000, 1e-3, 3, 1e-6, 0.1, 1. / 3}
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), 14))
		paper := paperSimulation{paperConfig: drawPaper(r, 1+seed/4%4)}
		switch seed % 4 {
		case 2:
			paper.vary(r)
		case 3:
			paper.scatter, paper.seed = r.Float64(), r.Uint64()
		}
		paper.run()
		want := paper.result()
		var speedup float64
		for i, unit := range seconds {
			c := paper.config(unit)
			if i%2 == 0 {
				c = wholly(c)
			}
			got := expect.Value(Run(context.Background(), c))(t)
			if err := agree(want, got, unit); err != nil {
				t.Fatalf("seed %d, unit %v s: %v\n%+v", seed, unit, err, c)
			}
			if i == 0 {
				speedup = got.Speedup()
				for _, c := range []Config{c, paper.config(unit)} {
					again, err := Run(context.Background(), c)
					d := gocmp.Diff(got, again, gocmp.AllowUnexported(Result{}))
					expect.Need(t, d == "" && err == nil, "seed %d, scatter %v: %v\n%s", seed, c.Work.Scatter, err, d)
				}
			} else if got.Speedup() != speedup {
				t.Fatalf("seed %d, unit %v s: speedup %v, in s %v", seed, unit, got.Speedup(), speedup)
			}
		}
	}
}
