package platformxml

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/topology"
)

// Platform is what [Write] writes: hosts, links, and the routes between some pairs
// of hosts. Which link leads from a host to its memory is not written.
type Platform struct {
	Name   string
	Hosts  []topology.Host
	Links  []topology.Link
	Routes []Route // at most one from each host to each
}

// Route is the links that a message passes from one host to another, by their numbers
// and in their order.
type Route struct {
	From, To int32
	Links    []int32
}

// Write writes a platform as a zone with full routing, each route for one direction.
// [Read] gives the same hosts, links and routes back. Values have as many digits as
// it takes to read the same number.
func Write(w io.Writer, p Platform) error {
	out := bufio.NewWriter(w) // keeps an error until Flush
	out.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n")
	tag(out, "  ", "zone", ">", "id", p.zone(), "routing", "Full")
	for i := range p.Hosts {
		h := &p.Hosts[i]
		tag(out, "    ", "host", "/>", "id", h.Name, "speed", value(float64(h.Speed), "f"),
			"core", strconv.Itoa(h.Cores))
	}
	for i := range p.Links {
		l := &p.Links[i]
		policy := "SHARED"
		if l.FatPipe {
			policy = "FATPIPE"
		}
		tag(out, "    ", "link", "/>", "id", l.Name, "bandwidth", value(float64(l.Bandwidth), "Bps"),
			"latency", value(float64(l.Latency), "s"), "sharing_policy", policy)
	}
	for _, r := range p.Routes {
		tag(out, "    ", "route", ">", "src", p.Hosts[r.From].Name, "dst", p.Hosts[r.To].Name, "symmetrical", "NO")
		for _, l := range r.Links {
			tag(out, "      ", "link_ctn", "/>", "id", p.Links[l].Name)
		}
		out.WriteString("    </route>\n")
	}
	out.WriteString("  </zone>\n</platform>\n")
	return out.Flush()
}

// zone returns a name for the zone that no host has.
func (p *Platform) zone() string {
	name := p.Name
	for i := 0; i < len(p.Hosts); i++ {
		if p.Hosts[i].Name == name {
			name, i = name+"_zone", -1
		}
	}
	return name
}

func tag(out *bufio.Writer, indent, name, end string, attributes ...string) {
	out.WriteString(indent + "<" + name)
	for i := 0; i < len(attributes); i += 2 {
		out.WriteString(" " + attributes[i] + "=\"")
		// A Writer of package bufio keeps the error.
		_ = xml.EscapeText(out, []byte(attributes[i+1]))
		out.WriteByte('"')
	}
	out.WriteString(end + "\n")
}

// value writes a number in the unit of SimGrid.
func value(x float64, unit string) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "e+", "e", 1) + unit
}
