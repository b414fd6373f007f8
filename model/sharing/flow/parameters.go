package flow

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Parameters say how messages flow. A message of m bytes over a route counts as
// n = m + Envelope bytes. It spends LatencyFactor(n) times the latency of the
// route on no bandwidth, then flows at BandwidthFactor(n) times the rate v that
// the sharing of the links gives it, until n bytes have gone. Alone on a route of
// latency l and smallest bandwidth b it takes
//
//	T(m) = LatencyFactor(n) l + n / (BandwidthFactor(n) b)
//
// which is Hockney's law where the factors are 1 and the envelope is 0.
//
// The presets are the models of SimGrid 3.32 ([SimGrid2014], [Velho2013]).
type Parameters struct {
	LatencyFactor   Factors
	BandwidthFactor Factors
	// Weighted: flows on a bottleneck get rates proportional to 1/p with the
	// penalty p = l + WeightS * (sum of 1/bandwidth over the route), l the latency
	// of the route without factor: long routes get less, as with TCP
	// ([Casanova2002]). Otherwise, and where the latency of the route is 0, p = 1.
	Weighted bool
	WeightS  units.Bytes // at least 0
	// Window is the largest amount of data that may be unacknowledged: a flow is
	// not faster than Window/(2 l). 0 for no limit.
	Window units.Bytes
	// CrossTraffic: acknowledgements take 5 % of a flow's rate on the way back.
	CrossTraffic bool
	Envelope     units.Bytes // at least 0
}

// acknowledgements is what the reverse route carries with CrossTraffic, as part
// of the rate of the flow.
const acknowledgements = 0.05

// Plain returns the parameters of the network model "flow": what the links say,
// shared equally.
func Plain() Parameters { return Parameters{} }

// CM02 returns the model of [Casanova2002] as SimGrid has it: links as
// they are, sharing by latency, a TCP window of 4 MiB and acknowledgements.
func CM02() Parameters {
	return Parameters{Weighted: true, Window: 4 << 20, CrossTraffic: true, Envelope: 16}
}

// LV08 returns the model of [Velho2009]: CM02 with constant factors.
func LV08() Parameters {
	p := CM02()
	p.LatencyFactor, p.BandwidthFactor, p.WeightS = Constant(13.01), Constant(0.97), 20537
	return p
}

// SMPI returns the model of MPI over TCP and gigabit Ethernet of [Bedaride2013]:
// CM02 with factors by message size.
func SMPI() Parameters {
	p := CM02()
	p.WeightS = 8775
	p.BandwidthFactor = Factors{
		{0, 0.812084}, {257, 0.338112}, {732, 0.341987}, {1426, 0.608902}, {3484, 0.77493},
		{5776, 1.08739}, {9376, 0.58729}, {15424, 0.697866}, {65472, 0.940694},
	}
	p.LatencyFactor = Factors{
		{0, 2.01467}, {257, 1.95341}, {732, 1.9503}, {1426, 1.61075}, {3484, 1.88101},
		{5776, 2.18796}, {9376, 2.59299}, {15424, 3.48845}, {65472, 11.6436},
	}
	return p
}

// Validate reports every parameter outside its range.
func (p Parameters) Validate() error {
	problems := []error{p.LatencyFactor.validate("latency factor"), p.BandwidthFactor.validate("bandwidth factor")}
	for _, q := range []struct {
		name  string
		value units.Bytes
	}{{"weight S", p.WeightS}, {"window", p.Window}, {"envelope", p.Envelope}} {
		if q.value != 0 && !(q.value >= 1e-9 && q.value <= largest) {
			problems = append(problems, fmt.Errorf("flow: %s is %v; expected 0, or a size from 1e-9 to %g B", q.name, q.value, largest))
		}
	}
	return errors.Join(problems...)
}
