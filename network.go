package isoscale

import "github.com/isoscale/isoscale/sim"

// Network is a network model: how long messages take. See [Hockney], [LogGOPS],
// [Flow] and [Custom]. The zero value is that of [Hockney] without settings.
type Network struct {
	model    string // "": hockney
	settings []string
	own      sim.Network
}

// Hockney is the model latency + size/bandwidth, with send and receive overhead;
// messages of one rank leave one after the other.
//
// Settings are those of a scenario file, as in Hockney("latency: 2 us",
// "eager_limit: 64 KiB"); see docs/formats/scenario.md. What they leave out is the
// cluster's, and no message waits for its receiver unless there is an eager limit.
func Hockney(settings ...string) Network { return Network{model: "hockney", settings: settings} }

// LogGOPS is the model in which cores and interfaces are busy with every message
// at both ends, with settings L, o, g, G, O, S as in LogGOPS("g: 1 us").
func LogGOPS(settings ...string) Network { return Network{model: "loggops", settings: settings} }

// Flow is the model in which messages share the links of the cluster's topology,
// and computations the memory of their node, by max-min fairness. A setting such
// as "model: SMPI" chooses a model of SimGrid.
func Flow(settings ...string) Network { return Network{model: "flow", settings: settings} }

// Custom is a model of one's own.
func Custom(n sim.Network) Network { return Network{own: n} }
