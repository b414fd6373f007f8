package search

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/internal/expect"
)

// An answered plan is what relations compare. If there is no machine, nodes is empty.
type answered struct {
	nodes                                  map[string]int
	network                                string
	score, price, power, energy, best, gap float64 // best: the least of what the ranking compares
}

func answer(t *testing.T, d *drawn) answered {
	t.Helper()
	p := buytest.Read(t, buytest.PlanFile(t, d.String()))
	s := newSolver(p, Options{Jobs: 1, Rough: true})
	if err := s.rank(t.Context()); err != nil {
		expect.Need(t, strings.Contains(err.Error(), "no candidate"), "%v\n%s", err, d)
		return answered{best: math.Inf(1)}
	}
	r := s.result.Recommendation()
	a := answered{nodes: map[string]int{}, network: r.Network, score: r.Score, price: r.Price, power: r.Power, energy: r.Energy,
		best: s.result.Ranking[0].Objective, gap: s.result.Gap}
	for _, n := range r.Nodes {
		a.nodes[n.Type] += n.Count
	}
	if len(r.Nodes) == 1 && r.Nodes[0].Count == 1 {
		a.network = "" // a single node takes none
	}
	return a
}

// A relation says how the answer changes with a plan.
type relation struct {
	name   string
	change func(d *drawn)
	// same: the machine is the same, with the new names of its parts, and its figures are multiplied by these factors
	// (0 stands for 1); otherwise the best is at most, or at least, what it was.
	same          bool
	money, time   float64
	power, energy float64
	names         map[string]string // new names to old ones
	atMost        bool
	when          func(d *drawn) bool // nil: always
}

func throughput(d *drawn) bool   { return d.objective == "throughput" }
func cheapestPlan(d *drawn) bool { return !throughput(d) }
func affordable(d *drawn) bool   { return d.counts == "affordable" }
func purchase(d *drawn) bool     { return d.covers == "purchase" }

// both holds if two conditions do.
func both(f, g func(*drawn) bool) func(*drawn) bool {
	return func(d *drawn) bool { return f(d) && g(d) }
}

func relations() (all []relation) {
	same := func(name string, change func(d *drawn)) *relation {
		all = append(all, relation{name: name, change: change, same: true, money: 1, time: 1, power: 1, energy: 1})
		return &all[len(all)-1]
	}
	// The other changes make machines better, limits looser or the choice larger; or the reverse.
	better := func(name string, when func(*drawn) bool, change func(d *drawn)) {
		all = append(all, relation{name: name, change: change, atMost: true, when: when})
	}
	worse := func(name string, when func(*drawn) bool, change func(d *drawn)) {
		all = append(all, relation{name: name, change: change, when: when})
	}
	each := func(change func(n *drawnNode)) func(*drawn) {
		return func(d *drawn) {
			for i := range d.nodes {
				change(&d.nodes[i])
			}
		}
	}
	eachNetwork := func(change func(n *drawnNetwork)) func(*drawn) {
		return func(d *drawn) {
			for i := range d.networks {
				change(&d.networks[i])
			}
		}
	}
	eachWork := func(change func(w *drawnWork)) func(*drawn) {
		return func(d *drawn) {
			for i := range d.works {
				change(&d.works[i])
			}
		}
	}
	prices := func(k float64) func(*drawn) {
		return func(d *drawn) {
			d.money, d.kwh = d.money*k, d.kwh*k
			each(func(n *drawnNode) { n.price *= k })(d)
			eachNetwork(func(n *drawnNetwork) { n.port, n.box = n.port*k, n.box*k })(d)
		}
	}
	line := func(text string) func(*drawn) { return func(d *drawn) { d.more = append(d.more, text) } }

	// Money, currencies and units.
	for _, k := range []float64{2, 1000, 0.125} {
		same(fmt.Sprintf("all money times %v", k), prices(k)).money = k
	}
	same("another currency", func(d *drawn) { d.currency = "CHF" })
	same("prices in another currency", func(d *drawn) {
		d.nodes[0].price *= 4
		d.more = append(d.more, "exchange: {USD: 0.25 EUR}")
		d.nodes[0].currency = "USD"
	})
	same("cost once, and as much more money", func(d *drawn) {
		d.money += 512
		line("costs: {fixed: [{name: room, once: 512 EUR}]}")(d)
	}).money = 0 // the price is compared below
	same("tax, and as much more money", func(d *drawn) {
		d.money *= 1.25
		line("costs: {vat: 0.25}")(d)
	}).money = 1.25

	// Quantities that cancel.
	same("energy at half the price for twice the years", func(d *drawn) { d.kwh, d.years = d.kwh/2, d.years*2 })
	same("energy at half the price, twice the overhead", func(d *drawn) { d.kwh, d.overhead = d.kwh/2, 2 }).energy = 2
	r := same("twice the power at half the price of energy", func(d *drawn) {
		d.kwh, d.watts = d.kwh/2, d.watts*2
		each(func(n *drawnNode) { n.power, n.idle = n.power*2, n.idle*2 })(d)
		eachNetwork(func(n *drawnNetwork) { n.watt *= 2 })(d)
	})
	r.power, r.energy = 2, 2
	same("twice the work on nodes of twice the speed", func(d *drawn) {
		each(func(n *drawnNode) { n.speed *= 2 })(d)
		eachWork(func(w *drawnWork) { w.mflops *= 2 })(d)
	})
	same("twice the bytes at twice the bandwidth", func(d *drawn) {
		eachNetwork(func(n *drawnNetwork) { n.bandwidth *= 2 })(d)
		eachWork(func(w *drawnWork) { w.kilobytes *= 2 })(d)
		line("on_node: {latency: 0.5 us, bandwidth: 16 GB/s}")(d)
	})
	r = same("all times doubled", func(d *drawn) {
		eachWork(func(w *drawnWork) { w.mflops *= 2 })(d)
		eachNetwork(func(n *drawnNetwork) { n.bandwidth, n.latency, n.hop = n.bandwidth/2, n.latency*2, n.hop*2 })(d)
		line("on_node: {latency: 1 us, bandwidth: 4 GB/s}")(d)
	})
	r.time, r.energy, r.when = 2, 2, throughput
	r = same("ten times the runs in the same proportions", eachWork(func(w *drawnWork) { w.runs *= 10 }))
	r.time, r.energy, r.when = 10, 10, throughput

	// Names and order.
	renamed := map[string]string{"a": "zeta", "b": "Alpha", "c": "mid"}
	back := map[string]string{"zeta": "a", "Alpha": "b", "mid": "c"}
	same("node types of other names", func(d *drawn) {
		each(func(n *drawnNode) { n.name = renamed[n.name] })(d)
		for _, mix := range d.mixes {
			for i := range mix {
				mix[i] = renamed[mix[i]]
			}
		}
	}).names = back
	same("networks of other names", func(d *drawn) { d.networks[0].name, d.networks[1].name = "y", "x" }).names = map[string]string{"x": "y", "y": "x"}
	same("workloads of other names", eachWork(func(w *drawnWork) { w.name = "q" + w.name }))
	same("node types in another order", func(d *drawn) { slices.Reverse(d.nodes) })
	same("networks in another order", func(d *drawn) { slices.Reverse(d.networks) })
	same("workloads in another order", func(d *drawn) { slices.Reverse(d.works) })
	same("mixes in another order", func(d *drawn) { slices.Reverse(d.mixes) })
	same("node types of mixes in another order", func(d *drawn) {
		for _, mix := range d.mixes {
			slices.Reverse(mix)
		}
	})
	same("a title", line("title: a question"))
	same("another seed", line("seed: 17"))
	same("ranges", line("ranges: {samples: 100, model: 0.2}"))

	// Changes that cannot make the answer better.
	added := func(at int, like int, change func(n *drawnNode)) func(*drawn) {
		return func(d *drawn) {
			n := d.nodes[like]
			n.name = "twin"
			change(&n)
			d.nodes = slices.Insert(d.nodes, min(at, len(d.nodes)), n)
		}
	}
	network := func(at int, like int, change func(n *drawnNetwork)) func(*drawn) {
		return func(d *drawn) {
			n := d.networks[like]
			n.name = "net"
			change(&n)
			d.networks = slices.Insert(d.networks, min(at, len(d.networks)), n)
		}
	}
	for like, name := range []string{"a", "b", "c"} {
		same("a twin of "+name+" at the end", added(9, like, func(*drawnNode) {}))
		same("a twin of "+name+" at the beginning", added(0, like, func(*drawnNode) {})).names = map[string]string{"twin": name}
	}
	for like, name := range []string{"x", "y"} {
		same("a twin of "+name+" at the end", network(9, like, func(*drawnNetwork) {}))
		same("a twin of "+name+" at the beginning", network(0, like, func(*drawnNetwork) {})).names = map[string]string{"net": name}
	}
	same("a dearer a", added(9, 0, func(n *drawnNode) { n.price *= 1.5 })).when = affordable
	same("a slower b", added(9, 1, func(n *drawnNode) { n.speed *= 0.5; n.price *= 1.1 })).when = affordable
	same("a c of more power, dearer", added(9, 2, func(n *drawnNode) { n.power *= 1.5; n.idle *= 1.5; n.price *= 1.1 })).when = affordable
	same("a dearer x", network(9, 0, func(n *drawnNetwork) { n.port *= 1.5; n.box *= 1.5 })).when = affordable
	same("a slower y, dearer", network(9, 1, func(n *drawnNetwork) { n.latency *= 2; n.hop *= 2; n.bandwidth /= 2; n.port *= 1.1; n.box *= 1.1 })).when = affordable
	same("a node type that no budget buys", added(9, 0, func(n *drawnNode) { n.price = 1e6; n.speed *= 100 }))
	same("a network that no budget buys", network(9, 0, func(n *drawnNetwork) { n.port = 1e6; n.latency = 0 }))

	// Applications.
	split := func(parts int) func(*drawn) {
		return func(d *drawn) {
			d.works[0].runs /= float64(parts)
			for i := 1; i < parts; i++ {
				w := d.works[0]
				w.name = fmt.Sprintf("part%d", i)
				d.works = append(d.works, w)
			}
		}
	}
	same("an application in two halves", split(2))
	same("an application in seven parts", split(7))
	same("a negligible application", func(d *drawn) {
		w := d.works[0]
		w.name, w.runs = "rare", 1e-6
		d.works = append(d.works, w)
	})
	same("a deadline that nothing misses", eachWork(func(w *drawnWork) { w.more = ", deadline: 9 h" }))

	// Limits that are none.
	same("a limit of space that nothing reaches", func(d *drawn) { d.budget = ", rack_units: 100000" })
	same("a limit of power that nothing reaches", func(d *drawn) {
		if d.watts == 0 {
			d.watts = 1e9
		}
	})
	same("all affordable numbers listed", func(d *drawn) {
		list := make([]string, 60)
		for i := range list {
			list[i] = fmt.Sprint(i + 1)
		}
		d.counts = "[" + strings.Join(list, ", ") + "]"
	}).when = affordable

	// Looser and tighter limits.
	better("more money", nil, func(d *drawn) { d.money *= 1.2 })
	worse("less money", nil, func(d *drawn) { d.money *= 0.8 })
	better("no limit of power", nil, func(d *drawn) { d.watts = 0 })
	worse("less power", nil, func(d *drawn) { d.watts = 0.8 * max(d.watts, 2000) * min(1, d.watts+1) })
	worse("few rack units", nil, func(d *drawn) { d.budget = ", rack_units: 6" })
	worse("a deadline", nil, eachWork(func(w *drawnWork) { w.more = fmt.Sprintf(", deadline: %g s", w.mflops/4000) }))
	worse("no mixes", nil, func(d *drawn) { d.mixes = nil })
	worse("one mix less", nil, func(d *drawn) { d.mixes = d.mixes[1:] })
	worse("fewer numbers of nodes", func(d *drawn) bool { return !affordable(d) }, func(d *drawn) { d.counts = "[2, 5]" })
	better("any numbers of nodes", func(d *drawn) bool { return !affordable(d) }, func(d *drawn) { d.counts = "affordable" })
	better("more numbers of nodes", func(d *drawn) bool { return !affordable(d) }, func(d *drawn) { d.counts = "[1, 2, 3, 4, 5, 6, 7, 8]" })
	better("another node type", nil, added(9, 0, func(n *drawnNode) { n.speed, n.price = n.speed+1, n.price*1.3 }))
	better("another network", nil, network(9, 0, func(n *drawnNetwork) { n.latency, n.port = 20, 55 }))
	better("any partition", purchase, eachWork(func(w *drawnWork) { w.partition = "" }))

	// Better and worse parts.
	for i, name := range []string{"a", "b", "c"} {
		better("a cheaper "+name, nil, func(d *drawn) { d.nodes[i].price *= 0.9 })
		worse("a dearer "+name, nil, func(d *drawn) { d.nodes[i].price *= 1.1 })
		better("a faster "+name, purchase, func(d *drawn) { d.nodes[i].speed *= 1.1 })
		worse("a "+name+" of more power", nil, func(d *drawn) { d.nodes[i].power *= 1.1 })
	}
	for i, name := range []string{"x", "y"} {
		better("a cheaper "+name, nil, func(d *drawn) { d.networks[i].port *= 0.8; d.networks[i].box *= 0.8 })
		better("a faster "+name, purchase, func(d *drawn) { d.networks[i].latency /= 2; d.networks[i].bandwidth *= 2 })
	}
	better("cheaper energy", nil, func(d *drawn) { d.kwh *= 0.5 })
	worse("dearer energy", nil, func(d *drawn) { d.kwh *= 1.5 })
	worse("more years", nil, func(d *drawn) { d.years *= 2 })
	better("fewer runs", both(cheapestPlan, purchase), eachWork(func(w *drawnWork) { w.runs *= 0.9 }))
	worse("more runs", both(cheapestPlan, purchase), eachWork(func(w *drawnWork) { w.runs *= 1.1 }))
	return all
}

// Changing a plan changes its answer as it must.
func TestMetamorphicRelations(t *testing.T) {
	expect.Long(t, "answers plans and changed ones")
	t.Parallel()
	const plans = 40
	rules, held, machines := relations(), 0, 0
	for seed := range plans {
		d := draw(rand.New(rand.NewPCG(uint64(seed), 11)))
		was := answer(t, d)
		if was.nodes != nil {
			machines++
		}
		for _, r := range rules {
			if r.when != nil && !r.when(d) {
				continue
			}
			changed := d.clone()
			r.change(changed)
			is := answer(t, changed)
			problem := r.broken(was, is)
			expect.That(t, problem == "", "plan %d, %s: %s: %+v, then %+v\n%s%s", seed, r.name, problem, was, is, d, changed)
			held++
		}
	}
	t.Logf("%d relations, %d plans, %d of them with a machine: %d comparisons", len(rules), plans, machines, held)
	expect.That(t, len(rules) >= 60 && 2*machines > plans, "%d relations, %d of %d plans with a machine", len(rules), machines, plans)
}

// broken says how two answers violate the relation, or "".
func (r relation) broken(was, is answered) string {
	if was.gap != 0 || is.gap != 0 {
		return "the search was not complete"
	}
	if !r.same {
		if r.atMost && is.best > was.best*(1+1e-9) || !r.atMost && is.best < was.best*(1-1e-9) {
			return "the best is on the wrong side"
		}
		return ""
	}
	old := func(name string) string { return cmp.Or(r.names[name], name) }
	nodes := map[string]int{}
	for n, count := range is.nodes {
		nodes[old(n)] += count
	}
	if (was.nodes == nil) != (is.nodes == nil) || !maps.Equal(was.nodes, nodes) || was.network != old(is.network) {
		return "another machine"
	}
	for what, x := range map[string][3]float64{"score": {was.score, is.score, r.time}, "price": {was.price, is.price, r.money},
		"power": {was.power, is.power, r.power}, "energy": {was.energy, is.energy, r.energy}} {
		if want := x[0] * x[2]; x[2] != 0 && math.Abs(x[1]-want) > 1e-9*math.Abs(want) {
			return fmt.Sprintf("%s: %.17g, expected %.17g", what, x[1], want)
		}
	}
	return ""
}

// The certainty of a choice depends on the alternatives, not on names, order and twins: what is drawn for a figure
// follows from its content.
func TestCertaintyDependsOnContents(t *testing.T) {
	expect.Long(t, "answers plans and renamed ones")
	t.Parallel()
	certainty := func(d *drawn, names map[string]string) string {
		old := strings.NewReplacer(pairs(names)...)
		p := buytest.Read(t, buytest.PlanFile(t, d.String()))
		s := newSolver(p, Options{Jobs: 1, Rough: true})
		expect.Need(t, s.rank(t.Context()) == nil && s.robust(t.Context()) == nil, "%s", d)
		var all []string
		add := func(format string, args ...any) { all = append(all, old.Replace(fmt.Sprintf(format, args...))) }
		for _, x := range s.result.Uncertain.Designs {
			add("%s: %.9g, regret %.9g", x.Design, x.Probability, x.Regret)
		}
		for _, x := range s.result.Uncertain.Figures {
			add("%s: %.9g", x.Figure, x.Value)
		}
		for _, x := range s.result.Robustness.JointFirst {
			add("%s: %d", x.Design, x.Trials)
		}
		for _, x := range s.result.Robustness.Parameters {
			add("%s: %s, %s", x.Parameter, x.FirstLow, x.FirstHigh)
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	for seed := range uint64(3) {
		d := draw(rand.New(rand.NewPCG(seed, 13)))
		d.objective, d.mixes = "throughput", nil
		for i := range d.works {
			d.works[i].partition = ""
		}
		d.robustness = "{samples: 50}"
		d.more = []string{"ranges: {samples: 100, model: 0.2, figures: [{of: \"workloads[0].runs_per_year\", range: 20 %}]}"}
		was := certainty(d, nil)
		for name, change := range map[string]func(*drawn) map[string]string{
			"other names": func(d *drawn) map[string]string {
				d.nodes[0].name, d.nodes[1].name, d.networks[0].name = "Zeta", "Mid", "Late"
				return map[string]string{"Zeta": "a", "Mid": "b", "Late": "x"}
			},
			"another order": func(d *drawn) map[string]string {
				slices.Reverse(d.nodes)
				slices.Reverse(d.networks)
				return nil
			},
			"twins": func(d *drawn) map[string]string {
				n, x := d.nodes[0], d.networks[1]
				n.name, x.name = "twin", "net"
				d.nodes, d.networks = append(d.nodes, n), append(d.networks, x)
				return nil
			},
		} {
			changed := d.clone()
			names := change(changed)
			expect.Equal(t, certainty(changed, names), was, "plan %d, %s", seed, name)
		}
	}
}

// pairs lists keys and values alternately.
func pairs(m map[string]string) (all []string) {
	for k, v := range m {
		all = append(all, k, v)
	}
	return all
}
