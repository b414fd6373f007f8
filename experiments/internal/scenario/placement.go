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

var (
	processCount              = schema.Integer{Min: 1, Max: math.MaxInt32}
	placementType schema.Type = schema.Map{Of: schema.AnyOf{processCount, processesObject, deviceProcessesObject}}
)

const wantProcesses = "a whole number"

// Where the processes of a node run.
const (
	onCores   = "cores"
	onDevices = "devices"
)

var processesObject = &schema.Object{What: "the processes of a node, as in {processes: 4, threads: 16} or {on: devices, precision: bf16}", Fields: []schema.Field{
	{Key: "on", Type: schema.OneOf{onCores}, Default: onCores, Meaning: "what processes compute with"},
	{Key: "processes", Type: processCount, Default: "1", Meaning: "processes on each node"},
	{Key: "threads", Type: processCount, Default: "1", Meaning: "threads of each process, each on a core of its own"},
}}

var deviceProcessesObject = &schema.Object{What: "the processes of a node on its devices, as in {on: devices, precision: bf16}", Fields: []schema.Field{
	{Key: "on", Type: schema.OneOf{onDevices}, Required: true, Meaning: "one process on each device"},
	{Key: "processes", Type: processCount, Default: "all devices", Meaning: "processes on each node"},
	{Key: "precision", Type: schema.Name, Default: "fp64, or the only one", Meaning: "the precision whose marked speed counts"},
}}

// placement reads into sel how many processes of a workload run on each node of a type,
// on its cores or its devices: no more than there are, unless the network model lets
// processes share cores.
func (r reader) placement(n *yamldoc.Node, m *topology.Machine, w workload.Workload, sel *topology.Selection) {
	if n == nil || m == nil {
		return
	}
	sel.Processes, sel.Threads, sel.Precision = map[string]int{}, nil, nil
	r.perType(n, m, "how many processes run on each node of a type, as in {server: 2}", func(v *yamldoc.Node, name string) {
		if !v.IsMapping() {
			if r.mayUseCores(v, m, name, w) {
				r.processes(v, m, name, sel)
			}
			return
		}
		where := onCores
		if on := r.Mapping(v, processesObject.What).Take("on"); on != nil {
			where = r.OneOf(on, []string{onCores, onDevices}, "answer")
		}
		switch where {
		case onDevices:
			r.onDevices(v, m, name, w, sel)
		case onCores:
			if !r.mayUseCores(v, m, name, w) {
				return
			}
			d := processesObject.Open(&r.Decoder, v)
			d.Take("on")
			if processes, threads := d.Take("processes"), d.Take("threads"); r.processes(processes, m, name, sel) {
				r.threads(threads, m, name, sel)
			}
			d.Done()
		}
	})
}

// mayUseCores reports at n a workload that runs on devices where it is placed on the
// cores of nodes that have some.
func (r reader) mayUseCores(n *yamldoc.Node, m *topology.Machine, name string, w workload.Workload) bool {
	if w.Application == nil || !w.Application.OnDevices || m.Type(name).Devices == nil {
		return true
	}
	r.Fail(n, fmt.Sprintf("application %s runs on devices", w.Name), "on: "+onDevices+", or nothing for this node type")
	return false
}

// defaultPlacement puts the processes of an application that runs on devices on those of
// all nodes that take part and have some, where the placement says nothing. n is where
// to report that it cannot.
func (r reader) defaultPlacement(n *yamldoc.Node, m *topology.Machine, w workload.Workload, sel *topology.Selection) {
	if m == nil || w.Application == nil || !w.Application.OnDevices {
		return
	}
	precisions := maps.Clone(sel.Precision) // which other systems may share
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

// precision returns what devices compute with where the placement does not say it: what
// the application names, or what is usual. It reports at n that this is not known.
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

// processes reads how many processes run on the cores of a node, 1 if n is nil. It
// is false after a problem.
func (r reader) processes(n *yamldoc.Node, m *topology.Machine, name string, sel *topology.Selection) bool {
	before := r.ProblemCount()
	sel.Processes[name] = 1
	if n != nil {
		sel.Processes[name] = r.Int(n, 1, math.MaxInt32, wantProcesses)
	}
	if r.ProblemCount() > before {
		return false
	}
	if err := m.CheckProcesses(name, sel.Processes[name], sel.Oversubscribe); err != nil {
		r.Fail(n, err.Error(), "")
	}
	return true
}

// threads reads how many threads each process has.
func (r reader) threads(n *yamldoc.Node, m *topology.Machine, name string, sel *topology.Selection) {
	if n == nil {
		return
	}
	if sel.Threads == nil {
		sel.Threads = map[string]int{}
	}
	before := r.ProblemCount()
	sel.Threads[name] = r.Int(n, 1, math.MaxInt32, wantProcesses)
	if r.ProblemCount() > before {
		return
	}
	if err := m.CheckThreads(name, sel.Processes[name], sel.Threads[name]); err != nil {
		r.Fail(n, err.Error(), "fewer processes or threads")
	}
}

// onDevices reads how many processes run on the devices of a node, and how they
// compute.
func (r reader) onDevices(n *yamldoc.Node, m *topology.Machine, name string, w workload.Workload, sel *topology.Selection) {
	d := deviceProcessesObject.Open(&r.Decoder, n)
	on, processes, precision := d.Take("on"), d.Take("processes"), d.Take("precision")
	d.Done()
	devices := m.Type(name).Devices
	if devices == nil {
		r.Fail(on, "a "+name+" node has no devices", "on: "+onCores)
		return
	}
	before := r.ProblemCount()
	if sel.Processes[name] = devices.Count; processes != nil {
		sel.Processes[name] = r.Int(processes, 1, math.MaxInt32, wantProcesses)
	}
	if err := m.CheckDevices(name, sel.Processes[name]); r.ProblemCount() == before && err != nil {
		r.Fail(processes, err.Error(), "")
	}
	if sel.Precision == nil {
		sel.Precision = map[string]string{}
	}
	if precision != nil {
		sel.Precision[name] = r.OneOf(precision, devices.Precisions(), "precision of these devices")
	} else {
		sel.Precision[name] = r.precision(n, devices, w)
	}
}
