package analysis

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/effects"
	"github.com/isoscale/isoscale/experiments/internal/studytable"
	"github.com/isoscale/isoscale/experiments/internal/studytable/studytabletest"
)

// jinTable1 is the printed surface of log2 speedup over r1, r2 = 0...9.
func jinTable1(t *testing.T) *studytable.Table {
	t.Helper()
	file, err := os.Open("../paper/data/jin_table1.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return studytabletest.Factorial([]studytable.Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		v, err := strconv.ParseFloat(records[1+int(x[1])][1+int(x[0])], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}, nodes)
}

func r(name string) studytable.Factor {
	return studytabletest.Numbers(name, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
}

func nodes(x []float64, _ int) float64 { return math.Exp2(x[0] + x[1]) }

// jin returns log2 speedup of two levels with n_i nodes, w_i work and imbalance c_i:
// the product of n_i w_i/(w_i + c_i (n_i - 1)), [Jin] Eq. 24 to 26.
func jin(w1, w2 func(n1, n2 float64) float64) *studytable.Table {
	return studytabletest.Factorial([]studytable.Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		n1, n2 := math.Exp2(x[0]), math.Exp2(x[1])
		a, b := w1(n1, n2), w2(n1, n2)
		return math.Log2(n1*a/(a+0.9*(n1-1))) + math.Log2(n2*b/(b+0.7*(n2-1)))
	}, nodes)
}

func fixedWork(n1, n2 float64) float64 { return 512 }

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
	all := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2)}, 1, studytabletest.Listed(nan, nan), studytabletest.Listed(1, 2))
	grid := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(nan, nan, nan, nan), studytabletest.Listed(1, 2, 3, 4))
	for name, err := range map[string]error{
		"Best":        failure(Best(all, "y", studytable.Maximize, "size")),
		"Ascend":      failure(Ascend(all, "y", studytable.Maximize, "size", nil)),
		"NewGrid":     failure(NewGrid(grid, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
		"Effects":     failure(effects.Of(all, "y", true)),
		"Sensitivity": failure(effects.Sensitivity(all, "y")),
	} {
		var failed *studytable.AllFailedError
		if !errors.As(err, &failed) || failed.Response != "y" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := effects.Sensitivity(&studytable.Table{Responses: []studytable.Response{{Name: "y"}}}, "y"); err == nil || !strings.Contains(err.Error(), "no rows") {
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
		if _, err := effects.Of(table, "y", false); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	table := good()
	for want, err := range map[string]error{
		`no response "z"; expected one of y`:       failure(effects.Of(table, "z", false)),
		`no factor "z"; expected one of a, b`:      failure(NewGrid(table, "y", GridOptions{X: "a", Y: "z"})),
		`no factor or response "z"`:                failure(Best(table, "y", studytable.Maximize, "z")),
		"b cannot be a size":                       failure(Best(table, "y", studytable.Maximize, "b")),
		"b cannot be the side of a grid":           failure(NewGrid(table, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
		"both sides":                               failure(NewGrid(table, "y", GridOptions{X: "a", Y: "a"})),
		"expected one for each of 2 factors":       failure(NewGrid(table, "y", GridOptions{X: "a", Y: "b", At: []int{0}})),
		"factor a has no level 2; expected 0 to 1": failure(table.Fix("a", 2)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
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

// Configurations too many for a 64-bit key are sorted all the same.
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
	if _, ok := table.Keys(-1); ok {
		t.Fatal("these should be too many")
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
	if _, err := effects.Sensitivity(table, "y"); err != nil {
		t.Error(err)
	}
}
