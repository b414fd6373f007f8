package platformxml

// A fatTree is a cluster whose hosts are below several levels of switches, with
// several parents for each node and several cables to each parent.
//
// A node of level l has a label of one digit for each level: digit i says which
// of the parents[i] it is if i < l, and which of the children[i] if i >= l. Its
// position in the level is the number with these digits, the first one lowest. A
// node and its parents differ in digit l only.
type fatTree struct {
	children, parents, cables []int32 // between level i and i + 1
	// position of the first host. SimGrid counts on through all fat trees of a
	// file, and so do the rules for ports below.
	position int32
	layout   perHost
	cable    int32   // links of a cable: 2 if it is split, else 1
	first    int32   // links of the hosts: loopback, limiter
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

// limiter returns the limiter of a node.
func (t *fatTree) limiter(n *at) int32 {
	if n.level == 0 {
		return t.first + t.positionOf(n)*t.layout.count() + t.layout.limiterAt()
	}
	return t.limiters[n.level-1] + t.positionOf(n)
}

// links implements rule. Up until the destination is below: at level l through
// port (p / (parents[0] ... parents[l-1])) mod (parents[l] cables[l]), where p is
// the position of the destination (d-mod-k), and port modulo parents[l] is the
// parent, the rest the cable. Then down, where the source's position decides
// about the cable; see down.
func (t *fatTree) links(buf []int32, from, to int32) ([]int32, bool) {
	if from == to && t.layout.loopback {
		return append(buf, t.first+from*t.layout.count()), true
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
		if t.layout.limiter {
			buf = append(buf, t.limiter(&node))
		}
		parent := port % t.parents[l]
		buf = append(buf, t.wire(&node, parent, port/t.parents[l]))
		rest /= t.parents[l]
		node.label[l] = parent
		node.level++
	}
	buf = t.down(buf, &node, &target, t.position+from)
	if t.layout.limiter {
		buf = append(buf, t.limiter(&node))
	}
	return buf, true
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
			limiter := none
			if t.layout.limiter {
				limiter = t.limiter(node)
			}
			parent := node.label[l]
			node.level, node.label[l] = l, target[l]
			buf = append(buf, t.wire(node, parent, port/size)+t.cable-1)
			if limiter != none {
				buf = append(buf, limiter)
			}
			port++
		}
	}
	return buf
}
