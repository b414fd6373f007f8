package formula_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/formula"
)

func TestNumber(t *testing.T) {
	n := map[string]float64{"n1": 8, "n2": 4}
	for _, tt := range []struct {
		text string
		want float64
	}{
		{"512", 512}, {"5e2", 500}, {"n1", 8}, {"8*n2^1.5", 64}, {"8 * n2 ^ 1.5", 64}, {"2^18/n2^1.5", 1 << 15},
		{"n1 > n2 ? 1 : 2", 1}, {"max(n1, n2)", 8}, {"log2(n1)", 3}, {"log2(8)", 3}, {"sqrt(n2)", 2}, {"7/2", 3.5}, {"-n1", -8},
	} {
		if got, err := formula.Number(tt.text, n); err != nil || got != tt.want {
			t.Errorf("Number(%q) = %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"8*n3", "no formula of n1, n2: unknown name n3"},
		{"", "no formula"},
		{"n1 > n2", "no formula"},
		{"1/0", "not finite"},
		{"log2(0)", "not finite"},
		{"Inf", "no formula"},
		{"'a'", "no formula"},
		{strings.Repeat("1+", 600) + "1", "at most 1024"},
	} {
		if got, err := formula.Number(tt.text, n); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Number(%q) = %v, %v; want an error with %q", tt.text, got, err, tt.want)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"8*n1^1.5", "n1 > 2 ? 1 : 0", "repeat('a', 1000)", "1..1000000000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if x, err := formula.Number(text, map[string]float64{"n1": 8}); err == nil && x-x != 0 {
			t.Errorf("Number(%q) = %v", text, x)
		}
	})
}

func ExampleNumber() {
	w, err := formula.Number("8*n2^1.5", map[string]float64{"n2": 16})
	fmt.Println(w, err)
	// Output: 512 <nil>
}
