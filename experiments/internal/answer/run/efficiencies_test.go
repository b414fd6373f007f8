package run

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// Of random work on every network model, the ideal time is that of the same scenario with network ideal, and where
// processes compute at their marked speeds, and equal ones, the parallel efficiency is what they computed over T C.
func TestEfficienciesOfRandomWork(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 28))
	for i := range 60 {
		workload, application := randomWork(r)
		run := func(network string, o Options) *Result {
			text := fmt.Sprintf(twoSpeeds, 1, 3, 4, 20, network, i, workload)
			s := expect.Value(scenario.Documents{"s.yaml": []byte(text), "a.yaml": []byte(application)}.Read("s.yaml", nil))(t)
			return expect.Value(Run(t.Context(), s, o))(t)
		}
		x := run([]string{"hockney", "loggops", "flow"}[i%3], Options{Efficiencies: true})
		ideal := run("ideal", Options{})
		e := x.Efficiencies
		expect.That(t, strings.Contains(fmt.Sprint(x.Report().Facts), fmt.Sprintf("%.4f", e.Transfer)), "the report has no transfer")
		expect.Equal(t, e.IdealMakespan, ideal.Makespan, "%s: time on network ideal", workload)
		expect.Close(t, e.LoadBalance*e.Serialisation*e.Transfer, e.Parallel, 1e-12, "%s %s: product", workload, application)
		expect.Close(t, e.Parallel, float64(x.sim.Result.Work)/(x.Makespan*x.MarkedSpeed), 1e-9, "%s: work done over T C", workload)
	}
}
