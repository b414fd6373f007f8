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

// settings are the options with which SimGrid's network is like that of a scenario.
type settings struct {
	*cluster.Flow
	weightS units.Bytes
	sizes   payloads
	tests   bool // the program tests requests
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
	// By default SimGrid merges events within 1 ns, and does not update the rates of some flows.
	return append(list, "surf/precision:1e-12", "network/optim:Full"), nil
}

// factors returns the factors by the size that a message has in SMPI: q + 16 for q bytes in the
// trace. The model has n = m + e for m bytes in the program and the envelope e. If these differ,
// the model is imitated size by size. From its factors f_l and f_b follow
//
//	f_l' = f_l(n)        f_b' = f_b(n) (q+16)/n
//
// with which a message takes the same time, alone or in competition, because f_b' scales its
// progress and not its share of links.
func (s settings) factors() (latency, bandwidth flow.Factors, err error) {
	p := s.Parameters
	if p.Envelope == envelope && s.sizes.exact {
		return orOne(p.LatencyFactor), orOne(p.BandwidthFactor), nil
	}
	written := slices.Sorted(maps.Keys(s.sizes.size))
	latency = steps(written, 0, func(q units.Bytes) float64 { return p.LatencyFactor.At(s.sizes.size[q] + p.Envelope) })
	// The option is exact if it does not become too long. Otherwise neighbouring sizes share a
	// step if that changes times by less than the tolerance.
	for _, tolerance := range []float64{0, 1e-10, 1e-9, 1e-8, 1e-7} {
		bandwidth = steps(written, tolerance, func(q units.Bytes) float64 {
			n := s.sizes.size[q] + p.Envelope
			return quotientFactor(float64(q+envelope), float64(n)/p.BandwidthFactor.At(n))
		})
		if len(table(bandwidth)) <= longestOption {
			return latency, bandwidth, nil
		}
	}
	return nil, nil, input.Errorf("messages of %d sizes; SimGrid adds %v to each message, and without this envelope an option must list all sizes, which makes it too long; expected --set network.envelope=16B", len(written), envelope)
}

const (
	// largestFactor is the largest factor that package flow accepts.
	largestFactor = 1e9
	// longestOption is below the length of an argument that operating systems accept.
	longestOption = 100_000
)

// quotientFactor returns the factor f with size/f = amount, if possible also in floating
// point: where messages compete, differences of rounding may grow. If there is nothing to
// transfer, it is the largest factor.
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

// steps returns a step function with value(q) at the size that a message of q bytes in the
// trace has in SMPI, up to a relative error of tolerance. REQUIRES: written ascends.
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

// table returns factors in the form that SimGrid reads.
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

// number returns a number in the form that SimGrid reads, whole numbers without an exponent.
func number(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
