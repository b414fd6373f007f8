package sim_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// hiding wraps a program and passes on only its operations.
type hiding struct{ workloads.Program }

// named has the program in a field.
type named struct{ inner *sim.Program }

func (n named) Ranks() int                           { return n.inner.Ranks() }
func (n named) Next(rank int, op *workloads.Op) bool { return n.inner.Next(rank, op) }

// open wraps a program and has the method that returns it.
type open struct{ workloads.Program }

func (o open) Unwrap() workloads.Program { return o.Program }

// asking is a body that needs the time and what it has received.
func asking(t *testing.T, closed *bool) *sim.Program {
	return sim.NewProgram(1, func(r *sim.Rank) {
		defer func() { *closed = true }()
		r.Isend(0, 5, 10)
		s := r.Recv(sim.AnySource, sim.AnyTag)
		expect.That(t, s.Tag == 5 && r.Now() == 11, "received %+v at %v; want tag 5 at 11 s", s, r.Now())
		r.Recv(0, 0) // never comes
	})
}

// Now, Received and Close of a wrapped program are called through its wrapper, or the wrapper is refused.
func TestWrappedPrograms(t *testing.T) {
	closed := false
	run := func(p workloads.Program) error {
		_, err := sim.Run(context.Background(), sim.Config{Program: p, Network: hockney, Rates: []units.FlopsPerSecond{1}})
		return err
	}
	inMemory := workloads.InMemory{Program: asking(t, &closed)}
	for _, p := range []workloads.Program{asking(t, &closed), open{asking(t, &closed)}, open{inMemory}} {
		closed = false
		var d *sim.DeadlockError
		err := run(p)
		expect.That(t, errors.As(err, &d) && closed, "%T: %v, closed %v; want a deadlock, and that the body has been ended", p, err, closed)
	}
	for want, p := range map[string]workloads.Program{
		"sim_test.hiding hides Now and Received of *sim.Program inside it": hiding{asking(t, &closed)},
		"sim_test.named hides Now and Received of":                         named{asking(t, &closed)},
		"sim_test.hiding hides Close of sim_test.closing":                  open{hiding{closing{}}},
		"sim_test.open wraps no program":                                   open{},
	} {
		err := run(p)
		var c *sim.ConfigError
		expect.That(t, errors.As(err, &c) && c.Field == "Program" && strings.Contains(err.Error(), want),
			"%v, want %s", err, want)
	}
	expect.Success(t, run(hiding{script{{}}.program()}))
}

// closing is a program that is closed.
type closing struct{}

func (closing) Ranks() int                   { return 1 }
func (closing) Next(int, *workloads.Op) bool { return false }
func (closing) Close() error                 { return nil }

var _ io.Closer = closing{}
