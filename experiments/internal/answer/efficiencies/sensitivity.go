package efficiencies

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// Sensitivities are the derivatives of the time of a run. The time is the sum of the segments of its critical path, and
// each segment is a sum of multiples of parameters or of their reciprocals ([Shen2024]): a message takes its latency and
// its size over the bandwidth, a computation its work over the speed. Their JSON form is a contract (docs/formats/json.md).
type Sensitivities struct {
	Parameters []Sensitivity `json:"parameters"`   // the largest share first
	Constant   float64       `json:"constant_s"`   // taken as constant: delays, collectives at a measured cost, reductions in switches
	Unresolved float64       `json:"unresolved_s"` // waits that the path does not explain
}

// A Sensitivity says how the time depends on a parameter if all else stays the same.
type Sensitivity struct {
	Parameter  string  `json:"parameter"`
	Where      string  `json:"where"`
	Value      float64 `json:"value"`
	Unit       string  `json:"unit"`
	Derivative float64 `json:"derivative"` // of the makespan: seconds per unit
	Share      float64 `json:"share"`      // of the makespan that is proportional to the parameter, or to its reciprocal
	// The values at which the run takes 1 and 5 % longer, if the same operations and messages determine the time.
	Longer1 float64 `json:"value_1_percent_longer"`
	Longer5 float64 `json:"value_5_percent_longer"`

	kind       cluster.ParameterKind
	reciprocal bool
	times      float64 // the factor of the parameter, or of its reciprocal, in the makespan
}

// Hosts are processes that compute alike: each at Speed, its marked speed in Unit, on nodes of memory bandwidth Memory.
type Hosts struct {
	Where         string
	Speed, Memory float64
	Unit          string // "" for a speed relative to the present one
}

// adding adds up the segments of a path.
type adding struct {
	*Sensitivities
	prices   *cluster.Prices
	computes []int   // by host: the index of its speed in Parameters; its memory bandwidth comes next
	costs    [][]int // by level: the indices of its parameters
}

// A Walk visits the critical path of a run from its end and returns its length.
type Walk func(visit func(*observe.Segment)) units.Seconds

// SensitivitiesOf returns the sensitivities of a run with prices of its messages. hostOf returns a rank's index in hosts.
func SensitivitiesOf(path Walk, prices *cluster.Prices, hosts []Hosts, hostOf func(rank int32) int) *Sensitivities {
	a := adding{Sensitivities: &Sensitivities{Parameters: []Sensitivity{}}, prices: prices}
	for _, h := range hosts {
		a.computes = append(a.computes, a.list(h.Where, cluster.Parameter{Name: "speed", Value: h.Speed, Unit: h.Unit, Reciprocal: true, Kind: cluster.Speed}))
		a.list(h.Where, cluster.Parameter{Name: "memory bandwidth", Value: h.Memory, Unit: "B/s", Reciprocal: true, Kind: cluster.MemoryBandwidth})
	}
	for i, l := range prices.Levels {
		a.costs = append(a.costs, nil)
		for k, p := range l.Parameters {
			if i > 0 && !p.Own {
				a.costs[i] = append(a.costs[i], a.costs[0][k])
				continue
			}
			where := l.Where
			if !p.Own {
				where = "all messages"
			}
			a.costs[i] = append(a.costs[i], a.list(where, p))
		}
	}
	makespan := path(func(g *observe.Segment) { a.add(g, hostOf) })
	a.Parameters = slices.DeleteFunc(a.Parameters, func(s Sensitivity) bool { return s.times == 0 })
	for i := range a.Parameters {
		a.Parameters[i].finish(float64(makespan))
	}
	slices.SortStableFunc(a.Parameters, func(a, b Sensitivity) int { return cmp.Compare(b.Share, a.Share) })
	return a.Sensitivities
}

func (a *adding) list(where string, p cluster.Parameter) int {
	a.Parameters = append(a.Parameters, Sensitivity{Parameter: p.Name, Where: where, Value: p.Value, Unit: p.Unit, kind: p.Kind, reciprocal: p.Reciprocal})
	return len(a.Parameters) - 1
}

// Kinds of segments.
var (
	computes       = observe.Kind(sim.PartCompute.String())
	delay          = observe.Kind(sim.PartDelay.String())
	collectiveCost = observe.Kind(sim.PartCollectiveCost.String())
)

func (a *adding) add(g *observe.Segment, hostOf func(rank int32) int) {
	switch g.Kind {
	case computes:
		i := a.computes[hostOf(g.Rank)]
		if g.ByMemory {
			i++
		}
		a.Parameters[i].times += float64(g.Length()) * a.Parameters[i].Value
		return
	case delay, collectiveCost:
		a.Constant += float64(g.Length()) - a.law(g)
		return
	}
	level, terms := a.prices.Terms(g)
	cost := 0.0
	var places []int
	if level >= 0 {
		places = a.costs[level]
	}
	for k, place := range places {
		cost += terms[k] * a.Parameters[place].unit()
	}
	// Clocks are sums of costs, so rounding errors are relative to the time on the clock.
	if math.Abs(cost-float64(g.Length())) > 1e-13*float64(g.Until) {
		a.Unresolved += float64(g.Length())
		return
	}
	for k, place := range places {
		a.Parameters[place].times += terms[k]
	}
}

// law adds the terms of a collective operation that a law prices, and returns the time that they explain.
func (a *adding) law(g *observe.Segment) (priced float64) {
	x := a.prices.Law(g)
	if x == nil {
		return 0
	}
	for l, level := range x.Level {
		for k, place := range a.costs[level] {
			a.Parameters[place].times += x.Terms[l][k]
			priced += x.Terms[l][k] * a.Parameters[place].unit()
		}
	}
	if rest := float64(g.Length()) - priced; rest < 1e-9*priced { // a rounding error
		priced += rest
	}
	return priced
}

// unit is the parameter, or its reciprocal: what a time has with the factor 1.
func (s *Sensitivity) unit() float64 {
	return cluster.Parameter{Value: s.Value, Reciprocal: s.reciprocal}.Cost()
}

// finish derives the other fields from times.
func (s *Sensitivity) finish(makespan float64) {
	u := s.unit()
	s.Share = s.times * u / makespan
	longer := func(by float64) float64 { return u + by*makespan/s.times }
	s.Derivative, s.Longer1, s.Longer5 = s.times, longer(0.01), longer(0.05)
	if s.reciprocal {
		s.Derivative, s.Longer1, s.Longer5 = -s.times*u*u, 1/s.Longer1, 1/s.Longer5
	}
}

// Share returns the part of the makespan that is proportional to parameters of a kind, or to their reciprocals.
func (s *Sensitivities) Share(kind cluster.ParameterKind) float64 {
	return s.sum(func(p Sensitivity) bool { return p.kind == kind })
}

// sum adds up the shares of some parameters.
func (s *Sensitivities) sum(counts func(Sensitivity) bool) float64 {
	return each.Sum(s.Parameters, func(p Sensitivity) float64 {
		if counts(p) {
			return p.Share
		}
		return 0
	})
}

// text formats a value of the parameter for people.
func (s *Sensitivity) text(value float64) string {
	value, _ = strconv.ParseFloat(fmt.Sprintf("%.4g", value), 64) // no error: the text is a number
	if s.Unit == "s/B" {
		return units.Seconds(value).String() + "/B"
	}
	if text, ok := formula.Text(value, s.Unit); ok {
		return text
	}
	return fmt.Sprintf("%.4g", value)
}

// Says names the parameter that matters most, what is assumed of larger changes, and what no parameter explains.
func (s *Sensitivities) Says(makespan float64) []string {
	var list []string
	if len(s.Parameters) > 0 {
		p, change, by := s.Parameters[0], "more", 1.0
		if p.reciprocal {
			change, by = "less", 1/0.99
		}
		text := fmt.Sprintf("The %s (%s) matters most: with 1 %% %s of it the run takes %.2f %% longer", p.Parameter, p.Where, change, by*p.Share)
		if all := s.sum(func(q Sensitivity) bool { return q.Parameter == p.Parameter }); all > p.Share {
			text += fmt.Sprintf(", with 1 %% %s of every %s %.2f %%", change, p.Parameter, by*all)
		}
		list = append(list, text+".", "It takes 1 or 5 % longer at the values given if the same operations, with the same limits, still determine the time.")
	}
	if s.Constant > 0 {
		list = append(list, fmt.Sprintf("%.1f %% of the time is delays and collective operations at a given cost, which are taken as constant.", 100*s.Constant/makespan))
	}
	if s.Unresolved > 1e-9*makespan {
		list = append(list, fmt.Sprintf("%.1f %% of the time is waiting that the critical path does not explain; no share includes it.", 100*s.Unresolved/makespan))
	}
	return list
}

// largest is how many parameters the text and the chart show.
const largest = 16

// Rows returns the rows of a table of parameters.
func (s *Sensitivities) Rows() [][]string {
	return each.Append(nil, s.Parameters, func(p Sensitivity) []string {
		return []string{p.Parameter, p.Where, p.text(p.Value), fmt.Sprintf("%.2f %%", 100*p.Share), p.text(p.Longer1), p.text(p.Longer5)}
	})
}

// Largest returns the parameters that the text and the chart show, and what is to be said of the others, if there are any.
func (s *Sensitivities) Largest() (shown Sensitivities, others string) {
	shown.Parameters = s.Parameters[:min(largest, len(s.Parameters))]
	if rest := s.Parameters[len(shown.Parameters):]; len(rest) > 0 {
		others = fmt.Sprintf("%d more with a share of at most %.2f %% each", len(rest), 100*rest[0].Share)
	}
	return shown, others
}

func (s *Sensitivities) Section(makespan float64) report.Section {
	text := append(s.Says(makespan), "A share is the part of the time that is proportional to a parameter or its reciprocal, all else unchanged.")
	shown, others := s.Largest()
	if others != "" {
		text = append(text, "The table has all parameters; the chart leaves out "+others+".")
	}
	bars := percentBars("Sensitivities", "parameter", "share of the time", shown.Parameters,
		func(p Sensitivity) (string, float64) { return p.Parameter + ", " + p.Where, p.Share })
	return report.Section{Heading: "What the time depends on", Text: text,
		Blocks: []report.Block{bars, &report.Table{Title: "Sensitivities of the time",
			Columns: page.Columns("parameter", "where", "#value", "#share", "#1 % longer at", "#5 % longer at"), Rows: s.Rows()}}}
}
