package sim_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// smp is a cluster of nodes with two cores of 1 flop/s and a memory of 3 byte/s,
// with the ranks on the given nodes.
func smp(place ...int32) flow.Machine {
	m := star{cores: 2, bandwidth: 1e6, memory: 3}.machine(len(place))
	m.Place = place
	return m
}

// finishOn runs the program on the machine and returns its makespan.
func finishOn(t *testing.T, m flow.Machine, p *sim.Program) units.Seconds {
	t.Helper()
	defer p.Close()
	f := expect.Value(flow.New(m, flow.Plain()))(t)
	r := ran(t, sim.Config{Program: p, Fabric: f, Protocol: network.SMPI()})
	return r.Makespan
}

// Two ranks on one node or on two. Work of 6 flop alone takes 6 s anywhere. With
// 2 byte/flop, one rank asks for 2 of the 3 byte/s, two for 4: they get 3, and
// take 12 bytes / 1.5 byte/s = 8 s by the roofline.
func TestTwoRanksOnOneNodeOrTwo(t *testing.T) {
	for _, c := range []struct {
		name             string
		traffic          units.Bytes
		together, apart_ units.Seconds
	}{
		{"compute-bound", 0, 6, 6},
		{"within the memory's bandwidth", 9, 6, 6}, // 1.5 byte/s each
		{"memory-bound", 12, 8, 6},
		{"memory-bound alone", 24, 16, 8}, // 24/3 and 24/1.5
	} {
		body := func(r *sim.Rank) { r.ComputeInMemory(6, c.traffic) }
		together := finishOn(t, smp(0, 0), sim.NewProgram(2, body))
		apart := finishOn(t, smp(0, 1), sim.NewProgram(2, body))
		expect.That(t, math.Abs(float64(together-c.together)) <= 1e-12 && math.Abs(float64(apart-c.apart_)) <= 1e-12,
			"%s: %v on one node and %v on two, want %v and %v", c.name, together, apart, c.together, c.apart_)
	}
}

// The processor sets 1*4, 1*2+2*1 and 2*2 of [He2004] Table 1 have four processors
// each and are not equivalent: matrix multiplication takes 305.5, 347.6 and 360.1 s
// on them, the longest common subsequence 55.1, 55.4 and 55.6 s.
//
// Here a manager on its own node deals out rows one by one, so processors that share a
// memory get fewer. The paper does not print its sizes; the traffic of the first
// algorithm is set by the ratio of its last time to the first. Reproduced are the
// order, and that the second algorithm, which moves little data, is not affected. If x
// is the ratio of the rates of a processor that shares its memory and one that does
// not, the times are as 1/4, 1/(2+2x) and 1/(4x), except for the last row of each.
func TestProcessorSetsOfSMPNodes(t *testing.T) {
	const (
		rows = 400
		row  = 1000 // flop
		task = 1
		stop = 2
	)
	sets := []struct {
		name  string
		place []int32 // the manager's node last
	}{
		{"1*4", []int32{0, 1, 2, 3, 4}},
		{"1*2+2*1", []int32{0, 1, 2, 2, 4}},
		{"2*2", []int32{0, 0, 1, 1, 4}},
	}
	for _, algorithm := range []struct {
		name    string
		traffic units.Bytes // of a row
		x       float64
	}{
		{"matrix multiplication", 1768, 1.5 / 1.768}, // two want 3.536 of 3 byte/s
		{"longest common subsequence", 100, 1},
	} {
		var times []float64
		for _, set := range sets {
			p := sim.NewProgram(5, func(r *sim.Rank) {
				if r.Rank() < 4 {
					for {
						r.Send(4, task, 8)
						if r.Recv(4, sim.AnyTag).Tag == stop {
							return
						}
						r.ComputeInMemory(row, algorithm.traffic)
					}
				}
				for i := range rows + 4 {
					tag := task
					if i >= rows {
						tag = stop
					}
					r.Send(r.Recv(sim.AnySource, task).Source, tag, 8000)
				}
			})
			times = append(times, float64(finishOn(t, smp(set.place...), p)))
		}
		t.Logf("%s: %.0f s", algorithm.name, times)
		expect.That(t, algorithm.x >= 1 || times[0] < times[1] && times[1] < times[2],
			"%s takes %v s, want ascending times", algorithm.name, times)
		// Fetching a row takes two latencies of 1 s; a processor that is done
		// waits for the others for at most one row.
		for i, rate := range []float64{4, 2 + 2*algorithm.x, 4 * algorithm.x} {
			least := row * rows / rate
			most := least + 3*rows/4 + row/algorithm.x
			expect.That(t, times[i] >= least && times[i] <= most,
				"%s on %s: %.0f s, want %.0f to %.0f", algorithm.name, sets[i].name, times[i], least, most)
		}
	}
}
