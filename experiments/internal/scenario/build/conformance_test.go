package build_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Routes are those that SimGrid 3.32 computed on the same shapes. The links have other names, so the test checks that
// each of SimGrid's links has one of ours, the same on all routes, with the same bandwidth and latency.
func TestSimGridRoutes(t *testing.T) {
	folder := os.Getenv("ISOSCALE_CONFORMANCE")
	if folder == "" {
		t.Skip("ISOSCALE_CONFORMANCE is not set")
	}
	dragonfly := build.Dragonfly{Groups: 3, Chassis: 4, Routers: 5, Nodes: 2, GlobalCables: 4, ChassisCables: 3, RouterCables: 1}
	fatTree := build.FatTree{Down: []int{4, 4}, Up: []int{1, 2}, Cables: []int{1, 2}}
	backbone := build.Backbone{Latency: 500e-6, Bandwidth: 2.25e9}
	for _, tt := range []struct {
		name     string
		hosts    int
		latency  units.Seconds // of the network: theirs is of a link
		topology build.Topology
	}{
		{"s04_ring_crossbar16_cm02", 16, 100e-6, build.Star{}},
		{"s08_halo8x8_backbone64_def", 64, 100e-6, backbone},
		{"s09_halo4x3_torus12_cm02", 12, 50e-6, build.Torus{Dimensions: []int{3, 2, 2}}},
		{"s10_incast_fattree16_cm02", 16, 100e-6, fatTree},
		{"s11_allpairs_fattree16_def", 16, 100e-6, fatTree},
		{"s13_shift_fattree16_cm02", 16, 100e-6, fatTree},
		{"s12_shift_dragonfly120_cm02", 120, 100e-6, dragonfly},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := expect.Value(os.Open(filepath.Join(folder, "simgrid", tt.name, "routes.json.gz")))(t)
			defer file.Close()
			unpacked := expect.Value(gzip.NewReader(file))(t)
			var theirs struct {
				Hosts []string `json:"rank_to_host"`
				Links []struct {
					Name      string
					Bandwidth units.BytesPerSecond `json:"bandwidth_Bps"`
					Latency   units.Seconds        `json:"latency_s"`
				}
				Routes []struct {
					Src, Dst string
					Links    []string
				}
			}
			expect.Success(t, json.NewDecoder(unpacked).Decode(&theirs))
			bandwidth, latency := map[string]units.BytesPerSecond{}, map[string]units.Seconds{}
			for _, l := range theirs.Links {
				bandwidth[l.Name], latency[l.Name] = l.Bandwidth, l.Latency
			}
			number := map[string]int32{}
			for i, name := range theirs.Hosts {
				number[name] = int32(i)
			}
			c := cluster(tt.hosts, tt.topology)
			c.Network.Latency, c.Network.Bandwidth = tt.latency, 125e6
			p := platform(t, c)
			ourOf, theirOf := map[string]int32{}, map[int32]string{}
			compared := 0
			for _, r := range theirs.Routes {
				if r.Src == r.Dst {
					continue
				}
				var links []string
				for _, l := range r.Links {
					if !strings.HasSuffix(l, "_limiter") { // the dragonfly's, which we do not have
						links = append(links, l)
					}
				}
				ours, err := p.Route(nil, number[r.Src], number[r.Dst])
				expect.Need(t, err == nil && len(ours) == len(links),
					"%s to %s: %d links (%v), want %v", r.Src, r.Dst, len(ours), err, links)
				for i, l := range links {
					known, seen := ourOf[l]
					other, taken := theirOf[ours[i]]
					expect.Need(t, seen == taken && (!seen || known == ours[i] && other == l),
						"%s to %s: link %s is %s, but it was %s, which was %s", r.Src, r.Dst, l, p.Links[ours[i]].Name, p.Links[known].Name, other)
					ourOf[l], theirOf[ours[i]] = ours[i], l
					link := p.Links[ours[i]]
					d := float64(link.Latency - latency[l])
					expect.Need(t, link.Bandwidth == bandwidth[l] && d <= 1e-12 && d >= -1e-12,
						"%s: %v %v, want %v %v", l, link.Bandwidth, link.Latency, bandwidth[l], latency[l])
				}
				compared++
			}
			expect.That(t, compared != 0, "no route was compared")
			t.Logf("%d routes, %d links", compared, len(ourOf))
		})
	}
}
