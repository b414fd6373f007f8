package platformxml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/internal/each"
)

// An element is a start tag that the schema knows, with its place in the file.
type element struct {
	file         string
	name         string
	kind         *kind
	attributes   []xml.Attr
	line, column int
	tag          []byte // as written, to find the place of an attribute
	err          error  // the first problem with a value that was read
}

// value returns an attribute's value or default.
func (el *element) value(name string) string {
	for _, a := range el.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	for _, a := range el.kind.attributes {
		if a.name == name {
			return a.fallback
		}
	}
	return ""
}

// fail returns an error at the beginning of the element.
func (el *element) fail(what, expected string) error {
	return &SyntaxError{el.file, el.line, el.column, what, expected}
}

// wrong returns an error at an attribute, with its value.
func (el *element) wrong(name, what, expected string) error {
	line, column := el.place(name)
	return &SyntaxError{el.file, line, column, fmt.Sprintf("%s %s=%q: %s", el.name, name, el.value(name), what),
		expected}
}

// refuse records the first problem with a value, for [element.err].
func (el *element) refuse(name, what, expected string) {
	if el.err == nil {
		el.err = el.wrong(name, what, expected)
	}
}

// place returns where an attribute stands, or where the element does if the
// attribute is not written.
func (el *element) place(name string) (line, column int) {
	var quote byte
	for i, c := range el.tag {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case i > 0 && strings.IndexByte(" \t\r\n", el.tag[i-1]) >= 0 && bytes.HasPrefix(el.tag[i:], []byte(name)) &&
			bytes.HasPrefix(bytes.TrimLeft(el.tag[i+len(name):], " \t\r\n"), []byte("=")):
			before := el.tag[:i]
			if lines := bytes.Count(before, []byte("\n")); lines > 0 {
				return el.line + lines, i - bytes.LastIndexByte(before, '\n')
			}
			return el.line, el.column + i
		}
	}
	return el.line, el.column
}

// check compares the attributes with the schema.
func (el *element) check(notes *notes) error {
	for i, a := range el.attributes {
		name := fullName(a.Name)
		k := slices.IndexFunc(el.kind.attributes, func(k attribute) bool { return k.name == name })
		if k < 0 {
			line, column := el.place(name)
			return &SyntaxError{el.file, line, column, fmt.Sprintf("unknown attribute %s of %s", name, el.name),
				el.kind.attributeNames()}
		}
		if slices.ContainsFunc(el.attributes[:i], func(b xml.Attr) bool { return b.Name == a.Name }) {
			return el.wrong(name, "given twice", "it once")
		}
		known := el.kind.attributes[k]
		switch {
		case known.values != nil && !slices.Contains(known.values, a.Value):
			return el.wrong(name, "unknown value", strings.Join(known.values, ", "))
		case a.Value == "":
		case known.refused != "":
			return el.wrong(name, "not supported", known.refused)
		case known.ignored:
			notes.add(el.name+" "+name, fmt.Sprintf("the attribute %s of %s is ignored", name, el.name), el.line)
		}
	}
	for _, k := range el.kind.attributes {
		is := func(a xml.Attr) bool { return a.Name.Local == k.name && a.Name.Space == "" }
		if k.required && !slices.ContainsFunc(el.attributes, is) {
			return el.fail(fmt.Sprintf("%s has no %s", el.name, k.name), "this attribute")
		}
	}
	return nil
}

// SyntaxError is a place in a file that is not a platform, or is one that
// cannot be simulated.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	What         string
	Expected     string
}

// Error returns "file:line:column: what is wrong; expected what".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; expected %s", e.File, e.Line, e.Column, e.What, e.Expected)
}

// A kind of element: where it may stand, which attributes it has, and what
// becomes of it.
type kind struct {
	parents    []string
	attributes []attribute
	begin, end func(b *builder, el *element) error // end: nil if nothing is left to do
	ignored    string                              // why it does not matter, if it is skipped with a note
	refused    string                              // what to do instead, if it is an error
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

// An attribute of an element. A refused one is an error unless it is empty; for
// an ignored one there is a note.
type attribute struct {
	name     string
	required bool
	fallback string   // value if it is not given
	values   []string // the only ones, if not nil
	ignored  bool
	refused  string // what to do instead
}

func required(names ...string) []attribute {
	return each.Of(names, func(n string) attribute { return attribute{name: n, required: true} })
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
var schema = sync.OnceValue(func() map[string]*kind {
	ways := choice("symmetrical", "YES", "NO", "yes", "no")
	route := func(attributes ...attribute) *kind {
		return &kind{parents: zones, attributes: attributes, begin: (*builder).beginRoute, end: (*builder).endRoute}
	}
	kinds := map[string]*kind{
		"platform": {attributes: required("version"), begin: (*builder).version},
		"zone": {parents: append([]string{"platform"}, zones...), attributes: required("id", "routing"),
			begin: (*builder).openZone, end: (*builder).closeZone},
		"host": {parents: zones, attributes: append(required("id", "speed"), optional("core", "1"), optional("pstate", "0"),
			attribute{name: "coordinates", ignored: true}, profile("speed_file"), profile("availability_file"), profile("state_file")),
			begin: (*builder).host},
		"router": {parents: zones, attributes: append(required("id"), attribute{name: "coordinates", ignored: true}),
			begin: (*builder).routerPoint},
		"link": {parents: zones, attributes: append(required("id", "bandwidth"), optional("latency", "0"),
			choice("sharing_policy", "SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"),
			profile("bandwidth_file"), profile("latency_file"), profile("state_file")), begin: (*builder).link},
		"cluster": {parents: append([]string{"platform"}, zones...), attributes: append(
			required("id", "prefix", "suffix", "radical", "speed", "bw", "lat"), optional("core", "1"),
			choice("sharing_policy", "SPLITDUPLEX", "SHARED", "FULLDUPLEX", "FATPIPE"),
			choice("topology", "FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"), optional("topo_parameters", ""),
			optional("bb_bw", ""), optional("bb_lat", "0"), choice("bb_sharing_policy", "SHARED", "FATPIPE"),
			optional("router_id", ""), optional("limiter_link", ""), optional("loopback_bw", ""),
			optional("loopback_lat", "0")), begin: (*builder).cluster},
		"cabinet": {parents: zones, attributes: required("id", "prefix", "suffix", "radical", "speed", "bw", "lat"),
			begin: (*builder).cabinet},
		"backbone":        {parents: zones, attributes: required("id", "bandwidth", "latency"), begin: (*builder).backbone},
		"host_link":       {parents: zones, attributes: required("id", "up", "down"), begin: (*builder).hostLink},
		"route":           route(append(required("src", "dst"), ways)...),
		"zoneRoute":       route(append(required("src", "dst", "gw_src", "gw_dst"), ways)...),
		"bypassRoute":     route(required("src", "dst")...),
		"bypassZoneRoute": route(required("src", "dst", "gw_src", "gw_dst")...),
		"link_ctn": {parents: []string{"route", "zoneRoute", "ASroute", "bypassRoute", "bypassZoneRoute", "bypassASroute"},
			attributes: append(required("id"), choice("direction", "NONE", "UP", "DOWN")), begin: (*builder).passed},

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
	}
	for before, now := range map[string]string{"AS": "zone", "ASroute": "zoneRoute", "bypassASroute": "bypassZoneRoute"} {
		kinds[before] = kinds[now] // of version 4.0
	}
	return kinds
})

// MaxRoutes is the largest number of routes of all kinds in a file. Each route element
// counts as two, one for the way back.
const MaxRoutes = 1 << 20

// Limits of a file. They keep a small file from asking for a large amount of
// memory or time: one cluster element can stand for any number of hosts.
const (
	maxSize       = 64 << 20 // bytes of a file
	maxDepth      = 32       // zones within zones
	maxHosts      = 1 << 20  // of the platform
	maxLinks      = 1 << 22  // of the platform; a split-duplex link counts twice
	maxRouteLinks = 1 << 23  // of all routes; a link_ctn counts twice, for the way back
	maxCores      = 1 << 20  // of a host
	maxFloyd      = 1 << 10  // points of a Floyd zone; over all Floyd zones, the sum of their cubes is at most 2^30
	maxDijkstra   = 1 << 12  // points of a Dijkstra zone
	maxDimensions = 16       // of a torus; levels of a fat tree
)

// limits are those limits that tests make smaller.
type limits struct{ hosts, links int }
