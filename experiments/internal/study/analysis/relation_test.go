package analysis

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

func TestFindRelation(t *testing.T) {
	for _, tt := range []struct {
		name   string
		powers bool
		admits func(a, b, c int) bool
		want   string
	}{
		{"a plane", false, func(a, b, c int) bool { return a+b+c == 6 }, "a + b + c = 6"},
		{"weights", false, func(a, b, c int) bool { return 2*a+b == c+2 }, "2 a + b - c = 2"},
		{"two of three", false, func(a, b, c int) bool { return a+c == 4 }, "a + c = 4"},
		{"a product", true, func(a, b, c int) bool { return a+b+c == 6 }, "a * b * c = 64"},
		{"powers", true, func(a, b, c int) bool { return a+2*b+c == 6 }, "a * b^2 * c = 64"},
		{"none", false, func(a, b, c int) bool { return true }, ""},
		{"an inequality", false, func(a, b, c int) bool { return a+b+c <= 6 }, ""},
		{"almost", false, func(a, b, c int) bool { return a+b+c == 6 || a+b+c == 7 && a == 4 }, ""},
		{"two equations", false, func(a, b, c int) bool { return a+b+c == 6 && a == b }, ""},
	} {
		got := ""
		table := studytabletest.Related(tt.powers, tt.admits)
		if r := FindRelation(table); r != nil {
			got = r.Describe(table)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
