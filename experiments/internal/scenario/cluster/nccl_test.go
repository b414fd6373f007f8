package cluster_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// group is some devices on each of some nodes.
type group struct{ nodes, devices int }

// places are the places of devices of dgx-h100.
func (g group) places(t *testing.T) *collective.Places {
	s := scenariotest.Scenario(t, fmt.Sprintf("machine: dgx-h100\nnodes: {dgx: %d}\nplacement: {dgx: {on: devices, processes: %d, precision: bf16}}\nnetwork: hockney\nworkload: {name: matmul, n: 8}\n", g.nodes, g.devices))
	return made(t, s, s.Selection).Places()
}

// time is the time in us of a call with the given bytes of a result, by a law or by measured times.
func (g group) time(t *testing.T, places *collective.Places, op workloads.Collective, algorithm string, bytes float64) float64 {
	c := collective.Call{Size: g.nodes * g.devices}
	if op == workloads.Alltoall {
		bytes *= float64(c.Size)
	}
	return 1e6 * float64(called(t, places, op, algorithm, c, units.Bytes(bytes)))
}

// Allreduce by the choice of NCCL on the machine dgx-h100 against times of nccl-tests in us, out of place: repository
// xxrjun/nccl-tests-cluster at 455de4f, benchmarks of cluster01 (Apache-2.0). The notes of the machine say which rows
// it was made from. Bus bandwidths of 98 and 196 GB/s on 2 and 4 devices are those of the issue.
//
// On 80 devices NCCL takes its tree up to 3.2 GB, and a ring beyond, which is slower. No law alone can follow: a + b S, and
// the shortest of several, are concave in S, so that the time of a size between two others is at least that of the
// chord: times that lie below it are missed by so much that those of its ends are missed as far to the other side. The
// chord from 32 MiB to 8 GiB has 798.5 + 224/8160 (53632.3 - 798.5) = 2248.8 us at 256 MiB, measured are 1888.9: no constants
// come nearer than (2248.8 - 1888.9)/(2248.8 + 1888.9) = 8.70 % to all three. The row of 2 GiB is missed by 8.1 % out of place,
// as here, and by 0.7 % in place, where it was measured to take 11 650 us.
func TestLawsAgainstMeasuredCollectives(t *testing.T) {
	for _, tt := range []struct {
		group
		first float64 // bytes; each size is twice the one before
		us    []float64
		least float64 // by which any law alone can miss the worst of all
		more  int     // rows that may be missed by more than 5 %
	}{
		{group{1, 8}, 32 << 20, []float64{183.0, 313.6, 564.1, 1081.5, 2115.7, 4001.3, 7891.5, 15669.1, 31222.1, 62406.6}, 0.0074, 0},
		{group{10, 1}, 32 << 20, []float64{1405.2, 2542.4, 5031.0, 10061.7, 19936.5, 39744.4, 79277.6, 158724, 316930, 632480}, 0.0196, 0},
		{group{10, 2}, 1 << 30, []float64{2 * 19. / 20 * (1 << 30) / 98e3}, 0, 0},
		{group{10, 4}, 1 << 30, []float64{2 * 39. / 40 * (1 << 30) / 196e3}, 0, 0},
		{group{10, 8}, 32 << 20, []float64{798.5, 939.8, 1250.6, 1888.9, 3327.3, 6149.2, 12586.1, 27023.1, 53632.3, 105854}, 0.0870, 1},
	} {
		places, more, worst, least := tt.places(t), 0, 0.0, 0.0
		for i, us := range tt.us {
			bytes := tt.first * float64(int(1)<<i)
			e := tt.time(t, places, workloads.Allreduce, "nccl", bytes)/us - 1
			t.Logf("%d x %d, %.0f MiB: measured %.1f us: %+.1f %%", tt.nodes, tt.devices, bytes/(1<<20), us, 100*e)
			if worst = max(worst, math.Abs(e)); math.Abs(e) > 0.05 {
				more++
			}
			for j, low := range tt.us[:i] {
				for k := i + 1; k < len(tt.us); k++ {
					share := float64(int(1)<<i-int(1)<<j) / float64(int(1)<<k-int(1)<<j)
					chord := low + share*(tt.us[k]-low)
					least = max(least, (chord-us)/(chord+us))
				}
			}
		}
		t.Logf("%d x %d: worst %.1f %%, no law alone below %.2f %%", tt.nodes, tt.devices, 100*worst, 100*least)
		expect.That(t, more <= tt.more && worst <= 0.082, "allreduce on %d x %d: missed by %v at worst, %d by more than 5 %%", tt.nodes, tt.devices, worst, more)
		expect.Near(t, least, tt.least, 1e-4, "the least by which laws can miss all rows of %d x %d", tt.nodes, tt.devices)
	}
}

// All rows of nccl_h100_given.csv on the machine that some of them made, compared with a floor, the smallest row of a
// group scaled by its bytes, and with the line through the smallest and the largest; both use the group's rows.
func TestLawsAgainstAllMeasuredCollectives(t *testing.T) {
	laws := map[string]struct {
		op  workloads.Collective
		law string
	}{"all_reduce": {workloads.Allreduce, "nccl"}, "all_gather": {workloads.Allgather, "rails"},
		"reduce_scatter": {workloads.ReduceScatter, "rails"}, "alltoall": {workloads.Alltoall, "hierarchical"}}
	groups, names := map[string][]scenariotest.Record{}, []string{}
	for _, r := range scenariotest.Measured(t, "nccl_h100_given.csv") {
		name := fmt.Sprintf("%s of %s on %s x %s", r["collective"], r["cluster"], r["nodes"], r["devices"])
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], r)
	}
	var ours, floor []float64 // means of groups of the cluster
	for _, name := range names {
		rows := groups[name]
		g := group{rows[0].Count("nodes"), rows[0].Count("devices")}
		a, places := laws[rows[0]["collective"]], g.places(t)
		var mean, worst [3]float64
		s0, t0 := rows[0].Number("bytes"), rows[0].Number("time_us")
		slope := (rows[len(rows)-1].Number("time_us") - t0) / (rows[len(rows)-1].Number("bytes") - s0)
		each := ""
		for _, r := range rows {
			s, us := r.Number("bytes"), r.Number("time_us")
			for i, got := range []float64{g.time(t, places, a.op, a.law, s), t0 * r.Number("bytes") / s0, t0 + slope*(r.Number("bytes")-s0)} {
				e := 100 * math.Abs(got/us-1)
				mean[i], worst[i] = mean[i]+e/float64(len(rows)), max(worst[i], e)
			}
			each += fmt.Sprintf(" %+.1f", 100*(g.time(t, places, a.op, a.law, s)/us-1))
		}
		t.Logf("%-36s ours %.1f, %.1f; floor %.1f, %.1f; line %.1f, %.1f;%s", name, mean[0], worst[0], mean[1], worst[1], mean[2], worst[2], each)
		if rows[0]["cluster"] == "cluster01" && g.nodes != 2 {
			ours, floor = append(ours, mean[0]), append(floor, mean[1])
		}
	}
	expect.That(t, len(ours) == 12, "%d groups", len(ours))
	for i := range ours {
		expect.That(t, ours[i] <= 0.75*floor[i], "group %d: errors of %.1f %%, the floor has %.1f", i, ours[i], floor[i])
	}
}

// Each of 10 devices, one per node, exchanges 1 GB with all others over links that messages share: all messages at
// once, at the 48.9 GB/s of one card each; 44.7 were measured. All cards of a node would carry eight times as much.
func TestExchangeOfOneDeviceANode(t *testing.T) {
	s := scenariotest.Scenario(t, "machine: dgx-h100\nnodes: {dgx: 10}\nplacement: {dgx: {on: devices, processes: 1, precision: bf16}}\nnetwork: flow\nworkload: {name: matmul, n: 8}\n")
	const each = 1e8
	var all [][2]int
	for pair := range 10 * 10 {
		if from, to := pair/10, pair%10; from != to {
			all = append(all, [2]int{from, to})
		}
	}
	got := expect.Value(made(t, s, s.Selection).Time(context.Background(), messages(10, each, all)))(t)
	expect.Close(t, got, 9*each/48.9e9+9e-6, 1e-9, "nine messages a device")
}
