package export

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
)

// settings say with which options SimGrid's network is that of a scenario.
type settings struct {
	*scenario.FlowNetwork
	weightS units.Bytes
	sizes   map[units.Bytes]bool // of the messages
	tests   bool                 // requests are tested
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
		model = []string{"network/model:SMPI", "smpi/lat-factor:" + table(latency), "smpi/bw-factor:" + table(bandwidth)}
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
		limit = number(math.Ceil(below)) // sizes are whole
	}
	list := append(model,
		"network/weight-S:"+number(float64(s.weightS)),
		"network/TCP-gamma:"+number(float64(s.Parameters.Window)),
		"network/crosstraffic:"+cross,
		"smpi/async-small-thresh:"+limit,
		"smpi/send-is-detached-thresh:"+limit,
	)
	if o := s.Protocol.SendOverhead(0, true); o > 0 {
		list = append(list, fmt.Sprintf("smpi/os:0:%s:0", number(float64(o))), fmt.Sprintf("smpi/ois:0:%s:0", number(float64(o))))
	}
	if o := s.Protocol.RecvOverhead(0); o > 0 {
		list = append(list, fmt.Sprintf("smpi/or:0:%s:0", number(float64(o))))
	}
	if s.tests {
		list = append(list, "smpi/test:"+number(float64(s.Protocol.TestStep)))
	}
	return append(list, "network/optim:Full"), nil
}

// factors returns the factors by the size that SMPI gives a message of m bytes, m + 16.
// A model with another envelope e is imitated size by size: with the factors f_l and f_b,
//
//	f_l' = f_l(m+e)        f_b' = f_b(m+e) (m+16)/(m+e)
//
// a message takes the same time alone and in competition, for f_b' scales its progress
// and not its share of links.
func (s settings) factors() (latency, bandwidth flow.Factors, err error) {
	p := s.Parameters
	if p.Envelope == envelope {
		return orOne(p.LatencyFactor), orOne(p.BandwidthFactor), nil
	}
	sizes := slices.Sorted(maps.Keys(s.sizes))
	latency = steps(sizes, 0, func(m units.Bytes) float64 { return p.LatencyFactor.At(m + p.Envelope) })
	// As few steps as need be: neighbouring sizes share one where that changes
	// times by less than a part of 1e-10, or more if the option became too long.
	for tolerance := 1e-10; tolerance < 1e-6; tolerance *= 10 {
		bandwidth = steps(sizes, tolerance, func(m units.Bytes) float64 {
			n := m + p.Envelope
			if n == 0 {
				return largestFactor // nothing to transfer
			}
			return min(largestFactor, p.BandwidthFactor.At(n)*float64(m+envelope)/float64(n))
		})
		if len(table(bandwidth)) <= longestOption {
			return latency, bandwidth, nil
		}
	}
	return nil, nil, input.Errorf("%d sizes of messages; SimGrid adds %v to each message, and without this envelope an option must list them all, which becomes too long; expected --set network.envelope=16B", len(sizes), envelope)
}

const (
	// largestFactor is the largest one that package flow takes.
	largestFactor = 1e9
	// longestOption is what an operating system takes as one argument, and some.
	longestOption = 100_000
)

// orOne returns the factors, or one step of 1 if there are none.
func orOne(f flow.Factors) flow.Factors {
	if len(f) == 0 {
		return flow.Constant(1)
	}
	return f
}

// steps returns a step function with these values at the sizes that messages of m
// bytes have in SMPI, up to a relative error of tolerance. Sizes ascend.
func steps(sizes []units.Bytes, tolerance float64, value func(m units.Bytes) float64) flow.Factors {
	var f flow.Factors
	var low, high float64 // of the last step
	before := units.Bytes(0)
	for _, m := range sizes {
		v := value(m)
		if len(f) > 0 && max(high, v)-min(low, v) <= tolerance*min(low, v) {
			low, high = min(low, v), max(high, v)
			f[len(f)-1].Value = (low + high) / 2
		} else {
			f = append(f, flow.Factor{Above: before, Value: v})
			low, high = v, v
		}
		before = m + envelope
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
		fmt.Fprintf(&b, "%s:%s", number(float64(step.Above)), strconv.FormatFloat(step.Value, 'g', 13, 64))
	}
	return b.String()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
