package search

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// oneNode is a node of 1 Gflop/s for 1000 EUR that draws 100 W, and 40 W when idle; a
// run of 36 Gflop takes 36 s.
const oneNode = `load: runs
budget: {money: 1000 EUR}
energy: {price_per_kwh: 0.5 EUR, years: 4, utilisation: 0.8, overhead: 1.5}
model: ideal
nodes: {a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, idle_power: 40 W, price: 1000 EUR}}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [1]
workloads: [{name: w, runs_per_year: 100, run: {name: reference, n: 1, total_compute: 36 Gflop}}]
`

// A hundred runs of 36 s are one hour of the 8765.82 of a year. The machine draws 0.15 kW in that hour and 0.06 kW in
// all others, with cooling, over four years. The 400 runs together cost the price and that energy. More runs than fit
// into a year keep the machine busy for the utilisation, and only those that fit share the price.
func TestEnergyAndCostFollowFromTheRuns(t *testing.T) {
	c, full := solveText(t, oneNode).Ranking[0], solveText(t, oneNode, "workloads[0].runs_per_year=1e6").Ranking[0]
	const year = yearInSeconds / 3600
	energy := 4 * (0.15 + 0.06*(year-1))
	total := 1000 + 0.5*energy
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"busy", c.Busy, 1 / year},
		{"use", *c.Use, 1 / (0.8 * year)},
		{"idle power", c.IdlePower, 40},
		{"energy of the life", c.LifeEnergy, energy},
		{"cost of the life", c.LifeCost, total},
		{"energy of a run", c.Workloads[0].Energy, 0.15 / 100},
		{"capital of a run", c.Workloads[0].Capital, 1000. / 400},
		{"cost of all runs", 400 * c.Workloads[0].Cost, total},
		{"busy, if it is full", full.Busy, 0.8},
		{"capital of a run, if it is full", full.Workloads[0].Capital, 1000 * 0.01 / (0.8 * 4 * year)},
	} {
		expect.That(t, near(x.got, x.want), "%s: %v, want %v", x.name, x.got, x.want)
	}
}

// Nodes without a stated idle power draw half of their power when idle, listed as an estimate.
func TestIdlePowerByDefault(t *testing.T) {
	text := strings.Replace(oneNode, "idle_power: 40 W, ", "", 1)
	r := solveText(t, text)
	found := false
	for _, f := range r.Figures {
		found = found || f.Of == "a" && f.Quantity == "idle power" && f.Value == "50 W" && f.Estimate
	}
	expect.That(t, found && r.Ranking[0].IdlePower == 50,
		"idle power %v, figures %+v", r.Ranking[0].IdlePower, r.Figures)
}

// A cancelled simulation is not done.
func TestCancelledIsNotDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reported := 0
	_, err := Solve(ctx, buytest.Read(t, buytest.Small), Options{Jobs: 1, Progress: func(s input.Step) {
		if s.Done == 0 {
			return // before the first
		}
		if reported++; s.Done != reported {
			t.Errorf("%d done, reported %d times", s.Done, reported)
		}
		if s.Done == 2 {
			cancel()
		}
	}})
	expect.That(t, errors.Is(err, context.Canceled) && reported == 2,
		"%d simulations reported as done, error %v; want 2 of them, and the cancellation", reported, err)
}

// The first results cover every workload, on the smallest machine.
func TestFirstResultsAreOfEveryWorkload(t *testing.T) {
	p := buytest.Read(t, buytest.Small)
	var list []pending
	for _, c := range []model.Choice{model.Design{Types: []int{0}}.Of(2), model.Design{Types: []int{1}}.Of(1),
		model.Design{Types: []int{0}}.Of(1)} {
		for w := range p.Workloads {
			x := simulation{plan: p, choice: c, workload: w}
			list = append(list, pending{simulation: x, key: x.key()})
		}
	}
	startEarly(list)
	for i, x := range list {
		expect.That(t, x.key == x.simulation.key(), "simulation %d has the key of another", i)
		last := i >= len(list)-2
		expect.That(t, last == (x.choice.Types[0] == 1) && (!last || x.workload == i-(len(list)-2)),
			"simulation %d: workload %d on %s", i, x.workload, p.Name(x.choice))
	}
}

// A run on two nodes computes for a second and then sends 1 GB, a second more. A node draws
// 100 W, then 70 W. With its one process on two cores it would draw 70 W, then 55 W.
func TestEnergyOfARunFollowsFromItsStates(t *testing.T) {
	text := strings.NewReplacer("model: ideal", "model: hockney", "counts: [1]", "counts: [2]", "money: 1000 EUR",
		"money: 4000 EUR",
		"idle_power: 40 W", "idle_power: 40 W, wait_power: 70 W",
		"{name: reference, n: 1, total_compute: 36 Gflop}", "{name: pattern, n: 1, shape: ring, size: 1 GB, total_compute: 2 Gflop}").Replace(oneNode)
	for cores, want := range map[string]float64{"cores: 1, ": 2 * (100 + 70),
		"cores: 2, processes_per_node: 1, threads_per_process: 1, ": 2 * (70 + 55)} {
		r := solveText(t, strings.Replace(text, "cores: 1, ", cores, 1))
		w := r.Ranking[0].Workloads[0]
		expect.That(t, w.Time == 2 && math.Abs(w.Energy-want*1.5/3.6e6) <= 1e-12 && w.Ways[0].Energy == w.Energy,
			"%s: %v s and %v kWh (%v), want 2 s and %v", cores, w.Time, w.Energy, w.Ways[0].Energy, want*1.5/3.6e6)
	}
}

// One node for 900 or 1900 EUR does 500 000 runs of 36 Gflop a year, 36 or 18 s each at 100 W: 2500 or 1250 kWh in 5
// years, for 750 or 375 EUR. A node a tenth slower takes 40 s instead of 36 and proportionally more energy; one with a
// tenth more power takes a tenth more energy.
func TestEnergyOfRunsWithChangedFigures(t *testing.T) {
	for _, nodes := range []string{"1", "all"} {
		r := solveText(t, jobs(nodes), "budget={money: 10000 EUR, covers: life}", "energy={price_per_kwh: 0.3 EUR, years: 5}", "objective=cheapest",
			"nodes.a={cores: 1, marked_speed: 1 Gflop/s, power: 100 W, idle_power: 0 W, price: 900 EUR}", "counts=[1]",
			"nodes.b={cores: 1, marked_speed: 2 Gflop/s, power: 100 W, idle_power: 0 W, price: 1900 EUR}",
			"robustness.change=0.1", "workloads[0].runs_per_year=500000")
		leads := map[string][2]float64{}
		for _, x := range r.Robustness.Parameters {
			if x.Low != nil && x.High != nil {
				leads[x.Parameter] = [2]float64{*x.Low, *x.High}
			}
		}
		for name, want := range map[string][2]float64{
			"marked speed of a": {2275/(900+750/0.9) - 1, 2275/(900+750/1.1) - 1},
			"power of a":        {2275/(900+750*0.9) - 1, 2275/(900+750*1.1) - 1},
			"power of b":        {(1900+375*0.9)/1650 - 1, (1900+375*1.1)/1650 - 1},
		} {
			for end := range want {
				expect.Close(t, leads[name][end], want[end], 1e-9, "nodes %s: lead with the %s changed, end %d", nodes, name, end)
			}
		}
	}
}
