package replay

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/titrace"
)

func TestSimGridOptions(t *testing.T) {
	for _, c := range []struct {
		settings string
		check    func(o *simGridOptions) bool
	}{
		{"", func(o *simGridOptions) bool {
			return o.flow.WeightS == 8775 && o.flow.CrossTraffic && o.protocol.DetachedBelow == 65536 && o.loopbackBandwidth == 10e9
		}},
		{"network/model:CM02", func(o *simGridOptions) bool {
			return o.flow.WeightS == 0 && o.flow.LatencyFactor == nil && o.flow.Window == 4194304
		}},
		// The model gives the values that are not set, in whatever order the settings come.
		{"network/weight-S:30000 network/crosstraffic:no network/model:LV08", func(o *simGridOptions) bool {
			return o.flow.WeightS == 30000 && !o.flow.CrossTraffic && o.flow.LatencyFactor.At(1) == 13.01
		}},
		{"network/TCP-gamma:1 network/TCP-gamma:0", func(o *simGridOptions) bool { return o.flow.Window == 0 }},
		{"network/latency-factor:2.5 network/model:LV08", func(o *simGridOptions) bool { return o.flow.LatencyFactor.At(1e9) == 2.5 }},
		{"smpi/bw-factor:1000:0.5;0:0.25", func(o *simGridOptions) bool {
			return slices.Equal(o.flow.BandwidthFactor, flow.Factors{{Above: 0, Value: 0.25}, {Above: 1000, Value: 0.5}})
		}},
		{"smpi/os:1000:1e-5:2e-9;0:1e-6:0", func(o *simGridOptions) bool {
			return slices.Equal(o.protocol.Send, network.Overheads{{PerByte: 0, Fixed: 1e-6}, {Above: 1000, Fixed: 1e-5, PerByte: 2e-9}})
		}},
		{"smpi/or:3e-6 smpi/test:2e-4 smpi/async-small-thresh:100 smpi/send-is-detached-thresh:200", func(o *simGridOptions) bool {
			p := o.protocol
			return p.Recv.At(5) == 3e-6 && p.TestStep == 2e-4 && p.EagerBelow == 100 && p.DetachedBelow == 200
		}},
		// SimGrid 3.32 gives the same times with and without these, to the last bit.
		{"network/bandwidth-factor:0.5 network/latency-factor:9", func(o *simGridOptions) bool {
			return len(o.notes) == 2 && o.flow.BandwidthFactor.At(1e6) == 0.940694 && o.flow.LatencyFactor.At(1e6) == 11.6436
		}},
		{"network/bandwidth-factor:0.5 network/model:CM02", func(o *simGridOptions) bool {
			return len(o.notes) == 0 && o.flow.BandwidthFactor.At(1e6) == 0.5
		}},
		// Of a table of factors SimGrid takes 1 up to the first size, of a table
		// of overheads the first piece.
		{"smpi/lat-factor:2000:9 smpi/or:2000:1e-4:0", func(o *simGridOptions) bool {
			return o.flow.LatencyFactor.At(2000) == 1 && o.flow.LatencyFactor.At(2001) == 9 && o.protocol.Recv.At(1) == 1e-4
		}},
		{"host/model:compound network/solver:maxmin cpu/solver:maxmin maxmin/concurrency-limit:-1", func(o *simGridOptions) bool {
			return len(o.notes) == 0
		}},
		{"smpi/grow-injected-times:no", func(o *simGridOptions) bool { return o.protocol.SteadyTests }},
		{"smpi/async-small-thresh:200 smpi/send-is-detached-thresh:200", func(o *simGridOptions) bool { return o.protocol.EagerBelow == 200 }},
		{"surf/precision:1e-9 tracing:no", func(o *simGridOptions) bool { return len(o.notes) == 2 }},
		{"smpi/bw-factor:0:0.5 network/model:CM02", func(o *simGridOptions) bool {
			return len(o.notes) == 1 && o.flow.BandwidthFactor == nil
		}},
		{"network/loopback-bw:1e9 network/loopback-lat:1e-6", func(o *simGridOptions) bool {
			p := &topology.Platform{Links: []topology.Link{{Name: "x"}, {Name: implicitLoopback}}}
			o.loopback(p)
			return p.Links[0].Bandwidth == 0 && p.Links[1].Bandwidth == 1e9 && p.Links[1].Latency == 1e-6
		}},
	} {
		o, err := newSimGridOptions(strings.Fields(c.settings))
		expect.That(t, err == nil && c.check(o), "%s: %+v, %v", c.settings, o, err)
	}
}

func TestSimGridOptionsRefused(t *testing.T) {
	for setting, want := range map[string]string{
		"network/model":                 "no value",
		"network/model:IB":              "expected one of CM02, LV08, SMPI",
		"network/crostraffic:no":        `did you mean network/crosstraffic`,
		"nonsense:1":                    "known: ",
		"network/crosstraffic:maybe":    "expected yes or no",
		"network/TCP-gamma:-1":          "at least 0",
		"network/weight-S:nan":          "at least 0",
		"smpi/lat-factor:0":             "above 0",
		"network/loopback-bw:0":         "above 0",
		"smpi/bw-factor:0:1;0:2":        "ascending",
		"smpi/bw-factor:0:1:2":          "SIZE:VALUE",
		"smpi/os:0:1e-6:0;x:1:1":        "at least 0",
		"smpi/allreduce:fast":           "unknown algorithm",
		"smpi/coll-selector:impi":       "exists in SimGrid but not here",
		"cpu/model:TI":                  "expected Cas01",
		"host/model:default":            "changes SimGrid's times",
		"host/model:ptask_L07":          "expected compound",
		"host/modell:compound":          "did you mean host/model",
		"network/solver:bmf":            "expected maxmin",
		"cpu/solver:fairbottleneck":     "expected maxmin",
		"maxmin/concurrency-limit:2":    "expected -1",
		"smpi/async-small-thresh:65537": "at most the second",
		"smpi/send-is-detached-thresh":  "no value",
	} {
		_, err := newSimGridOptions([]string{setting})
		expect.That(t, err != nil && strings.Contains(err.Error(), want) && input.IsError(err),
			"%s: error %v, want one with %q", setting, err, want)
	}
}

func TestHostfile(t *testing.T) {
	p := &topology.Platform{Hosts: []topology.Host{{Name: "a"}, {Name: "b:1"}, {Name: "c"}}}
	for _, c := range []struct {
		text  string
		ranks int
		want  []int32
	}{
		{"c\na\n", 0, []int32{2, 0}},
		{"c:2\n\n a \n", 0, []int32{2, 2, 0}},
		{"c\na\n", 5, []int32{2, 0, 2, 0, 2}},
		{"b:1\nb:1:2\n", 0, []int32{1, 1, 1}},
		{"a\nc", 1, []int32{0}},
	} {
		got, _, err := placeByHostfile("hosts", []byte(c.text), p, c.ranks)
		expect.That(t, err == nil && slices.Equal(got, c.want), "%q: %v, %v; want %v", c.text, got, err, c.want)
	}
	for text, want := range map[string]string{
		"":              "hosts: no host",
		"a\nx\n":        `hosts:2: no host "x"`,
		"a:0\n":         `hosts:1: "0" after the host`,
		"a:many\n":      `hosts:1: "many" after the host`,
		"a:99999999999": "hosts:1:",
	} {
		_, _, err := placeByHostfile("hosts", []byte(text), p, 0)
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%q: error %v, want %q", text, err, want)
	}
}

// Every key that is understood is documented, and no other.
func TestSimGridKeysAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, d := range simGridKeyDocs {
		expect.That(t, !documented[d.key], "%s is documented twice", d.key)
		documented[d.key] = true
		_, plain := simGridKeys[d.key]
		_, factor := simGridFactorKeys[d.key]
		_, fixed := simGridFixed[d.key]
		expect.That(t, plain || factor || fixed || d.key == "network/model",
			"%s is documented and not understood", d.key)
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(simGridKeys)), maps.Keys(simGridFactorKeys))
	for _, key := range slices.AppendSeq(keys, maps.Keys(simGridFixed)) {
		expect.That(t, documented[key], "%s is not documented", key)
	}
	for _, key := range simGridIgnored {
		expect.That(t, !documented[key], "%s is documented and ignored", key)
	}
}

// Setting a key to its default changes nothing. The page has the factors by size of
// the model SMPI in the form in which one would set them.
func TestSimGridDefaults(t *testing.T) {
	want := expect.Value(newSimGridOptions(nil))(t)
	same := func(setting string) {
		t.Helper()
		got, err := newSimGridOptions([]string{setting})
		if err != nil {
			t.Errorf("%s: %v", setting, err)
			return
		}
		// One piece of 0 is the same as no piece.
		zero := cmpopts.EquateEmpty()
		for _, o := range []*simGridOptions{got, want} {
			p := &o.protocol
			if p.Send.At(1) == 0 && p.Isend.At(1) == 0 && p.Recv.At(1) == 0 {
				p.Send, p.Isend, p.Recv = nil, nil, nil
			}
		}
		diff := cmp.Diff([]any{want.flow, want.protocol, want.loopbackBandwidth, want.loopbackLatency, want.notes}, []any{got.flow, got.protocol, got.loopbackBandwidth, got.loopbackLatency, got.notes}, zero)
		expect.That(t, diff == "", "%s changes something:\n%s", setting, diff)
	}
	for _, d := range simGridKeyDocs {
		if d.preset != "" {
			same(d.key + ":" + d.preset)
		}
	}
	found := 0
	for line := range strings.Lines(strings.Join(simGridOptionTables(), "")) {
		if setting, ok := strings.CutPrefix(strings.TrimSpace(line), "--cfg '"); ok {
			same(strings.TrimSuffix(setting, "'"))
			found++
		}
	}
	expect.That(t, found == 2, "%d tables of factors, want 2", found)
	// A default that depends on the model: 0, 20537 and 8775.
	for model, s := range map[string]float64{"CM02": 0, "LV08": 20537, "SMPI": 8775} {
		o, err := newSimGridOptions([]string{"network/model:" + model})
		expect.That(t, err == nil && float64(o.flow.WeightS) == s,
			"%s: weight S %v, %v; the documentation says %v", model, o.flow.WeightS, err, s)
	}
}

// Every algorithm on the page can be chosen.
func TestSimGridAlgorithms(t *testing.T) {
	var all titrace.Algorithms
	for _, o := range all.Operations() {
		names, _ := all.Names(o)
		expect.That(t, slices.Contains(names, "default"), "%s: no default in %q", o, names)
		for _, name := range names {
			expect.Value(newSimGridOptions([]string{"smpi/" + o + ":" + name}))(t)
		}
	}
}

// docs/formats/simgrid-options.md has what the code says.
func TestSimGridOptionsPage(t *testing.T) {
	page := expect.Value(os.ReadFile("../../../../docs/formats/simgrid-options.md"))(t)
	for _, table := range simGridOptionTables() {
		expect.That(t, strings.Contains(string(page), "\n\n"+table), "the page lacks\n%s", table)
	}
}

// simGridKeyDoc says what a key of SimGrid does here. docs/formats/simgrid-options.md
// has a table of these, which a test compares.
type simGridKeyDoc struct {
	key     string
	preset  string // value that it has if it is not given; "" if it depends on the model
	value   string
	meaning string
}

// simGridKeyDocs are the keys that change what is simulated, apart from those of
// collective operations.
var simGridKeyDocs = []simGridKeyDoc{
	{"network/model", "SMPI", "CM02, LV08 or SMPI", "the network model, which the other keys of this table refine"},
	{"network/crosstraffic", "yes", "yes or no", "whether acknowledgements take 5 % of a flow's rate on the way back"},
	{"network/TCP-gamma", "4194304", "bytes", "the largest amount of data under way: no flow is faster than this over twice the latency; 0 for no limit"},
	{"network/weight-S", "", "bytes", "how much a slow link counts as length where flows share: 0 in CM02, 20537 in LV08, 8775 in SMPI"},
	{"network/bandwidth-factor", "", "number or table", "factor on the rate of a message: 1 in CM02, 0.97 in LV08; no effect with SMPI"},
	{"network/latency-factor", "", "number or table", "factor on the latency of a message: 1 in CM02, 13.01 in LV08; no effect with SMPI"},
	{"smpi/bw-factor", "", "number or table", "factor on the rate of a message in SMPI; no effect with other models"},
	{"smpi/lat-factor", "", "number or table", "factor on the latency of a message in SMPI; no effect with other models"},
	{"network/loopback-bw", "10000000000", "bytes/s", "bandwidth between ranks on one host, where the platform gives the host no loopback"},
	{"network/loopback-lat", "0", "seconds", "latency there"},
	{"smpi/async-small-thresh", "0", "bytes", "smaller messages flow from the send on; others when send and receive have been posted; at most smpi/send-is-detached-thresh"},
	{"smpi/send-is-detached-thresh", "65536", "bytes", "senders of smaller messages continue immediately; others wait for the end of the transfer"},
	{"smpi/os", "0", "seconds or table", "what a send that need not wait (see above) costs the core of the sender before it is posted"},
	{"smpi/ois", "0", "seconds or table", "what any isend costs it"},
	{"smpi/or", "0", "seconds or table", "what a message whose sender need not wait costs the core of the receiver after it has arrived"},
	{"smpi/test", "0.0001", "seconds", "time of a test; the n-th in a row in vain takes n times as long"},
	{"smpi/grow-injected-times", "yes", "yes or no", "whether later tests in vain take longer than the first"},
	{"smpi/coll-selector", "default", "default, mpich, mvapich2 or ompi", "algorithms of all collective operations that have no key of their own; impi and automatic are refused"},
	{"cpu/model", "Cas01", "Cas01", "how ranks share the cores of a host: equally"},
	{"host/model", "compound", "compound", "that network/model and cpu/model hold; `default` and `ptask_L07` replace both"},
	{"network/solver", "maxmin", "maxmin", "the sharing rule of links"},
	{"cpu/solver", "maxmin", "maxmin", "the sharing rule of cores"},
	{"maxmin/concurrency-limit", "-1", "-1", "how many flows a link carries at once: any number"},
}

// simGridOptionTables returns the parts of docs/formats/simgrid-options.md that
// follow from the code, each as consecutive lines.
func simGridOptionTables() []string {
	var keys, collectives, refused, ignored strings.Builder
	keys.WriteString("| key | default | value | meaning |\n|---|---|---|---|\n")
	for _, d := range simGridKeyDocs {
		preset := "by the model"
		if d.preset != "" {
			preset = "`" + d.preset + "`"
		}
		fmt.Fprintf(&keys, "| `%s` | %s | %s | %s |\n", d.key, preset, d.value, d.meaning)
	}
	collectives.WriteString("| key | names |\n|---|---|\n")
	refused.WriteString("| key | refused |\n|---|---|\n")
	var all titrace.Algorithms
	for _, o := range all.Operations() {
		known, unknown := all.Names(o)
		fmt.Fprintf(&collectives, "| `smpi/%s` | `%s` |\n", o, strings.Join(known, "`, `"))
		fmt.Fprintf(&refused, "| `smpi/%s` | `%s` |\n", o, strings.Join(unknown, "`, `"))
	}
	fmt.Fprintf(&ignored, "`%s`\n", strings.Join(simGridIgnored, "`, `"))
	m := flow.SMPI()
	factors := fmt.Sprintf("    --cfg 'smpi/bw-factor:%s'\n    --cfg 'smpi/lat-factor:%s'\n", factorsText(m.BandwidthFactor), factorsText(m.LatencyFactor))
	return []string{keys.String(), collectives.String(), factors, ignored.String(), refused.String()}
}

// factorsText writes factors as SimGrid takes them.
func factorsText(f flow.Factors) string {
	var pieces []string
	for _, x := range f {
		pieces = append(pieces, fmt.Sprintf("%g:%g", float64(x.Above), x.Value))
	}
	return strings.Join(pieces, ";")
}
