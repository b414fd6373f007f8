package platformxml_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// What is written is read again: hosts, links, and routes in one direction, with a link
// that is crossed twice and names that XML escapes.
func TestWriteIsRead(t *testing.T) {
	p := platformxml.Platform{
		Name: "a", // also that of a host
		Hosts: []topology.Host{
			{Name: "a", Cores: 4, Speed: 1.1e9, Memory: topology.NoLink},
			{Name: "b<\"&", Cores: 1, Speed: units.FlopsPerSecond(1e12) / 3, Memory: topology.NoLink},
		},
		Links: []topology.Link{
			{Name: "x", Bandwidth: 1e9 / 3., Latency: 1e-6 / 3.},
			{Name: "y.up/down", Bandwidth: 25e-7, Latency: 0, FatPipe: true},
		},
		Routes: []platformxml.Route{{From: 0, To: 1, Links: []int32{1, 0}}, {From: 1, To: 1, Links: []int32{0, 0, 1}}},
	}
	var text bytes.Buffer
	expect.Success(t, platformxml.Write(&text, p))
	got, err := platformxml.Read("p.xml", text.Bytes())
	expect.Need(t, err == nil, "%v\n%s", err, &text)
	expect.List(t, got.Hosts, p.Hosts, "hosts")
	if !slices.Equal(got.Links[:len(p.Links)], p.Links) { // the reader adds a loopback
		t.Errorf("links %v, want %v", got.Links, p.Links)
	}
	for _, r := range p.Routes {
		route, err := got.Route(nil, r.From, r.To)
		expect.That(t, err == nil && slices.Equal(route, r.Links), "route from %d to %d: %v, %v; want %v", r.From, r.To, route, err, r.Links)
	}
	route, err := got.Route(nil, 1, 0)
	expect.That(t, err != nil, "there is a route back: %v", route)
}
