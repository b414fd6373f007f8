package watch

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// On a network of 1 s and 1 byte/s a message of 1 byte takes 2 s. The losses are counted by hand, as
// [computation imbalance serialisation transfer].
func TestHeadlineNamesWhatLimits(t *testing.T) {
	relay := func(r *sim.Rank, compute units.Flops) {
		if r.Rank() > 0 {
			r.Recv(r.Rank()-1, 0)
		}
		r.Compute(compute)
		if r.Rank() < 3 {
			r.Send(r.Rank()+1, 0, 1)
		}
	}
	for _, c := range []struct {
		name  string
		ranks int
		body  func(r *sim.Rank)
		want  [4]float64
		says  string
	}{
		{"both compute for 6 s, then a message of 2 s", 2, func(r *sim.Rank) {
			r.Compute(6)
			if r.Rank() == 0 {
				r.Send(1, 0, 1)
			} else {
				r.Recv(0, 0)
			}
		}, [4]float64{6. / 8, 0, 0, 2. / 8},
			"Computation limits the run: ranks compute for 75 % of the time on average. The largest loss is messages and their handling, 25 % of the time."},
		{"nothing is lost", 3, func(r *sim.Rank) { r.Compute(6) }, [4]float64{1, 0, 0, 0},
			"Computation limits the run: ranks compute for 100 % of the time on average."},
		// The path is all computation, of a rank that computes four times as much as the others.
		{"one of four ranks computes for 8 s, the others for 2 s", 4, func(r *sim.Rank) {
			r.Compute(2)
			if r.Rank() == 2 {
				r.Compute(6)
			}
		}, [4]float64{3.5 / 8, 4.5 / 8, 0, 0},
			"Load imbalance limits the run: R2 computes for 100 % of the time, the average rank for 44 %."},
		{"of three ranks one computes for 8 s, the others for 6 s", 3, func(r *sim.Rank) {
			r.Compute(6)
			if r.Rank() == 1 {
				r.Compute(2)
			}
		}, [4]float64{20. / 24, 4. / 24, 0, 0},
			"Computation limits the run: ranks compute for 83 % of the time on average. The largest loss is load imbalance, 17 % of the time."},
		// 4 x 10 s of computation one after the other with three messages of 2 s: ranks wait for 78 %.
		{"a relay of four", 4, func(r *sim.Rank) { relay(r, 10) }, [4]float64{10. / 46, 0, 30. / 46, 6. / 46},
			"Waits for computations of others limit the run: computations that follow one another are 87 % of the critical path, and no rank computes for more than 22 % of the time."},
		{"a relay of four that hardly compute", 4, func(r *sim.Rank) { relay(r, 0.5) }, [4]float64{0.5 / 8, 0, 1.5 / 8, 6. / 8},
			"The network limits the run: messages on their way are 75 % of the critical path."},
		{"no computation", 2, func(r *sim.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 1)
			} else {
				r.Recv(0, 0)
			}
		}, [4]float64{0, 0, 0, 1}, "The network limits the run: messages on their way are 100 % of the critical path."},
		// 3 s of delay, 2 s of a message, then 1 s of computation by one of two ranks.
		{"two causes beside computation", 2, func(r *sim.Rank) {
			if r.Rank() == 0 {
				r.Delay(3)
				r.Send(1, 0, 1)
			} else {
				r.Recv(0, 0)
				r.Compute(1)
			}
		}, [4]float64{0.5 / 6, 0.5 / 6, 0, 5. / 6},
			"Overhead limits the run: sending, receiving, delays and collective operations of given cost are 50 % of the critical path, most of it on R0. Everything but computation is 83 % of it."},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := observe.NewCriticalPath(c.ranks, slow)
			run := observed(t, c.ranks, c.body, path)
			name := func(rank int32) string { return fmt.Sprint("R", rank) }
			causes := limits(path.Path(), nil, name)
			x := lossesOf(run, causes)
			for i, got := range []float64{x.computation, x.imbalance, x.serialisation, x.transfer} {
				expect.That(t, math.Abs(got-c.want[i]) < 1e-12, "part %d is %v, want %v", i, got, c.want[i])
			}
			got := x.says(causes, name)
			expect.That(t, got == c.says, "%s", got)
		})
	}
}

// The headline of a cause has its share of the critical path and the place of most of it.
func TestSentencesOfCauses(t *testing.T) {
	for _, c := range []struct{ cause, want string }{
		{handshakes, "Handshakes limit the run: requests and clearances of rendezvous messages are 60 % of the critical path."},
		{interfaces, "Network interfaces limit the run: 60 % of the critical path is messages that keep one busy, most of it on X."},
		{waiting, "Waiting limits the run: 60 % of the critical path is waiting whose cause is not known, most of it on X."},
	} {
		causes := []Limit{{Cause: c.cause, Share: 0.6, Where: "X"}, {Cause: computation, Share: 0.4, Where: "Y"}}
		got := losses{computation: 0.4, transfer: 0.6, path: 0.4}.says(causes, nil)
		expect.That(t, got == c.want, "%q", got)
	}
}
