package export

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
)

// settings say with which options SimGrid's network is that of a scenario.
type settings struct {
	*cluster.Flow
	weightS units.Bytes
	sizes   payloads
	tests   bool // requests are tested
}

// envelope is what SMPI adds to every message.
const envelope units.Bytes = 16

// list returns the options, each as KEY:VALUE.
func (s settings) list() ([]string, error) {
	latency, bandwidth, err := s.factors()
	if err != nil {
		return nil, err
	}
	model := []string{"network/model:CM02"}
	if len(latency) > 1 || len(bandwidth) > 1 {
		model = []string{"network/model:SMPI", "smpi/lat-factor:" + table(latency),
			"smpi/bw-factor:" + table(bandwidth)}
	} else {
		if f := latency.At(envelope); f != 1 {
			model = append(model, "network/latency-factor:"+number(f))
		}
		if f := bandwidth.At(envelope); f != 1 {
			model = append(model, "network/bandwidth-factor:"+number(f))
		}
	}
	cross := "no"
	if s.Parameters.CrossTraffic {
		cross = "yes"
	}
	limit := strconv.Itoa(mostBytes + 1)
	if below := float64(s.Protocol.DetachedBelow); below <= mostBytes {
		limit = strconv.Itoa(int(math.Ceil(below))) // sizes are whole
	}
	list := append(model,
		"network/weight-S:"+number(float64(s.weightS)),
		"network/TCP-gamma:"+number(float64(s.Parameters.Window)),
		"network/crosstraffic:"+cross,
		"smpi/async-small-thresh:"+limit,
		"smpi/send-is-detached-thresh:"+limit,
	)
	if o := s.Protocol.SendOverhead(0, true); o > 0 {
		list = append(list, fmt.Sprintf("smpi/os:0:%s:0", number(float64(o))),
			fmt.Sprintf("smpi/ois:0:%s:0", number(float64(o))))
	}
	if o := s.Protocol.RecvOverhead(0); o > 0 {
		list = append(list, fmt.Sprintf("smpi/or:0:%s:0", number(float64(o))))
	}
	if s.tests {
		list = append(list, "smpi/test:"+number(float64(s.Protocol.TestStep)))
	}
	// By default SimGrid takes events within 1 ns for one, and rates of some flows for unchanged.
	return append(list, "surf/precision:1e-12", "network/optim:Full"), nil
}

// factors returns the factors by the size that SMPI gives a message. It is q + 16 for the q bytes
// of the trace, where the model has n = m + e for the m bytes of the program with the envelope e.
// If these differ, the model is imitated size by size: with the factors f_l and f_b,
//
//	f_l' = f_l(n)        f_b' = f_b(n) (q+16)/n
//
// a message takes the same time alone and in competition, for f_b' scales its progress
// and not its share of links.
func (s settings) factors() (latency, bandwidth flow.Factors, err error) {
	p := s.Parameters
	if p.Envelope == envelope && s.sizes.exact {
		return orOne(p.LatencyFactor), orOne(p.BandwidthFactor), nil
	}
	written := slices.Sorted(maps.Keys(s.sizes.size))
	latency = steps(written, 0, func(q units.Bytes) float64 { return p.LatencyFactor.At(s.sizes.size[q] + p.Envelope) })
	// Exact if that does not become too long; else neighbouring sizes share a step
	// where that changes times by less than a small part.
	for _, tolerance := range []float64{0, 1e-10, 1e-9, 1e-8, 1e-7} {
		bandwidth = steps(written, tolerance, func(q units.Bytes) float64 {
			n := s.sizes.size[q] + p.Envelope
			return quotientFactor(float64(q+envelope), float64(n)/p.BandwidthFactor.At(n))
		})
		if len(table(bandwidth)) <= longestOption {
			return latency, bandwidth, nil
		}
	}
	return nil, nil, input.Errorf("%d sizes of messages; SimGrid adds %v to each message, and without this envelope an option must list them all, which becomes too long; expected --set network.envelope=16B", len(written), envelope)
}

const (
	// largestFactor is the largest one that package flow takes.
	largestFactor = 1e9
	// longestOption is what an operating system takes as one argument, and some.
	longestOption = 100_000
)

// quotientFactor returns the factor f with size/f = amount, in floating point too if
// there is one: where messages compete, differences of rounding may grow. Without
// anything to transfer it is the largest one.
func quotientFactor(size, amount float64) float64 {
	f := size / amount
	if !(f <= largestFactor) {
		return largestFactor
	}
	for _, near := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, 2*f)} {
		if size/near == amount {
			return near
		}
	}
	return f
}

// orOne returns the factors, or one step of 1 if there are none.
func orOne(f flow.Factors) flow.Factors {
	if len(f) == 0 {
		return flow.Constant(1)
	}
	return f
}

// steps returns a step function with these values at the sizes that messages of q
// bytes in the trace have in SMPI, up to a relative error of tolerance. Sizes ascend.
func steps(written []units.Bytes, tolerance float64, value func(q units.Bytes) float64) flow.Factors {
	var f flow.Factors
	var low, high float64 // of the last step
	before := units.Bytes(0)
	for _, q := range written {
		v := value(q)
		if len(f) > 0 && max(high, v)-min(low, v) <= tolerance*min(low, v) {
			low, high = min(low, v), max(high, v)
			f[len(f)-1].Value = (low + high) / 2
		} else {
			f = append(f, flow.Factor{Above: before, Value: v})
			low, high = v, v
		}
		before = q + envelope
	}
	return orOne(f)
}

// table writes factors as SimGrid reads them.
func table(f flow.Factors) string {
	var b strings.Builder
	for i, step := range f {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, "%s:%s", number(float64(step.Above)), number(step.Value))
	}
	return b.String()
}

// number writes a number as SimGrid reads it, whole ones without an exponent.
func number(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
