package scenario

import (
	"fmt"
	"maps"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/topology"
)

// Where the processes of a node run.
const (
	onCores   = "cores"
	onDevices = "devices"
)

var (
	processCount              = schema.Integer{Min: 1, Max: math.MaxInt32, Want: "a whole number"}
	placementType schema.Type = schema.Map{Of: schema.AnyOf{processCount, coresRecord.Object, devicesRecord.Object}}
)

// placing says where processes of a node type run; it is being read.
type placing struct {
	reader
	m    *topology.Machine
	of   *topology.NodeType
	w    workload.Workload
	sel  *topology.Selection
	node *yamldoc.Node // the number of processes
}

var coresRecord = schema.Declare("the processes of a node, as in {processes: 4, threads: 16} or {on: devices, precision: bf16}", func(k *schema.Keys, x *placing) {
	k.Optional("on", schema.Func(schema.OneOf{onCores}, func(*yamldoc.Node) {}).Else(onCores),
		"what processes compute with")
	k.Optional("processes", schema.Node(processCount, &x.node).Else("1"), "processes on each node")
	known := !k.Declaring() && x.processes(x.node)
	k.Optional("threads", schema.Func(processCount, func(n *yamldoc.Node) {
		if known {
			x.threads(n)
		}
	}).Else("1"), "threads of each process, each on a core of its own")
})

var devicesRecord = schema.Declare("the processes of a node on its devices, as in {on: devices, precision: bf16}", func(k *schema.Keys, x *placing) {
	k.Required("on", schema.Func(schema.OneOf{onDevices}, func(*yamldoc.Node) {}), "one process on each device")
	k.Optional("processes", schema.Node(processCount, &x.node).Else("all devices"), "processes on each node")
	var precision *yamldoc.Node
	k.Optional("precision", schema.Node(schema.Name, &precision).Else("fp64, or the only one"),
		"the precision whose marked speed counts")
	if !k.Declaring() {
		x.onDevices(k.Node("on"), k.Self(), precision)
	}
})

// placement reads into sel how many processes of a workload run on each node of a type, on its cores or devices: at
// most as many as there are, unless the network model lets processes share cores.
func (r reader) placement(n *yamldoc.Node, m *topology.Machine, w workload.Workload, sel *topology.Selection) {
	if n == nil || m == nil {
		return
	}
	sel.Processes, sel.Threads, sel.Precision = map[string]int{}, nil, nil
	const want = "how many processes run on each node of a type, as in {server: 2}"
	r.perType(n, m, want, func(v *yamldoc.Node, name string) {
		x := &placing{reader: r, m: m, of: m.Type(name), w: w, sel: sel}
		where := onCores
		if on := v.Value("on"); on != nil {
			where = r.OneOf(on, []string{onCores, onDevices}, "answer")
		}
		switch {
		case where == onDevices:
			devicesRecord.Read(&r.Decoder, v, x)
		case where != onCores: // reported already
		case w.Application != nil && w.Application.OnDevices && x.of.Devices != nil:
			r.Fail(v, fmt.Sprintf("application %s runs on devices", w.Name), "on: "+onDevices+", or nothing for this node type")
		case v.IsMapping():
			coresRecord.Read(&r.Decoder, v, x)
		default:
			x.processes(v)
		}
	})
}

// defaultPlacement puts the processes of an application for devices on the devices of all nodes that take part, unless
// the placement says otherwise. n is where to report that this is impossible.
func (r reader) defaultPlacement(n *yamldoc.Node, m *topology.Machine, w workload.Workload, sel *topology.Selection) {
	if m == nil || w.Application == nil || !w.Application.OnDevices {
		return
	}
	precisions := maps.Clone(sel.Precision) // may be shared with other systems
	if precisions == nil {
		precisions = map[string]string{}
	}
	for _, t := range m.Types {
		if t.Devices == nil || precisions[t.Name] != "" || sel.Nodes != nil && sel.Nodes[t.Name] == 0 {
			continue
		}
		if p := r.precision(n, t.Devices, w); p != "" {
			precisions[t.Name] = p
		}
	}
	sel.Precision = precisions
}

// precision returns the precision of devices if the placement gives none: the application's, or the default. It reports
// at n if neither is known.
func (r reader) precision(n *yamldoc.Node, d *topology.Devices, w workload.Workload) string {
	p := d.DefaultPrecision()
	if w.Application != nil && w.Application.Precision != "" {
		if p = w.Application.Precision; d.Speed(p) == 0 {
			r.Fail(n, fmt.Sprintf("the speed of these devices at precision %s, which application %s names, is not known", p, w.Name), "one of "+input.List(d.Precisions()))
			return ""
		}
	}
	if p == "" {
		r.Fail(n, "no precision", "one of "+input.List(d.Precisions()))
	}
	return p
}

// counted reads the number of things on each node of a type, or otherwise if n is nil, into all, and judges it. It
// returns false after a value that is no number.
func (r reader) counted(n *yamldoc.Node, of schema.Integer, otherwise int, all map[string]int, name string,
	judge func(count int) error,
) bool {
	before := r.ProblemCount()
	if all[name] = otherwise; n != nil {
		all[name] = of.Read(&r.Decoder, n)
	}
	if r.ProblemCount() > before {
		return false
	}
	if err := judge(all[name]); err != nil {
		r.Fail(n, err.Error(), "")
	}
	return true
}

// processes reads how many processes run on the cores of a node, 1 if n is nil. It returns false after a problem.
func (x *placing) processes(n *yamldoc.Node) bool {
	return x.counted(n, processCount, 1, x.sel.Processes, x.of.Name, func(count int) error {
		return x.m.CheckProcesses(x.of.Name, count, x.sel.Oversubscribe)
	})
}

// threads reads how many threads each process has.
func (x *placing) threads(n *yamldoc.Node) {
	if x.sel.Threads == nil {
		x.sel.Threads = map[string]int{}
	}
	x.counted(n, processCount, 1, x.sel.Threads, x.of.Name, func(count int) error {
		return x.m.CheckThreads(x.of.Name, x.sel.Processes[x.of.Name], count)
	})
}

// onDevices reads how many processes run on the devices of a node, and how they
// compute.
func (x *placing) onDevices(on, all, precision *yamldoc.Node) {
	name, devices := x.of.Name, x.of.Devices
	if devices == nil {
		x.Fail(on, "a "+name+" node has no devices", "on: "+onCores)
		return
	}
	x.counted(x.node, processCount, devices.Count, x.sel.Processes, name, func(count int) error {
		return x.m.CheckDevices(name, count)
	})
	if x.sel.Precision == nil {
		x.sel.Precision = map[string]string{}
	}
	if precision != nil {
		x.sel.Precision[name] = x.OneOf(precision, devices.Precisions(), "precision of these devices")
	} else {
		x.sel.Precision[name] = x.precision(all, devices, x.w)
	}
}
