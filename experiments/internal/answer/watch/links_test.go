package watch

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"pgregory.net/rapid"
)

func TestRespread(t *testing.T) {
	for _, tt := range []struct {
		name         string
		bins         []float32
		width, until units.Seconds
		want         []float64
	}{
		{"as many parts as bins", []float32{0.25, 1}, 2, 4, []float64{0.25, 1}},
		{"each bin in halves", []float32{0.25, 1}, 2, 4, []float64{0.25, 0.25, 1, 1}},
		{"bins in pairs", []float32{0, 1, 0.5, 0.25}, 1, 4, []float64{0.5, 0.375}},
		// Parts of 4/3 s: the first has bin 1 and a third of bin 2, the second two thirds each of
		// bins 2 and 3.
		{"bins in two parts", []float32{1, 0, 0.5, 1}, 1, 4, []float64{0.75, 0.25, 0.875}},
		// The end of the run at 3 s cuts the second bin; its half is all use until then.
		{"cut bin", []float32{1, 0.5}, 2, 3, []float64{1, 1, 1}},
		{"unused later", []float32{1}, 1, 4, []float64{0.5, 0}},
		{"never used", nil, 1, 4, []float64{0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := respread(tt.bins, tt.width, tt.until, len(tt.want))
			expect.That(t, slices.EqualFunc(got, tt.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }),
				"got %v, want %v", got, tt.want)
		})
	}
}

// However the time is divided, the total use of a link is the same, and no part is
// used more than fully.
func TestRespreadKeepsTheTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bins := rapid.SliceOfN(rapid.Float32Range(0, 1), 1, 240).Draw(t, "bins")
		width := rapid.Float64Range(1e-9, 1e3).Draw(t, "width")
		cut := rapid.Float64Range(0.01, 1).Draw(t, "part of the last bin")
		n := rapid.IntRange(1, 300).Draw(t, "n")
		bins[len(bins)-1] *= float32(cut) // at most full until the end
		until := (float64(len(bins)-1) + cut) * width
		want, got := 0.0, 0.0
		for _, b := range bins {
			want += float64(b) * width
		}
		for _, m := range respread(bins, units.Seconds(width), units.Seconds(until), n) {
			if m < 0 || m > 1+1e-6 { // bins are float32
				t.Fatalf("a mean of %v", m)
			}
			got += m * until / float64(n)
		}
		expect.Need(t, math.Abs(got-want) <= 1e-9*until, "total %v, want %v", got, want)
	})
}

// usage returns links of 4 ranks in a run of 10 s. Link i is half used and lost lost[i] s.
func usage(lost ...units.Seconds) *Links {
	p, u := &topology.Platform{}, &flow.Usage{Until: 10, Width: 5}
	for i, l := range lost {
		p.Links = append(p.Links, topology.Link{Name: fmt.Sprint("link-", i), Bandwidth: 1e6})
		u.Links = append(u.Links, flow.LinkUsage{Messages: 1, Bytes: 5e6, Busy: 8, Mean: 0.5, Peak: 1, Lost: l, Bins: []float32{0.6, 0.4}})
	}
	return &Links{Platform: p, Place: make([]int32, 4), Usage: u}
}

// The time of 4 ranks in a run of 10 s is 40 s.
func TestBottleneckText(t *testing.T) {
	idle := &Links{Platform: &topology.Platform{}, Usage: &flow.Usage{Until: 10, Width: 5, Links: make([]flow.LinkUsage, 2)}}
	empty := &Links{Platform: &topology.Platform{Links: make([]topology.Link, 2)}, Usage: &flow.Usage{Links: make([]flow.LinkUsage, 2)}, Place: []int32{0}}
	for _, tt := range []struct {
		links *Links
		want  string
	}{
		{usage(1, 6, 2), "The bottleneck is the link link-1 (1 MB/s): sharing it cost messages and computations 6 s in total. Its utilisation was 50 % on average and 100 % at peak."},
		{usage(0, 1), "No link is a bottleneck. The most time was lost on the link link-1 (1 MB/s): 1 s in total."},
		{usage(0.01), "No link is a bottleneck. The most time was lost on the link link-0 (1 MB/s): 10 ms in total."},
		{usage(0, 0), "No time was lost by sharing links: every message and computation had the full capacity of its route."},
		{idle, "No link was used."},
		{empty, "No link was used."},
		{&Links{Usage: &flow.Usage{}}, "No link was used."},
	} {
		got := strings.ReplaceAll(tt.links.section().Text[0], "\u00a0", " ")
		expect.That(t, got == tt.want, "got  %s\nwant %s", got, tt.want)
		expect.Equal(t, len(tt.links.Warnings(LinksFlag)) > 0, strings.HasPrefix(tt.want, "The bottleneck"), "warns: %s", tt.want)
	}
}

// Of 60 used links and an idle one, link 59 lost most; the map and the table are cut and say so.
func TestLinkSectionOfManyLinks(t *testing.T) {
	var lost []units.Seconds
	for i := range 61 {
		lost = append(lost, units.Seconds(i))
	}
	l := usage(lost...)
	l.Usage.Links[60] = flow.LinkUsage{}
	s := l.section()
	expect.Need(t, len(s.Blocks) == 2, "%d blocks", len(s.Blocks))
	m, table := s.Blocks[0].(*report.HeatMap), s.Blocks[1].(*report.Table)
	expect.That(t, len(m.Rows) == mappedLinks && m.Rows[0].Name == "link-59" && m.Rows[mappedLinks-1].Name == "link-36",
		"%d rows, from %q", len(m.Rows), m.Rows[0].Name)
	r := m.Rows[0].Values
	expect.That(t, r[0] == 60 && r[59] == 60 && r[60] == 40 && r[119] == 40 && *m.X.Max == 10,
		"row %v until %v, want 60 %% for 5 s and 40 %% for 5 s", r, *m.X.Max)
	expect.Says(t, m.Caption, "Shown: the first 24 of 60 used links (61 in all)")
	expect.That(t, len(table.Rows) == listedLinks && slices.Equal(table.Rows[0], []string{"link-59", "1 MB/s", "1",
		"5 MB", "8 s", "50.0", "100.0", "59 s"}),
		"%d rows, the first %q", len(table.Rows), table.Rows[0])
	expect.That(t, strings.HasSuffix(table.Caption, "Shown: the first 50 of 60 used links."), "caption %q", table.Caption)
}

// Without bins there is no map, and without use nothing but a sentence.
func TestLinkSectionWithoutMap(t *testing.T) {
	l := usage(1)
	l.Usage.Links[0].Bins = nil
	s := l.section()
	_, ok := s.Blocks[0].(*report.Table)
	expect.That(t, ok && len(s.Blocks) == 1 && slices.Contains(s.Text, "The machine has too many links to show their utilisation over time."),
		"got %+v", s)
	l.Usage.Links[0] = flow.LinkUsage{}
	s = l.section()
	expect.That(t, len(s.Blocks) == 0 && len(s.Text) == 1, "got %+v", s)
}

// wired returns nodes n-1, n-2 and so on in a topology.
func wired(t *testing.T, of build.Topology, nodes int, halfDuplex bool) *topology.Platform {
	c := build.Cluster{Name: "c", Network: build.Network{Latency: 1e-6, Bandwidth: 1e9, HalfDuplex: halfDuplex}, Topology: of}
	for i := range nodes {
		c.Nodes = append(c.Nodes, build.Node{Name: fmt.Sprintf("n-%d", i+1), Cores: 1, Speed: 1e9})
	}
	return expect.Value(c.Platform())(t)
}

// The places and links of each topology, counted by hand. A cable is two links.
func TestWiring(t *testing.T) {
	for _, c := range []struct {
		name           string
		topology       build.Topology
		nodes          int
		halfDuplex     bool
		places, links  int
		media, toHosts int // places that are links; links that begin at a host
	}{
		{"star: a switch and a cable for each host", build.Star{}, 4, false, 5, 8, 0, 4},
		{"star whose cables carry one direction at a time", build.Star{}, 4, true, 5, 4, 0, 4},
		{"bus: one place, to which all hosts lead", build.Bus{}, 4, false, 5, 4, 1, 4},
		{"backbone: the hosts' cables lead to it", build.Backbone{Latency: 1e-6, Bandwidth: 1e9}, 4, false, 5, 8, 1, 4},
		// 4 leaves of 4 hosts: 16 cables to hosts, each leaf with one to each of 2 spines.
		{"fat tree", build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}, 16, false, 16 + 4 + 2, 2 * (16 + 8), 0, 16},
		// No message goes up to the spine and down to the same leaf.
		{"fat tree of two leaves", build.LeafSpine{Hosts: 8, Spines: 1, Oversubscription: 4}, 16, false, 16 + 2 + 1, 2 * (16 + 2), 0, 16},
		// 3 x 3 going round: each host has 4 neighbours.
		{"torus", build.Torus{Dimensions: []int{3, 3}}, 9, false, 9, 36, 0, 36},
		// 3 x 3 not going round: 2 rows of 3 cables each way.
		{"mesh", build.Torus{Dimensions: []int{3, 3}, Mesh: true}, 9, false, 9, 2 * 12, 0, 24},
		{"two hosts without a switch", build.Graph{Links: []build.Cable{{From: "n-1", To: "n-2"}}}, 2, false, 2, 2, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := WiringOf(c.topology, wired(t, c.topology, c.nodes, c.halfDuplex))
			media, toHosts := 0, 0
			for i, x := range w.Places {
				expect.That(t, x.Host == (i < c.nodes), "place %d: host is %v", i, x.Host)
				if x.Medium != nil {
					media++
				}
			}
			for _, l := range w.Links {
				expect.That(t, l.From != l.To, "link %s leads back to place %d", l.Name, l.From)
				if w.Places[l.From].Host {
					toHosts++
				}
			}
			expect.That(t, len(w.Places) == c.places && len(w.Links) == c.links && media == c.media &&
				toHosts == c.toHosts,
				"%d places, %d links, %d media, %d links from hosts; want %d, %d, %d, %d", len(w.Places),
				len(w.Links), media, toHosts, c.places, c.links, c.media, c.toHosts)
		})
	}
}

// The picture of the network knows when the run ends, which the last window may exceed.
func TestPictureOfLinksEndsWithTheRun(t *testing.T) {
	l := usage(1, 2)
	l.Usage.Recorded, l.Usage.Until, l.Usage.Width = true, 8, 5
	data := expect.Value(timeline.Decode(l.picture(nil).Data))(t)
	expect.Equal(t, data.Ticks(8), data.End, "end of the run in ticks of %v", data.Tick)
}

// In a run of 7.5 s links are used for 2 s alone, 0.6 and then 0.4 of them: 1 s of 7.5 on average, in the first two of eight windows.
func TestPictureOfLinksIsOfTheWholeRun(t *testing.T) {
	l := usage(1)
	l.Usage.Recorded, l.Usage.Until, l.Usage.Width, l.Usage.Links[0].Mean = true, 7.5, 1, 1/7.5
	expect.Same(t, l.over().Share, []uint8{153, 102, 0, 0, 0, 0, 0, 0}, "use of the link, in 1/255")
	expect.Same(t, l.picture(nil).Table.Rows, [][]string{{"link-0", "13.3", "60.0"}}, "use of links")
	l.Usage.Until = 2 * (1 + 1e-15)
	expect.Equal(t, len(l.over().Share), 2, "windows of a run that ends with the second")
}

// A person calls a link by its two ends, except for a medium, to which all hosts lead.
func TestLinksAreCalledByTheirEnds(t *testing.T) {
	for _, c := range []struct {
		topology   build.Topology
		halfDuplex bool
		link, want string
	}{
		{build.Star{}, false, "n-2.up", "the link from n-2 to switch 1"},
		{build.Star{}, false, "n-2.down", "the link from switch 1 to n-2"},
		{build.Star{}, true, "n-2", "the link between n-2 and switch 1"},
		{build.Bus{}, false, "bus", ""},
		{build.Backbone{Latency: 1e-6, Bandwidth: 1e9}, false, "n-1.up", "the link from n-1 to backbone"},
		// Two leaves and, above them, a spine.
		{build.LeafSpine{Hosts: 2, Spines: 1, Oversubscription: 1}, false, "n-3.0.up", "the link from n-3 to switch 2"},
	} {
		p := wired(t, c.topology, 4, c.halfDuplex)
		expect.Equal(t, WiringOf(nil, p).called(c.link), c.want, "%T %s of %v", c.topology, c.link, p.Links)
	}
}

// WiringOf is also called for platforms that are too large to draw.
func TestWiringOfMany(t *testing.T) {
	w := WiringOf(nil, &topology.Platform{Hosts: make([]topology.Host, MostHosts+1)})
	expect.That(t, w == nil, "a wiring of more hosts than can be drawn")
}
