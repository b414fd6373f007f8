package platformxml

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/isoscale/isoscale/internal/heap"
)

// A floyd is a zone where routes are joined so that the number of links is
// smallest, by the algorithm of Floyd and Warshall.
type floyd struct {
	ways map[[2]int32]*way
	n    int32
	// before[n*a+b] is the last point before b on the way from a to b, or none.
	before []int32
}

// newFloyd computes all paths between n points. Which of several shortest paths
// is taken follows from the order of the loops: a path by way of c must be shorter
// than the one found so far. If loops, a point reaches itself over one link unless
// the file says otherwise.
func newFloyd(ways map[[2]int32]*way, n int32, loops bool) *floyd {
	const unreached = int64(1) << 62
	f := &floyd{ways: ways, n: n, before: make([]int32, n*n)}
	cost := make([]int64, n*n)
	for i := range cost {
		f.before[i], cost[i] = none, unreached
	}
	for ends, w := range ways {
		i := n*ends[0] + ends[1]
		f.before[i], cost[i] = ends[0], int64(len(w.links))
	}
	if loops {
		for a := range n {
			if i := n*a + a; f.before[i] == none {
				f.before[i], cost[i] = a, 1
			}
		}
	}
	for c := range n {
		fromC := cost[n*c : n*c+n]
		beforeC := f.before[n*c : n*c+n]
		for a := range n {
			first := cost[n*a+c]
			if first == unreached {
				continue
			}
			row, before := cost[n*a:n*a+n], f.before[n*a:n*a+n]
			for b, second := range fromC {
				if first+second < row[b] {
					row[b], before[b] = first+second, beforeC[b]
				}
			}
		}
	}
	return f
}

func (f *floyd) path(buf []*way, from, to int32) ([]*way, bool) {
	begin := len(buf)
	for at := to; ; {
		previous := f.before[f.n*from+at]
		if previous == none || len(buf)-begin > int(f.n) {
			return buf[:begin], false
		}
		w := f.ways[[2]int32{previous, at}]
		if w == nil { // the implicit loopback
			return buf[:begin], false
		}
		if buf, at = append(buf, w), previous; at == from {
			break
		}
	}
	slices.Reverse(buf[begin:])
	return buf, true
}

// A full is a zone where each pair of points has its own route or none.
type full map[[2]int32]*way

func (f full) path(buf []*way, from, to int32) ([]*way, bool) {
	w := f[[2]int32{from, to}]
	if w == nil {
		return buf, false
	}
	return append(buf, w), true
}

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
	queue := heap.By(func(a, b *candidate) bool {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.node, b.node)) < 0
	})
	queue.Push(candidate{0, source})
	for queue.Len() > 0 {
		v := queue.Pop()
		if v.cost > cost[v.node] {
			continue // reached on a shorter path since
		}
		for _, e := range d.edges[v.node] {
			if c := v.cost + int64(len(e.way.links)); c < cost[e.to] {
				cost[e.to], tree[e.to] = c, step{v.node, e.way}
				queue.Push(candidate{c, e.to})
			}
		}
	}
	d.trees[source].Store(&tree)
	return tree
}

// A candidate is a node that a path reaches. The nearest comes first, and of nodes at the same distance the one with the
// smallest number.
type candidate struct {
	cost int64
	node int32
}
