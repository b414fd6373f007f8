package platformxml

import "strings"

// A kind of element: where it may stand, which attributes it has, and what
// becomes of it.
type kind struct {
	parents    []string
	attributes []attribute
	ignored    string // why it does not matter, if it is skipped with a note
	refused    string // what to do instead, if it is an error
}

// attributeNames lists the attributes that are read.
func (k *kind) attributeNames() string {
	var names []string
	for _, a := range k.attributes {
		if a.refused == "" {
			names = append(names, a.name)
		}
	}
	if names == nil {
		return "none"
	}
	return "one of " + strings.Join(names, ", ")
}

// An attribute of an element. It is an error if it is not empty and refused; if
// it is ignored there is a note.
type attribute struct {
	name     string
	required bool
	fallback string   // value if it is not given
	values   []string // the only ones, if not nil
	ignored  bool
	refused  string // what to do instead
}

func required(names ...string) []attribute {
	list := make([]attribute, len(names))
	for i, n := range names {
		list[i] = attribute{name: n, required: true}
	}
	return list
}

func optional(name, fallback string) attribute { return attribute{name: name, fallback: fallback} }

func choice(name string, values ...string) attribute {
	return attribute{name: name, fallback: values[0], values: values}
}

const steady = "a machine that does not change while it is simulated: no such attribute"

func profile(name string) attribute { return attribute{name: name, refused: steady} }

// zones are the elements that hold others; AS is the name of zone before
// version 4.1.
var zones = []string{"zone", "AS"}

// schema holds all elements of version 4.1.
var schema = withOldNames(map[string]*kind{
	"platform": {attributes: required("version")},
	"zone":     {parents: append([]string{"platform"}, zones...), attributes: required("id", "routing")},
	"host": {parents: zones, attributes: append(required("id", "speed"), optional("core", "1"), optional("pstate", "0"),
		attribute{name: "coordinates", ignored: true}, profile("speed_file"), profile("availability_file"), profile("state_file"))},
	"router": {parents: zones, attributes: append(required("id"), attribute{name: "coordinates", ignored: true})},
	"link": {parents: zones, attributes: append(required("id", "bandwidth"), optional("latency", "0"),
		choice("sharing_policy", "SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"),
		profile("bandwidth_file"), profile("latency_file"), profile("state_file"))},
	"cluster": {parents: append([]string{"platform"}, zones...), attributes: append(
		required("id", "prefix", "suffix", "radical", "speed", "bw", "lat"), optional("core", "1"),
		choice("sharing_policy", "SPLITDUPLEX", "SHARED", "FULLDUPLEX", "FATPIPE"),
		choice("topology", "FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"), optional("topo_parameters", ""),
		optional("bb_bw", ""), optional("bb_lat", "0"), choice("bb_sharing_policy", "SHARED", "FATPIPE"),
		optional("router_id", ""), optional("limiter_link", ""), optional("loopback_bw", ""), optional("loopback_lat", ""))},
	"cabinet":         {parents: zones, attributes: required("id", "prefix", "suffix", "radical", "speed", "bw", "lat")},
	"backbone":        {parents: zones, attributes: required("id", "bandwidth", "latency")},
	"host_link":       {parents: zones, attributes: required("id", "up", "down")},
	"route":           {parents: zones, attributes: append(required("src", "dst"), choice("symmetrical", "YES", "NO", "yes", "no"))},
	"zoneRoute":       {parents: zones, attributes: append(required("src", "dst", "gw_src", "gw_dst"), choice("symmetrical", "YES", "NO", "yes", "no"))},
	"bypassRoute":     {parents: zones, attributes: required("src", "dst")},
	"bypassZoneRoute": {parents: zones, attributes: required("src", "dst", "gw_src", "gw_dst")},
	"link_ctn": {parents: []string{"route", "zoneRoute", "ASroute", "bypassRoute", "bypassZoneRoute", "bypassASroute"},
		attributes: append(required("id"), choice("direction", "NONE", "UP", "DOWN"))},

	"prop":    {ignored: "properties do not change times"},
	"config":  {ignored: "options are given where the simulation is described"},
	"random":  {ignored: "it has no effect"},
	"disk":    {ignored: "disks are not simulated"},
	"actor":   {ignored: "where processes run is said elsewhere"},
	"process": {ignored: "where processes run is said elsewhere"},

	"peer":          {refused: "hosts in a zone with routes: coordinates give no links"},
	"trace":         {refused: "a machine that does not change while it is simulated: no trace"},
	"trace_connect": {refused: "a machine that does not change while it is simulated: no trace_connect"},
	"include":       {refused: "one file: no include"},
	"storage":       {refused: "a platform without storage"},
	"storage_type":  {refused: "a platform without storage"},
	"mount":         {refused: "a platform without storage"},
})

// withOldNames adds the names of version 4.0.
func withOldNames(schema map[string]*kind) map[string]*kind {
	schema["AS"] = schema["zone"]
	schema["ASroute"] = schema["zoneRoute"]
	schema["bypassASroute"] = schema["bypassZoneRoute"]
	return schema
}
