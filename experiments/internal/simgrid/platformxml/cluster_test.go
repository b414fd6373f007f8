package platformxml_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
	"pgregory.net/rapid"
)

func clusterOf(n int, attributes string) string {
	return fmt.Sprintf(`<platform version="4.1"><cluster id="k" prefix="h" suffix="" radical="0-%d" speed="1Gf" bw="1" lat="0" %s/></platform>`, n-1, attributes)
}

// ends returns which of the hosts and switches a link of a cluster connects, by
// its name.
func ends(t *testing.T, name string) (from, to int) {
	up := strings.HasSuffix(name, "_UP")
	if _, err := fmt.Sscanf(name[strings.Index(name, "link_from_"):], "link_from_%d_%d", &from, &to); err != nil {
		_, err := fmt.Sscanf(name[strings.Index(name, "link_from_"):], "link_from_%d_to_%d", &from, &to)
		expect.Need(t, err == nil, "%s: %v", name, err)
	}
	if !up {
		from, to = to, from
	}
	return from, to
}

// A route through a torus is a walk from host to host along cables, as long as
// the distance on the grid.
func TestTorusRoutesAreShortest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 8), 1, 3).Draw(r, "sizes")
		n := 1
		var text []string
		for _, s := range sizes {
			n *= s
			text = append(text, fmt.Sprint(s))
		}
		p := mustRead(t, clusterOf(n, `topology="TORUS" topo_parameters="`+strings.Join(text, ",")+`"`))
		a, b := rapid.IntRange(0, n-1).Draw(r, "from"), rapid.IntRange(0, n-1).Draw(r, "to")
		if a == b {
			return
		}
		distance := 0
		for i, rest := 0, [2]int{a, b}; i < len(sizes); i++ {
			d := (rest[0]%sizes[i] - rest[1]%sizes[i] + sizes[i]) % sizes[i]
			distance += min(d, sizes[i]-d)
			rest = [2]int{rest[0] / sizes[i], rest[1] / sizes[i]}
		}
		route, err := p.Route(nil, int32(a), int32(b))
		expect.Need(r, err == nil && len(route) == distance, "%d links, %v; want %d", len(route), err, distance)
		walk(r, t, p, route, a, b)
	})
}

// A route through a fat tree is a walk along cables that goes up and then down,
// and no higher than the first switch above both hosts.
func TestFatTreeRoutesAreWalks(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		levels := rapid.IntRange(1, 3).Draw(r, "levels")
		n := 1
		var children []int
		lists := make([]string, 3)
		for i := range lists {
			for l := range levels {
				v := rapid.IntRange(1, 4).Draw(r, "n")
				if i == 0 {
					n, children = n*v, append(children, v)
				}
				if l > 0 {
					lists[i] += ","
				}
				lists[i] += fmt.Sprint(v)
			}
		}
		p := mustRead(t, clusterOf(
			n, fmt.Sprintf(`topology="FAT_TREE" topo_parameters="%d;%s"`, levels, strings.Join(lists, ";")),
		))
		a, b := rapid.IntRange(0, n-1).Draw(r, "from"), rapid.IntRange(0, n-1).Draw(r, "to")
		height, below := 1, children[0]
		for a/below != b/below {
			below *= children[height]
			height++
		}
		route, err := p.Route(nil, int32(a), int32(b))
		expect.Need(r, err == nil && len(route) == 2*height, "%d links, %v; want %d", len(route), err, 2*height)
		for i, l := range route {
			expect.Equal(r, strings.HasSuffix(p.Links[l].Name, "_UP"), i < height, "link %d, %s, is up", i, p.Links[l].Name)
		}
		walk(r, t, p, route, a, b)
	})
}

// walk checks that the links follow each other.
func walk(r *rapid.T, t *testing.T, p *topology.Platform, route []int32, a, b int) {
	at := a
	for _, l := range route {
		from, to := ends(t, p.Links[l].Name)
		expect.Need(r, from == at, "%s does not begin at %d", p.Links[l].Name, at)
		at = to
	}
	expect.Need(r, at == b, "the route ends at %d, not %d", at, b)
}

// A cluster costs memory by host, not by pair: with 100 000 of them a table of
// routes would have 10^10 entries.
func TestLargeCluster(t *testing.T) {
	const n = 100_000
	p := mustRead(t, clusterOf(n, `bb_bw="1"`))
	expect.Need(t, len(p.Hosts) == n && len(p.Links) == 2*n+2, "%d hosts, %d links", len(p.Hosts), len(p.Links))
	got := names(t, p, "h0", "h99999")
	expect.That(t, got == "k_link_0_UP k_backbone k_link_99999_DOWN", "%v", got)
}

// Routes may be asked for from several goroutines, also where the tree of a
// source is made when first needed.
func TestConcurrentRoutes(t *testing.T) {
	var b strings.Builder
	const n = 30
	for i := range n {
		fmt.Fprintf(&b, `<host id="h%d" speed="1"/><link id="l%d" bandwidth="1"/>`, i, i)
	}
	for i := range n - 1 {
		fmt.Fprintf(&b, `<route src="h%d" dst="h%d"><link_ctn id="l%d"/></route>`, i, i+1, i)
	}
	p := mustRead(t, strings.Replace(in(b.String()), "Full", "Dijkstra", 1))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range int32(n) {
				for j := range int32(n) {
					route, err := p.Route(nil, i, j)
					want := int(max(i-j, j-i, 1))
					expect.That(t, err == nil && len(route) == want, "%d to %d: %d links, %v; want %d", i, j, len(route), err, want)
				}
			}
		})
	}
	group.Wait()
}
