package analysis

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

// jinTable1 is the printed surface of log2 speedup over r1, r2 = 0...9.
func jinTable1(t *testing.T) *studytable.Table {
	t.Helper()
	file, err := os.Open("../../paper/data/jin_table1.csv")
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
	nan := math.NaN()
	all := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2)}, 1, studytabletest.Listed(nan, nan), studytabletest.Listed(1, 2))
	grid := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(nan, nan, nan, nan), studytabletest.Listed(1, 2, 3, 4))
	for name, err := range map[string]error{
		"Best":    failure(Best(all, "y", studytable.Maximize, "size")),
		"Ascend":  failure(Ascend(all, "y", studytable.Maximize, "size", nil)),
		"NewGrid": failure(NewGrid(grid, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
	} {
		var failed *studytable.AllFailedError
		if !errors.As(err, &failed) || failed.Response != "y" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func failure[T any](_ T, err error) error { return err }

func TestBadQuestions(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "x", "z")}, 1, studytabletest.Listed(1, 2, 3, 4))
	for want, err := range map[string]error{
		`no factor "z"; expected one of a, b`: failure(NewGrid(table, "y", GridOptions{X: "a", Y: "z"})),
		`no factor or response "z"`:           failure(Best(table, "y", studytable.Maximize, "z")),
		"b cannot be a size":                  failure(Best(table, "y", studytable.Maximize, "b")),
		"b cannot be the side of a grid":      failure(NewGrid(table, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
		"both sides":                          failure(NewGrid(table, "y", GridOptions{X: "a", Y: "a"})),
		"expected one for each of 2 factors":  failure(NewGrid(table, "y", GridOptions{X: "a", Y: "b", At: []int{0}})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
