package design

import (
	"errors"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

// No plan makes Read panic, every problem is one line with its place, and every point of an accepted plan can be
// computed.
func FuzzRead(f *testing.F) {
	for _, tt := range readErrors {
		f.Add(tt.plan)
	}
	f.Add("factors: {a: {log: {from: 1 us, to: 1 ms}}, b: [x, {y: z}]}\ndesign: {latin_hypercube: 7}\nexclude: [\"log2(a) > 3 and b matches 'x'\"]\n")
	f.Add("factors: {s: {paths: [p, q], values: [[1, 2], [3, 4]], labels: [u, v]}, n: {powers_of_two: {from: 1 B, to: 1 KiB}}}\nexclude: [n % 3 == 1, 's == \"u\" ? true : n in [2, 4]']\nrepetitions: 2\n")
	lim := limits{factors: 8, levels: 200, conditions: 8, points: 20_000, evaluations: 40_000, lookups: 100_000, strata: 2000}
	f.Fuzz(func(t *testing.T, plan string) {
		s, err := parse(plan, lim)
		if err != nil {
			var problems yamldoc.Problems
			var one *yamldoc.Error
			switch {
			case errors.As(err, &problems):
				for _, p := range problems {
					expect.Need(t, !strings.ContainsAny(p.Error(), "\r\n"), "several lines: %q", p.Error())
				}
			case !errors.As(err, &one):
				t.Fatalf("foreign error %T", err)
			}
			if s == nil {
				return
			}
		}
		n := s.Points()
		expect.Need(t, n >= 1 && n <= lim.points, "%d points", n)
		for i := 0; i < n; i += max(1, n/50) {
			p := s.Point(i)
			expect.Need(t, p.Index == i && p.Seed >= 0 && p.Seed <= maxSeed, "point %d: %+v", i, p)
			for _, set := range p.Settings() {
				value := flow(set.Value)
				expect.Need(t, value != "" && !strings.ContainsAny(value, "\r\n"), "value %q", value)
			}
			for k := range s.Factors {
				expect.Need(t, p.Level(k).Text != "", "a level without a text")
			}
		}
		p := s.Point(n - 1)
		expect.Need(t, p.Index == n-1, "last point: %+v", p)
	})
}
