package analysis

import (
	"fmt"
	"testing"
)

// grid returns the rows of three factors with values 0 to 4, or powers of two of
// these, that a condition admits.
func related(powers bool, admits func(a, b, c int) bool) *Table {
	t := &Table{Responses: []Response{{Name: "y"}}}
	for _, name := range []string{"a", "b", "c"} {
		f := Factor{Name: name}
		for v := range 5 {
			x := float64(v)
			if powers {
				x = float64(int(1) << v)
			}
			f.Levels = append(f.Levels, Level{Text: fmt.Sprint(x), Value: x, Numeric: true})
		}
		t.Factors = append(t.Factors, f)
	}
	for a := range 5 {
		for b := range 5 {
			for c := range 5 {
				if admits(a, b, c) {
					t.Rows = append(t.Rows, Row{Levels: []int{a, b, c}, Values: []float64{float64(a)}})
				}
			}
		}
	}
	return t
}

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
		table := related(tt.powers, tt.admits)
		if r := FindRelation(table); r != nil {
			got = r.Describe(table)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
