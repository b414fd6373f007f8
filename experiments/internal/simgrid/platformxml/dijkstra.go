package platformxml

import (
	"container/heap"
	"slices"
	"sync/atomic"
)

// A dijkstra is a zone where routes are joined so that the number of links is
// smallest, one source at a time. Points that no route mentions are not in it.
type dijkstra struct {
	node  map[int32]int32 // of a point; numbered as routes mention them
	edges [][]edge        // of each node, in the order of the file
	// trees holds the last edge to each node, for each source that was asked for.
	trees []atomic.Pointer[[]step]
}

type edge struct {
	to  int32
	way *way
}

type step struct {
	from int32 // none if the node cannot be reached
	way  *way
}

func (d *dijkstra) number(p int32) int32 {
	n, known := d.node[p]
	if !known {
		n = int32(len(d.edges))
		d.node[p], d.edges = n, append(d.edges, nil)
	}
	return n
}

func (d *dijkstra) add(from, to int32, w *way) {
	a := d.number(from)
	b := d.number(to)
	d.edges[a] = append(d.edges[a], edge{b, w})
}

func (d *dijkstra) path(buf []*way, from, to int32) ([]*way, bool) {
	a, known := d.node[from]
	b, known2 := d.node[to]
	if !known || !known2 {
		return buf, false
	}
	if a == b {
		for _, e := range d.edges[a] {
			if e.to == a {
				return append(buf, e.way), true
			}
		}
		return buf, false
	}
	begin := len(buf)
	tree := d.tree(a)
	for at := b; at != a; at = tree[at].from {
		if tree[at].from == none {
			return buf[:begin], false
		}
		buf = append(buf, tree[at].way)
	}
	slices.Reverse(buf[begin:])
	return buf, true
}

// tree returns the last edges of the shortest paths from a node. Several
// goroutines may compute the same tree at the same time; the results are equal.
func (d *dijkstra) tree(source int32) []step {
	if t := d.trees[source].Load(); t != nil {
		return *t
	}
	const unreached = int64(1) << 62
	cost := make([]int64, len(d.edges))
	tree := make([]step, len(d.edges))
	for i := range cost {
		cost[i], tree[i].from = unreached, none
	}
	cost[source] = 0
	queue := &frontier{{0, source}}
	for queue.Len() > 0 {
		v := heap.Pop(queue).(candidate)
		if v.cost > cost[v.node] {
			continue // reached on a shorter path since
		}
		for _, e := range d.edges[v.node] {
			if c := v.cost + int64(len(e.way.links)); c < cost[e.to] {
				cost[e.to], tree[e.to] = c, step{v.node, e.way}
				heap.Push(queue, candidate{c, e.to})
			}
		}
	}
	d.trees[source].Store(&tree)
	return tree
}

// A frontier is the queue of the algorithm: nearest first, and of nodes at the
// same distance the one with the smallest number.
type frontier []candidate

type candidate struct {
	cost int64
	node int32
}

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f frontier) Less(i, j int) bool {
	return f[i].cost < f[j].cost || f[i].cost == f[j].cost && f[i].node < f[j].node
}
func (f *frontier) Push(x any) { *f = append(*f, x.(candidate)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
