package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// A drawn plan can be changed before it is written. It has three node types, their mixes, two networks of small
// switches and two or three workloads, on an ideal network or one with latencies.
type drawn struct {
	money, kwh, utilisation, years, overhead, watts float64 // watts 0: no limit
	currency, covers, model, counts, objective      string
	tolerance                                       string
	more                                            []string // further lines
	robustness                                      string
	budget                                          string // further limits
	nodes                                           []drawnNode
	networks                                        []drawnNetwork
	mixes                                           [][]string
	works                                           []drawnWork
}

type drawnNode struct {
	name                      string
	cores                     int
	speed, power, idle, price float64 // Gflop/s, W, W, money
	partition                 string
	more                      string
	currency                  string // "": that of the plan
}

type drawnNetwork struct {
	name                                     string
	latency, hop, bandwidth, port, box, watt float64 // us, us, MB/s, money, money, W
	ports                                    int
}

type drawnWork struct {
	name, nodes, partition  string // partition "": any
	runs, kilobytes, mflops float64
	more                    string
}

func draw(rng *rand.Rand) *drawn {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	d := &drawn{currency: "EUR", years: 4, overhead: 1, money: float64(6000 + rng.IntN(14000)), covers: pick("purchase", "life")}
	if rng.IntN(2) == 0 {
		d.watts = float64(1500 + rng.IntN(3000))
	}
	d.kwh, d.utilisation = 0.1+0.4*rng.Float64(), 0.5+0.4*rng.Float64()
	d.model, d.counts = pick("ideal", "hockney"), pick("affordable", "[1, 2, 3, 5, 8]")
	d.objective, d.tolerance = pick("throughput", "cheapest"), pick("0", "0.02")
	for i, name := range []string{"a", "b", "c"} {
		d.nodes = append(d.nodes, drawnNode{name: name, cores: 1 + rng.IntN(2), speed: float64(1 + rng.IntN(4)*(1+3*(i/2))),
			power: float64(200 + rng.IntN(300)), idle: float64(50 + rng.IntN(100)),
			price: float64(700 + rng.IntN(900)*(1+i/2)), partition: []string{"cpu", pick("cpu", "gpu"), "gpu"}[i]})
	}
	for i, name := range []string{"x", "y"} {
		d.networks = append(d.networks, drawnNetwork{name: name, latency: float64(50 - 45*i), hop: 5, bandwidth: float64(100 + 900*i),
			port: float64(20 + 100*i), box: float64(100 + 200*i), watt: 30, ports: 4 + 2*rng.IntN(2)})
	}
	d.mixes = [][]string{{"a", "b"}, {"a", "c"}, {"b", "c"}, {"a", "b", "c"}}
	for i := range 2 + rng.IntN(2) {
		w := drawnWork{name: fmt.Sprintf("w%d", i), kilobytes: 10}
		if rng.IntN(3) == 0 {
			w.partition = pick("cpu", "gpu")
		}
		w.runs, w.nodes = float64(100000+rng.IntN(900000)), pick("1", "[1, 2]", "[2, 4]", "best")
		w.mflops = float64(2000 + rng.IntN(30000))
		d.works = append(d.works, w)
	}
	return d
}

// clone returns a copy that can be changed independently.
func (d *drawn) clone() *drawn {
	c := *d
	c.more, c.mixes = slices.Clone(d.more), slices.Clone(d.mixes)
	c.nodes, c.networks, c.works = slices.Clone(d.nodes), slices.Clone(d.networks), slices.Clone(d.works)
	for i := range c.mixes {
		c.mixes[i] = slices.Clone(c.mixes[i])
	}
	return &c
}

func (d *drawn) String() string {
	var b strings.Builder
	write := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	write("budget: {money: %.17g %s, covers: %s%s", d.money, d.currency, d.covers, d.budget)
	if d.watts > 0 {
		write(", power: %.17g W", d.watts)
	}
	write("}\nenergy: {price_per_kwh: %.17g %s, years: %.17g, utilisation: %.17g, overhead: %.17g}\n", d.kwh, d.currency, d.years,
		d.utilisation, d.overhead)
	write("model: %s\ncounts: %s\nobjective: %s\ntolerance: %s\nnodes:\n", d.model, d.counts, d.objective, d.tolerance)
	for _, n := range d.nodes {
		write("  %s: {cores: %d, marked_speed: %.17g Gflop/s, power: %.17g W, idle_power: %.17g W, price: %.17g %s, partition: %s%s}\n",
			n.name, n.cores, n.speed, n.power, n.idle, n.price, cmp.Or(n.currency, d.currency), n.partition, n.more)
	}
	write("networks:\n")
	for _, n := range d.networks {
		write("  %s: {latency: %.17g us, bandwidth: %.17g MB/s, price_per_port: %.17g %s, hop_latency: %.17g us, topology: fat-tree, "+
			"switch: {price: %.17g %s, ports: %d, power: %.17g W}}\n", n.name, n.latency, n.bandwidth, n.port, d.currency, n.hop, n.box,
			d.currency, n.ports, n.watt)
	}
	mixes := each.Append(nil, d.mixes, func(mix []string) string { return "[" + strings.Join(mix, ", ") + "]" })
	write("mixes: [%s]\nworkloads:\n", strings.Join(mixes, ", "))
	for _, w := range d.works {
		place := w.more
		if w.partition != "" {
			place += ", partition: " + w.partition
		}
		write("- {name: %s, runs_per_year: %.17g, nodes: %s%s, run: {name: pattern, shape: ring, n: 3, size: %.17g kB, total_compute: %.17g Mflop}}\n",
			w.name, w.runs, w.nodes, place, w.kilobytes, w.mflops)
	}
	write("robustness: %s\nqueue: {submissions: 100}\n", cmp.Or(d.robustness, "{samples: 0}"))
	for _, line := range d.more {
		write("%s\n", line)
	}
	return b.String()
}
