package iso

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Prediction of scalability without running the algorithm, [Chen2008] 4.5: time single operations
// on each system, put the times into the closed form of T_o, solve the isospeed-efficiency condition
// for the problem size and take psi from Theorem 1.
//
// The condition is W/(E C) = W/(s C) + t_0 + T_o, with s the sustained fraction of
// the marked speed and t_0 the time of the sequential work on process 0. The theorem
// is the source's with s C in place of C, which leaves psi unchanged. Time for which
// processes wait for memory while all compute counts as overhead: T_o is the closed
// form of the algorithm plus T - W/(s C), with T from [system.System.BalancedTime].

// prediction is the problem size that solves the condition, and the terms of the condition.
type prediction struct {
	n          int
	sequential units.Seconds // t_0
	overhead   units.Seconds // T_o
	efficiency float64
}

// predict looks for the problem size as the simulations do.
func predict(ctx context.Context, sys *system.System, target float64, r scenario.SizeRange) (prediction, error) {
	c := sys.Placement.MarkedSpeed()
	sustained := units.FlopsPerSecond(sys.Workload.Sustained) * c
	costs := &operationCosts{ctx: ctx, sys: sys, known: map[operation]units.Seconds{}}
	at := func(n int) (prediction, error) {
		a, ok := sys.Algorithm(n).(algorithm.Predictable)
		if !ok {
			return prediction{}, fmt.Errorf("workload %s has no closed form for its overhead", sys.Workload.Name)
		}
		if err := a.Validate(); err != nil {
			return prediction{}, err
		}
		costs.choices = a.Choices()
		computing := a.Work().At(sustained)
		p := prediction{
			n:          n,
			sequential: sys.SequentialTime(a.SequentialWork()),
			overhead:   a.Overhead(costs) + (sys.BalancedTime(a.Work()) - computing),
		}
		if costs.err != nil {
			return p, costs.err
		}
		t := computing + p.sequential + p.overhead
		var err error
		p.efficiency, err = scalability.SpeedEfficiency(a.Work(), t, c)
		return p, err
	}
	n, err := hold.Search(target, r.From, r.To, func(n int) (float64, error) {
		p, err := at(n)
		return p.efficiency, err
	})
	if err != nil {
		return prediction{}, err
	}
	return at(n)
}

// operation is a single operation whose cost has been found.
type operation struct {
	collective workloads.Collective // 0: a message
	size       units.Bytes
}

// operationCosts finds the times of single operations by simulating only these. It
// keeps the first error; after it, costs are 0.
type operationCosts struct {
	ctx     context.Context
	sys     *system.System
	choices []collective.Choice
	known   map[operation]units.Seconds
	err     error
}

var _ algorithm.Costs = (*operationCosts)(nil)

func (c *operationCosts) time(o operation, p workloads.Program) units.Seconds {
	if t, ok := c.known[o]; ok || c.err != nil {
		return t
	}
	t, err := c.sys.Time(c.ctx, p)
	if err != nil {
		c.err = err
		return 0
	}
	c.known[o] = t
	return t
}

func (c *operationCosts) Collective(op workloads.Collective, size units.Bytes) units.Seconds {
	for _, ch := range c.choices {
		if ch.Operation == op {
			p := len(c.sys.Speeds)
			blocks := max(1, collective.BlockCount(op, p))
			once := algorithm.Series{Rounds: 1, Processes: p}
			return c.time(operation{op, size}, algorithm.Collective{Series: once, Choice: ch,
				Size: size / units.Bytes(blocks)}.Program())
		}
	}
	if c.err == nil {
		c.err = fmt.Errorf("no choice of algorithm for %v", op)
	}
	return 0
}

// Message implements algorithm.Costs. It is the time of a message to a waiting
// receiver, eager or by rendezvous as its size demands.
func (c *operationCosts) Message(size units.Bytes) units.Seconds {
	return c.time(operation{0, size}, algorithm.Message{Size: size}.Program())
}
