package overlay

import "slices"

// A match is a series of each result, by index; -1 where only the other has it.
type match struct{ a, b int }

// matches pairs series by name: those of the first result in their order, then what only
// the second has.
func matches[S any](a, b []S, name func(S) string) []match {
	var out []match
	used := make([]bool, len(b))
	for i, s := range a {
		k := slices.IndexFunc(b, func(t S) bool { return name(t) == name(s) })
		if k >= 0 && used[k] {
			k = -1
		}
		if k >= 0 {
			used[k] = true
		}
		out = append(out, match{i, k})
	}
	for k := range b {
		if !used[k] {
			out = append(out, match{-1, k})
		}
	}
	return out
}
