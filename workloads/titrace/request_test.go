package titrace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// requests agrees with a list of all open requests in the order in which they were
// added, with few and many of them, and in between.
func TestRequests(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		var (
			got  requests
			want []request
			most int
			many bool
		)
		first := func(k key) int {
			return slices.IndexFunc(want, func(q request) bool { return q.key == k })
		}
		for step := range 5000 {
			k := key{r.Int32N(3), r.Int32N(3), r.Int32N(1 + r.Int32N(4))}
			// There are more and more of them, then fewer and fewer.
			switch n := r.IntN(20); {
			case n == 0 && r.IntN(40) == 0:
				got.reset()
				want, most = want[:0], 0
			case n < 3:
				name, ok := got.rotate(k)
				i := first(k)
				expect.Need(t, ok == (i >= 0) && (!ok || name == want[i].name),
					"seed %d, step %d: rotate gives %d, %v", seed, step, name, ok)
				if ok {
					q := want[i]
					want = append(slices.Delete(want, i, i+1), q)
				}
			case n < 7 || n < 13 && step/100%2 == 1:
				name, ok := got.close(k)
				i := first(k)
				expect.Need(t, ok == (i >= 0) && (!ok || name == want[i].name),
					"seed %d, step %d: close gives %d, %v", seed, step, name, ok)
				if ok {
					want = slices.Delete(want, i, i+1)
				}
			case n < 13 || step/100%2 == 0:
				name, ok := got.add(k)
				expect.Need(t, ok && !slices.ContainsFunc(want, func(q request) bool { return q.name == name }),
					"seed %d, step %d: add gives %d, %v", seed, step, name, ok)
				want = append(want, request{k, name})
				most = max(most, len(want))
				many = many || len(want) > 2*fewOpen
				expect.Need(t, int(name) < most,
					"seed %d, step %d: name %d, when there never were more than %d", seed, step, name, most)
			}
			expect.Need(t, got.open == len(want), "seed %d, step %d: %d open, want %d", seed, step, got.open, len(want))
		}
		expect.That(t, many, "seed %d: never many", seed)
	}
}
