package platformxml_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// flattened is a platform as SimGrid sees it.
type flattened struct {
	Hosts []struct {
		Name  string
		Speed float64 `json:"speed_flops"`
		Cores int
	}
	Links []struct {
		Name      string
		Bandwidth float64 `json:"bandwidth_Bps"`
		Latency   float64 `json:"latency_s"`
		Policy    string
	}
	Routes []struct {
		Src, Dst string
		Links    []string
	}
}

// TestConformance compares hosts, links and routes with those of SimGrid for
// each case below the folder of ISOSCALE_CONFORMANCE: routes link by link,
// speeds, bandwidths and latencies to the last bit.
func TestConformance(t *testing.T) {
	root := os.Getenv("ISOSCALE_CONFORMANCE")
	if root == "" {
		t.Skip("ISOSCALE_CONFORMANCE is not set")
	}
	cases, err := filepath.Glob(filepath.Join(root, "simgrid", "*", "expected.json"))
	expect.Need(t, err == nil && len(cases) != 0, "%d cases, %v", len(cases), err)
	hosts, links, routes, hops := 0, 0, 0, 0
	platforms := map[string]*topology.Platform{} // many cases share one
	for _, file := range cases {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var about struct {
				Input struct{ Platform string }
			}
			var want flattened
			decode(t, file, &about)
			decode(t, filepath.Join(dir, "routes.json.gz"), &want)
			p := platforms[about.Input.Platform]
			if p == nil {
				data := expect.Value(os.ReadFile(filepath.Join(dir, about.Input.Platform)))(t)
				if p, err = platformxml.Read(filepath.Base(about.Input.Platform), data); err != nil {
					t.Fatal(err)
				}
				platforms[about.Input.Platform] = p
			}
			hosts, links, routes = hosts+len(want.Hosts), links+len(want.Links), routes+len(want.Routes)
			hops += compare(t, p, &want)
		})
	}
	t.Logf("compared %d cases: %d hosts, %d links, %d routes over %d links", len(cases), hosts, links, routes, hops)
}

// decode reads a JSON file, compressed or not.
func decode(t *testing.T, file string, into any) {
	t.Helper()
	f := expect.Value(os.Open(file))(t)
	defer f.Close()
	d := json.NewDecoder(f)
	if filepath.Ext(file) == ".gz" {
		z := expect.Value(gzip.NewReader(f))(t)
		d = json.NewDecoder(z)
	}
	err := d.Decode(into)
	expect.Need(t, err == nil, "%s: %v", file, err)
}

// compare returns how many links the routes have in all.
func compare(t *testing.T, p *topology.Platform, want *flattened) int {
	number := map[string]int32{}
	for i, h := range p.Hosts {
		number[h.Name] = int32(i)
	}
	for _, h := range want.Hosts {
		i, ok := number[h.Name]
		expect.Need(t, ok, "no host %s", h.Name)
		got := p.Hosts[i]
		expect.That(t, float64(got.Speed) == h.Speed && got.Cores == h.Cores, "host %+v, want %+v", got, h)
	}
	byName := map[string]topology.Link{}
	for _, l := range p.Links {
		byName[l.Name] = l
	}
	for _, l := range want.Links {
		got, ok := byName[l.Name]
		expect.That(t, ok && float64(got.Bandwidth) == l.Bandwidth && float64(got.Latency) == l.Latency &&
			got.FatPipe == (l.Policy == "FATPIPE"),
			"link %+v, want %+v", got, l)
	}
	hops := 0
	var buf []int32
	for _, r := range want.Routes {
		var err error
		buf, err = p.Route(buf[:0], number[r.Src], number[r.Dst])
		var got []string
		for _, l := range buf {
			got = append(got, p.Links[l].Name)
		}
		expect.That(t, err == nil && len(got) != 0 && slices.Equal(got, r.Links),
			"%s to %s: %v, %v; want %v", r.Src, r.Dst, got, err, r.Links)
		hops += len(r.Links)
	}
	return hops
}
