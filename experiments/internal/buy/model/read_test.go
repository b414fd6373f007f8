package model_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/internal/expect"
)

// Bad input is reported with its place and what was expected. The file is small.yaml with one change.
func TestBadInput(t *testing.T) {
	text := buytest.SmallText(t)
	form := schematest.Of(t, model.Type)
	for _, tt := range []struct {
		name, old, new string
		want           string // after the file name
	}{
		{"price without a currency", "price: 4000 EUR", "price: 4000", ":6:108: nodes.fat.price: money \"4000\": the currency is missing; expected a number with a unit such as \"3200 EUR\""},
		{"unknown currency", "price: 4000 EUR", "price: 4000 USD", ":6:108: nodes.fat.price: the price 4000 USD is not in the currency of the budget and has no exchange rate; expected exchange: {USD: 0.9 EUR}"},
		{"negative price", "price: 4000 EUR", "price: -4000 EUR", ":6:108: nodes.fat.price: -4000 EUR is negative; expected an amount with its currency"},
		{"no price", ", price: 4000 EUR", "", `:6:8: nodes.fat: missing key "price"; expected an amount with its currency`},
		{"catalogue price without a rate", "fat: {cores: 4,", "fat: {catalogue: genoa}\n  other: {cores: 4,", ":6:8: nodes.fat: the price 35000 USD is not in the currency of the budget"},
		{"not in the catalogue", "fat: {cores: 4,", "fat: {catalogue: genua, cores: 4,", `:6:20: nodes.fat.catalogue: unknown node type in the catalogue "genua"; expected one of`},
		{"no money", "money: 20000 EUR", "money: 0", ":3:17: budget.money: the budget is zero; expected an amount above 0"},
		{"speed twice", "marked_speed: 10 Gflop/s", "marked_speed: 10 Gflop/s, node_speed: 1 Gflop/s", "nodes.fat.node_speed: the speed is given twice"},
		{"speed without a unit", "marked_speed: 10 Gflop/s", "marked_speed: 10", ":6:33: nodes.fat.marked_speed: "},
		{"more processes than cores", "fat: {cores: 4,", "fat: {cores: 4, processes_per_node: 5,", "nodes.fat.processes_per_node: 5 is more than 4"},
		{"more threads than cores", "fat: {cores: 4,", "fat: {cores: 4, processes_per_node: 2, threads_per_process: 3,", "nodes.fat.threads_per_process: 3 is more than 2"},
		{"no switch", ", switch: {price: 200 EUR, ports: 8, power: 20 W}", "", `:9:9: networks.slow: missing key "switch"`},
		{"one port", "ports: 8, power: 20 W", "ports: 1, power: 20 W", "networks.slow.switch.ports: 1 is less than 2"},
		{"unknown key", "budget: {money", "budget: {cash: 1 EUR, money", `budget: unknown key "cash"; expected one of`},
		{"weight and runs", "runs_per_year: 20000", "runs_per_year: 20000, weight: 1", "workloads[0].weight: both runs_per_year and weight are given; expected one of them"},
		{"too few runs", "runs_per_year: 20000", "runs_per_year: 1e-13", "workloads[0].runs_per_year: 1e-13 is out of range; expected a number of runs, 1e-12 to 1e18"},
		{"time of no run", "robustness:", "offers: [{vendor: a, node: fat, workload: dense, nodes: 2, time: 1e-13 s, source: b}]\nrobustness:", "offers[0].time: 0.1 ps is not the time of a run; expected 1 ps to 1e12 s"},
		{"neither", "runs_per_year: 20000, ", "", ":12:5: workloads[0]: neither runs_per_year nor weight is given; expected one of them"},
		{"weights of two kinds", "runs_per_year: 5000", "weight: 1", ":13:5: workloads[1]: some workloads have runs_per_year and others weight; expected the same key"},
		{"efficiency with runs", "runs_per_year: 20000", "runs_per_year: 20000, hold_efficiency: 0.3", "workloads[0].hold_efficiency: runs_per_year needs a problem size"},
		{"runs of work for each process", "{name: matmul, n: 2000,", "{name: reference, n: 10,", "workloads[0].run: the work of workload reference grows with the number of processes: a run is not the same work on every machine; expected total_compute in place of compute, or weight"},
		{"messages only", "{name: matmul, n: 2000,", "{name: collective, n: 10,", "workloads[0].run: workload collective performs no work and sends more messages on more processes"},
		{"work in total and for each process", "{name: matmul, n: 2000,", "{name: pattern, n: 10, compute: 1 flop, total_compute: 1 flop,", "workloads[0].run.total_compute: both compute and total_compute are given; expected one of them"},
		{"a second name", "name: paths", "name: dense", `workloads[1].name: duplicate workload name "dense"`},
		{"no workloads", "robustness:", "more: []\nrobustness:", `unknown key "more"`},
		{"a bad workload", "name: matmul", "name: matmull", "workloads[0].run.name: unknown workload"},
		{"empty counts", "robustness:", "counts: []\nrobustness:", ":14:9: counts: no numbers of nodes; expected numbers of nodes"},
		{"counts backwards", "robustness:", "counts: {from: 8, to: 4}\nrobustness:", ":14:9: counts: from 8 to 4 is empty"},
		{"powers of three", "robustness:", "counts: {powers_of_two: {from: 3, to: 9}}\nrobustness:", ":14:25: counts.powers_of_two: 3 is not a power of two"},
		{"powers of two from zero", "robustness:", "counts: {powers_of_two: {from: 0, to: 64}}\nrobustness:", ":14:32: counts.powers_of_two.from: 0 is less than 1; expected a number of nodes, at least 1"},
		{"counts from zero", "robustness:", "counts: {from: 0, to: 64}\nrobustness:", ":14:16: counts.from: 0 is less than 1; expected a number of nodes, at least 1"},
		{"counts without an end", "robustness:", "counts: {from: 1}\nrobustness:", `:14:9: counts: missing key "to"; expected a number of nodes`},
		{"too many counts", "robustness:", "counts: {from: 1, to: 100000}\nrobustness:", "counts: 100000 numbers of nodes; expected at most 4096"},
		{"a mix of one", "robustness:", "mixes: [[fat]]\nrobustness:", "mixes[0]: 1 node type; expected two or more"},
		{"a mix with itself", "robustness:", "mixes: [[fat, fat]]\nrobustness:", "mixes[0]: the same node type twice"},
		{"existing of unknown type", "robustness:", "existing: {node: old, count: 2, network: slow}\nrobustness:", `existing.node: unknown node type "old"`},
		{"existing beyond the network", "robustness:", "existing: {node: fat, count: 129, network: slow}\nrobustness:", "existing: 129 nodes are more than network slow can connect"},
		{"latency in the model", "robustness:", "model: {name: hockney, latency: 1 us}\nrobustness:", "model.latency: latency is set by the candidate networks"},
		{"no cards", "fat: {cores: 4,", "fat: {cores: 4, nics: 0,", "nodes.fat.nics: 0 is less than 1; expected the number of network cards, at least 1"},
		{"inside without bandwidth", "fat: {cores: 4,", "fat: {cores: 4, on_node: {latency: 1 us},", `nodes.fat.on_node: missing key "bandwidth"`},
		{"precision of cores", "fat: {cores: 4,", "fat: {cores: 4, precision: bf16,", "nodes.fat.precision: precision is a key of a node with devices; expected no precision here"},
		{"cores beside devices", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {cores: 4, devices: {speed: {fp64: 1 Tflop/s}},", "nodes.fat.cores: cores is a key of a node whose processes run on cores; expected no cores here"},
		{"unknown precision", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {precision: fp8, devices: {speed: {fp64: 1 Tflop/s}},", `nodes.fat.precision: unknown precision of these devices "fp8"; expected fp64`},
		{"no precision of several", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {devices: {speed: {fp8: 2 Tflop/s, bf16: 1 Tflop/s}},", "nodes.fat: no precision; expected one of fp8, bf16"},
		{"more processes than devices", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {processes_per_node: 3, devices: {count: 2, speed: {fp64: 1 Tflop/s}},", "nodes.fat.processes_per_node: 3 is more than 2"},
		{"devices of cores of the catalogue", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {catalogue: turin, devices: {speed: {fp64: 1 Tflop/s}},", "nodes.fat.devices: the catalogue says that it has none; expected no devices here, or no catalogue"},
		{"other devices than the catalogue's", "fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s,", "fat: {catalogue: dgx-h200, devices: {speed: {fp64: 1 Tflop/s}},", "nodes.fat.devices: unknown key \"speed\""},
		{"a kernel that no node knows", "name: matmul, n: 2000,", "name: matmul, n: 2000, kernel: dgemm,", `workloads: the efficiency of kernel "dgemm" on the cores of node type fat is not known`},
		{"nodes of no number", "runs_per_year: 20000", "runs_per_year: 20000, nodes: many", "workloads[0].nodes: "},
		{"no nodes", "runs_per_year: 20000", "runs_per_year: 20000, nodes: []", "workloads[0].nodes: no numbers of nodes; expected the nodes of a run"},
		{"unknown partition", "runs_per_year: 20000", "runs_per_year: 20000, nodes: 1, partition: gpu", "workloads: workload dense runs on partition gpu, of which there are no nodes; expected one of cpu"},
		{"partition of the whole machine", "runs_per_year: 20000", "runs_per_year: 20000, partition: cpu", "workloads[0].partition: runs on the whole machine choose no partition"},
		{"batch without a time", "runs_per_year: 20000", "runs_per_year: 20000, batch: {runs: 3}", `workloads[0].batch: missing key "within"`},
		{"mean with runs", "robustness:", "objective: mean\nrobustness:", ":14:12: objective: objective mean needs shares; expected weight in each workload"},
		{"unknown objective", "robustness:", "objective: best\nrobustness:", `:14:12: objective: unknown objective "best"; expected one of`},
		{"wait of throughput", "robustness:", "objective: {name: throughput, mean_wait: 1 h}\nrobustness:", "objective.mean_wait: mean_wait is a key of objective cheapest"},
		{"time of which", "robustness:", "objective: time\nrobustness:", ":14:12: objective: objective time is about the runs of one workload"},
		{"few submissions", "robustness:", "queue: {submissions: 5}\nrobustness:", "queue.submissions: 5 is less than 100"},
		{"tax in per cent", "robustness:", "costs: {vat: 19}\nrobustness:", "costs.vat: 19 is out of range"},
		{"price twice", "price_per_kwh: 0.2 EUR", "price_per_kwh: [0.2 EUR], price_growth: 0.1", "energy.price_growth: price_growth and prices by year; expected one of them"},
		{"rented nodes, which are no part of a plan", "robustness:", "cloud: []\nrobustness:", `unknown key "cloud"`},
		{"purchase in stages, which is none either", "robustness:", "stages: {}\nrobustness:", `unknown key "stages"`},
		{"bid without a price", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow}]\nrobustness:", `:14:8: bids[0]: missing key "price"; expected an amount with its currency`},
		{"bid of nothing", "robustness:", "bids: [{vendor: v, nodes: {}, network: slow, price: 1 EUR}]\nrobustness:", ":14:27: bids[0].nodes: no nodes; expected numbers of nodes by type, as in {fat: 16}"},
		{"bid of an unknown type", "robustness:", "bids: [{vendor: v, nodes: {old: 2}, network: slow, price: 1 EUR}]\nrobustness:", `:14:33: bids[0].nodes.old: unknown node type "old"; expected one of fat and thin`},
		{"bid of no number", "robustness:", "bids: [{vendor: v, nodes: {fat: 0}, network: slow, price: 1 EUR}]\nrobustness:", ":14:33: bids[0].nodes.fat: 0 is less than 1; expected a number of nodes, at least 1"},
		{"bid on an unknown network", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: hdr, price: 1 EUR}]\nrobustness:", `:14:46: bids[0].network: unknown network "hdr"; expected`},
		{"bid for nothing", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 0}]\nrobustness:", ":14:59: bids[0].price: the bid costs nothing; expected a price above 0, or yearly"},
		{"bid by year of a purchase", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR, yearly: 1 EUR}]\nrobustness:", ":14:74: bids[0].yearly: amounts by year are not part of a budget that covers the purchase; expected budget: {covers: life}, or no yearly"},
		{"bid beyond its network", "robustness:", "bids: [{vendor: v, nodes: {fat: 129}, network: slow, price: 1 EUR}]\nrobustness:", ":14:8: bids[0]: bid of v: 129 nodes are more than network slow can connect with switches of 8 ports; expected fewer nodes"},
		{"a bid twice", "robustness:", "bids:\n- {vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR}\n- {vendor: v, nodes: {fat: 3}, network: slow, price: 1 EUR}\nrobustness:", ":16:3: bids[1]: a second bid of v; expected a name for each bid of a vendor with several"},
		{"option that is none", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR, options: [{name: o, price: 0}]}]\nrobustness:", ":14:76: bids[0].options[0]: an option that changes nothing; expected adds, nodes or network"},
		{"an option twice", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR, options: [{name: o, price: 0, adds: {fat: 1}}, {name: o, price: 0, adds: {fat: 2}}]}]\nrobustness:", `bids[0].options[1]: duplicate option "o"; expected a different name for each option of a bid`},
		{"discount without a first price", "price: 4000 EUR", "price: {8: 3000 EUR}", `:6:112: nodes.fat.price.8: "8" is not the next number of nodes; expected prices by the least number of nodes, from 1, as in {1: 14000 EUR, 32: 13000 EUR}`},
		{"discounts in disorder", "price: 4000 EUR", "price: {1: 4000 EUR, 8: 3000 EUR, 4: 2000 EUR}", `:6:138: nodes.fat.price.4: "4" is not the next number of nodes; expected prices by`},
		{"discount for no number", "price: 4000 EUR", "price: {1: 4000 EUR, many: 3000 EUR}", `:6:128: nodes.fat.price.many: "many" is not the next number of nodes; expected prices by`},
		{"discount that is none", "price: 4000 EUR", "price: {1: 4000 EUR, 8: 5000 EUR}", ":6:125: nodes.fat.price.8: a price above that of fewer nodes; expected prices that fall"},
		{"no prices", "price: 4000 EUR", "price: {}", ":6:108: nodes.fat.price: no prices; expected prices by"},
		{"memory of the whole machine", "runs_per_year: 20000", "runs_per_year: 20000, memory_per_node: 1 GB", ":12:58: workloads[0].memory_per_node: runs on the whole machine choose no memory_per_node; expected nodes: best, or the nodes of a run"},
		{"memory that none has", "runs_per_year: 20000", "runs_per_year: 20000, nodes: best, memory_per_node: 65 GB", ":12:3: workloads: workload dense runs on no node type: it needs nodes with 65 GB of memory, 65 GB a node; expected less, or another node type"},
		{"no memory", "runs_per_year: 20000", "runs_per_year: 20000, nodes: best, memory_per_node: 0 GB", "workloads[0].memory_per_node: "},
		{"no devices", "runs_per_year: 20000", "runs_per_year: 20000, devices: 0", ":12:50: workloads[0].devices: 0 is less than 1; expected a number of devices, at least 1"},
		{"devices that none has", "runs_per_year: 20000", "runs_per_year: 20000, devices: 8", ":12:3: workloads: workload dense runs on no node type: it needs nodes with devices, 8 devices; expected less"},
		{"devices of the whole machine", "runs_per_year: 20000", "runs_per_year: 20000, nodes: all, devices: 8", "workloads[0].devices: runs on the whole machine choose no devices"},
		{"one alternative", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "either: [{run: {name: reference, n: 1, total_compute: 1 Gflop}}]", ":12:49: workloads[0].either: 1 alternatives; expected two or more"},
		{"alternatives beside a run", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "run: {name: matmul, n: 1}, either: [{nodes: 1, run: {name: reference, n: 1, total_compute: 1 Gflop}}, {run: {name: reference, n: 1, total_compute: 1 Gflop}}]", "workloads[0].run: run beside either; expected run in the alternatives, or no either"},
		{"an alternative on all", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "either: [{nodes: all, run: {name: reference, n: 1, total_compute: 1 Gflop}}, {run: {name: reference, n: 1, total_compute: 1 Gflop}}]", "workloads[0].either[0].nodes: an alternative takes some nodes of one type; expected best, or the nodes of a run"},
		{"an alternative for no nodes", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "either: [{nodes: 4, run: {name: reference, n: 1, total_compute: 1 Gflop}}, {nodes: 2, run: {name: reference, n: 1, total_compute: 1 Gflop}}]", "workloads[0].either[1]: no node type is left for this alternative; expected a partition, memory_per_node or devices that tell it from those before"},
		{"an alternative without a run", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "either: [{nodes: 4}, {nodes: 2, run: {name: reference, n: 1, total_compute: 1 Gflop}}]", `workloads[0].either[0]: missing key "run"; expected what is run`},
		{"an alternative that grows", "run: {name: matmul, n: 2000, bytes_per_flop: 0.1}", "either: [{memory_per_node: 64 GB, run: {name: reference, n: 1}}, {run: {name: reference, n: 1, total_compute: 1 Gflop}}]", "workloads[0].either[0].run: the work of workload reference grows with the number of processes: a run is not the same work on every machine; expected total_compute in place of compute"},
		{"credit for no time", "runs_per_year: 20000", "runs_per_year: 20000, if_impossible: 0 s", "workloads[0].if_impossible: "},
		{"credit without a unit", "runs_per_year: 20000", "runs_per_year: 20000, if_impossible: 5", ":12:56: workloads[0].if_impossible: "},
		{"a time of a bidder twice", "robustness:", "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR}]\noffers:\n- {vendor: w, node: fat, workload: dense, nodes: 2, time: 1 s, source: b}\n- {vendor: v, node: fat, workload: dense, nodes: 2, time: 1 s, source: b}\n- {vendor: v, node: fat, workload: dense, nodes: 2, time: 2 s, source: b}\nrobustness:", ":18:3: offers[2]: a second time of dense on 2 fat; expected one time for a workload on a number of nodes"},
		{"requirement of unknown nodes", "robustness:", "require: [{nodes: gpu, at_least: 20 %}]\nrobustness:", `:14:19: require[0].nodes: unknown node type or partition "gpu"; expected one of fat, thin and cpu`},
		{"requirement of nothing", "robustness:", "require: [{nodes: fat, at_least: 0}]\nrobustness:", `:14:34: require[0].at_least: "0" is not a number of nodes; expected a number of nodes, or a part of all nodes such as 20 %`},
		{"requirement of more than all", "robustness:", "require: [{nodes: fat, at_least: 120 %}]\nrobustness:", ":14:34: require[0].at_least: 120 % of the nodes; expected above 0 and at most 100 %"},
		{"unknown criterion", "robustness:", "scoring: [{of: beauty, points: 40}]\nrobustness:", `:14:16: scoring[0].of: unknown criterion "beauty"; expected one of energy, life_cost, marked_speed, memory, performance, power, price, rack_units`},
		{"points of some criteria", "robustness:", "scoring: [{of: price}, {of: power, points: 1}]\nrobustness:", `:14:24: scoring[1]: some criteria have points; expected points for each criterion, or for none: then they decide in their order`},
		{"points and a margin", "robustness:", "scoring: [{of: price, points: 1, within: 0.1}]\nrobustness:", `:14:42: scoring[0].within: within is for criteria without points; expected points, or within`},
		{"mean without points", "robustness:", "scoring: [{of: price, relative_to: mean}]\nrobustness:", `:14:11: scoring[0]: a criterion without points is neither relative to the mean nor limited in points; expected points, or of, within and relative_to: best or reference_machine`},
		{"memory not known", "memory: 16 GB, memory_bandwidth: 12 GB/s, power: 150 W, price: 1500 EUR, source: estimate}", "power: 150 W, price: 1500 EUR}\nscoring: [{of: memory}]", `:8:16: scoring[0].of: the memory of thin is not known; expected memory of each node type, or another criterion`},
		{"criterion twice", "robustness:", "scoring: [{of: price, points: 40}, {of: price, points: 1}]\nrobustness:", ":14:41: scoring[1].of: the criterion price twice; expected each criterion once"},
		{"no reference", "robustness:", "scoring: [{of: price, points: 40, relative_to: reference_machine}]\nrobustness:", ":14:48: scoring[0].relative_to: there is no reference machine; expected reference: {nodes: {fat: 16}, network: edr}, an existing machine, or relative_to: best or mean"},
		{"reference of unknown nodes", "robustness:", "reference: {nodes: {huge: 4}, network: slow}\nrobustness:", `:14:27: reference.nodes.huge: unknown node type "huge"; expected one of fat and thin`},
		{"requirement without a number", "robustness:", "require: [{nodes: fat}]\nrobustness:", `:14:11: require[0]: missing key "at_least"; expected a number of nodes, or a part of all nodes such as 20 %`},
		{"network for an unknown type", "price_per_port: 10 EUR, ", "price_per_port: 10 EUR, nodes: [old], ", `:9:79: networks.slow.nodes[0]: unknown node type "old"; expected`},
		{"network for none", "price_per_port: 10 EUR, ", "price_per_port: 10 EUR, nodes: [], ", ":9:78: networks.slow.nodes: no node types; expected at least one"},
		{"network for a type twice", "price_per_port: 10 EUR, ", "price_per_port: 10 EUR, nodes: [fat, fat], ", ":9:84: networks.slow.nodes[1]: the same node type twice; expected each once"},
		{"network without a price", "price_per_port: 10 EUR, ", "", `missing key "price_per_port"`},
		{"change of all", "samples: 50", "change: 1", "robustness.change: 1 is out of range"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(string(text), tt.old, tt.new, 1)
			expect.Need(t, changed != string(text), "nothing was changed")
			file := buytest.PlanFile(t, changed)
			_, err := model.Read(file, nil)
			expect.Need(t, err != nil, "no error")
			expect.That(t, strings.HasPrefix(err.Error(), file+":"), "no place: %v", err)
			expect.Failure(t, err, tt.want)
			expect.Success(t, form.AgreeText(changed, err))
		})
	}
}

// A plan in which nothing can be bought is refused, unless it is about the network of the existing machine.
func TestNothingForSale(t *testing.T) {
	set := []string{"nodes.fat.for_sale=false", "nodes.thin.for_sale=false"}
	expect.Refusal(model.Read(buytest.Small, buytest.Set(set...)))(t, "no node type is for sale")
	buytest.Read(t, buytest.Small, append(set, "existing={node: fat, count: 2, network: slow}")...)
}

// A network bound to node types is refused where others occur: in bids, mixes and the existing machine. Some type must
// have a network.
func TestBoundNetworks(t *testing.T) {
	for _, tt := range []struct {
		set  []string
		want string
	}{
		{[]string{"bids=[{vendor: v, nodes: {fat: 1, thin: 1}, network: slow, price: 1 EUR}]"},
			"bids[0]: bid of v: network slow is for fat, not for thin; expected a network for all of its nodes"},
		{[]string{"existing={node: thin, count: 1, network: slow}"},
			"existing: network slow is for fat, not for thin; expected a network that connects the existing nodes"},
		{[]string{"networks.fast.nodes=[thin]", "mixes=[[fat, thin]]"},
			"mixes[0]: no network is for all of these node types; expected a network with all of them in nodes"},
		{[]string{"networks.fast.nodes=[fat]", "nodes.fat.for_sale=false"},
			"nodes: no node type is for sale with a network for it; expected the node type in nodes of a network, or bids"},
	} {
		set := append(tt.set, "networks.slow.nodes=[fat]")
		expect.Refusal(model.Read(buytest.Small, buytest.Set(set...)))(t, tt.want)
	}
	buytest.Read(t, buytest.Small, "networks.slow.nodes=[fat]", "networks.fast={latency: 0 s, bandwidth: 1 GB/s, for_sale: false, switch: {ports: 8}}")
}

// Discounts are in the currency of the budget, and an offer may have them, too.
func TestDiscountsAreRead(t *testing.T) {
	p := buytest.Read(t, buytest.Small, "exchange={USD: 0.5 EUR}", "nodes.fat.price={1: 8000 USD, 10: 7000 USD, 20: 3000 EUR}",
		"offers=[{vendor: v, node: thin, price: {1: 1000 EUR, 4: 900 EUR}}]")
	fat, thin := &p.Nodes[0], &p.Nodes[1]
	for nodes, want := range map[int]float64{1: 4000, 9: 36000, 10: 35000, 19: 66500, 20: 60000, 100: 300000} {
		expect.Equal(t, fat.Cost(nodes), want, "%d fat", nodes)
	}
	expect.Equal(t, thin.Cost(3)+thin.Cost(4), 3000+3600, "3 and 4 thin")
	expect.Equal(t, fat.Find("price").Value, "4 000 EUR, from 10 nodes 3 500 EUR, from 20 nodes 3 000 EUR", "figure")
	q := p.With(model.Factors{{Kind: model.KindNode, Index: 0, Quantity: model.QuantityPrice}: 2})
	expect.Equal(t, q.Nodes[0].Cost(20), 120000, "twice the prices")
	expect.Equal(t, fat.Cost(20), 60000, "the prices of the plan, after that")
}

// It must be known whether nodes have the memory that runs need.
func TestMemoryOfNodesIsKnown(t *testing.T) {
	text := strings.Replace(buytest.SmallText(t), "memory: 16 GB, ", "", 1)
	set := buytest.Set("workloads[1].nodes=best", "workloads[1].memory_per_node=2 GB")
	expect.Refusal(model.Read(buytest.PlanFile(t, text), set))(t, "workloads: workload paths needs 2 GB of memory on each node, but that of thin is not known; expected the memory of the node type")
}

// The example can be read, and asks what the issue describes.
func TestExampleIsARealQuestion(t *testing.T) {
	p := buytest.Read(t, filepath.Join("..", "..", "..", "..", "examples", "buy-a-cluster.yaml"))
	expect.That(t, len(p.Nodes) >= 5 && len(p.Networks) >= 3 && len(p.Workloads) >= 5,
		"%d node types, %d networks, %d workloads", len(p.Nodes), len(p.Networks), len(p.Workloads))
	expect.That(t, p.Budget.Power != 0 && p.Budget.RackUnits != 0, "limits: %+v", p.Budget)
	partitions := map[string]int{}
	for _, n := range p.Nodes {
		partitions[n.Partition]++
	}
	expect.That(t, partitions["cpu"] != 0 && partitions["gpu"] != 0 && len(p.Commitments) != 0,
		"partitions %v, %d committed times", partitions, len(p.Commitments))
}

func FuzzRead(f *testing.F) {
	text := buytest.SmallText(f)
	f.Add([]byte(text))
	f.Add([]byte(buytest.Ideal))
	f.Add([]byte(strings.Replace(buytest.Ideal, "counts: [4]", "counts: {powers_of_two: {from: 0, to: 64}}", 1)))
	f.Add([]byte("budget: {money: 1 EUR}\nnodes: {a: {catalogue: genoa}}\ncounts: {from: 1, to: 9, step: 2}\nmixes: [[a, a]]\n"))
	f.Add([]byte(text + "bids: [{vendor: v, nodes: {fat: 2}, network: slow, price: 1 EUR, options: [{name: o, price: 0, adds: {thin: 1}}, {name: p, price: 1 EUR, nodes: {fat: 1}, network: fast}]}]\nrequire: [{nodes: cpu, at_least: 20 %}, {nodes: fat, at_least: 3}]\n"))
	f.Add([]byte(strings.NewReplacer("price: 4000 EUR", "price: {1: 4000 EUR, 8: 3000 EUR}", "price_per_port: 10 EUR", "price_per_port: 10 EUR, nodes: [fat]", "run: {name: matmul",
		"either: [{memory_per_node: 64 GB, nodes: 2, run: {name: reference, n: 1, total_compute: 1 flop}}, {run: {name: floyd, n: 9}}], if_impossible: 1 s, x: {name: matmul").Replace(text)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(dir, "plan.yaml")
		buytest.Write(t, file, string(data))
		p, err := model.Read(file, nil)
		if err != nil {
			return
		}
		// What is accepted can be priced.
		for _, c := range p.BidChoices(false) {
			b, ok := p.Price(c)
			expect.That(t, ok && b.Total() >= 0, "%s: price %v", p.Name(c), b)
		}
		for k := range p.Nodes {
			for n := range p.Networks {
				b, ok := p.Price(model.Design{Types: []int{k}, Network: n}.Of(1))
				expect.That(t, !ok || b.Total() >= 0, "price %v", b)
			}
		}
	})
}
