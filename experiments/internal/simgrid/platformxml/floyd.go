package platformxml

import "slices"

// A floyd is a zone where routes are joined so that the number of links is
// smallest, by the algorithm of Floyd and Warshall.
type floyd struct {
	ways map[[2]int32]*way
	n    int32
	// before[n*a+b] is the last point before b on the way from a to b, or none.
	before []int32
}

// newFloyd computes all paths between n points. Which of several shortest paths
// is taken follows from the order of the loops: of the way found so far and the
// one by way of c, the new one must be shorter. A point that is no zone reaches
// itself over one link, if nothing else is said.
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
