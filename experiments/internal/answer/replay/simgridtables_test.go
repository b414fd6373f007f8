package replay

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// simGridKeyDoc says what a key of SimGrid does here. docs/formats/
// simgrid-options.md has a table of them, which a test compares.
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
// follow from the code, each as lines that stand together.
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
