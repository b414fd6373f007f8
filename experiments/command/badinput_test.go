package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
)

// What is wrong in a file is reported with its place and what was expected.
// Each case replaces one line of a good scenario; ^ marks the place that the
// message must name, and is not part of the file.
func TestBadInputIsReportedWithItsPlace(t *testing.T) {
	scenario := []string{
		"machine: sunwulf",
		"nodes: {server: 1, blade: 2}",
		"placement: {server: 2}",
		"network: hockney",
		"workload: {name: gauss, n: 50}",
		"seed: 1",
	}
	const inline = "machine: {node_types: {w: {cores: 2, marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s}}"
	change := func(old, new string) string {
		if !strings.Contains(inline, old) {
			t.Fatalf("%q is not in the machine", old)
		}
		return strings.Replace(inline, old, new, 1)
	}
	s, err := catalogue.Schema("scenario")
	if err != nil {
		t.Fatal(err)
	}
	form := schematest.Compile(t, s)
	for _, tt := range []struct {
		name string
		line int // replaced, from 1
		text string
		want string // after file:line:column
	}{
		{"nothing", 6, "seed: 2", ""},
		{"unknown key", 6, "^sede: 1", `unknown key "sede"; expected one of machine, network, nodes, placement, seed, title, workload; did you mean "seed"?`},
		{"unknown key inside", 5, "workload: {name: gauss, n: 50, ^sustaned: 1}", `workload: unknown key "sustaned"; expected one of barrier, bcast, bytes_per_flop, element_size, kernel, n, name, startup_per_process, sustained; did you mean "sustained"?`},
		{"missing key", 5, "workload: ^{name: gauss}", `workload: missing key "n"; expected a problem size, a whole number above 0`},
		{"duplicate key", 5, "workload: {name: gauss, n: 50, ^n: 60}", `duplicate key "n", first given in line 5; expected every key once`},
		{"duplicate key at the top", 6, "^machine: sunwulf", `duplicate key "machine", first given in line 1; expected every key once`},
		{"number for a mapping", 5, "workload: ^3", "workload: found the number 3; expected a mapping that describes a workload"},
		{"text for a number", 5, "workload: {name: gauss, n: ^many}", `workload.n: found the text "many"; expected a problem size`},
		{"sequence for a name", 4, "network: ^[hockney]", "network: found a sequence; expected the name of a network model: one of flow, hockney, ideal"},
		{"mapping for a text", 6, "title: ^{a: b}", "title: found a mapping; expected the scenario in a few words"},
		{"fraction", 5, "workload: {name: gauss, n: ^50.5}", "workload.n: found the number 50.5; expected a problem size"},
		{"number without a unit", 5, "workload: {name: gauss, n: 50, startup_per_process: ^3}", `workload.startup_per_process: time "3": the unit is missing`},
		{"unit of another quantity", 5, "workload: {name: gauss, n: 50, startup_per_process: ^3 kB}", `workload.startup_per_process: time "3 kB": "kB" is not a unit of time`},
		{"negative size", 5, "workload: {name: gauss, n: ^-50}", "workload.n: -50 is less than 1; expected a problem size"},
		{"negative time", 4, "network: {name: hockney, latency: ^-1 us}", "network.latency: -1 us is negative; expected a time of at least 0"},
		{"negative seed", 6, "seed: ^-1", "seed: -1 is less than 0"},
		{"zero size", 5, "workload: {name: gauss, n: ^0}", "workload.n: 0 is less than 1"},
		{"zero bandwidth", 4, "network: {name: hockney, bandwidth: ^0 B/s}", "network.bandwidth: 0 B/s is zero; expected a bandwidth above 0"},
		{"zero speed", 1, change("1 Mflop/s", "^0 flop/s"), "machine.node_types.w.marked_speed: 0 flop/s is zero; expected a speed above 0"},
		{"zero sustained", 5, "workload: {name: gauss, n: 50, sustained: ^0}", "workload.sustained: 0 is out of range; expected a fraction of the marked speed"},
		{"zero processes", 3, "placement: {server: ^0}", "placement.server: 0 is less than 1"},
		{"no node", 2, "nodes: {server: 0, blade: 0}", "machine sunwulf: no node takes part; expected at least one"},
		{"too small for the algorithm", 5, "workload: ^{name: gauss, n: 2}", "workload: gauss: n is 2; expected 3 to "},
		{"NaN for an integer", 5, "workload: {name: gauss, n: ^.nan}", `workload.n: found the text ".nan"; expected a problem size`},
		{"NaN", 5, "workload: {name: gauss, n: 50, sustained: ^NaN}", `workload.sustained: found the text "NaN"; expected a fraction`},
		{"NaN with a unit", 4, "network: {name: hockney, latency: ^NaN s}", `network.latency: time "NaN s": it does not begin with a decimal number`},
		{"infinity", 5, "workload: {name: gauss, n: 50, sustained: ^.inf}", `workload.sustained: found the text ".inf"; expected a fraction`},
		{"infinity with a unit", 1, change("1 GB/s", "^Inf B/s"), `machine.network.bandwidth: bandwidth "Inf B/s": it does not begin with a decimal number`},
		{"too large", 5, "workload: {name: gauss, n: 50, sustained: ^1e999}", "workload.sustained: 1e999 is out of range"},
		{"too large with a unit", 4, "network: {name: hockney, latency: ^1e999 s}", `network.latency: time "1e999 s": the value is too large`},
		{"too large an integer", 5, "workload: {name: gauss, n: ^99999999999999999999}", "workload.n: 99999999999999999999 is more than 1073741824"},
		{"unknown machine", 1, "machine: ^sunwolf", `"sunwolf"; expected one of bosque, dahu, dawning, jin, sunwulf; did you mean "sunwulf"?`},
		{"unknown network", 4, "network: ^hokney", `network: unknown network model "hokney"; expected one of ` + named(t, "networks") + `; did you mean "hockney"?`},
		{"unknown network in a mapping", 4, "network: {name: ^idael}", `network.name: unknown network model "idael"; expected one of ` + named(t, "networks") + `; did you mean "ideal"?`},
		{"parameter of another network", 4, "network: {name: ideal, ^latency: 1 us}", `network: unknown key "latency"`},
		{"unknown workload", 5, "workload: {name: ^gaus, n: 50}", `workload.name: unknown workload "gaus"; expected one of ` + named(t, "workloads") + `; did you mean "gauss"?`},
		{"unknown algorithm", 5, "workload: {name: gauss, n: 50, bcast: ^binomail}", `workload.bcast: unknown bcast algorithm "binomail"; expected one of binomial, chain, flat, mpich, openmpi, scatter-allgather, {base, per_process, per_byte}; did you mean "binomial"?`},
		{"unknown node type", 2, "nodes: {server: 1, ^blades: 2}", `nodes: unknown key "blades"; expected one of blade, server, v210; did you mean "blade"?`},
		{"unknown node type in the placement", 3, "placement: {^servre: 2}", `placement: unknown key "servre"; expected one of blade, server, v210; did you mean "server"?`},
		{"unknown node type of a group", 1, change("type: w", "type: ^x"), `machine.nodes[0].type: unknown node type "x"; expected w`},
		{"more nodes than exist", 2, "nodes: {server: ^2, blade: 2}", "nodes.server: machine sunwulf has 1 server nodes, not 2"},
		{"more threads than cores", 3, "placement: {server: {processes: 2, threads: ^3}}", "placement.server.threads: a server node has 4 cores and each thread needs one, so 2 processes of 3 threads do not go"},
		{"more processes than cores", 3, "placement: {server: ^5}", "placement.server: a server node has 4 cores and each process needs one, so 5 processes do not go"},
		{"devices of a node without", 3, "placement: {server: {on: ^devices}}", "placement.server.on: a server node has no devices; expected on: cores"},
		{"neither cores nor devices", 3, "placement: {server: {on: ^gpus}}", `placement.server.on: unknown answer "gpus"; expected one of cores, devices`},
		{"kernel that no node knows", 5, "workload: {name: gauss, n: 50, kernel: dgemm}", `the efficiency of kernel "dgemm" on the cores of node type server is not known; expected it under kernels of that type, as in {dgemm: 0.9}`},
		{"devices without a speed", 1, change("cores: 2", "devices: ^{count: 2}"), `machine.node_types.w.devices: missing key "speed"; expected the speeds by precision`},
		{"devices with no speed", 1, change("cores: 2", "devices: {speed: ^{}}"), "machine.node_types.w.devices.speed: no speeds; expected at least one, as in {fp64: 34 Tflop/s}"},
		{"speed of a device in another unit", 1, change("cores: 2", "devices: {speed: {fp64: ^3 GB/s}}"), `machine.node_types.w.devices.speed.fp64: speed "3 GB/s": "GB/s" is not a unit of speed`},
		{"no device", 1, change("cores: 2", "devices: {count: ^0, speed: {fp64: 1 Gflop/s}}"), "machine.node_types.w.devices.count: 0 is less than 1; expected the number of accelerators"},
		{"link without its bandwidth", 1, change("cores: 2", "devices: {speed: {fp64: 1 Gflop/s}, link: ^{latency: 1 us}}"), `machine.node_types.w.devices.link: missing key "bandwidth"; expected a bandwidth above 0`},
		{"no network card", 1, change("cores: 2", "nics: ^0"), "machine.node_types.w.nics: 0 is less than 1; expected the number of network cards"},
		{"kernel that does nothing", 1, change("cores: 2", "kernels: {dgemm: ^0}"), "machine.node_types.w.kernels.dgemm: 0 is out of range; expected a fraction of the marked speed"},
		{"idle power above the other", 1, change("cores: 2", "power: 300 W, idle_power: ^400 W"), "machine.node_types.w.idle_power: more than the power under load; expected at most 300 W"},
		{"unknown topology", 1, change("1 GB/s}", "1 GB/s, topology: ^toros}"), `machine.network.topology: unknown topology "toros"; expected one of backbone, bus, dragonfly, fat-tree, graph, mesh, star, torus, tree; did you mean "torus"?`},
		{"topology without its parameters", 1, change("1 GB/s}", "1 GB/s, topology: ^torus}"), "machine.network.topology: a torus has parameters; expected a mapping such as {name: torus, dimensions: [4, 4, 2]}"},
		{"topology with a key of another", 1, change("1 GB/s}", "1 GB/s, topology: {name: bus, ^spines: 2}}"), `machine.network.topology: unknown key "spines"; expected name`},
		{"topology too small", 1, change("1 GB/s}", "1 GB/s, topology: ^{name: torus, dimensions: [3, 1]}}"), "machine.network.topology: nodes: 4 nodes; expected at most 3, as many as the topology has positions"},
		{"cable to nowhere", 1, change("1 GB/s}", "1 GB/s, topology: {name: graph, switches: [sw], links: [{from: w-1, to: ^ws}]}}"), `machine.network.topology.links[0].to: "ws"; expected the name of a node or a switch; did you mean sw?`},
		{"truncated", 6, "title: ^[a", "not valid YAML"},
		{"anchor", 6, "title: ^&a x", "anchors (&) are not supported"},
		{"binary", 6, "title: \"^\x00\"", "control character U+0000; expected a text file in UTF-8"},
		{"not UTF-8", 6, "title: ^\xff", "byte 0xff is not valid UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := append([]string(nil), scenario...)
			if strings.HasPrefix(tt.text, "machine: {") {
				lines[1], lines[2] = "", "" // the types are those of another machine
			}
			place, column := 1, strings.Index(tt.text, "^")
			if column >= 0 {
				place = tt.line
			} else {
				column = 0 // the scenario as a whole
			}
			lines[tt.line-1] = strings.Replace(tt.text, "^", "", 1)
			text := strings.Join(lines, "\n") + "\n"
			path := filepath.Join(t.TempDir(), "bad.yaml")
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"run", "validate"} {
				args := []string{command, path}
				o := isoscale(args...)
				for _, b := range breaches(args, o) {
					t.Error(b)
				}
				var reader error
				if o.status != exitOK {
					reader = errors.New(o.stderr)
				}
				if err := form.AgreeText(text, reader); err != nil {
					t.Error(err)
				}
				if tt.want == "" {
					if o.status != exitOK {
						t.Errorf("%s: exit status %d\n%s", command, o.status, o.stderr)
					}
					continue
				}
				if o.status != exitInput || o.stdout != "" {
					t.Errorf("%s: exit status %d and output %q, want %d and none", command, o.status, o.stdout, exitInput)
				}
				prefix := fmt.Sprintf("%s:%d:%d: ", path, place, column+1)
				first, more, _ := strings.Cut(o.stderr, "\n")
				if !strings.HasPrefix(first, prefix) || !strings.Contains(first, tt.want) {
					t.Errorf("%s: got\n%swant\n%s%s", command, o.stderr, prefix, tt.want)
				}
				if more != "" {
					t.Errorf("%s: one mistake gives more than one message:\n%s", command, o.stderr)
				}
			}
		})
	}
}

// named lists the names of a section of the catalogue as messages do.
func named(t *testing.T, section string) string {
	t.Helper()
	sections, err := catalogue.List()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range sections {
		if s.Kind == section {
			for _, e := range s.Entries {
				names = append(names, e.Name)
			}
		}
	}
	if len(names) == 0 {
		t.Fatalf("the catalogue has no %s", section)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
