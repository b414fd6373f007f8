package machines

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// What node types have beside cores: accelerators, network cards, efficiencies.

// CardCount is a number of network cards of a node.
var CardCount = schema.Integer{Min: 1, Max: 1 << 16, Want: "the number of network cards, at least 1"}

var deviceCount = schema.Integer{Min: 1, Max: 1 << 16, Want: "the number of accelerators, at least 1"}

// Devices are the accelerators of a node.
var Devices = schema.Declare("the accelerators of a node, as in {count: 8, speed: {fp64: 34 Tflop/s}, memory: 141 GB, link: {latency: 2 us, bandwidth: 450 GB/s}}", func(k *schema.Keys, d *topology.Devices) {
	k.Optional("count", deviceCount.To(&d.Count).Or(1), "accelerators of a node, all alike")
	const form = "the speeds by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}"
	k.Required("speed", schema.Func(schema.Map{Of: schema.Speed, Keys: schema.Name, Min: 1}, func(n *yamldoc.Node) {
		speeds := k.Mapping(n, form)
		for _, key := range speeds.Keys() {
			v := speeds.Take(key)
			d.Speeds = append(d.Speeds, topology.PrecisionSpeed{Precision: schema.Name.Check(k.Decoder, v, key), Speed: schema.Speed.Read(k.Decoder, v)})
		}
		if n.IsMapping() && len(d.Speeds) == 0 {
			k.Fail(n, "no speeds", "at least one, as in {fp64: 34 Tflop/s}")
		}
	}).Wanted(form), "benchmarked speed of one, by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}")
	k.Optional("memory", schema.PositiveSize.To(&d.Memory), "memory of one")
	k.Optional("memory_bandwidth", schema.Bandwidth.To(&d.MemoryBandwidth), "bandwidth of its memory, which it shares with no other")
	k.Optional("link", schema.Pointer(connectionRecord, &d.Link).Else("as the processes of the node are connected"), "connection of each with the others of its node, each way")
	k.Optional("kernels", schema.To(kernels, &d.Kernels), "fractions of the marked speed that inner loops sustain on it, by name")
	powers(k, &d.Power, &d.WaitPower, &d.IdlePower, [...]string{
		"electrical power of one under load", "its electrical power while its process is in messages", "its electrical power without work",
	})
})

// efficiency is the fraction of the marked speed that a kernel sustains. It may
// be above 1, as the sustained fraction of a workload: the benchmark of the
// marked speed may be another.
var efficiency = schema.Number{Max: 100, Above: true, Want: "a fraction of the marked speed, above 0 and at most 100"}

// KernelsType are efficiencies by kernel.
var KernelsType schema.Type = schema.Map{Of: efficiency, Keys: schema.Name}

var kernels = schema.Custom(KernelsType, ReadKernels)

// ReadKernels reads the efficiencies of kernels.
func ReadKernels(d *yamldoc.Decoder, n *yamldoc.Node) []topology.Kernel {
	var kernels []topology.Kernel
	keys := d.Mapping(n, "efficiencies by kernel, as in {dgemm: 0.9}")
	for _, key := range keys.Keys() {
		v := keys.Take(key)
		kernels = append(kernels, topology.Kernel{Name: schema.Name.Check(d, v, key), Fraction: d.Float(v, efficiency.Want, efficiency.In)})
	}
	return kernels
}

// powers declares the power under load, in messages and without work, with what they mean.
func powers(k *schema.Keys, load, wait, idle *units.Watts, meaning [3]string) {
	k.Optional("power", schema.Power.To(load), meaning[0])
	k.Optional("wait_power", schema.Power.To(wait).Else("halfway between the others, an estimate"), meaning[1])
	k.Optional("idle_power", schema.Power.To(idle).Else("half of power, an estimate"), meaning[2])
	if n := k.Node("idle_power"); n != nil && *load > 0 && *idle > *load {
		k.Fail(n, "more than the power under load", fmt.Sprintf("at most %v", *load))
	}
	if n := k.Node("wait_power"); n != nil && (*load > 0 && *wait > *load || *wait < *idle) {
		k.Fail(n, "not between the powers without work and under load", fmt.Sprintf("%v to %v", *idle, *load))
	}
}
