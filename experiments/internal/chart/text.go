package chart

import (
	"strconv"
	"strings"
	"unicode"
)

// Clean prepares text of the caller for a page: one line, valid UTF-8, and U+FFFD
// for characters that a browser would drop or that would reorder the text around them
// (control and bidirectional control characters). A space between two digits, as
// in 400 000, does not break. It does not escape: HTML and JSON are
// escaped when they are written.
func Clean(s string) string {
	return joinDigits(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || isNoncharacter(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar))))
}

// joinDigits puts a no-break space (U+00A0) for each single space between digits.
func joinDigits(s string) string {
	digit := func(i int) bool { return 0 <= i && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	var out strings.Builder
	from := 0
	for i := range len(s) {
		if s[i] == ' ' && digit(i-1) && digit(i+1) {
			out.WriteString(s[from:i] + "\u00a0")
			from = i + 1
		}
	}
	return out.String() + s[from:]
}

// isNoncharacter reports the 66 code points that Unicode keeps for internal
// use and HTML does not allow.
func isNoncharacter(r rune) bool {
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// CleanAll is [Clean] for each of the texts.
func CleanAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = Clean(s)
	}
	return out
}

// Titled appends a unit to a title, as in "Time (s)".
func Titled(title, unit string) string {
	if unit == "" || unit == Dimensionless {
		return Clean(title)
	}
	return Clean(title + " (" + unit + ")")
}

// DistinctOf returns the names of items as [Distinct] does.
func DistinctOf[T any](items []T, what string, name func(T) string) []string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = name(item)
	}
	return Distinct(names, what)
}

// Distinct returns the names cleaned and made unique: charts identify a series by
// its name, so a second "C2" becomes "C2 (2)". An empty name becomes its kind and
// number, such as "series 1".
func Distinct(names []string, what string) []string {
	out := make([]string, len(names))
	used := make(map[string]bool)
	for i, name := range names {
		base := Clean(name)
		if strings.TrimSpace(base) == "" {
			base = what + " " + strconv.Itoa(i+1)
		}
		candidate := base
		for k := 2; used[candidate]; k++ {
			candidate = base + " (" + strconv.Itoa(k) + ")"
		}
		used[candidate] = true
		out[i] = candidate
	}
	return out
}
