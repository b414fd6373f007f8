package experiments

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Prediction of scalability without running the algorithm, [Chen2008] 4.5: time
// single operations on each system, put them into the closed form of T_o, solve
// the isospeed-efficiency condition for the problem size and take psi from
// Theorem 1.
//
// The condition is W/(E C) = W/(k C) + t_0 + T_o, with k the sustained fraction
// of the marked speed and t_0 = W_seq/(k C_0). The theorem is the source's with
// k C in the place of C, which leaves psi unchanged.

// prediction is the problem size that the closed form asks for, and its parts.
type prediction struct {
	n          int
	sequential units.Seconds // t_0
	overhead   units.Seconds // T_o
	efficiency float64
}

func (p prediction) at() (n int, efficiency float64) { return p.n, p.efficiency }

// predict solves the condition on the integers, by doubling and bisection.
func predict(ctx context.Context, sys *system, target float64, r SizeRange) (prediction, error) {
	c := sys.placement.MarkedSpeed()
	k := units.FlopsPerSecond(sys.workload.Sustained)
	costs := &operationCosts{ctx: ctx, sys: sys, known: map[operation]units.Seconds{}}
	probe := func(n int) (prediction, error) {
		a := sys.algorithm(n)
		if err := a.Validate(); err != nil {
			return prediction{}, err
		}
		costs.choices = a.Choices()
		p := prediction{
			n:          n,
			sequential: units.Seconds(float64(a.SequentialWork()) / float64(k*sys.speeds[0])),
			overhead:   a.Overhead(costs),
		}
		if costs.err != nil {
			return p, costs.err
		}
		t := units.Seconds(float64(a.Work())/float64(k*c)) + p.sequential + p.overhead
		var err error
		p.efficiency, err = scalability.SpeedEfficiency(a.Work(), t, c)
		return p, err
	}
	low, err := probe(r.From)
	if err != nil {
		return prediction{}, err
	}
	if low.efficiency >= target {
		return prediction{}, fmt.Errorf("the closed form is above the target at n = %d already", r.From)
	}
	high := low
	for high.efficiency < target {
		if high.n == r.To {
			return prediction{}, fmt.Errorf("the closed form does not reach the target up to n = %d", r.To)
		}
		low = high
		if high, err = probe(min(2*high.n, r.To)); err != nil {
			return prediction{}, err
		}
	}
	return narrow(target, low, high, probe)
}

// operation is a single operation whose cost has been found.
type operation struct {
	collective workloads.Collective // 0: a message
	size       units.Bytes
}

// operationCosts times single operations by simulating nothing but them. The
// first error is kept; costs are then 0.
type operationCosts struct {
	ctx     context.Context
	sys     *system
	choices []collective.Choice
	known   map[operation]units.Seconds
	err     error
}

var _ algorithm.Costs = (*operationCosts)(nil)

func (c *operationCosts) time(o operation, p workloads.Program) units.Seconds {
	if t, ok := c.known[o]; ok || c.err != nil {
		return t
	}
	rates := make([]units.FlopsPerSecond, p.Ranks())
	copy(rates, c.sys.speeds)
	config := sim.Config{Program: p, Rates: rates}
	err := c.sys.carriage.carry(&config)
	var res *sim.Result
	if err == nil {
		res, err = sim.Run(c.ctx, config)
	}
	if err != nil {
		c.err = err
		return 0
	}
	c.known[o] = res.Makespan
	return res.Makespan
}

// Collective implements algorithm.Costs.
func (c *operationCosts) Collective(op workloads.Collective, size units.Bytes) units.Seconds {
	for _, ch := range c.choices {
		if ch.Operation == op {
			p := len(c.sys.speeds)
			blocks := max(1, collective.BlockCount(op, p))
			once := algorithm.Series{Rounds: 1, Processes: p}
			return c.time(operation{op, size}, algorithm.Collective{Series: once, Choice: ch, Size: size / units.Bytes(blocks)}.Program())
		}
	}
	if c.err == nil {
		c.err = fmt.Errorf("no choice of algorithm for %v", op)
	}
	return 0
}

// Message implements algorithm.Costs. It is the time of an eager or a
// rendezvous message, whichever its size asks for, to a waiting receiver.
func (c *operationCosts) Message(size units.Bytes) units.Seconds {
	return c.time(operation{0, size}, algorithm.Message{Size: size}.Program())
}
