package flow

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Machine is where messages and computations are carried out.
type Machine struct {
	Links  []Link
	Hosts  []Host
	Router Router
	// Ways, if set, divides messages over several routes: it appends the links that a message takes
	// from one host to another, and the part of the message that goes over each, all at once. It is
	// called only where there is a route. Messages are numbered in the order of their start.
	Ways func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64)
	// Place[r] is the host of rank r.
	Place []int32
}

// Link is one direction of a connection.
type Link struct {
	Bandwidth units.BytesPerSecond // above 0
	Latency   units.Seconds        // at least 0
	// FatPipe: messages do not share the bandwidth, see [sharing.System].
	FatPipe bool
}

// Host is a node.
type Host struct {
	Cores int                  // at least 1
	Speed units.FlopsPerSecond // of one core, above 0
	// Memory is the number of the link that stands for the node's memory, or
	// below 0 if its bandwidth is not limited.
	Memory int32
}

// Router knows the links between hosts.
type Router interface {
	// Route appends the numbers of the links from one host to another to buf and
	// returns the extended slice, or an error if there is no route.
	Route(buf []int32, from, to int32) ([]int32, error)
}

// validate reports the first thing that makes the machine unusable.
func (m Machine) validate() error {
	positive := func(x float64) bool { return x >= smallest && x <= largest }
	for i, l := range m.Links {
		if !positive(float64(l.Bandwidth)) || l.Latency != 0 && !positive(float64(l.Latency)) {
			return fmt.Errorf("flow: link %d has bandwidth %v and latency %v; expected values from %g to %g, and a latency of 0 if it has none", i, l.Bandwidth, l.Latency, smallest, largest)
		}
	}
	for i, h := range m.Hosts {
		if h.Cores < 1 || !positive(float64(h.Speed)) || int(h.Memory) >= len(m.Links) {
			return fmt.Errorf("flow: host %d has %d cores of %v and memory %d; expected at least 1 core, a speed above 0 and one of %d links", i, h.Cores, h.Speed, h.Memory, len(m.Links))
		}
	}
	for r, h := range m.Place {
		if h < 0 || int(h) >= len(m.Hosts) {
			return fmt.Errorf("flow: rank %d is on host %d; expected one of %d hosts", r, h, len(m.Hosts))
		}
	}
	if m.Router == nil {
		return errors.New("flow: no router")
	}
	return nil
}

// Bounds of values that users can set. Products of a few of them stay within the bounds
// of package sharing.
const (
	smallest = 1e-25
	largest  = 1e25
)

// Parameters say how messages flow. A message of m bytes over a route counts as n = m +
// Envelope bytes. For LatencyFactor(n) times the latency of the route it takes no
// bandwidth; then it flows at BandwidthFactor(n) times the rate v that sharing the
// links gives it, until n bytes have passed. Alone on a route of latency l and smallest
// bandwidth b it takes
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

// acknowledgements is the load of the reverse route with CrossTraffic, as part of the
// rate of the flow.
const acknowledgements = 0.05

// Plain returns the parameters of the network model "flow": links as given, shared
// equally.
func Plain() Parameters { return Parameters{} }

// CM02 returns the model of [Casanova2002] as in SimGrid: links as given, sharing by
// latency, a TCP window of 4 MiB and acknowledgements.
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

// Factors is a step function of the message size: the Value of the last step whose
// Above is smaller than the size, or 1 if there is none. Steps are in ascending order.
type Factors []Factor

// Factor is a step of [Factors].
type Factor struct {
	Above units.Bytes // at least 0
	Value float64     // above 0
}

// Constant returns the same factor for every size above 0.
func Constant(value float64) Factors { return Factors{{0, value}} }

// At returns the factor for a size.
func (f Factors) At(size units.Bytes) float64 {
	value := 1.0
	for i := range f {
		if size <= f[i].Above {
			break
		}
		value = f[i].Value
	}
	return value
}

// validate reports what is wrong with the table.
func (f Factors) validate(what string) error {
	for i, step := range f {
		switch {
		case !(step.Value >= 1e-9 && step.Value <= 1e9):
			return fmt.Errorf("flow: %s above %v is %v; expected a number above 0, from 1e-9 to 1e9", what, step.Above, step.Value)
		case !(step.Above >= 0):
			return fmt.Errorf("flow: %s above %v; expected a size of at least 0", what, step.Above)
		case i > 0 && step.Above <= f[i-1].Above:
			return fmt.Errorf("flow: %s above %v after that above %v; expected ascending sizes", what, step.Above, f[i-1].Above)
		}
	}
	return nil
}
