package catalogue

import (
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

func describePlatform(path string, p *topology.Platform) *input.Description {
	d := &input.Description{Kind: "platform", Name: path, Notes: p.Notes}
	cores := 0
	var total units.FlopsPerSecond
	for _, h := range p.Hosts {
		cores += h.Cores
		total += units.FlopsPerSecond(units.FlopsPerSecond(h.Cores) * h.Speed)
	}
	d.Facts = []input.Parameter{
		{Name: "hosts", Value: strconv.Itoa(len(p.Hosts))},
		{Name: "cores", Value: strconv.Itoa(cores)},
		{Name: "speed", Value: total.String(), Note: "all cores"},
		{Name: "links", Value: strconv.Itoa(len(p.Links)), Note: "a cable with one link per direction counts as two"},
		longestRoute(p),
		{Name: "bisection bandwidth", Value: "-", Note: "unknown for platform files, whose routes are arbitrary"},
	}
	d.Tables = []input.DataTable{hostKinds(p), linkKinds(p)}
	return d
}

// maxPairHosts is the number of hosts up to which all routes of a platform file are
// examined.
const maxPairHosts = 256

// longestRoute is the diameter of a platform file.
func longestRoute(p *topology.Platform) input.Parameter {
	f := input.Parameter{Name: "diameter", Value: "-",
		Note: fmt.Sprintf("not computed for more than %d hosts", maxPairHosts)}
	if len(p.Hosts) > maxPairHosts {
		return f
	}
	longest, without := 0, 0
	var buf []int32
	for from := range int32(len(p.Hosts)) {
		for to := range int32(len(p.Hosts)) {
			if from == to {
				continue
			}
			var err error
			if buf, err = p.Route(buf[:0], from, to); err != nil {
				without++
			}
			longest = max(longest, len(buf))
		}
	}
	f.Value, f.Note = input.Plural(longest, "link"), ""
	if without > 0 {
		f.Note = input.Plural(without, "ordered pair") + " of hosts without a route"
	}
	return f
}

// mostLinkedNodes is the number of nodes up to which the description of a machine includes its links without --route.
// More nodes take seconds and a gigabyte.
const mostLinkedNodes = 1 << 17

// addMachine adds the links of a machine to a description and returns the platform. If the links cannot be built, it
// adds a note, or returns an error if a route was requested.
func addMachine(d *input.Description, m *topology.Machine, o DescribeOptions) (*topology.Platform, error) {
	if n := build.CountNodes(m); n > mostLinkedNodes && o.From == "" {
		d.Notes = append(d.Notes,
			fmt.Sprintf("links are not listed for more than %d nodes; --route shows them", mostLinkedNodes))
		return nil, nil
	}
	c, notes, err := build.ClusterOf(m)
	var p *topology.Platform
	if err == nil {
		p, err = build.PlatformOf(c, notes)
	}
	if err != nil {
		if o.From == "" {
			d.Notes = append(d.Notes, "cannot be used with network flow: "+err.Error())
			return nil, nil
		}
		return nil, err
	}
	x, _ := build.Measure(p) // which made it
	atMost := func(exact bool) string {
		if exact {
			return ""
		}
		return "at most "
	}
	bisection := input.Parameter{Name: "bisection bandwidth", Value: "-", Note: "only one host"}
	if x.Hosts > 1 {
		bisection.Value, bisection.Note = atMost(x.BisectionExact)+x.Bisection.String(), x.Bisection.Bits()
	}
	cable := "a cable counts as two, one per direction"
	if c.Network.HalfDuplex {
		cable = "a cable counts as one, for both directions"
	}
	d.Facts = append(d.Facts,
		input.Parameter{Name: "topology", Value: topologyWords(c)},
		input.Parameter{Name: "links", Value: strconv.Itoa(x.Links), Note: cable},
		input.Parameter{Name: "diameter", Value: atMost(x.DiameterExact) + input.Plural(x.Diameter, "link")},
		bisection)
	d.Tables = append(d.Tables, linkKinds(p))
	d.Notes = append(d.Notes, p.Notes...)
	return p, nil
}

// mostRows is the largest number of kinds that a table lists.
const mostRows = 12

// hostKinds counts consecutive hosts that are equal except for their names.
func hostKinds(p *topology.Platform) input.DataTable {
	t := input.DataTable{Title: "hosts", Columns: []string{"count", "cores", "speed per core", "names"}}
	for i := 0; i < len(p.Hosts); {
		first, h := i, p.Hosts[i]
		for ; i < len(p.Hosts) && p.Hosts[i].Cores == h.Cores && p.Hosts[i].Speed == h.Speed; i++ {
		}
		if len(t.Rows) == mostRows {
			t.Rows = append(t.Rows, []string{strconv.Itoa(len(p.Hosts) - first), "", "", "more"})
			break
		}
		names := h.Name
		if i > first+1 {
			names += " ... " + p.Hosts[i-1].Name
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(i - first), strconv.Itoa(h.Cores), h.Speed.String(), names})
	}
	return t
}

// linkKinds counts links that are equal except for their names, in the order of the first of each kind.
func linkKinds(p *topology.Platform) input.DataTable {
	t := input.DataTable{Title: "links", Columns: []string{"count", "bandwidth", "latency", "such as"}}
	type kind struct {
		bandwidth units.BytesPerSecond
		latency   units.Seconds
		fatPipe   bool
	}
	row := map[kind]int{}
	var counts []int
	more := 0
	for _, l := range p.Links {
		k := kind{l.Bandwidth, l.Latency, l.FatPipe}
		i, known := row[k]
		switch {
		case known:
			counts[i]++
		case len(counts) == mostRows:
			more++
		default:
			row[k] = len(counts)
			counts = append(counts, 1)
			t.Rows = append(t.Rows, append([]string{""}, linkCells(l)...))
		}
	}
	for i, n := range counts {
		t.Rows[i][0] = strconv.Itoa(n)
	}
	if more > 0 {
		t.Rows = append(t.Rows, []string{strconv.Itoa(more), "", "", "more"})
	}
	return t
}

func linkCells(l topology.Link) []string {
	name := l.Name
	if l.FatPipe {
		name += " (not shared)"
	}
	return []string{l.Bandwidth.String(), l.Latency.String(), name}
}

// addRoute adds the route of a message between two hosts to a description.
func addRoute(d *input.Description, p *topology.Platform, from, to string) error {
	var ends [2]int32
	for i, name := range []string{from, to} {
		h, ok := p.HostNumber(name)
		if !ok {
			names := make([]string, len(p.Hosts))
			for i := range p.Hosts {
				names[i] = p.Hosts[i].Name
			}
			return input.Errorf("unknown host %q; expected one of %s, %s to %s%s", name,
				input.Plural(len(names), "host"), names[0], names[len(names)-1], input.Suggestion(name, names))
		}
		ends[i] = h
	}
	route, err := p.Route(nil, ends[0], ends[1])
	if err != nil {
		return err
	}
	t := input.DataTable{Title: fmt.Sprintf("route from %s to %s", from, to),
		Columns: []string{"bandwidth", "latency", "link"}}
	passes := map[int32]int{}
	for _, l := range route {
		passes[l]++
		t.Rows = append(t.Rows, linkCells(p.Links[l]))
	}
	d.Tables = append(d.Tables, t)
	d.Facts = append(d.Facts, input.Parameter{Name: "route", Value: input.Plural(len(route), "link"),
		Note: from + " to " + to},
		input.Parameter{Name: "route latency", Value: p.Latency(route).String()})
	if len(route) == 0 {
		return nil
	}
	// The bandwidth for a single message: half that of a link that it crosses twice.
	narrowest, width := topology.NoLink, units.BytesPerSecond(0)
	for _, l := range route {
		w := p.Links[l].Bandwidth
		if !p.Links[l].FatPipe {
			w /= units.BytesPerSecond(passes[l])
		}
		if narrowest == topology.NoLink || w < width {
			narrowest, width = l, w
		}
	}
	note := p.Links[narrowest].Name
	if n := passes[narrowest]; n > 1 && !p.Links[narrowest].FatPipe {
		note += fmt.Sprintf(", crossed %d times", n)
	}
	d.Facts = append(d.Facts, input.Parameter{Name: "route bandwidth", Value: width.String(), Note: note})
	return nil
}
