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
)

// tester is a test, of this module's properties too.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// numbers returns a numeric factor.
func numbers(name string, values ...float64) Factor {
	f := Factor{Name: name}
	for _, v := range values {
		f.Levels = append(f.Levels, Level{Text: strconv.FormatFloat(v, 'g', -1, 64), Value: v, Numeric: true})
	}
	return f
}

func words(name string, texts ...string) Factor {
	f := Factor{Name: name}
	for _, s := range texts {
		f.Levels = append(f.Levels, Level{Text: s})
	}
	return f
}

// values returns those of the levels.
func valuesOf(t *Table, levels []int) []float64 {
	var x []float64
	for k, l := range levels {
		x = append(x, t.Factors[k].Levels[l].Value)
	}
	return x
}

// factorial returns a full factorial with one response y of the values of the
// factors, or of the indices of levels that are not numbers, and further responses.
func factorial(factors []Factor, repetitions int, responses ...func(x []float64, repetition int) float64) *Table {
	t := &Table{Factors: factors}
	for i := range responses {
		t.Responses = append(t.Responses, Response{Name: []string{"y", "size", "cost"}[i]})
	}
	levels := make([]int, len(factors))
	for {
		x := valuesOf(t, levels)
		for k, f := range factors {
			if !f.numeric() {
				x[k] = float64(levels[k])
			}
		}
		for r := range repetitions {
			row := Row{Point: len(t.Rows), Levels: append([]int(nil), levels...)}
			for _, f := range responses {
				row.Values = append(row.Values, f(x, r))
			}
			t.Rows = append(t.Rows, row)
		}
		k := len(levels) - 1
		for ; k >= 0; k-- {
			if levels[k]++; levels[k] < len(factors[k].Levels) {
				break
			}
			levels[k] = 0
		}
		if k < 0 {
			return t
		}
	}
}

// listed returns a response that takes its values from a list, in the order of rows.
func listed(values ...float64) func([]float64, int) float64 {
	i := -1
	return func([]float64, int) float64 { i++; return values[i] }
}

func closeTo(t tester, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// jinTable1 is the printed surface of log2 speedup over r1, r2 = 0...9.
func jinTable1(t *testing.T) *Table {
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
	return factorial([]Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		v, err := strconv.ParseFloat(records[1+int(x[1])][1+int(x[0])], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}, nodes)
}

func r(name string) Factor { return numbers(name, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) }

func nodes(x []float64, _ int) float64 { return math.Exp2(x[0] + x[1]) }

// jin returns log2 speedup of two levels with n_i nodes, w_i work and imbalance c_i:
// the product of n_i w_i/(w_i + c_i (n_i - 1)), [Jin] Eq. 24 to 26.
func jin(w1, w2 func(n1, n2 float64) float64) *Table {
	return factorial([]Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		n1, n2 := math.Exp2(x[0]), math.Exp2(x[1])
		a, b := w1(n1, n2), w2(n1, n2)
		return math.Log2(n1*a/(a+0.9*(n1-1))) + math.Log2(n2*b/(b+0.7*(n2-1)))
	}, nodes)
}

func fixedWork(n1, n2 float64) float64 { return 512 }

func TestFailedRows(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	table := factorial([]Factor{numbers("a", 1, 2), numbers("b", 1, 2)}, 2, listed(1, 3, nan, 5, nan, inf, 7, 9))
	c, err := table.gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.list) != 3 {
		t.Fatalf("%d configurations, want 3", len(c.list))
	}
	// Means over what did not fail: never of zeros.
	for i, want := range []float64{2, 5, 8} {
		closeTo(t, "mean", c.list[i].mean, want)
	}
	all := factorial([]Factor{numbers("a", 1, 2)}, 1, listed(nan, nan), listed(1, 2))
	grid := factorial([]Factor{numbers("a", 1, 2), numbers("b", 1, 2)}, 1, listed(nan, nan, nan, nan), listed(1, 2, 3, 4))
	for name, err := range map[string]error{
		"Best":        failure(Best(all, "y", Maximize, "size")),
		"Ascend":      failure(Ascend(all, "y", Maximize, "size", nil)),
		"NewGrid":     failure(NewGrid(grid, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
		"Effects":     failure(Effects(all, "y", true)),
		"Sensitivity": failure(Sensitivity(all, "y")),
	} {
		var failed *AllFailedError
		if !errors.As(err, &failed) || failed.Response != "y" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Sensitivity(&Table{Responses: []Response{{Name: "y"}}}, "y"); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Errorf("of an empty table: %v", err)
	}
}

func failure[T any](_ T, err error) error { return err }

func TestBadTables(t *testing.T) {
	good := func() *Table {
		return factorial([]Factor{numbers("a", 1, 2), words("b", "x", "z")}, 1, listed(1, 2, 3, 4))
	}
	for _, tt := range []struct {
		want  string
		spoil func(*Table)
	}{
		{"no name", func(t *Table) { t.Factors[0].Name = "" }},
		{"already taken", func(t *Table) { t.Responses[0].Name = "a" }},
		{"has level 2 of factor b", func(t *Table) { t.Rows[1].Levels[1] = 2 }},
		{"has level -1", func(t *Table) { t.Rows[1].Levels[1] = -1 }},
		{"1 levels", func(t *Table) { t.Rows[3].Levels = []int{0} }},
		{"0 values", func(t *Table) { t.Rows[0].Values = nil }},
		{"finite", func(t *Table) { t.Factors[0].Levels[0].Value = math.NaN() }},
	} {
		table := good()
		tt.spoil(table)
		if _, err := Effects(table, "y", false); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	table := good()
	for want, err := range map[string]error{
		`no response "z"; expected one of y`:       failure(Effects(table, "z", false)),
		`no factor "z"; expected one of a, b`:      failure(NewGrid(table, "y", GridOptions{X: "a", Y: "z"})),
		`no factor or response "z"`:                failure(Best(table, "y", Maximize, "z")),
		"b cannot be a size":                       failure(Best(table, "y", Maximize, "b")),
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
	table := factorial([]Factor{numbers("a", 1, 2), words("b", "x", "z")}, 1, listed(1, 2, 3, 4))
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
	table := &Table{Responses: []Response{{Name: "y"}}}
	for k := range 8 {
		table.Factors = append(table.Factors, numbers(fmt.Sprint("f", k), many...))
	}
	for i := range 1000 {
		row := Row{Values: []float64{float64(i)}}
		for k := range 8 {
			row.Levels = append(row.Levels, (i*(2*k+1)*7)%1000)
		}
		table.Rows = append(table.Rows, row)
	}
	if _, ok := table.keys(-1); ok {
		t.Fatal("these should be too many")
	}
	c, err := table.gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		if i := c.find(row.Levels); i < 0 || c.list[i].mean != row.Values[0] {
			t.Fatalf("%v is not found", row)
		}
	}
	if _, err := Sensitivity(table, "y"); err != nil {
		t.Error(err)
	}
}
