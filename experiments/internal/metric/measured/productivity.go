package measured

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var productivityAdvice = Advice{
	Question: "does growth return what it costs",
	Needs:    "throughput, value of a response, cost",
	Misleads: "the value of a response is a guess: without a target time every run is worth the same however late it ends, and the smallest system mostly wins; different sizes are compared",
}

var productivityFamily = Family{
	Title: "Productivity",
	Metrics: []*Metric{
		{
			Name: "productivity", Title: "productivity", Symbol: "F",
			Meaning: "value delivered for the cost",
			Formula: "F = lambda f/C", Symbols: "lambda: throughput, 1/s; f: mean value of a response; C: cost, money/s",
			Source: "[JogalekarWoodside2000]", Functions: []string{"Service.Productivity"}, Commands: []string{"metrics"},
			Advice: &productivityAdvice,
			times: &fromTimes{
				needs: "column cost",
				point: &pointValue{key: "productivity", of: productivity, format: fourDigits},
				says:  bestForTheMoney,
			},
		},
		{
			Name: "productivity_scalability", Title: "scalability of productivity", Symbol: "psi",
			Meaning: "productivity after over before",
			Formula: "psi = F'/F",
			Source:  "[JogalekarWoodside2000]", Functions: []string{"Service.Scalability"}, Commands: []string{"metrics"},
			Advice: &productivityAdvice,
		},
		{
			Name: "response_value", Title: "value of a response", Symbol: "f",
			Meaning: "what an answer is worth when it comes late",
			Formula: "f = 1/(1 + T/T_target)", Symbols: "T: response time, s",
			Source: "[JogalekarWoodside2000]", Functions: []string{"ResponseValue"}, Commands: []string{"metrics"},
			Advice: &productivityAdvice,
		},
	},
}

func productivity(at place) *float64 {
	s, ok := at.result.service(at.point)
	if !ok {
		return nil
	}
	return defined(s.Productivity())
}

// service is a run of a point as productivity sees it.
func (r *Result) service(p *Point) (scalability.Service, bool) {
	if p.Cost == nil {
		return scalability.Service{}, false
	}
	s := scalability.Service{Responses: 1, Value: 1, Cost: units.Money{Amount: *p.Cost, Currency: r.Currency}}
	if r.Options.ResponseTarget > 0 {
		v, err := scalability.ResponseValue(units.Seconds(p.Time), r.Options.ResponseTarget)
		if err != nil {
			return s, false
		}
		s.Value = v
	}
	return s, true
}

// bestForTheMoney names the most and the least productive system at the largest size
// that has a cost.
func bestForTheMoney(r *Result) string {
	largest := 0.0
	for _, p := range r.Points() {
		if p.Value("productivity") != nil {
			largest = max(largest, p.Size)
		}
	}
	e, ok := r.extremes(func(_ *System, p *Point) *float64 {
		if p.Size < largest {
			return nil
		}
		return p.Value("productivity")
	})
	if !ok {
		return ""
	}
	return fmt.Sprintf("At the largest size the most productive is %s with %.4g for one %s, the least %s with %.4g.", e.atHigh, e.high, r.Currency, e.atLow, e.low)
}

// compareProductivity compares two systems at every size that both have with a cost.
func (r *Result) compareProductivity(a, b *System) []steps.Step {
	var all []steps.Step
	k := 0
	for i := range a.Points {
		p := &a.Points[i]
		for k < len(b.Points) && b.Points[k].Size < p.Size {
			k++
		}
		if k == len(b.Points) || b.Points[k].Size != p.Size {
			continue
		}
		q := &b.Points[k]
		base, okA := r.service(p)
		scaled, okB := r.service(q)
		if !okA || !okB {
			continue
		}
		s := steps.Step{From: a.Label, To: b.Label, How: "measured points", TimeFrom: &p.Time, TimeTo: &q.Time}
		if p.Size > 0 {
			s.SizeFrom, s.SizeTo = &p.Size, &q.Size
		}
		if s.Psi = defined(base.Scalability(scaled)); s.Psi != nil {
			all = append(all, s)
		}
	}
	return all
}
