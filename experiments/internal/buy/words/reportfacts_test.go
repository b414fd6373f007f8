package words

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// The facts at the top of the report answer the questions of a committee, whatever the plan
// asks for. Values are those of the result.
func TestFactsAnswerACommittee(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	questions := []string{"What to buy?", "Why?", "What else?", "How sure?", "What limits it?", "What does it cost?", "How much power?", "What next year?"}
	for _, x := range []struct {
		name string
		set  []string
		want map[string]string // part of the answer
	}{
		{"throughput", nil, nil},
		{"cheapest", []string{"objective=cheapest"}, map[string]string{"Why?": "the cheapest that carries the mix"}},
		{"ranges", []string{"ranges={samples: 100}"}, map[string]string{"How sure?": "of 100 cases within the ranges"}},
		{"no trials", []string{"robustness={samples: 0}"}, map[string]string{"How sure?": "not tested"}},
		{"one design", []string{"mixes=[]", "nodes={fat: {cores: 16, marked_speed: 40 Gflop/s, power: 400 W, price: 4000 EUR}}", "networks={slow: {latency: 20 us, bandwidth: 1 GB/s, price_per_port: 50 EUR, switch: {price: 900 EUR, ports: 48}}}"},
			map[string]string{"What else?": "no other design", "How sure?": "not tested"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site), x.set...))
			answers := map[string]string{}
			for i, f := range r.facts() {
				if f.Label != questions[i] || f.Value == "" {
					t.Errorf("question %d: %+v, want an answer to %s", i, f, questions[i])
				}
				answers[f.Label] = f.Value + "; " + f.Note
			}
			c := r.Recommendation()
			for question, part := range map[string]string{
				"What to buy?":       c.Name + "; price " + r.Plan.Money(c.Price),
				"What else?":         r.RunnerUp,
				"What does it cost?": r.Plan.Money(c.Annuity) + " a year",
			} {
				if !strings.Contains(answers[question], part) {
					t.Errorf("%s %q, want %q in it", question, answers[question], part)
				}
			}
			for question, part := range x.want {
				if !strings.Contains(answers[question], part) {
					t.Errorf("%s %q, want %q in it", question, answers[question], part)
				}
			}
		})
	}
}

// The mean of few long waits among many short ones is explained.
func TestFewWaitLong(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	few := &model.WaitResult{Mean: f(31), P95: f(3.8), Above: f(0.02), Most: f(1200), Jobs: 1000}
	if text := fewWaitLong(few); !strings.Contains(text, "2 % wait longer") || !strings.Contains(text, "20.0 min") {
		t.Errorf("%q", text)
	}
	for _, w := range []*model.WaitResult{{Reason: "the queue grows"}, {Mean: f(31), P95: f(120), Above: f(0.3), Most: f(1200)}} {
		if text := fewWaitLong(w); text != "" {
			t.Errorf("%+v: %q", w, text)
		}
	}
}
