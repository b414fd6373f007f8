package sweeptest

import "fmt"

// Cluster is the scenario of a workload on nodes of one type n, which has the keys of node, and a network of 1 GB/s.
func Cluster(node string, nodes int, latency, workload string) string {
	return fmt.Sprintf(`scenario:
  machine: {node_types: {n: {%s}}, nodes: [{type: n, count: %d}], network: {latency: %s, bandwidth: 1 GB/s}}
  network: hockney
  workload: %s
`, node, nodes, latency, workload)
}

// Jin is case 1 of [Jin]: 100 points.
const Jin = `scenario:
  workload: super-program
  log2_levels: [0, 0]
  tasks: [512, 512]
  imbalance: [0.9, 0.7]
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 9}
  r2: {path: "log2_levels[1]", from: 0, to: 9}
`

// Gauss has 96 simulated points.
const Gauss = `scenario:
  machine: sunwulf
  nodes: {server: 1, blade: 1}
  network: hockney
  workload: {name: gauss, n: 100}
factors:
  n: {path: workload.n, from: 20, to: 50, step: 10}
  blades: {path: nodes.blade, powers_of_two: {from: 1, to: 8}}
  latency: {path: network.latency, log: {from: 1 us, to: 1 ms, count: 3}}
  bandwidth: {path: network.bandwidth, values: [100 Mbit/s, 1 Gbit/s]}
`

// Bowl is a study whose objective has its minimum, 0, at r1 = 6 and r2 = 3.
const Bowl = Jin + `derived: {bowl: "(r1 - 6)^2 + 2*(r2 - 3)^2"}
objective: {minimize: bowl, size: nodes}
`

// Methods compares two methods. At one level, dispatch without costs takes ceil(w/n) rounds for w SIs on n nodes; the
// formula with c = 0 takes w/n. So dispatch takes ceil(w/n) n/w times as long.
const Methods = `scenario:
  workload: super-program
  levels: [1]
  tasks: [1]
  imbalance: [0]
factors:
  n: {path: "levels[0]", values: [1, 2, 3]}
  w: {path: "tasks[0]", role: machine, values: [6, 7, 9]}
  method: [formula, dispatch]
objective: {minimize: time, size: nodes}
`

// Costs derives the price of a system: n1 x n2 nodes cost 50 per group and 10 per node. 16 SIs of 16 on powers of two
// take 256/(n1 n2), so the speedup is n1 n2.
const Costs = `scenario: {workload: super-program, levels: [1, 1], tasks: [16, 16], imbalance: [0, 0]}
factors:
  n1: {path: "levels[0]", values: [1, 2, 4]}
  n2: {path: "levels[1]", values: [1, 2, 4]}
derived: {cost: {formula: 50*n1 + 10*n1*n2, unit: EUR}}
`

// Losses loses time in transfers. It compares two methods over one level of n nodes with a separate dispatch unit and a
// latency of 1 s each way: by dispatch each of 8 SIs of 1 s spends 2 s between unit and node, so with one node 2/3 of
// the time goes to transfers. The formula has no SIs.
const Losses = `scenario:
  workload: super-program
  levels: [1]
  tasks: [8]
  imbalance: [0.5]
  dispatch: {dispatcher: separate, latency: 1 s}
factors:
  n: {path: "levels[0]", values: [1, 2, 3]}
  k: {path: "tasks[0]", values: [8, 9]}
  method: [formula, dispatch]
`

// Probes changes the time of an SI, and the latency. One factor has no effect.
const Probes = `scenario: {workload: super-program, levels: [1], tasks: [8], method: dispatch, dispatch: {latency: 10 s}}
factors:
  n: {path: "levels[0]", values: [1, 2]}
  unused: {path: seed, values: [1, 2]}
probes:
  nodes: {time: 0.5 s}
  network: {dispatch.latency: 5 s}
`

// Ties has several best configurations at most sizes.
const Ties = `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], method: dispatch}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
objective: {maximize: log2_speedup, size: nodes}
`

// Prices gives the doublings of two levels different prices.
const Prices = `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [64, 64], imbalance: [0, 0]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 2}
  r2: {path: "log2_levels[1]", from: 0, to: 2}
derived: {price: 3*r1 + r2}
objective: {maximize: log2_speedup, size: nodes, cost: price}
`

// Sizes has more sizes than are described one by one.
const Sizes = `scenario: {workload: super-program, levels: [1, 1], tasks: [512, 512], imbalance: [0.9, 0.7]}
factors:
  n1: {path: "levels[0]", from: 1, to: 16}
  n2: {path: "levels[1]", from: 1, to: 16}
`

// Derived is the plan of a real network of n1 x n2 nodes: two factors that set no
// field, a field and three columns that follow from them.
const Derived = `scenario:
  machine:
    node_types: {pc: {marked_speed: 100 Mflop/s}}
    nodes: [{type: pc, count: 1}]
    network: {latency: 50 us, bandwidth: 100 Mbit/s}
  network: hockney
  workload: {name: gauss, n: 50}
derived: {"machine.nodes[0].count": n1*n2, cost: "50*n1 + 10*n1*n2", per_cost: achieved_speed/cost, both: 2*cost + n2}
factors:
  n1: [1, 2, 4]
  n2: [1, 3]
objective: {maximize: per_cost, size: cost}
`
