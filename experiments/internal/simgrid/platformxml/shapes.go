package platformxml

// hostLinks are the links of the hosts of a cluster, numbered host by host: loopback, limiter, and the cables that
// belong to the host, up before down.
type hostLinks struct {
	loopback, limiter bool
	own               int32 // how many of these two there are
	first, stride     int32 // the first link of host 0, and how many links further that of the next host is
	cable             int32 // links of a cable: 2 if it is split, else 1
}

// of returns the first link of a host.
func (h *hostLinks) of(host int32) int32 { return h.first + host*h.stride }

// limit appends the limiter of a host, if hosts have them.
func (h *hostLinks) limit(buf []int32, host int32) []int32 {
	if h.limiter {
		buf = append(buf, h.of(host)+h.own-1)
	}
	return buf
}

// A torus is a cluster whose hosts stand on a grid that is closed in each
// dimension. For each dimension the cable to the next host belongs to a host.
type torus struct {
	hostLinks
	dimensions []int32
}

// links implements rule: dimension by dimension, the first one first, one hop at
// a time. Before each hop and at the end stands the limiter of the host.
func (t *torus) links(buf []int32, from, to int32) ([]int32, bool) {
	if from == to && t.loopback {
		return append(buf, t.of(from)), true
	}
	at, step := from, int32(1) // step: between neighbours of the dimension
	for j, size := range t.dimensions {
		have, want := from/step%size, to/step%size
		forward := t.forward(have, want, size)
		for have != want {
			buf = t.limit(buf, at)
			// The cable belongs to the host at its lower end.
			if forward {
				buf = append(buf, t.of(at)+t.own+t.cable*int32(j))
			}
			at -= have * step
			if have = (have + 1) % size; !forward {
				have = (have + size - 2) % size
			}
			at += have * step
			if !forward {
				buf = append(buf, t.of(at)+t.own+t.cable*int32(j)+t.cable-1)
			}
		}
		step *= size
	}
	return t.limit(buf, to), true
}

// forward tells whether a message goes up in a dimension. It takes the shorter
// way; if both are equally long it goes up, except from the middle to 0.
func (t *torus) forward(have, want, size int32) bool {
	half := size / 2
	return want > have && want <= have+half || have > half && want <= (have+half)%size
}

// A dragonfly is a cluster of groups of chassis of routers of hosts. All routers
// of a chassis are connected (green), the routers of equal number in the chassis
// of a group (black), and for each two groups one router of each (blue): from
// group g, router h of chassis 0 leads to group h.
type dragonfly struct {
	hostLinks
	groups, chassis, routers, nodes int32
	limiters                        int32 // first limiter of the routers
	local, green, black, blue       int32 // first links of each kind
}

// pair is the number of a < b among the pairs of n things, in lexicographic
// order.
func pair(a, b, n int32) int32 { return a*(2*n-a-1)/2 + b - a - 1 }

// pairs is the number of pairs of n things.
func pairs(n int32) int32 { return n * (n - 1) / 2 }

// cross returns the link from one to another of n things that are connected
// pairwise; the link up leads from the lower to the higher number. Each pair has
// stride cables, numbered one after another, of which this is number lane.
func (d *dragonfly) cross(first, from, to, n, stride, lane int32) int32 {
	if from < to {
		return first + d.cable*(pair(from, to, n)*stride+lane)
	}
	return first + d.cable*(pair(to, from, n)*stride+lane) + d.cable - 1
}

// links implements rule: the shortest way with at most one blue link. Inside a
// group a message goes along green first. As in SimGrid, it is then taken to be in
// chassis 0, so that a black link follows even if both routers are in one chassis
// other than 0, and none if the destination is in chassis 0.
func (d *dragonfly) links(buf []int32, from, to int32) ([]int32, bool) {
	if from == to && d.loopback {
		return append(buf, d.of(from)), true
	}
	type place struct{ group, chassis, router int32 }
	placeOf := func(host int32) place {
		r := host / d.nodes
		return place{r / d.routers / d.chassis, r / d.routers % d.chassis, r % d.routers}
	}
	number := func(p place) int32 { return (p.group*d.chassis+p.chassis)*d.routers + p.router }
	limit := func(p place) {
		if d.limiter {
			buf = append(buf, d.limiters+number(p))
		}
	}
	greenTo := func(p place, router int32) {
		limit(p)
		chassis := p.group*d.chassis + p.chassis
		buf = append(buf, d.cross(d.green+d.cable*chassis*pairs(d.routers), p.router, router, d.routers, 1, 0))
	}
	blackTo := func(p place, chassis int32) {
		limit(p)
		group := d.black + d.cable*p.group*pairs(d.chassis)*d.routers
		buf = append(buf, d.cross(group, p.chassis, chassis, d.chassis, d.routers, p.router))
	}

	here, there := placeOf(from), placeOf(to)
	buf = append(d.limit(buf, from), d.local+d.cable*from)
	if here != there {
		if here.group != there.group {
			if here.router != there.group {
				greenTo(here, there.group)
				here.router = there.group
			}
			if here.chassis != 0 {
				blackTo(here, 0)
				here.chassis = 0
			}
			buf = append(buf, d.cross(d.blue, here.group, there.group, d.groups, 1, 0))
			limit(here)
			here = place{there.group, 0, here.group}
		}
		if here.router != there.router {
			greenTo(here, there.router)
			here = place{there.group, 0, there.router}
		}
		if here.chassis != there.chassis {
			blackTo(here, there.chassis)
		}
	}
	limit(there)
	return d.limit(append(buf, d.local+d.cable*to+d.cable-1), to), true
}

// A fatTree is a cluster whose hosts are below several levels of switches, with
// several parents for each node and several cables to each parent.
//
// A node of level l has a label of one digit for each level: digit i says which
// of the parents[i] it is if i < l, and which of the children[i] if i >= l. Its
// position in the level is the number with these digits, the first one lowest. A
// node and its parents differ in digit l only.
type fatTree struct {
	hostLinks
	children, parents, cables []int32 // between level i and i + 1
	// position of the first host. Positions count on through all fat trees of a
	// file, as in SimGrid, and the ports below depend on them.
	position int32
	limiters []int32 // first limiter of the switches of level i + 1
	wires    []int32 // first link of the cables between level i and i + 1
}

// at is a node on the way: its level and its label.
type at struct {
	level int
	label [maxDimensions]int32
}

// positionOf returns the node's position in its level.
func (t *fatTree) positionOf(n *at) int32 {
	p := int32(0)
	for i := len(t.children) - 1; i >= 0; i-- {
		size := t.children[i]
		if i < n.level {
			size = t.parents[i]
		}
		p = p*size + n.label[i]
	}
	return p
}

// wire returns the first link of a cable from a node to one of its parents.
func (t *fatTree) wire(n *at, parent, cable int32) int32 {
	l := n.level
	return t.wires[l] + t.cable*((t.positionOf(n)*t.parents[l]+parent)*t.cables[l]+cable)
}

// pass appends the limiter of a node, if the cluster has them.
func (t *fatTree) pass(buf []int32, n *at) []int32 {
	switch {
	case !t.limiter:
		return buf
	case n.level == 0:
		return t.limit(buf, t.positionOf(n))
	}
	return append(buf, t.limiters[n.level-1]+t.positionOf(n))
}

// links implements rule. A message goes up until the destination is below, from
// level l through port (p / (parents[0] ... parents[l-1])) mod (parents[l] cables[l]),
// where p is the position of the destination (d-mod-k). The port modulo parents[l]
// is the parent, the quotient the cable. Then the message goes down, where the
// position of the source decides about the cable; see down.
func (t *fatTree) links(buf []int32, from, to int32) ([]int32, bool) {
	if from == to && t.loopback {
		return append(buf, t.of(from)), true
	}
	levels := len(t.children)
	var node at
	var target [maxDimensions]int32
	for i, a, b := 0, from, to; i < levels; i++ {
		node.label[i], target[i] = a%t.children[i], b%t.children[i]
		a, b = a/t.children[i], b/t.children[i]
	}
	above := func() bool {
		for i := node.level; i < levels; i++ {
			if node.label[i] != target[i] {
				return false
			}
		}
		return node.level > 0
	}
	for rest := t.position + to; !above(); {
		l := node.level
		port := rest % (t.parents[l] * t.cables[l])
		parent := port % t.parents[l]
		buf = append(t.pass(buf, &node), t.wire(&node, parent, port/t.parents[l]))
		rest /= t.parents[l]
		node.label[l] = parent
		node.level++
	}
	return t.pass(t.down(buf, &node, &target, t.position+from), &node), true
}

// down appends the links from a switch to a host below it. The ports of a switch
// of level l+1 are numbered: children[l] for the first cables, as many for the
// second ones, and so on. The search for one that leads to the right child begins
// with cable source mod cables[l]. In the next switch it goes on with the port
// after the last one, and begins anew only if there is none. This is how SimGrid
// does it; which cable it takes is therefore irregular with more than one level.
func (t *fatTree) down(buf []int32, node *at, target *[maxDimensions]int32, source int32) []int32 {
	for node.level > 0 {
		l := node.level - 1
		port := source % t.cables[l] * t.children[l]
		for node.level > 0 {
			l := node.level - 1
			size := t.children[l]
			port += (target[l] - port%size + size) % size
			if port >= size*t.cables[l] {
				break
			}
			above := *node
			node.level, node.label[l] = l, target[l]
			buf = t.pass(append(buf, t.wire(node, above.label[l], port/size)+t.cable-1), &above)
			port++
		}
	}
	return buf
}
