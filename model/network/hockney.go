package network

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Hockney is the two-parameter model of the time for a message of m bytes [Hockney1994]:
//
//	T(m) = Latency + m/Bandwidth
//
// extended by the overheads of the cores at both ends:
//
//	T(m) = SendOverhead + m/Bandwidth + Latency + RecvOverhead
//
// Deviations from the source. Hockney writes the law with the asymptotic bandwidth
// r_inf and the half-performance length n_1/2; Latency here is his n_1/2 / r_inf. His
// law is for one message between two processes; where one process sends several, they
// leave one after the other, each keeping the sender's interface busy for m/Bandwidth.
// Receiving is not limited: messages from different senders each arrive at full
// bandwidth.
type Hockney struct {
	Latency      units.Seconds        // at least 0
	Bandwidth    units.BytesPerSecond // above 0
	SendOverhead units.Seconds        // o_s, at least 0
	RecvOverhead units.Seconds        // o_r, at least 0
	// EagerLimit is the largest size sent eagerly. Larger messages use rendezvous: a
	// request travels to the receiver, a clearance back once the receive is posted,
	// then the data. With 0 every message waits for its receiver, unless it is empty;
	// with NoLimit none does.
	EagerLimit units.Bytes
}

// NoLimit is the eager limit of a network on which no message waits for its receiver.
const NoLimit units.Bytes = math.MaxFloat64

// Message returns the cost of size bytes between any two ranks.
func (h Hockney) Message(from, to int32, size units.Bytes) Cost {
	return Cost{
		SendOverhead: h.SendOverhead,
		Transmission: size.Over(h.Bandwidth),
		Latency:      h.Latency,
		RecvOverhead: h.RecvOverhead,
	}
}

// MinLatency returns Latency, the same for every pair.
func (h Hockney) MinLatency() units.Seconds { return h.Latency }

// Rendezvous reports whether a message of this size waits for its receiver.
func (h Hockney) Rendezvous(size units.Bytes) bool { return size > h.EagerLimit }

// Handling returns ByInterface.
func (h Hockney) Handling() Handling { return ByInterface }

// Validate reports the first parameter outside its range.
func (h Hockney) Validate() error {
	for _, p := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"latency", float64(h.Latency), finite(float64(h.Latency)) && h.Latency >= 0, "a finite time of at least 0"},
		{"bandwidth", float64(h.Bandwidth), finite(float64(h.Bandwidth)) && h.Bandwidth > 0, "a finite bandwidth above 0"},
		{"send overhead", float64(h.SendOverhead), finite(float64(h.SendOverhead)) && h.SendOverhead >= 0, "a finite time of at least 0"},
		{"receive overhead", float64(h.RecvOverhead), finite(float64(h.RecvOverhead)) && h.RecvOverhead >= 0, "a finite time of at least 0"},
		{"eager limit", float64(h.EagerLimit), h.EagerLimit >= 0, "a size of at least 0, or NoLimit"},
	} {
		if !p.ok {
			return fmt.Errorf("hockney: %s is %v; expected %s", p.name, p.value, p.want)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Ideal is the network on which messages cost nothing and arrive at once. All that
// remains of a run's time is computation, sequential parts and imbalance: the bound to
// which every other network is compared.
type Ideal struct{}

// Message returns the zero cost.
func (Ideal) Message(from, to int32, size units.Bytes) Cost { return Cost{} }

// MinLatency returns 0.
func (Ideal) MinLatency() units.Seconds { return 0 }

// Handling returns ByInterface.
func (Ideal) Handling() Handling { return ByInterface }

// Rendezvous reports false: every message is eager.
func (Ideal) Rendezvous(size units.Bytes) bool { return false }
