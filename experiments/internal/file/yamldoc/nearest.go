package yamldoc

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/internal/each"
)

// Nearest returns at most three of the known names that name may be a
// misspelling of, the nearest first, equally near ones in alphabetical order.
//
// The distance is the number of inserted, deleted, replaced or swapped adjacent
// characters (optimal string alignment), without regard to case. Plausible is
// one edit for every three characters of name, at least one, and a name of which
// it is a part between hyphens: h100 for dgx-h100.
func Nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	runes := []rune(strings.ToLower(name))
	limit := max(1, len(runes)/3)
	var near []candidate
	for _, k := range known {
		if parts := strings.Split(strings.ToLower(k), "-"); len(parts) > 1 && slices.Contains(parts, string(runes)) {
			near = append(near, candidate{k, limit})
			continue
		}
		// A distance is never less than the difference in length. This also
		// keeps a page of text from costing time.
		if diff := utf8.RuneCountInString(k) - len(runes); diff > limit || diff < -limit {
			continue
		}
		if dist := editDistance(runes, []rune(strings.ToLower(k))); dist <= limit {
			near = append(near, candidate{k, dist})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	return each.Append(nil, near[:min(len(near), 3)], func(c candidate) string { return c.name })
}

// editDistance is the optimal string alignment distance: Levenshtein's dynamic
// programme with one more case for swapped neighbours. Row i holds the distances
// from the first i runes of a to every prefix of b.
func editDistance(a, b []rune) int {
	row := each.Ascending(len(b) + 1)
	var before []int // row i-2
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// oneOf lists names in alphabetical order.
func oneOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	sorted := slices.Sorted(slices.Values(names))
	if len(sorted) == 1 {
		return sorted[0]
	}
	return "one of " + strings.Join(sorted, ", ")
}

// suggest lists the known names and the likely ones among them.
func suggest(name string, known []string) string {
	list := oneOf(known)
	near := Nearest(name, known)
	if len(near) == 0 {
		return list
	}
	for i, n := range near {
		near[i] = `"` + n + `"`
	}
	return list + "; did you mean " + strings.Join(near, " or ") + "?"
}
