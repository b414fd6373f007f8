package collective

// reduceScatterPairwise is the reduce-scatter in P-1 rounds: in round
// i = 1, 2, ... rank r sends its contribution to block r+i to that rank and
// combines what r-i has for it. P(P-1) messages, one block each.
//
// Source: [Thakur2005], section on reduce-scatter (the algorithm for long
// messages).
func reduceScatterPairwise(c Call, rank, k int) (Step, bool) {
	i := 1 + k/2
	if i >= c.Size {
		return Step{}, false
	}
	to, from := c.mod(rank+i), c.mod(rank-i)
	return combine(k, to, Range(to, 1), from, Range(rank, 1))
}
