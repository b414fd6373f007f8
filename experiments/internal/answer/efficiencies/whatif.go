package efficiencies

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A Hypothesis is a network that might make a run faster.
type Hypothesis struct {
	Trial
	Change      cluster.Change
	SharedLinks bool // only for runs whose messages share links
}

const waitingSenders = "senders that wait for receivers"

// Hypotheses are the networks that any run can be tried on.
var Hypotheses = []Hypothesis{
	{Trial: Trial{Name: "half the latency", Cause: "the latency of messages"},
		Change: but(func(c *cluster.Change) { c.Latency = 0.5 })},
	{Trial: Trial{Name: "twice the bandwidth", Cause: "the bandwidth of the network"},
		Change: but(func(c *cluster.Change) { c.Transfer = 0.5 })},
	{Trial: Trial{Name: "half the overhead of messages", Cause: "the work of cores for messages"},
		Change: but(func(c *cluster.Change) { c.Overhead = 0.5 })},
	{Trial: Trial{Name: "no message waits for its receiver", Cause: waitingSenders},
		Change: but(func(c *cluster.Change) { c.Waits = false })},
	{Trial: Trial{Name: "links for each message alone", Cause: "contention for links"},
		Change: alone, SharedLinks: true},
	{Trial: Trial{Name: "a network free of cost", Cause: "messages", Bound: true}, Change: free},
}

// An Effect is what a run would gain by a change. Its JSON form is a contract (docs/formats/json.md).
type Effect struct {
	Change   string  `json:"change"`
	Cause    string  `json:"cause"` // what costs the time that the change saves
	Makespan float64 `json:"makespan_s"`
	Saves    float64 `json:"saves"` // fraction of the time; below 0 if the run would take longer
	// Bound: the change bounds what others can save, or is no remedy: any run gains by faster cores.
	Bound bool `json:"bound"`
}

// effectOf is the effect of a trial that changes the time of a run to changed. A run without time has none to save.
func effectOf(t *Trial, run, changed units.Seconds) Effect {
	e := Effect{Change: t.Name, Cause: t.Cause, Makespan: float64(changed), Bound: t.Bound}
	if run > 0 {
		e.Saves = 1 - float64(changed/run)
	}
	return e
}

// Sorted returns the effects by what they save, the largest first and bounds last, without empty ones. Effects whose
// savings are printed alike stay in the order in which they were tried: loads that are equal in total come before those
// that are equal at every step.
func Sorted(effects []Effect) []Effect {
	saves := func(e Effect) float64 { return math.Round(1000 * e.Saves) }
	effects = slices.DeleteFunc(effects, func(e Effect) bool { return e.Change == "" })
	slices.SortStableFunc(effects, func(a, b Effect) int {
		if a.Bound != b.Bound {
			if b.Bound {
				return -1
			}
			return 1
		}
		return cmp.Compare(saves(b), saves(a))
	})
	return effects
}

// OnNetworks returns the effects of the hypotheses on a run that takes the time run, from runs on changed networks.
func OnNetworks(ctx context.Context, run units.Seconds, sharesLinks bool, runs *Runs) ([]Effect, error) {
	list := slices.Clone(Hypotheses)
	if !sharesLinks {
		list = slices.DeleteFunc(list, func(h Hypothesis) bool { return h.SharedLinks })
	}
	_, err := runs.On(ctx, each.Of(list, func(h Hypothesis) cluster.Change { return h.Change }))
	if err != nil && !Stuck(err) { // a network on which the program is stuck has no effect
		return nil, err
	}
	trials := each.Of(list, func(h Hypothesis) Trial { return h.Trial })
	return Tried(1, nil, run, trials, func(i int) (*sim.Result, error) {
		r, err := runs.On(ctx, []cluster.Change{list[i].Change})
		if err != nil {
			return nil, err
		}
		return r[0], nil
	})
}

// Worth is the fraction that a change must save to be named as one that helps: a mere change of the order of messages
// can save about as much.
const Worth = 0.01

// Helps says which change would help most. If none does, it says whether processes wait for each other's computations,
// judged by the efficiencies of the run, which may be nil.
func Helps(effects []Effect, e *Efficiencies) string {
	if len(effects) == 0 {
		return ""
	}
	best := effects[0]
	if best.Bound || best.Saves < Worth {
		if e != nil && e.Serialisation == e.Lowest().Value && e.Serialisation < 1-Worth {
			return fmt.Sprintf("Serialisation costs most: %s, and no change that was tried saves %.0f %% of the time.", e.Serialised, 100*Worth)
		}
		text := fmt.Sprintf("No change that was tried saves %.0f %% of the time", 100*Worth)
		if slices.ContainsFunc(effects, func(e Effect) bool { return e.Bound && e.Saves >= Worth }) {
			text += ", except those that are only bounds"
		}
		return text + "."
	}
	return fmt.Sprintf("Of the causes tried, most time is lost to %s: with %s the run takes %.1f %% less time.",
		best.Cause, best.Change, 100*best.Saves)
}

// Lead puts the sentence of Helps at the head of a report, if there are effects.
func Lead(doc *report.Document, effects []Effect, e *Efficiencies) {
	if text := Helps(effects, e); text != "" {
		doc.Lead = append([]string{text}, doc.Lead...)
	}
}

// none reports whether an effect is printed as 0.
func (e Effect) none() bool { return -0.0005 < e.Saves && e.Saves < 0.0005 }

// label names the change in tables and charts.
func (e Effect) label() string {
	if e.Bound {
		return e.Change + " (a bound)"
	}
	return e.Change
}

// EffectRows returns rows of the effects that are not 0, and names the changes of the others, those that differ only in
// the last word together: "rank order cyclic, by-group or greedy".
func EffectRows(effects []Effect) (rows [][]string, none string) {
	var names, last []string // of changes without effect; the last words that follow the same others
	before := ""
	for _, e := range effects {
		if e.none() {
			cut := strings.LastIndexByte(e.Change, ' ') + 1
			words := e.Change[:cut]
			if words != before || words == "" {
				names, last = append(names, ""), nil
			}
			last, before = append(last, e.Change[cut:]), words
			names[len(names)-1] = words + input.Joined(last, "or")
			continue
		}
		rows = append(rows, []string{e.label(), units.Seconds(e.Makespan).String(), fmt.Sprintf("%.1f %%", 100*e.Saves)})
	}
	return rows, strings.Join(names, ", ")
}

// percentBars is a chart of items, each with a name and a share of the time.
func percentBars[T any](title, x, y string, items []T, of func(T) (name string, share float64)) *report.BarChart {
	c := &report.BarChart{Title: title, Horizontal: true, Height: 110 + 30*len(items),
		X: report.Axis{Title: x, Unit: report.Dimensionless}, Y: report.Axis{Title: y, Unit: "%"},
		Series: []report.BarSeries{{Name: y}}}
	for _, item := range items {
		name, share := of(item)
		c.Categories, c.Series[0].Values = append(c.Categories, name), append(c.Series[0].Values, 100*share)
	}
	return c
}

func effectSection(effects []Effect, e *Efficiencies) report.Section {
	rows, none := EffectRows(effects)
	some := each.Where(nil, effects, func(e Effect) bool { return !e.none() })
	bars := percentBars("What would help", "change", "time saved", some,
		func(e Effect) (string, float64) { return e.label(), e.Saves })
	s := report.Section{Heading: "What would help", Text: []string{Helps(effects, e),
		"Each bar is a run with one thing changed and all else the same, including random draws. Savings do not add up."},
		Blocks: []report.Block{bars, &report.Table{Title: "Runs with one change", Columns: page.Columns("change", "#time", "#saves"), Rows: rows}}}
	if none != "" {
		s.Text = append(s.Text, "No effect: "+none+".")
	}
	return s
}
