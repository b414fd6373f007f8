package export

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/model/units"
)

// flowNetwork reads a network.
func flowNetwork(t *testing.T, text string) *cluster.Flow {
	t.Helper()
	return scenariotest.Scenario(t, `
machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}
network: `+text+`
workload: {name: gauss, n: 3}
`).Network.Flow
}

// The options of what models have in common with SimGrid's are SimGrid's defaults
// for that model, or stated.
func TestSettings(t *testing.T) {
	end := []string{"surf/precision:1e-12", "network/optim:Full"}
	none := []string{"smpi/async-small-thresh:2147483647", "smpi/send-is-detached-thresh:2147483647"}
	for _, tt := range []struct {
		network string
		sizes   []units.Bytes
		want    []string
	}{
		{"{name: flow, model: CM02}", []units.Bytes{1, 2, 3},
			slices.Concat([]string{"network/model:CM02", "network/weight-S:0", "network/TCP-gamma:4194304", "network/crosstraffic:yes"}, none, end)},
		{"{name: flow, model: LV08, send_overhead: 2 us, recv_overhead: 3 us}", []units.Bytes{1},
			slices.Concat([]string{"network/model:CM02", "network/latency-factor:13.01", "network/bandwidth-factor:0.97",
				"network/weight-S:20537", "network/TCP-gamma:4194304", "network/crosstraffic:yes"}, none,
				[]string{"smpi/os:0:2e-06:0", "smpi/ois:0:2e-06:0", "smpi/or:0:3e-06:0"}, end)},
		// 4 bytes count as 20 in SimGrid and as 4 here: 20/5 = 4; 16 as 32: 32/2 = 16.
		// Of 0 bytes, 16 in SimGrid, there is nothing to transfer.
		{"{name: flow, eager_limit: 2 MB}", []units.Bytes{16, 4, 0},
			slices.Concat([]string{"network/model:SMPI", "smpi/lat-factor:0:1", "smpi/bw-factor:0:1000000000;16:5;20:2",
				"network/weight-S:0", "network/TCP-gamma:0", "network/crosstraffic:no",
				"smpi/async-small-thresh:2000001", "smpi/send-is-detached-thresh:2000001"}, end)},
	} {
		s := settings{Flow: flowNetwork(t, tt.network), sizes: newPayloads()}
		s.weightS = s.Parameters.WeightS
		for _, size := range tt.sizes {
			s.sizes.of(size)
		}
		got, err := s.list()
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v\nwant %q", tt.network, got, err, tt.want)
		}
	}
}

// Many sizes share steps, so that the option stays short; each factor is right to
// 1e-7. Too many different ones are refused.
func TestManySizes(t *testing.T) {
	s := settings{Flow: flowNetwork(t, "flow"), sizes: newPayloads()}
	for i := range 20_000 {
		s.sizes.of(units.Bytes(100_000 + 8*i))
	}
	_, bandwidth, err := s.factors()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(table(bandwidth)); n > longestOption {
		t.Errorf("the option has %d characters", n)
	}
	for q := range s.sizes.size {
		if f := bandwidth.At(q+16) * float64(q) / float64(q+16); f < 1-1e-7 || f > 1+1e-7 {
			t.Fatalf("a message of %v takes %.12g times as long", q, 1/f)
		}
	}
	for i := range 20_000 {
		s.sizes.of(units.Bytes(1 + i))
	}
	if _, _, err := s.factors(); err == nil {
		t.Error("20 000 small sizes are accepted")
	}
}
