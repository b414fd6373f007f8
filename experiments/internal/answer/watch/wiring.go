package watch

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// MostHosts is the largest number of hosts that a picture of the wiring can show.
const MostHosts = 1024

// Wiring is a network as places and the links between them. Its JSON form is what
// topology.js of package pictures draws.
type Wiring struct {
	Kind string `json:"kind"` // of the topology: "star", "fat-tree", ...
	// Dimensions are those of a grid.
	Dimensions []int `json:"dimensions,omitempty"`
	// PerGroup is the number of hosts of a group of a dragonfly.
	PerGroup int     `json:"per_group,omitempty"`
	Places   []Place `json:"places"` // the hosts of the platform first
	Links    []Cable `json:"links"`
}

// Place is a host, or a point where links meet.
type Place struct {
	Name string `json:"name"` // of a host or a medium; other places are numbered: "switch 3"
	Host bool   `json:"host,omitempty"`
	// Medium is the link that is itself the place, such as a bus: all that passes uses it. Links
	// has a cable of the same name to it from each host whose routes begin or end with it.
	Medium *Medium `json:"medium,omitempty"`
}

// Medium is a link that messages share in both directions.
type Medium struct {
	Name      string               `json:"name"`
	Bandwidth units.BytesPerSecond `json:"bandwidth"`
}

// Cable is one direction of a cable, between two places.
type Cable struct {
	Name      string               `json:"name"`
	From      int                  `json:"from"`
	To        int                  `json:"to"`
	Bandwidth units.BytesPerSecond `json:"bandwidth"`
	// Both: the same link is used in both directions.
	Both bool `json:"both,omitempty"`
}

// WiringOf returns the wiring of a platform that has topology t, which is nil for a machine that
// names none. It returns nil for a platform of more than [MostHosts] hosts.
func WiringOf(t topology.Topology, p *topology.Platform) *Wiring {
	if len(p.Hosts) > MostHosts {
		return nil
	}
	w := &Wiring{Kind: "star"}
	switch t := t.(type) {
	case nil:
	case build.Torus:
		w.Kind, w.Dimensions = t.Kind(), t.Dimensions
	case build.Dragonfly:
		w.Kind, w.PerGroup = t.Kind(), t.Chassis*t.Routers*t.Nodes
	default:
		w.Kind = t.Kind()
	}
	f := &finder{platform: p, both: make([]bool, len(p.Links)), used: make([]bool, len(p.Links))}
	f.routes(func(_, _ int32, _ []int32) {}) // notes which links are used, and in which directions
	f.join()
	f.write(w)
	return w
}

// finder finds places. Its elements are the two ends of each link l, 2l and 2l+1, followed
// by the hosts; the elements of one set are one place.
type finder struct {
	platform *topology.Platform
	used     []bool
	both     []bool  // used in both directions: both ends are one place
	set      []int32 // parent of each element
}

// routes calls visit for the routes between all hosts or, if there are many hosts,
// between each of them and some near and far ones.
func (f *finder) routes(visit func(from, to int32, route []int32)) {
	const all, far = 128, 24
	n := len(f.platform.Hosts)
	step := max(1, (n+far-1)/far)
	var there, back []int32
	for a := range n {
		for b := a + 1; b < n; b++ {
			if n > all && b-a > 2 && (b-a)%step != 0 {
				continue
			}
			var err error
			if there, err = f.platform.Route(there[:0], int32(a), int32(b)); err != nil {
				continue
			}
			if back, err = f.platform.Route(back[:0], int32(b), int32(a)); err != nil {
				continue
			}
			for _, l := range there {
				f.used[l] = true
				f.both[l] = f.both[l] || slices.Contains(back, l)
			}
			for _, l := range back {
				f.used[l] = true
			}
			visit(int32(a), int32(b), there)
			visit(int32(b), int32(a), back)
		}
	}
}

// join unites the elements that are one place.
func (f *finder) join() {
	links := len(f.platform.Links)
	f.set = make([]int32, 2*links+len(f.platform.Hosts))
	for i := range f.set {
		f.set[i] = int32(i)
	}
	for l, both := range f.both {
		if both {
			f.unite(int32(2*l), int32(2*l+1))
		}
	}
	// Both directions of a cable connect the same places, even if no route turns round at one of them.
	for l, up := range f.platform.Links {
		if cable, ok := strings.CutSuffix(up.Name, ".up"); ok && l+1 < links && f.platform.Links[l+1].Name == cable+".down" && !f.both[l] && !f.both[l+1] {
			f.unite(int32(2*l), int32(2*l+3))
			f.unite(int32(2*l+1), int32(2*l+2))
		}
	}
	host := int32(2 * links)
	f.routes(func(from, to int32, route []int32) {
		if len(route) == 0 {
			return
		}
		if first := route[0]; !f.both[first] {
			f.unite(host+from, 2*first)
		}
		if last := route[len(route)-1]; !f.both[last] {
			f.unite(host+to, 2*last+1)
		}
		for i, l := range route[1:] {
			f.unite(2*route[i]+1, 2*l)
		}
	})
}

func (f *finder) find(x int32) int32 {
	for f.set[x] != x {
		f.set[x] = f.set[f.set[x]]
		x = f.set[x]
	}
	return x
}

func (f *finder) unite(a, b int32) { f.set[f.find(a)] = f.find(b) }

// write numbers the places and lists the links between them.
func (f *finder) write(w *Wiring) {
	p := f.platform
	host := int32(2 * len(p.Links))
	number := map[int32]int{} // of a place, by the root of its set
	place := func(x int32) int {
		root := f.find(x)
		n, ok := number[root]
		if !ok {
			n = len(w.Places)
			number[root] = n
			w.Places = append(w.Places, Place{})
		}
		return n
	}
	for i, h := range p.Hosts {
		number[f.find(host+int32(i))] = i
		w.Places = append(w.Places, Place{Name: h.Name, Host: true})
	}
	w.Links = []Cable{}
	for l, used := range f.used {
		if !used || f.both[l] {
			continue
		}
		from, to := place(int32(2*l)), place(int32(2*l+1))
		w.Links = append(w.Links, Cable{Name: p.Links[l].Name, From: from, To: to, Bandwidth: capacity(p.Links[l])})
	}
	f.writeShared(w, place)
	switches := 0
	for i := range w.Places {
		switch x := &w.Places[i]; {
		case x.Medium != nil:
			x.Name = x.Medium.Name
		case !x.Host:
			switches++
			x.Name = fmt.Sprint("switch ", switches)
		}
	}
}

// called returns what a person calls a link: the places that it leads from and to.
func (w *Wiring) called(link string) string {
	if w != nil {
		for _, l := range w.Links {
			if l.Name != link || l.Both && w.Places[l.To].Medium != nil {
				continue
			}
			format := "the link from %s to %s"
			if l.Both {
				format = "the link between %s and %s"
			}
			return fmt.Sprintf(format, w.Places[l.From].Name, w.Places[l.To].Name)
		}
	}
	return ""
}

// writeShared writes links that are used in both directions: a cable from each host at which
// the link begins or ends routes and, unless that is exactly one host, a medium.
func (f *finder) writeShared(w *Wiring, place func(int32) int) {
	p := f.platform
	ends := map[[2]int32]bool{} // link and host
	f.routes(func(from, to int32, route []int32) {
		if len(route) > 0 && f.both[route[0]] {
			ends[[2]int32{route[0], from}] = true
		}
		if n := len(route); n > 0 && f.both[route[n-1]] {
			ends[[2]int32{route[n-1], to}] = true
		}
	})
	for l, both := range f.both {
		if !both || !f.used[l] {
			continue
		}
		at, single := place(int32(2*l)), 0
		for h := range p.Hosts {
			if ends[[2]int32{int32(l), int32(h)}] {
				single++
				w.Links = append(w.Links, Cable{Name: p.Links[l].Name, From: h, To: at,
					Bandwidth: capacity(p.Links[l]), Both: true})
			}
		}
		if single != 1 {
			w.Places[at].Medium = &Medium{p.Links[l].Name, capacity(p.Links[l])}
		}
	}
}

// capacity returns the bandwidth of a link, 0 for a link without limit, which is drawn thin.
func capacity(l topology.Link) units.BytesPerSecond {
	if l.FatPipe || math.IsInf(float64(l.Bandwidth), 1) {
		return 0
	}
	return l.Bandwidth
}
