package collective

// other returns the k-th rank in rank order when the root is left out. A flat
// algorithm is a star: its root communicates with other(0), other(1), ... in turn, and
// the others only with the root.
func (c Call) other(k int) int {
	if k < c.Root {
		return k
	}
	return k + 1
}
