package platformxml

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// clusterElement is a cluster element with its values read.
type clusterElement struct {
	*element
	spans              []span
	count              int // hosts
	speed              units.FlopsPerSecond
	cores              int
	wire               topology.Link // of each cable
	split              bool
	backbone, loopback topology.Link // a bandwidth of 0: there is none
	limiter            units.BytesPerSecond
}

// cluster reads a cluster element: a zone of its own.
func (b *builder) cluster(el *element) error {
	c := readCluster(el)
	if el.err != nil {
		return el.err
	}
	policy := el.value("sharing_policy")
	c.split = splits(policy)
	b.noteOldName(el, policy)
	if policy == "FATPIPE" {
		b.notes.add("cluster FATPIPE", "sharing policy FATPIPE of a cluster is read as SHARED, as SimGrid does", el.line)
	}
	if err := b.begin(el, "cluster of its own"); err != nil {
		return err
	}
	var err error
	switch el.value("topology") {
	case "TORUS":
		err = b.torus(c)
	case "FAT_TREE":
		err = b.fatTree(c)
	case "DRAGONFLY":
		err = b.dragonfly(c)
	default:
		err = b.flat(c)
	}
	b.open = b.open[:len(b.open)-1]
	if err != nil {
		return err
	}
	return b.err
}

func readCluster(el *element) *clusterElement {
	c := &clusterElement{element: el}
	c.spans, c.count = el.radical()
	c.speed, c.cores = el.speed("speed", 0), el.count("core", 1, maxCores)
	c.wire = el.link("bw", "lat")
	c.limiter = el.rate("limiter_link", true)
	c.backbone = el.optionalLink("bb_bw", "bb_lat")
	c.loopback = el.optionalLink("loopback_bw", "loopback_lat")
	c.backbone.FatPipe = el.value("bb_sharing_policy") == "FATPIPE"
	c.loopback.FatPipe = true
	return c
}

func (el *element) link(bandwidth, latency string) topology.Link {
	return topology.Link{Bandwidth: el.rate(bandwidth, false), Latency: el.time(latency)}
}

// optionalLink reads a link that is there if its bandwidth is.
func (el *element) optionalLink(bandwidth, latency string) topology.Link {
	l := topology.Link{Bandwidth: el.rate(bandwidth, true), Latency: el.time(latency)}
	if l.Bandwidth == 0 && l.Latency > 0 {
		el.refuse(latency, "a latency without a bandwidth", bandwidth+" as well")
	}
	return l
}

// shaped checks that the cluster has the hosts that its topology needs. More are
// left out, as in SimGrid.
func (c *clusterElement) shaped(b *builder, need int) error {
	if c.count < need {
		return c.wrong("radical", fmt.Sprintf("%d hosts", c.count),
			fmt.Sprintf("the %d of topo_parameters=%q", need, c.value("topo_parameters")))
	}
	if c.count > need {
		b.notes.add("cluster radical", "hosts of a cluster beyond the places of its topology are left out", c.line)
	}
	c.count = need
	return nil
}

// product multiplies counts and stops above the limit.
func product(most int, counts ...int) int {
	p := 1
	for _, n := range counts {
		if p *= n; p > most {
			return most + 1
		}
	}
	return p
}

// room checks that so many hosts and links may be added, before anything is
// made of their number.
func (b *builder) room(el *element, hosts, links int) error {
	if len(b.hosts)+hosts > b.most.hosts {
		return el.fail("too many hosts", fmt.Sprintf("at most %d", b.most.hosts))
	}
	if len(b.links)+links > b.most.links {
		return el.fail("too many links", fmt.Sprintf("at most %d", b.most.links))
	}
	return nil
}

// each calls do with the numbers of the hosts, until something cannot be added.
func (c *clusterElement) each(b *builder, do func(i, radical int)) {
	i := 0
	for _, s := range c.spans {
		for r := s.first; r <= s.last && i < c.count && b.err == nil; r++ {
			do(i, r)
			i++
		}
	}
}

func (c *clusterElement) addHost(b *builder, radical int) {
	name := c.value("prefix") + strconv.Itoa(radical) + c.value("suffix")
	b.addHost(c.element, topology.Host{Name: name, Cores: c.cores, Speed: c.speed, Memory: topology.NoLink})
}

// addLoopback adds the loopback of a host, if the cluster has them.
func (c *clusterElement) addLoopback(b *builder, radical int) int32 {
	if c.loopback.Bandwidth == 0 {
		return none
	}
	l := c.loopback
	l.Name = fmt.Sprintf("%s_link_%d_loopback", c.value("id"), radical)
	return b.addLinks(c.element, l)
}

// addLimiter adds the limiter of a host or switch, if the cluster has them.
func (c *clusterElement) addLimiter(b *builder, number int) int32 {
	if c.limiter == 0 {
		return none
	}
	return b.addLinks(c.element, topology.Link{Name: fmt.Sprintf("%s_link_%d_limiter", c.value("id"), number),
		Bandwidth: c.limiter})
}

func (c *clusterElement) addCable(b *builder, name string) int32 {
	l := c.wire
	l.Name = name
	return b.addCable(c.element, l, c.split)
}

// hostLinks are the links of hosts, each of which owns so many cables.
func (c *clusterElement) hostLinks(b *builder, cables int) hostLinks {
	h := hostLinks{loopback: c.loopback.Bandwidth > 0, limiter: c.limiter > 0, first: int32(len(b.links)), cable: c.cable()}
	for _, has := range []bool{h.loopback, h.limiter} {
		if has {
			h.own++
		}
	}
	h.stride = h.own + int32(cables)*h.cable
	return h
}

// cable is the number of links of a cable.
func (c *clusterElement) cable() int32 {
	if c.split {
		return 2
	}
	return 1
}

// flat makes hosts around a router.
func (b *builder) flat(c *clusterElement) error {
	if err := b.room(c.element, c.count, product(b.most.links, int(c.hostLinks(b, 1).stride), c.count)); err != nil {
		return err
	}
	s := &star{backbone: none}
	b.zones[b.inner().zone].rule = s
	id := c.value("id")
	if c.backbone.Bandwidth > 0 {
		c.backbone.Name = id + "_backbone"
		s.backbone = b.addLinks(c.element, c.backbone)
	}
	c.each(b, func(_, radical int) {
		c.addHost(b, radical)
		own := spoke{loopback: c.addLoopback(b, radical)}
		own.limiter = c.addLimiter(b, radical)
		own.up = c.addCable(b, fmt.Sprintf("%s_link_%d", id, radical))
		own.down = own.up + c.cable() - 1
		s.spokes = append(s.spokes, own)
	})
	if b.err != nil {
		return b.err
	}
	name := cmp.Or(c.value("router_id"), c.value("prefix")+id+"_router"+c.value("suffix"))
	s.spokes = append(s.spokes, hub)
	_, err := b.addPoint(c.element, name)
	return err
}

// torus makes a torus of dimensions "x,y,...".
func (b *builder) torus(c *clusterElement) error {
	sizes, err := wholes(c.value("topo_parameters"))
	if err == nil && len(sizes) > maxDimensions {
		err = fmt.Errorf("%d dimensions", len(sizes))
	}
	if err != nil {
		return c.wrong("topo_parameters", err.Error(), fmt.Sprintf("at most %d sizes such as 3,2,2", maxDimensions))
	}
	if err := c.shaped(b, product(b.most.hosts, sizes...)); err != nil {
		return err
	}
	t := &torus{hostLinks: c.hostLinks(b, len(sizes))}
	t.dimensions = each.Append(t.dimensions, sizes, func(n int) int32 { return int32(n) })
	if err := b.room(c.element, c.count, product(b.most.links, int(t.stride), c.count)); err != nil {
		return err
	}
	b.zones[b.inner().zone].rule = t
	c.each(b, func(i, radical int) {
		c.addHostWithLinks(b, i, radical)
		step := 1
		for _, size := range sizes {
			next := i + step
			if i/step%size == size-1 {
				next -= step * size
			}
			c.addCable(b, fmt.Sprintf("%s_link_from_%d_to_%d", c.value("id"), i, next))
			step *= size
		}
	})
	return nil
}

// addHostWithLinks adds a host, its loopback and its limiter.
func (c *clusterElement) addHostWithLinks(b *builder, i, radical int) {
	c.addHost(b, radical)
	c.addLoopback(b, radical)
	c.addLimiter(b, i)
}

// fatTree makes a fat tree of "levels;children,...;parents,...;cables,...".
func (b *builder) fatTree(c *clusterElement) error {
	levels, lists, err := fatTreeParameters(c.value("topo_parameters"))
	if err != nil {
		return c.wrong("topo_parameters", err.Error(), fmt.Sprintf("at most %d levels; children; parents; cables such as 2;4,4;1,2;1,2", maxDimensions))
	}
	children, parents, cables := lists[0], lists[1], lists[2]
	if err := c.shaped(b, product(b.most.hosts, children...)); err != nil {
		return err
	}
	// Nodes and cables of each level.
	nodes, wires, links := make([]int, levels+1), make([]int, levels), 0
	for l := range nodes {
		nodes[l] = product(b.most.links, append(append([]int{}, parents[:l]...), children[l:]...)...)
		if l < levels {
			wires[l] = product(b.most.links, nodes[l], parents[l], cables[l])
			links += wires[l] * int(c.cable())
		}
		if c.limiter > 0 {
			links += nodes[l]
		}
	}
	if err := b.room(c.element, c.count, links+c.count); err != nil {
		return err
	}
	t := &fatTree{hostLinks: c.hostLinks(b, 0), position: b.fatTreePosition}
	for l := range levels {
		t.children = append(t.children, int32(children[l]))
		t.parents, t.cables = append(t.parents, int32(parents[l])), append(t.cables, int32(cables[l]))
	}
	b.fatTreePosition += int32(c.count)
	b.zones[b.inner().zone].rule = t
	c.each(b, func(i, radical int) { c.addHostWithLinks(b, i, radical) })
	// Names contain numbers: hosts count up from 0, switches down from twice the number of hosts.
	number := 2 * c.count
	first := make([]int, levels+1) // number of a level's first node
	for l := 1; l <= levels; l++ {
		first[l] = number - 1
		t.limiters = append(t.limiters, int32(len(b.links)))
		for range nodes[l] {
			number--
			c.addLimiter(b, number)
		}
	}
	for l := range levels {
		t.wires = append(t.wires, int32(len(b.links)))
		// The position of a parent differs from the node's in digit l, whose place
		// value is size.
		size := product(b.most.links, parents[:l]...)
		for p := range nodes[l] {
			low, high := p%size, p/size/children[l]
			node := p
			if l > 0 {
				node = first[l] - p
			}
			for q := range parents[l] {
				parent := first[l+1] - ((high*parents[l]+q)*size + low)
				for range cables[l] {
					c.addCable(b, fmt.Sprintf("link_from_%d_%d_%d", node, parent, b.fatTreeCable))
					b.fatTreeCable++
				}
			}
		}
	}
	return nil
}

func fatTreeParameters(text string) (levels int, lists [3][]int, err error) {
	parts := strings.Split(text, ";")
	if len(parts) != 4 {
		return 0, lists, fmt.Errorf("%d parts", len(parts))
	}
	if levels, err = whole(parts[0]); err != nil || levels < 1 || levels > maxDimensions {
		return 0, lists, fmt.Errorf("no number of levels")
	}
	for i := range lists {
		if lists[i], err = wholes(parts[i+1]); err != nil {
			return 0, lists, err
		}
		if len(lists[i]) != levels {
			return 0, lists, fmt.Errorf("%q does not have %d numbers", parts[i+1], levels)
		}
	}
	return levels, lists, nil
}

// dragonfly makes a dragonfly of "groups,blue;chassis,black;routers,green;nodes",
// where colours are numbers of cables.
func (b *builder) dragonfly(c *clusterElement) error {
	counts, err := dragonflyParameters(c.value("topo_parameters"))
	if err != nil {
		return c.wrong("topo_parameters", err.Error(), "groups, cables; chassis, cables; routers, cables; nodes such as 3,4;4,3;5,1;2")
	}
	groups, blue, chassis, black, routers, green, nodes := counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]
	if groups > 1 && groups > routers {
		return c.wrong("topo_parameters", fmt.Sprintf("%d groups, but %d routers in a chassis", groups, routers),
			"a router in each chassis for each group")
	}
	if err := c.shaped(b, product(b.most.hosts, groups, chassis, routers, nodes)); err != nil {
		return err
	}
	// No product overflows: its factors are at most the limit of hosts.
	switches := groups * chassis * routers
	links := c.count + groups*chassis*(routers*(routers-1)/2) + groups*(chassis*(chassis-1)/2)*routers +
		groups*(groups-1)/2
	own := c.hostLinks(b, 0)
	links = links*int(own.cable) + c.count*int(own.stride)
	if c.limiter > 0 {
		links += switches
	}
	if err := b.room(c.element, c.count, links); err != nil {
		return err
	}
	d := &dragonfly{hostLinks: own, groups: int32(groups), chassis: int32(chassis), routers: int32(routers), nodes: int32(nodes)}
	b.zones[b.inner().zone].rule = d
	c.each(b, func(i, radical int) { c.addHostWithLinks(b, i, radical) })
	d.limiters = int32(len(b.links))
	for i := range switches {
		c.addLimiter(b, 2*c.count-1-i)
	}
	// Names end in a number that counts on through the cables of all dragonflies.
	cable := func(parallel int, format string, numbers ...any) {
		name := fmt.Sprintf(format, numbers...) + "_" + strconv.Itoa(int(b.dragonflyCable))
		l := topology.Link{Name: name, Bandwidth: c.wire.Bandwidth * units.BytesPerSecond(parallel),
			Latency: c.wire.Latency}
		b.addCable(c.element, l, c.split)
		b.dragonflyCable++
	}
	d.local = int32(len(b.links))
	for i := range switches {
		for j := range nodes {
			cable(1, "local_link_from_router_%d_to_node_%d", i, j)
		}
	}
	d.green = int32(len(b.links))
	for i := range groups * chassis {
		for j := range routers {
			for k := j + 1; k < routers; k++ {
				cable(green, "green_link_in_chassis_%d_between_routers_%d_and_%d", i%chassis, j, k)
			}
		}
	}
	d.black = int32(len(b.links))
	for i := range groups {
		for j := range chassis {
			for k := j + 1; k < chassis; k++ {
				for l := range routers {
					cable(black, "black_link_in_group_%d_between_chassis_%d_and_%d_blade_%d", i, j, k, l)
				}
			}
		}
	}
	d.blue = int32(len(b.links))
	for i := range groups {
		for j := i + 1; j < groups; j++ {
			cable(blue, "blue_link_between_group_%d_and_%d_routers_%d_and_%d",
				i, j, i*chassis*routers+j, j*chassis*routers+i)
		}
	}
	return nil
}

func dragonflyParameters(text string) ([]int, error) {
	parts := strings.Split(text, ";")
	if len(parts) != 4 {
		return nil, fmt.Errorf("%d parts", len(parts))
	}
	var counts []int
	for i, part := range parts {
		list, err := wholes(part)
		if err != nil {
			return nil, err
		}
		if i == 3 && len(list) != 1 || i < 3 && len(list) != 2 {
			return nil, fmt.Errorf("%q has %d numbers", part, len(list))
		}
		counts = append(counts, list...)
	}
	return counts, nil
}
