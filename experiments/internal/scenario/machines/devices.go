package machines

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// What node types have beside cores: accelerators, network cards, efficiencies.

// What machines and plans have in common.
var (
	CardCount               = schema.Integer{Min: 1, Max: 1 << 16}          // network cards of a node
	KernelsType schema.Type = schema.Map{Of: efficiency, Keys: schema.Name} // efficiencies by kernel
	DevicesType schema.Type = devicesObject                                 // accelerators of a node
)

var (
	deviceCount = schema.Integer{Min: 1, Max: 1 << 16}
	// efficiency is the fraction of the marked speed that a kernel sustains. It may
	// be above 1, as the sustained fraction of a workload: the benchmark of the
	// marked speed may be another.
	efficiency = schema.Number{Max: 100, Above: true}
	speedsType = schema.Map{Of: schema.Speed, Keys: schema.Name, Min: 1}
)

var devicesObject = &schema.Object{What: "the accelerators of a node, as in {count: 8, speed: {fp64: 34 Tflop/s}, memory: 141 GB, link: {latency: 2 us, bandwidth: 450 GB/s}}", Fields: []schema.Field{
	{Key: "count", Type: deviceCount, Default: "1", Meaning: "accelerators of a node, all alike"},
	{Key: "speed", Type: speedsType, Required: true, Meaning: "benchmarked speed of one, by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}"},
	{Key: "memory", Type: schema.PositiveSize, Meaning: "memory of one"},
	{Key: "memory_bandwidth", Type: schema.Bandwidth, Meaning: "bandwidth of its memory, which it shares with no other"},
	{Key: "link", Type: connectionObject, Default: "as the processes of the node are connected", Meaning: "connection of each with the others of its node, each way"},
	{Key: "kernels", Type: KernelsType, Meaning: "fractions of the marked speed that inner loops sustain on it, by name"},
	{Key: "power", Type: schema.Power, Meaning: "electrical power of one under load"},
	{Key: "wait_power", Type: schema.Power, Default: "halfway between the others, an estimate", Meaning: "its electrical power while its process is in messages"},
	{Key: "idle_power", Type: schema.Power, Default: "half of power, an estimate", Meaning: "its electrical power without work"},
}}

// ReadDevices reads the accelerators of a node, nil if n is nil.
func ReadDevices(d *yamldoc.Decoder, n *yamldoc.Node) *topology.Devices {
	return reader{d}.devices(n)
}

func (r reader) devices(n *yamldoc.Node) *topology.Devices {
	if n == nil {
		return nil
	}
	m := devicesObject.Open(r.Decoder, n)
	d := &topology.Devices{
		Count:           deviceCount.ReadOr(r.Decoder, m.Take("count"), "the number of accelerators, at least 1", 1),
		Memory:          schema.PositiveSize.Read(r.Decoder, m.Take("memory")),
		MemoryBandwidth: schema.Bandwidth.Read(r.Decoder, m.Take("memory_bandwidth")),
		Link:            r.connection(m.Take("link")),
		Kernels:         r.kernels(m.Take("kernels")),
	}
	d.Power, d.WaitPower, d.IdlePower = r.powers(m)
	speeds := m.Require("speed", "the speeds by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}")
	keys := r.Mapping(speeds, "the speeds by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}")
	for _, key := range keys.Keys() {
		v := keys.Take(key)
		d.Speeds = append(d.Speeds, topology.PrecisionSpeed{Precision: schema.Name.Check(r.Decoder, v, key), Speed: schema.Speed.Read(r.Decoder, v)})
	}
	if speeds.IsMapping() && len(d.Speeds) == 0 {
		r.Fail(speeds, "no speeds", "at least one, as in {fp64: 34 Tflop/s}")
	}
	m.Done()
	return d
}

// ReadKernels reads the efficiencies of kernels.
func ReadKernels(d *yamldoc.Decoder, n *yamldoc.Node) []topology.Kernel {
	return reader{d}.kernels(n)
}

func (r reader) kernels(n *yamldoc.Node) []topology.Kernel {
	var kernels []topology.Kernel
	keys := r.Mapping(n, "efficiencies by kernel, as in {dgemm: 0.9}")
	for _, key := range keys.Keys() {
		v := keys.Take(key)
		kernels = append(kernels, topology.Kernel{Name: schema.Name.Check(r.Decoder, v, key), Fraction: r.Float(v, "a fraction of the marked speed, above 0 and at most 100", efficiency.In)})
	}
	return kernels
}

// powers reads the power under load, in messages and without work.
func (r reader) powers(m *schema.Mapping) (load, wait, idle units.Watts) {
	load = schema.Power.Read(r.Decoder, m.Take("power"))
	v := m.Take("idle_power")
	if idle = schema.Power.Read(r.Decoder, v); v != nil && load > 0 && idle > load {
		r.Fail(v, "more than the power under load", fmt.Sprintf("at most %v", load))
	}
	w := m.Take("wait_power")
	if wait = schema.Power.Read(r.Decoder, w); w != nil && (load > 0 && wait > load || wait < idle) {
		r.Fail(w, "not between the powers without work and under load", fmt.Sprintf("%v to %v", idle, load))
	}
	return load, wait, idle
}
