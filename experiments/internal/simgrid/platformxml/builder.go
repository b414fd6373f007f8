package platformxml

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/isoscale/isoscale/topology"
)

// A builder makes a platform from elements, in the order of the file.
type builder struct {
	most   limits
	hosts  []topology.Host
	links  []topology.Link
	points []point
	zones  []zone
	// What each point is: the number of a host or of a zone, else none.
	hostOf, zoneOf []int32
	pointOf        []int32 // of each host

	names      map[string]int32        // points by name
	declared   map[string]declaredLink // links with elements of their own
	generated  map[string]int32        // links 0 to indexed-1 by name, made when first needed
	indexed    int
	route      openRoute
	routes     int // so far, there and back
	routeLinks int
	floydWork  int
	open       []*openZone
	notes      notes
	err        error // the first thing that could not be added

	// SimGrid numbers these through all clusters of the file.
	fatTreePosition, fatTreeCable, dragonflyCable int32
}

// declaredLink is a link element; of a split one, link is the way up, back the way down; else back is none.
type declaredLink struct{ link, back int32 }

// openZone is what a zone needs until it is closed.
type openZone struct {
	element   *element
	zone      int32
	routing   string // in lower case
	ways      map[[2]int32]*way
	dijkstra  *dijkstra
	star      *star
	backbone  *element
	hostLinks []*element
	cabinets  []*element
}

// router returns the router of the platform, once all elements are read, and adds
// the implicit loopback to the links.
func (b *builder) router() *hierarchy {
	h := &hierarchy{names: b.hosts, hosts: b.pointOf, points: b.points, zones: b.zones, loopback: int32(len(b.links))}
	b.links = append(b.links, topology.Link{Name: "__loopback__", Bandwidth: 10e9, FatPipe: true})
	return h
}

func (b *builder) inner() *openZone {
	if len(b.open) == 0 {
		return nil
	}
	return b.open[len(b.open)-1]
}

// addPoint adds a point to the innermost open zone.
func (b *builder) addPoint(el *element, name string) (int32, error) {
	if name == "" {
		return none, el.fail(el.name+" without a name", "an id")
	}
	if _, taken := b.names[name]; taken {
		return none, el.fail(fmt.Sprintf("there is already a host, router or zone %q", name), "another name")
	}
	p := point{zone: none}
	if z := b.inner(); z != nil {
		p.zone, p.index = z.zone, b.zones[z.zone].points
		b.zones[z.zone].points++
		if z.star != nil {
			z.star.spokes = append(z.star.spokes, hub)
		}
	}
	n := int32(len(b.points))
	b.points, b.names[name] = append(b.points, p), n
	b.hostOf, b.zoneOf = append(b.hostOf, none), append(b.zoneOf, none)
	return n, nil
}

func (b *builder) openZone(el *element) error {
	if len(b.open) == maxDepth {
		return el.fail("zones nested too deeply", fmt.Sprintf("at most %d", maxDepth))
	}
	routing := strings.ToLower(el.value("routing"))
	switch routing {
	case "full", "floyd", "dijkstra", "dijkstracache", "cluster", "none", "vivaldi":
	default:
		return el.wrong("routing", "not supported", "Full, Floyd, Dijkstra, DijkstraCache, Cluster or None")
	}
	return b.begin(el, routing)
}

// begin opens a zone for a zone or cluster element.
func (b *builder) begin(el *element, routing string) error {
	parent := b.inner()
	switch {
	case parent == nil && len(b.zones) > 0:
		return el.fail("a second outermost zone", "all zones inside one")
	case parent == nil:
	case parent.routing == "vivaldi" && b.zones[parent.zone].points > 0:
		return el.fail("a second zone in a zone of routing Vivaldi", "routes that are made of links: Vivaldi is supported around a single zone only")
	case b.zones[parent.zone].points > 0 && !b.zones[parent.zone].hasZone:
		return el.fail("a zone beside hosts and routers", "a zone to hold either zones or hosts and routers")
	}
	p, err := b.addPoint(el, el.value("id"))
	if err != nil {
		return err
	}
	z := &openZone{element: el, zone: int32(len(b.zones)), routing: routing}
	made := zone{name: el.value("id"), parent: none, point: p}
	if parent != nil {
		made.parent = parent.zone
		b.zones[parent.zone].hasZone = true
	}
	switch routing {
	case "full", "floyd":
		z.ways = map[[2]int32]*way{}
	case "dijkstra", "dijkstracache":
		z.dijkstra = &dijkstra{node: map[int32]int32{}}
		z.ways = map[[2]int32]*way{}
	case "cluster":
		z.star = &star{backbone: none, loops: map[int32][]int32{}}
	}
	b.zoneOf[p] = z.zone
	b.zones, b.open = append(b.zones, made), append(b.open, z)
	return nil
}

// closeZone ends a zone element and makes the rule for routes of the zone.
func (b *builder) closeZone(el *element) error {
	z := b.inner()
	made := &b.zones[z.zone]
	n := made.points
	switch z.routing {
	case "full":
		made.graph = full(z.ways)
	case "floyd":
		// The cubes are bounded before they are computed.
		if n > maxFloyd {
			return el.fail(fmt.Sprintf("%d points in a Floyd zone", n), fmt.Sprintf("at most %d", maxFloyd))
		}
		if b.floydWork += int(n) * int(n) * int(n); b.floydWork > maxFloyd*maxFloyd*maxFloyd {
			return el.fail("too many points in Floyd zones",
				fmt.Sprintf("the sum of their cubes to be at most %d", maxFloyd*maxFloyd*maxFloyd))
		}
		made.graph = newFloyd(z.ways, n, !made.hasZone)
	case "dijkstra", "dijkstracache":
		if n > maxDijkstra {
			return el.fail(fmt.Sprintf("%d points in a Dijkstra zone", n), fmt.Sprintf("at most %d", maxDijkstra))
		}
		z.dijkstra.trees = make([]atomic.Pointer[[]step], len(z.dijkstra.edges))
		made.graph = z.dijkstra
	case "cluster":
		if err := b.populate(z); err != nil {
			return err
		}
		// The points of a star are not connected if they are zones.
		if !made.hasZone {
			b.zones[z.zone].rule = z.star
		}
	}
	b.open = b.open[:len(b.open)-1]
	return nil
}

// leaf returns the innermost zone if it can hold hosts and routers.
func (b *builder) leaf(el *element) (*openZone, error) {
	z := b.inner()
	switch {
	case z.routing == "vivaldi":
		return nil, el.fail("a "+el.name+" in a zone of routing Vivaldi", "routes that are made of links: Vivaldi is supported around a single zone only")
	case b.zones[z.zone].hasZone:
		return nil, el.fail("a "+el.name+" beside zones", "a zone to hold either zones or hosts and routers")
	}
	return z, nil
}

func (b *builder) host(el *element) error {
	if _, err := b.leaf(el); err != nil {
		return err
	}
	speed := el.speed("speed", el.count("pstate", 0, 1<<16))
	cores := el.count("core", 1, maxCores)
	if el.err != nil {
		return el.err
	}
	b.addHost(el, topology.Host{Name: el.value("id"), Cores: cores, Speed: speed, Memory: topology.NoLink})
	return b.err
}

// addHost adds a host to the innermost open zone.
func (b *builder) addHost(el *element, h topology.Host) {
	if b.err == nil {
		b.err = b.room(el, 1, 0)
	}
	if b.err != nil {
		return
	}
	var p int32
	if p, b.err = b.addPoint(el, h.Name); b.err != nil {
		return
	}
	b.hostOf[p] = int32(len(b.hosts))
	b.hosts, b.pointOf = append(b.hosts, h), append(b.pointOf, p)
}

func (b *builder) routerPoint(el *element) error {
	if _, err := b.leaf(el); err != nil {
		return err
	}
	_, err := b.addPoint(el, el.value("id"))
	return err
}

func (b *builder) link(el *element) error {
	policy := el.value("sharing_policy")
	if policy == "WIFI" {
		return el.wrong("sharing_policy", "not supported", "a link with a bandwidth of its own: SHARED, SPLITDUPLEX or FATPIPE")
	}
	l := el.link("bandwidth", "latency")
	if el.err != nil {
		return el.err
	}
	l.Name, l.FatPipe = el.value("id"), policy == "FATPIPE"
	if !splits(policy) {
		b.declare(el, l.Name, declaredLink{b.addLinks(el, l), none})
		return b.err
	}
	b.noteOldName(el, policy)
	first := b.addCable(el, l, true)
	b.declare(el, l.Name, declaredLink{first, first + 1})
	b.declare(el, l.Name+up, declaredLink{first, none})
	b.declare(el, l.Name+down, declaredLink{first + 1, none})
	return b.err
}

// splits tells whether a cable of that policy has a link for each direction.
func splits(policy string) bool { return policy == "SPLITDUPLEX" || policy == "FULLDUPLEX" }

func (b *builder) noteOldName(el *element, policy string) {
	if policy == "FULLDUPLEX" {
		b.notes.add(policy, "sharing policy FULLDUPLEX is read as SPLITDUPLEX, its new name", el.line)
	}
}

// addLinks adds links and returns the number of the first.
func (b *builder) addLinks(el *element, links ...topology.Link) int32 {
	if b.err == nil {
		b.err = b.room(el, 0, len(links))
	}
	if b.err != nil {
		return none
	}
	first := int32(len(b.links))
	b.links = append(b.links, links...)
	return first
}

// What the names of the two links of a cable end in.
const up, down = "_UP", "_DOWN"

// addCable adds the links of a cable, one for both directions or one for each.
func (b *builder) addCable(el *element, l topology.Link, split bool) int32 {
	if !split {
		return b.addLinks(el, l)
	}
	there, back := l, l
	there.Name, back.Name = l.Name+up, l.Name+down
	return b.addLinks(el, there, back)
}

func (b *builder) declare(el *element, name string, l declaredLink) {
	if b.err != nil {
		return
	}
	if name == "" {
		b.err = el.fail(el.name+" without a name", "an id")
	} else if _, taken := b.declared[name]; taken {
		b.err = el.fail(fmt.Sprintf("there is already a link %q", name), "another name")
	}
	b.declared[name] = l
}

// linkNamed returns the link of that name: a declared one, or one of a cluster.
func (b *builder) linkNamed(name string) (declaredLink, bool) {
	if l, ok := b.declared[name]; ok {
		return l, true
	}
	for ; b.indexed < len(b.links); b.indexed++ {
		if l := b.links[b.indexed].Name; b.generated[l] == 0 {
			b.generated[l] = int32(b.indexed) + 1
		}
	}
	if n := b.generated[name]; n > 0 {
		return declaredLink{n - 1, none}, true
	}
	return declaredLink{}, false
}
