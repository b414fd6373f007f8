package units

import (
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// The grammar of a number as a pattern: mantissa, sign and digits of the exponent, rest.
var quantityPattern = regexp.MustCompile(`(?s)^([+-]?[0-9]+(?:\.[0-9]+)?)(?:[eE]([+-]?)([0-9]+))? ?(.*)$`)

// Numbers are cut from what follows as the pattern of the grammar does.
func TestSplitFollowsTheGrammar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9]{0,3}[.]?[0-9]{0,2}[eE]?[-+]?[0-9]{0,2} {0,2}[-+.eE0-9a-z/µ ]{0,4}`).Draw(t, "text")
		number, rest, ok := split(text)
		parts := quantityPattern.FindStringSubmatch(text)
		if ok != (parts != nil) {
			t.Fatalf("%q: a number is found: %t", text, ok)
		}
		if !ok {
			return
		}
		exponent := 0
		if parts[3] != "" {
			var err error
			if exponent, err = strconv.Atoi(parts[2] + parts[3]); err != nil {
				t.Fatal(err)
			}
		}
		if number.mantissa != parts[1] || number.exponent != exponent || rest != parts[4] {
			t.Fatalf("%q: %q, exponent %d, rest %q; want %q, %d, %q",
				text, number.mantissa, number.exponent, rest, parts[1], exponent, parts[4])
		}
	})
}
