package words

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/internal/expect"
)

// If the search is incomplete, no answer claims that no machine is better, and a warning says by how much one may be.
func TestWordsOfAnIncompleteSearch(t *testing.T) {
	for _, x := range []struct{ set, whole, gap string }{
		{"tolerance=0", "no other machine within the limits does better", "no machine found does better"},
		{"tolerance=0.5", "the cheapest within 50 % of the best", "the cheapest found within 50 % of the best found"},
		{"objective=cheapest", "the cheapest that carries the mix", "the cheapest found that carries the mix"},
	} {
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site), x.set))
		warned := func(a Answer) bool {
			return slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "another machine may be better by up to 25 %") })
		}
		expect.That(t, r.because() == x.whole && !warned(r), "%s: %s, %q", x.set, r.because(), r.Warnings)
		r.Gap = 0.25
		a := Of(r.Result)
		expect.That(t, a.because() == x.gap && warned(a), "%s: %s, %q", x.set, a.because(), a.Warnings)
	}
}
