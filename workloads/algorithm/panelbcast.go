package algorithm

// panelBroadcasts are the ways of HPL to broadcast a panel along a row of
// processes, by their names in its output.
var panelBroadcasts = []string{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"}

// rings are the routes of a panel from the process that has it, at distance 0, to
// those at distances 1 ... q-1 along the row. It sends the panel to the first of
// each ring, in this order; every other process gets it from the one before.
// Rings end where the next begins. In a modified variant, the process at
// distance 1, which factors the next panel, is a ring of its own.
type rings struct {
	first []int // of each ring, ascending
	q     int   // processes that they reach, with the sender
}

// ringsOf returns the rings of a broadcast among q processes. In long and longM
// they do not reach those who get the panel in parts: all in long, and all but the
// process at distance 1 in longM.
func ringsOf(bcast string, q int) rings {
	middle := (q + 1) / 2
	var starts []int
	switch bcast {
	case "1ring":
		starts = []int{1}
	case "1ringM":
		starts = []int{1, 2}
	case "2ring":
		starts = []int{1, middle}
	case "2ringM":
		starts = []int{1, 2, middle}
	case "long":
		q = 1
	case "longM":
		starts, q = []int{1}, min(q, 2)
	}
	r := rings{q: q}
	for _, d := range starts {
		if d < q && (len(r.first) == 0 || d > r.first[len(r.first)-1]) {
			r.first = append(r.first, d)
		}
	}
	return r
}

// ring returns where the ring of distance d begins, and where the next does.
func (r rings) ring(d int) (begin, end int) {
	end = r.q
	for _, f := range r.first {
		if f > d {
			return begin, f
		}
		begin = f
	}
	return begin, end
}

// source returns from whom the process at distance d gets the panel, d > 0.
func (r rings) source(d int) int {
	if begin, _ := r.ring(d); begin == d {
		return 0
	}
	return d - 1
}

// passesOn tells whether the process at distance d > 0 sends the panel to the next.
func (r rings) passesOn(d int) bool {
	_, end := r.ring(d)
	return d+1 < end
}

// updateBefore returns the share of its update that the process at distance d > 0
// does before it takes the next panel. The first half of an update is the time to
// factor the panel. In the second half it goes round: the i-th of l processes of a
// ring takes it after i/l of that time. So the last of a ring, on whom nobody waits,
// takes it after its whole update.
func (r rings) updateBefore(d int) float64 {
	begin, end := r.ring(d)
	return 0.5 + float64(d-begin+1)/float64(2*(end-begin))
}
