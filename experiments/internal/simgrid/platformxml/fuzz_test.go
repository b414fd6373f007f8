package platformxml

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// FuzzRead: whatever the file, there is a platform that is sound or a
// *SyntaxError with a place in the file, and no route panics. Memory is bounded by
// small limits, which are the only thing that differs from Read.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	expect.Need(f, err == nil && len(files) != 0, "%d files, %v", len(files), err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`<platform version="4"><zone id="v" routing="Vivaldi"><zone id="n" routing="None"><host id="a" speed="1"/></zone></zone></platform>`))
	f.Add([]byte(`<!DOCTYPE platform [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><platform version="4">&b;</platform>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		most := limits{hosts: 500, links: 5000}
		p, err := readWithin("f.xml", data, most)
		if err != nil {
			var s *SyntaxError
			expect.Need(t, errors.As(err, &s) && s.File == "f.xml" && s.Line >= 1 && s.Column >= 1 && s.What != "" &&
				s.Expected != "",
				"%#v", err)
			return
		}
		n := len(p.Hosts)
		expect.Need(t, n >= 1 && n <= most.hosts && len(p.Links) <= most.links+1, "%d hosts, %d links", n, len(p.Links))
		for _, h := range p.Hosts {
			expect.Need(t, h.Name != "" && h.Cores >= 1 && h.Speed > 0 && h.Memory == topology.NoLink, "%+v", h)
		}
		for _, l := range p.Links {
			expect.Need(t, l.Name != "" && l.Bandwidth > 0 && l.Latency >= 0, "%+v", l)
		}
		// Some of the pairs: from up to 20 hosts to up to 20.
		step := int32(len(p.Hosts)/20 + 1)
		for a := int32(0); int(a) < len(p.Hosts); a += step {
			for b := int32(0); int(b) < len(p.Hosts); b += step {
				checkRoute(t, p, a, b)
			}
		}
	})
}

// checkRoute checks that a route is one or a *topology.NoRouteError.
func checkRoute(t *testing.T, p *topology.Platform, a, b int32) {
	route, err := p.Route(nil, a, b)
	var none *topology.NoRouteError
	switch {
	case err != nil && (a == b || !errors.As(err, &none) || route != nil):
		t.Fatalf("%d to %d: %v, %v", a, b, route, err)
	case err == nil && len(route) == 0:
		t.Fatalf("%d to %d: an empty route", a, b)
	}
	for _, l := range route {
		expect.Need(t, l >= 0 && int(l) < len(p.Links), "%d to %d: link %d of %d", a, b, l, len(p.Links))
	}
}
