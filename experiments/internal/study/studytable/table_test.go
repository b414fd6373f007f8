package studytable_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

func TestFailedRows(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 2, studytabletest.Listed(1, 3, nan, 5, nan, inf, 7, 9))
	c, err := table.Gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.List) != 3 {
		t.Fatalf("%d configurations, want 3", len(c.List))
	}
	// Means over what did not fail: never of zeros.
	for i, want := range []float64{2, 5, 8} {
		studytabletest.CloseTo(t, "mean", c.List[i].Mean, want)
	}
	all := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2)}, 1, studytabletest.Listed(nan, nan))
	var failed *studytable.AllFailedError
	if err := failure(all.Gather("y", -1)); !errors.As(err, &failed) || failed.Response != "y" {
		t.Errorf("all rows failed: %v", err)
	}
	if err := failure((&studytable.Table{Responses: all.Responses}).Gather("y", -1)); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Errorf("of an empty table: %v", err)
	}
}

func failure[T any](_ T, err error) error { return err }

func TestBadTables(t *testing.T) {
	good := func() *studytable.Table {
		return studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "x", "z")}, 1, studytabletest.Listed(1, 2, 3, 4))
	}
	for _, tt := range []struct {
		want  string
		spoil func(*studytable.Table)
	}{
		{"no name", func(t *studytable.Table) { t.Factors[0].Name = "" }},
		{"already taken", func(t *studytable.Table) { t.Responses[0].Name = "a" }},
		{"has level 2 of factor b", func(t *studytable.Table) { t.Rows[1].Levels[1] = 2 }},
		{"has level -1", func(t *studytable.Table) { t.Rows[1].Levels[1] = -1 }},
		{"1 levels", func(t *studytable.Table) { t.Rows[3].Levels = []int{0} }},
		{"0 values", func(t *studytable.Table) { t.Rows[0].Values = nil }},
		{"finite", func(t *studytable.Table) { t.Factors[0].Levels[0].Value = math.NaN() }},
	} {
		table := good()
		tt.spoil(table)
		if _, err := table.Gather("y", -1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	table := good()
	for want, err := range map[string]error{
		`no response "z"; expected one of y`:       failure(table.Gather("z", -1)),
		"factor a has no level 2; expected 0 to 1": failure(table.Fix("a", 2)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// An error says once what was expected.
func TestErrorsExpectOnce(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2)}, 1, studytabletest.Listed(1, 2))
	wrong := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("a", 1), studytabletest.Numbers("a", math.Inf(1))}, Responses: []studytable.Response{{}}, Rows: []studytable.Row{{Levels: []int{1}}, {Levels: []int{3, 0}, Values: []float64{1}}}}
	for _, err := range []error{
		failure(wrong.Gather("y", -1)),
		failure(table.Gather("z", -1)), failure((&studytable.Table{Responses: table.Responses}).Gather("y", -1)), failure(table.Fix("a", 7)),
	} {
		if err == nil {
			t.Error("no error")
			continue
		}
		for line := range strings.Lines(err.Error()) {
			if strings.Count(line, "expected") > 1 {
				t.Error(line)
			}
		}
	}
}

func TestFixAndDescribe(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "x", "z")}, 1, studytabletest.Listed(1, 2, 3, 4))
	table.Factors[0].Unit = "us"
	fixed, err := table.Fix("b", 1)
	if err != nil || len(fixed.Rows) != 2 || fixed.Rows[1].Values[0] != 4 {
		t.Errorf("%+v %v", fixed, err)
	}
	for want, levels := range map[string][]int{"a = 2 us, b = x": {1, 0}, "b = z": {-1, 1}, "": {-1, -1}} {
		if got := table.Describe(levels); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Configurations too many for a 64-bit key, here 1000^8, are sorted all the same.
func TestManyLevels(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i)
	}
	table := &studytable.Table{Responses: []studytable.Response{{Name: "y"}}}
	for k := range 8 {
		table.Factors = append(table.Factors, studytabletest.Numbers(fmt.Sprint("f", k), many...))
	}
	for i := range 1000 {
		row := studytable.Row{Values: []float64{float64(i)}}
		for k := range 8 {
			row.Levels = append(row.Levels, (i*(2*k+1)*7)%1000)
		}
		table.Rows = append(table.Rows, row)
	}
	c, err := table.Gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		if i := c.Find(row.Levels); i < 0 || c.List[i].Mean != row.Values[0] {
			t.Fatalf("%v is not found", row)
		}
	}
}
