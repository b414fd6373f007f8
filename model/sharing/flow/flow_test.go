package flow_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
)

// line is two hosts with n links between them, the same there and back.
type line int32

func (n line) Route(buf []int32, from, to int32) ([]int32, error) {
	if from != to {
		for l := range int32(n) {
			buf = append(buf, l)
		}
	}
	return buf, nil
}

// machine has two hosts, one rank on each, and links of the given bandwidths with
// a latency of 1/4 s each.
func machine(bandwidths ...units.BytesPerSecond) flow.Machine {
	m := flow.Machine{Router: line(len(bandwidths)), Place: []int32{0, 1}}
	for range 2 {
		m.Hosts = append(m.Hosts, flow.Host{Cores: 1, Speed: 1, Memory: -1})
	}
	for _, b := range bandwidths {
		m.Links = append(m.Links, flow.Link{Bandwidth: b, Latency: 0.25})
	}
	return m
}

// ends runs the model to its end and returns the times at which the named activities ended.
func ends(t *testing.T, f *flow.Model) map[int32]units.Seconds {
	t.Helper()
	at := map[int32]units.Seconds{}
	for {
		to, ok := f.Next()
		if !ok {
			return at
		}
		for _, name := range f.Advance(to, nil) {
			at[name] = to
		}
	}
}

func newModel(t *testing.T, m flow.Machine, p flow.Parameters) *flow.Model {
	t.Helper()
	return expect.Value(flow.New(m, p))(t)
}

// One message of 1000 bytes over two links of 100 and 200 byte/s, l = 0.5 s.
func TestOneMessage(t *testing.T) {
	for _, c := range []struct {
		name string
		p    flow.Parameters
		want float64
	}{
		{"plain", flow.Plain(), 0.5 + 10},
		{"envelope", flow.Parameters{Envelope: 100}, 0.5 + 11},
		{"factors", flow.Parameters{LatencyFactor: flow.Constant(3), BandwidthFactor: flow.Constant(0.8)}, 1.5 + 12.5},
		// The step above 1000 is not yet reached by 1000 bytes.
		{"steps", flow.Parameters{BandwidthFactor: flow.Factors{{10, 0.5}, {1000, 0.1}}}, 0.5 + 20},
		{"below all steps", flow.Parameters{BandwidthFactor: flow.Factors{{1000, 0.1}}}, 0.5 + 10},
		// 40/(2 * 0.5) = 40 byte/s; the factor on the latency does not count.
		{"window", flow.Parameters{Window: 40, LatencyFactor: flow.Constant(2)}, 1 + 25},
		{"wide window", flow.Parameters{Window: 400}, 0.5 + 10},
		// The acknowledgements share the links: 1.05 v = 100.
		{"cross-traffic", flow.Parameters{CrossTraffic: true}, 0.5 + 10.5},
		{"weighted", flow.Parameters{Weighted: true, WeightS: 100}, 0.5 + 10},
	} {
		f := newModel(t, machine(100, 200), c.p)
		expect.Success(t, f.Transfer(0, 0, 1, 1000, 7))
		expect.Near(t, float64(ends(t, f)[7]), c.want, 1e-12*c.want, "%s", c.name)
	}
}

// Messages 1 over a link and 2 over the same link and a wide one: penalties l, or
// l + S (sum of 1/b).
func TestWeightedMessages(t *testing.T) {
	m := machine(100, 1000)
	m.Hosts = append(m.Hosts, m.Hosts[0])
	m.Place = []int32{0, 1, 2}
	m.Router = branches{}
	for _, c := range []struct {
		s        units.Bytes
		ratio    float64 // of the rates
		weighted bool
	}{
		{0, 1, false},
		{0, 2, true}, // 0.5/0.25
		{1000, (0.5 + 10 + 1) / (0.25 + 10), true}, // 1000/100 and 1000/1000
	} {
		f := newModel(t, m, flow.Parameters{Weighted: c.weighted, WeightS: c.s})
		expect.Success(t, f.Transfer(0, 0, 1, 1e6, 1))
		expect.Success(t, f.Transfer(0, 0, 2, 1e6, 2))
		at := ends(t, f)
		// Message 1 flows from 0.25 alone, from 0.5 on at 100 k/(1+k). It is
		// the first to end.
		want := 0.5 + (1e6-25)*(1+c.ratio)/(100*c.ratio)
		if c.ratio == 1 {
			want = 0.5 + (1e6-25)*2/100
		}
		expect.Near(t, float64(at[1]), want, 1e-9*want, "S %v", c.s)
		// The link is never idle: 2e6 bytes at 100 byte/s from 0.25 on.
		expect.Near(t, float64(at[2]), 0.25+2e4, 1e-9*want, "S %v: the last ends at", c.s)
	}
}

// branches leads to host 1 over link 0 and to host 2 over links 0 and 1.
type branches struct{}

func (branches) Route(buf []int32, from, to int32) ([]int32, error) {
	for l := range to {
		buf = append(buf, l)
	}
	return buf, nil
}

// The factors of the presets at, below and above a threshold, and the penalties,
// as published for SimGrid 3.32: time = l*latency factor + n/(b*bandwidth factor).
func TestPresets(t *testing.T) {
	const b, l = 1e6, 0.5
	for _, c := range []struct {
		p    flow.Parameters
		size units.Bytes
		want float64
	}{
		{flow.CM02(), 984, l + 1000*1.05/b},
		{flow.LV08(), 984, 13.01*l + 1000*1.05/(0.97*b)},
		{flow.SMPI(), 241, 2.01467*l + 257*1.05/(0.812084*b)},
		{flow.SMPI(), 242, 1.95341*l + 258*1.05/(0.338112*b)},
		{flow.SMPI(), 65456, 3.48845*l + 65472*1.05/(0.697866*b)},
		{flow.SMPI(), 65457, 11.6436*l + 65473*1.05/(0.940694*b)},
	} {
		c.p.Window = 0 // 4 MiB/(2 l) is more than b, but says nothing here
		f := newModel(t, machine(b, b), c.p)
		expect.Success(t, f.Transfer(0, 0, 1, c.size, 0))
		expect.Near(t, float64(ends(t, f)[0]), c.want, 1e-12*c.want, "%v", c.size)
	}
}

// The record of one message of 100 bytes over links of 10 and 20 byte/s from 0.5
// to 10.5, and of another over the same links that starts at 5.5.
func TestUsage(t *testing.T) {
	f := newModel(t, machine(10, 20), flow.Plain())
	f.Record()
	_ = f.Transfer(0, 0, 1, 100, 1)
	for _, to := range []units.Seconds{0.5} {
		f.Advance(to, nil)
	}
	_ = f.Transfer(5, 0, 1, 25, 2)
	// From 5.5 on both have 5 byte/s: 50 bytes and 25 are left, so the second
	// ends at 10.5, the first one at 13.
	at := ends(t, f)
	expect.Need(t, at[2] == 10.5 && at[1] == 13, "ended at %v, want 13 and 10.5", at)
	u := f.Usage(20)
	first, second := u.Links[0], u.Links[1]
	expect.That(t, first.Messages == 2 && first.Bytes == 125 && math.Abs(float64(first.Busy-12.5)) <= 1e-12,
		"first link %+v, want 2 messages, 125 bytes, busy for 12.5 s", first)
	expect.That(t, math.Abs(first.Mean-12.5/20) <= 1e-12 && first.Peak == 1 && math.Abs(second.Peak-0.5) <= 1e-12,
		"mean %v, peaks %v and %v; want 0.625, 1 and 0.5", first.Mean, first.Peak, second.Peak)
	// Two flows at half their rate for 5 s.
	expect.That(t, math.Abs(float64(first.Lost-5)) <= 1e-9 && second.Lost == 0,
		"lost %v and %v, want 5 s and nothing", first.Lost, second.Lost)
	sum := 0.0
	for _, x := range first.Bins {
		sum += float64(x) * float64(u.Width)
	}
	expect.That(t, math.Abs(sum-12.5) <= 1e-5, "the bins add up to %v s of use, want 12.5", sum)
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(m *flow.Machine, p *flow.Parameters)
	}{
		{"no router", func(m *flow.Machine, _ *flow.Parameters) { m.Router = nil }},
		{"rank 1 is on host 2", func(m *flow.Machine, _ *flow.Parameters) { m.Place[1] = 2 }},
		{"host 0 has 0 cores", func(m *flow.Machine, _ *flow.Parameters) { m.Hosts[0].Cores = 0 }},
		{"link 0 has bandwidth", func(m *flow.Machine, _ *flow.Parameters) { m.Links[0].Bandwidth = 0 }},
		{"link 0 has bandwidth", func(m *flow.Machine, _ *flow.Parameters) { m.Links[0].Latency = -1 }},
		{"latency factor above", func(_ *flow.Machine, p *flow.Parameters) { p.LatencyFactor = flow.Constant(math.NaN()) }},
		{"ascending", func(_ *flow.Machine, p *flow.Parameters) { p.BandwidthFactor = flow.Factors{{2, 1}, {2, 1}} }},
		{"window is", func(_ *flow.Machine, p *flow.Parameters) { p.Window = -1 }},
	} {
		m, p := machine(1), flow.Plain()
		c.change(&m, &p)
		expect.Refusal(flow.New(m, p))(t, c.want)
	}
}

// Short and long latencies mixed: ends come in order, whatever the order of the
// starts.
func TestLatenciesInAnyOrder(t *testing.T) {
	m := machine(1e12)
	f := newModel(t, m, flow.Parameters{LatencyFactor: flow.Factors{{0, 1}, {10, 8}, {20, 4}, {30, 2}}})
	var want []float64
	for i, size := range []units.Bytes{15, 25, 35, 5, 35, 5, 15, 25} {
		now := units.Seconds(i) * 1e-3
		expect.Success(t, f.Transfer(now, 0, 1, size, int32(i)))
		factor := map[units.Bytes]float64{5: 1, 15: 8, 25: 4, 35: 2}[size]
		want = append(want, float64(now)+0.25*factor)
	}
	at := ends(t, f)
	for i := range want {
		expect.Near(t, float64(at[int32(i)]), want[i], 1e-9, "message %d ends at", i)
	}
}

// Three messages over one link of 10 byte/s, the third starting late.
func Example() {
	m := flow.Machine{
		Links:  []flow.Link{{Bandwidth: 10, Latency: 1}},
		Hosts:  []flow.Host{{Cores: 1, Speed: 1, Memory: -1}, {Cores: 1, Speed: 1, Memory: -1}},
		Router: line(1),
		Place:  []int32{0, 1},
	}
	f, err := flow.New(m, flow.Plain())
	if err != nil {
		fmt.Println(err)
		return
	}
	for name, size := range []units.Bytes{100, 50} {
		if err := f.Transfer(0, 0, 1, size, int32(name)); err != nil {
			fmt.Println(err)
			return
		}
	}
	for {
		at, ok := f.Next()
		if !ok {
			return
		}
		if ended := f.Advance(at, nil); len(ended) > 0 {
			slices.Sort(ended)
			fmt.Println(at, ended)
		}
	}
	// Output:
	// 11 s [1]
	// 16 s [0]
}

// A computation starts at its rank's own time, which may lie after the last event:
// until then its memory was idle. Alone on 10 byte/s from 5 s on, 40 flop at 4
// flop/s with 1 byte/flop: 10 s at 4 byte/s.
func TestUsageOfComputation(t *testing.T) {
	m := flow.Machine{
		Links: []flow.Link{{Bandwidth: 10}}, Hosts: []flow.Host{{Cores: 1, Speed: 4, Memory: 0}},
		Router: line(0), Place: []int32{0},
	}
	f := newModel(t, m, flow.Plain())
	f.Record()
	core, shares := f.Compute(5, 0, 40, 40, 1)
	expect.Need(t, shares && core == 10, "%v for the core, shares %v", core, shares)
	at := ends(t, f)
	expect.Need(t, at[1] == 15, "ended at %v, want 15 s", at[1])
	l := f.Usage(15).Links[0]
	expect.That(t, math.Abs(float64(l.Busy-10)) <= 1e-12 && math.Abs(l.Mean-0.4*10/15) <= 1e-12 &&
		math.Abs(l.Peak-0.4) <= 1e-12,
		"%+v, want busy for 10 s, mean 0.267, peak 0.4", l)
	// A record that is asked for before its end reaches to its end.
	u := f.Usage(1)
	expect.That(t, u.Until == 15 && u.Links[0].Mean <= u.Links[0].Peak, "%+v", u)
}

// Values at the ends of float64 are refused, and small ones do no harm.
func TestExtremes(t *testing.T) {
	for _, b := range []units.BytesPerSecond{1e200, 1e-200, units.BytesPerSecond(math.Inf(1))} {
		_, err := flow.New(machine(b), flow.CM02())
		expect.That(t, err != nil, "bandwidth %v was accepted", b)
	}
	m := machine(1)
	m.Links[0].Latency = 1e-200
	if _, err := flow.New(m, flow.CM02()); err == nil {
		t.Error("latency 1e-200 s was accepted")
	}
	for _, p := range []flow.Parameters{
		{BandwidthFactor: flow.Constant(1e-300)}, {LatencyFactor: flow.Constant(1e308)}, {Envelope: 1e120}, {WeightS: 1e308}, {Window: 1e-320},
	} {
		_, err := flow.New(machine(1), p)
		expect.That(t, err != nil, "%+v was accepted", p)
	}
	m = machine(1)
	m.Links[0].Latency = 1e-25
	f := newModel(t, m, flow.CM02())
	f.Record()
	expect.Success(t, f.Transfer(0, 0, 1, 1, 1))
	at := ends(t, f)
	expect.That(t, !math.IsNaN(float64(at[1])) && at[1] >= 1, "ended at %v", at[1])
}

// until advances the model to a time, and fails if something ends before.
func until(t *testing.T, f *flow.Model, to units.Seconds) {
	t.Helper()
	for at, ok := f.Next(); ok && at <= to; at, ok = f.Next() {
		ended := f.Advance(at, nil)
		expect.Need(t, len(ended) == 0, "%v ends at %v, before %v", ended, at, to)
	}
}

// 20 B at 4 B/s flow from 0.25 s on. At 2.25 s, 12 B are left, and take 6 s at 2 B/s. In
// the first 2 s the whole link is used and in the 6 s after as well.
func TestSetBandwidth(t *testing.T) {
	m := machine(4)
	f := newModel(t, m, flow.Plain())
	f.Record()
	expect.Success(t, f.Transfer(0, 0, 1, 20, 7))
	until(t, f, 2.25)
	f.SetBandwidth(2.25, 0, 2)
	expect.Equal(t, ends(t, f)[7], 8.25, "ends at")
	u := f.Usage(8.25).Links[0]
	expect.That(t, u.Busy == 8 && u.Peak == 1, "busy for %v, at most %g of the capacity; want 8 s and 1", u.Busy, u.Peak)
	expect.That(t, f.Bandwidth(0) == 2 && f.Links() == 1 && m.Links[0].Bandwidth == 4,
		"bandwidth %v of the model, %v of the caller's machine; want 2 and 4 B/s", f.Bandwidth(0), m.Links[0].Bandwidth)
}

// Two messages of 20 B share 4 B/s from 0.25 s on. At 2.25 s, 16 B are left of each; at
// 16 B/s in all they take 2 s.
func TestSetBandwidthOfMessages(t *testing.T) {
	f := newModel(t, machine(4), flow.Plain())
	for name := range int32(2) {
		expect.Success(t, f.Transfer(0, 0, 1, 20, name))
	}
	until(t, f, 2.25)
	f.SetBandwidth(2.25, 0, 16)
	got := ends(t, f)
	expect.That(t, got[0] == 4.25 && got[1] == 4.25, "end at %v, want 4.25 s", got)
}

// Two computations of 8 flop and 8 B share a core of 1 flop/s, and memory that does not
// matter: by 4 s each has done 2 flop. On the other host a computation moves 8 B at
// 1 B/s. Both hosts stand still until 10 s. Then the two share 3 flop/s and take 4 s for
// 6 flop each, and 4 B are left of the third.
func TestSetSpeed(t *testing.T) {
	m := flow.Machine{
		Router: line(0), Place: []int32{0, 0, 0, 1},
		Hosts: []flow.Host{{Cores: 1, Speed: 1, Memory: 0}, {Cores: 1, Speed: 5, Memory: 1}},
		Links: []flow.Link{{Bandwidth: 100}, {Bandwidth: 1}},
	}
	f := newModel(t, m, flow.Plain())
	for rank := range int32(2) {
		core, shares := f.Compute(0, rank, 8, 8, rank)
		expect.Need(t, shares && math.IsInf(float64(core), 1), "%v for the core, of which ranks have a share, shares %v", core, shares)
	}
	core, shares := f.Compute(0, 3, 0, 8, 3) // on the other host, bytes alone
	expect.Need(t, shares && core == 0, "%v for the core, shares %v", core, shares)
	until(t, f, 4)
	f.SetSpeed(4, 0, 0)
	f.SetSpeed(4, 1, 0)
	at, ok := f.Next()
	expect.Need(t, !ok, "something ends at %v while all stands still", at)
	f.SetSpeed(10, 0, 3)
	f.SetSpeed(10, 1, 7)
	got := ends(t, f)
	expect.That(t, got[0] == 14 && got[1] == 14 && got[3] == 14, "end at %v, want 14 s", got)
	s := f.Speeds()
	expect.That(t, s[0] == 3 && s[3] == 7 && f.Place()[3] == 1 && m.Hosts[0].Speed == 1,
		"speeds %v, on %v; the caller's host has %v", s, f.Place(), m.Hosts[0].Speed)
}

// Half of a message of 1000 bytes goes over each of two links of 100 and 200 byte/s, behind one of 1000 byte/s
// that carries all of it: 2 links of 0.25 s, in parts, and 200 byte/s, at which the narrower link is full. Two
// messages have half of that, and acknowledgements leave 1/1.05 of it. Each message is counted on each
// link, with the bytes that it has there. Ways of message 2 are all over the first link.
func TestDividedMessages(t *testing.T) {
	divided := machine(1000, 100, 200)
	divided.Ways = func(links []int32, parts []float64, _, _ int32, message uint64) ([]int32, []float64) {
		if message == 2 {
			return append(links, 0), append(parts, 1)
		}
		return append(links, 0, 1, 2), append(parts, 1, 0.5, 0.5)
	}
	for _, c := range []struct {
		messages int
		p        flow.Parameters
		want     []float64
	}{
		{1, flow.Plain(), []float64{0.5 + 5}},
		{2, flow.Plain(), []float64{0.5 + 10, 0.5 + 10}},
		{1, flow.Parameters{CrossTraffic: true}, []float64{0.5 + 5.25}},
		{1, flow.Parameters{Window: 100}, []float64{0.5 + 10}},               // 100/(2 * 0.5) = 100 byte/s
		{1, flow.Parameters{Weighted: true, WeightS: 9}, []float64{0.5 + 5}}, // alone, weights do not count
		// The third waits 0.25 s, has 1000 byte/s for 0.25 s and then the 800 that the others leave.
		{3, flow.Plain(), []float64{0.5 + 10, 0.5 + 10, 0.25 + 0.25 + 750./800}},
	} {
		f := newModel(t, divided, c.p)
		f.Record()
		for i := range c.messages {
			expect.Success(t, f.Transfer(0, 0, 1, 1000, int32(i)))
		}
		at := ends(t, f)
		for i, want := range c.want {
			expect.Near(t, float64(at[int32(i)]), want, 1e-12*want, "message %d of %d", i, c.messages)
		}
		both := int64(min(c.messages, 2))
		u := f.Usage(at[0]).Links
		expect.That(t, u[0].Messages == int64(c.messages) && u[1].Messages == both && u[1].Bytes == units.Bytes(500*both) && u[2].Bytes == units.Bytes(500*both),
			"%d messages: links carry %+v", c.messages, u)
	}
}
