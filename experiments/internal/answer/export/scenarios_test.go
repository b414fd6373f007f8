package export_test

import (
	"fmt"
	"strings"
)

// topologies are the machines of the comparisons with other simulators by name: 32
// nodes of unequal speed with several processes each. Routes have unequal lengths.
var topologies = map[string]string{
	"star":     "{name: star}",
	"fat-tree": "{name: fat-tree, down: [4, 4, 2], up: [1, 2, 2], cables: [1, 1, 1]}",
	"torus":    "{name: torus, dimensions: [4, 4, 2]}",
}

// networks are variants of network flow by name.
var networks = map[string]string{
	"plain":     "{name: flow}",
	"CM02":      "{name: flow, model: CM02}",
	"LV08":      "{name: flow, model: LV08}",
	"SMPI":      "{name: flow, model: SMPI}",
	"overheads": "{name: flow, send_overhead: 2 us, recv_overhead: 3 us}",
	"eager":     "{name: flow, eager_limit: 4 kB}",
	"window":    "{name: flow, window: 64 KiB, envelope: 40 B, latency_factor: 2}",
}

// programs are workloads by name.
var programs = map[string]string{
	"gauss":          "{name: gauss, n: 60}",
	"gauss-startup":  "{name: gauss, n: 40, startup_per_process: 3 us, bcast: 'chain:100', barrier: tree}",
	"matmul":         "{name: matmul, n: 100}",
	"matmul-openmpi": "{name: matmul, n: 100, scatter: openmpi, bcast: openmpi, gather: openmpi}",
	"convolution":    "{name: convolution, n: 128}",
	"floyd":          "{name: floyd, n: 96}",
	"floyd-overlap":  "{name: floyd, n: 96, overlap: true}",
	"lcs":            "{name: lcs, n: 1000}",
	"reference":      "{name: reference, n: 5, exchange: 10001 B, partners: neighbours-3d}",
	"random-pairs":   "{name: pattern, n: 5, shape: random-pairs, size: 100 kB, compute: 1 Mflop, imbalance: 0.5}",
	"incast":         "{name: pattern, n: 3, shape: incast, size: 10 kB}",
	"alltoall":       "{name: pattern, n: 2, shape: alltoall, size: 5 kB, compute: 100 kflop, imbalance: 0.3}",
	"neighbours-2d":  "{name: pattern, n: 3, shape: neighbours-2d, size: 20 kB, compute: 100 kflop}",
	"all-pairs":      "{name: pattern, n: 2, shape: all-pairs, size: 2 kB}",
	"dissemination":  "{name: pattern, n: 4, shape: dissemination, size: 0 B}",

	// Applications of the catalogue.
	"stencil2d":         "{name: stencil2d, n: 100, steps: 3}",
	"stencil2d-overlap": "{name: stencil2d, n: 100, steps: 3, points: 9, overlap: 1}",
	"stencil3d":         "{name: stencil3d, n: 40, steps: 3}",
	"stencil3d-weak":    "{name: stencil3d-weak, n: 10, steps: 3}",
	"cg":                "{name: cg, n: 24, iterations: 3}",
	"fft3d":             "{name: fft3d, n: 48}",
	"fft3d-slabs":       "{name: fft3d, n: 48, slabs: 1}",
	"sweep3d":           "{name: sweep3d, n: 24}",
	"samplesort":        "{name: samplesort, n: 100000}",
	"taskfarm":          "{name: taskfarm, n: 100, flop: 1 Mflop}",
	"taskfarm-static":   "{name: taskfarm, n: 100, flop: 1 Mflop, dynamic: 0}",
	"montecarlo":        "{name: montecarlo, n: 100000}",
	"nbody":             "{name: nbody, n: 300}",
}

func init() {
	for op, algorithms := range map[string]string{
		"barrier": "dissemination linear tree", "bcast": "binomial chain flat scatter-allgather", "reduce": "binomial flat",
		"gather": "binomial flat", "scatter": "binomial flat", "allreduce": "rabenseifner recursive-doubling reduce-bcast ring",
		"allgather": "bruck recursive-doubling ring", "alltoall": "bruck linear pairwise", "reducescatter": "pairwise recursive-halving ring",
		"scan": "linear recursive-doubling",
	} {
		size := "size: 30001 B, "
		if op == "barrier" {
			size = ""
		}
		for a := range strings.FieldsSeq(algorithms) {
			programs[op+"-"+a] = fmt.Sprintf("{name: collective, n: 2, op: %s, algorithm: %s, %selement_size: 8 B}", op, a, size)
		}
	}
}

// scenarioText is the text of a scenario with p processes, perNode on each node. The
// bandwidth of cables is left open: BANDWIDTH.
func scenarioText(topology, network, program string, p, perNode int) string {
	nodes := p / perNode
	fast := nodes / 4
	return fmt.Sprintf(`
machine:
  node_types:
    fast: {cores: 4, marked_speed: 3 Gflop/s}
    slow: {cores: 2, marked_speed: 2 Gflop/s}
  nodes: [{type: fast, count: 8}, {type: slow, count: 24}]
  network: {latency: 20 us, bandwidth: BANDWIDTH, on_node: {latency: 1 us, bandwidth: 5 GB/s}, topology: %s}
nodes: {fast: %d, slow: %d}
placement: {fast: %d, slow: %d}
network: %s
workload: %s
`, topology, fast, nodes-fast, perNode, perNode, network, program)
}
