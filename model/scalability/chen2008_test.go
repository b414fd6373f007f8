package scalability_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// These tests recompute every derived number of Tables 3 to 9 of [Chen2008] from
// the primary ones: marked speeds of nodes, counts of nodes, N and measured T.

// gaussWork is the work of Gaussian elimination that the paper charges,
// 2/3 N^3 - 1/2 N^2 - 19/6 N + 3 flop, over one denominator. The paper prints 19/6
// as the mixed number 3 1/6.
func gaussWork(n float64) units.Flops {
	return units.Flops((4*n*n*n - 3*n*n - 19*n + 18) / 6)
}

// matmulWork is the work of matrix multiplication, 2 N^3 flop.
func matmulWork(n float64) units.Flops { return units.Flops(2 * n * n * n) }

// truncated lists the cells whose last digit the paper cut off where rounding goes
// up. All others are rounded to the nearest.
var truncated = map[string]string{
	"Table 4, N = 600, E_s":     "0.399972 printed 0.399",
	"Table 6, psi(C_16, C_32)":  "0.290505 printed 0.290",
	"Table 9, psi(C'_8, C'_16)": "0.443708 printed 0.443",
}

func TestChen2008(t *testing.T) {
	check := &cellChecker{t: t, truncated: map[string]bool{}}
	nodeSpeeds := readNodeSpeeds(t)

	systems := map[string]units.FlopsPerSecond{}
	for _, ladder := range []struct {
		file     string
		system   string
		tableC   string
		tableW   string
		tablePsi string
		work     func(n float64) units.Flops
	}{
		{"ge_ladder.csv", "C_", "Table 5", "Table 5", "Table 6", gaussWork},
		{"mm_ladder.csv", "C'_", "Table 7", "Table 8", "Table 9", matmulWork},
	} {
		var points scalability.Ladder
		var names, printedPsi []string
		for _, r := range readCSV(t, ladder.file) {
			var nodes []units.FlopsPerSecond
			for _, kind := range []struct{ count, speed string }{
				{"server CPUs", "server CPU"}, {"blades", "blade"}, {"v210 CPUs", "v210 CPU"},
			} {
				for range int(number(t, r[kind.count])) {
					nodes = append(nodes, nodeSpeeds[kind.speed])
				}
			}
			c := expect.Value(scalability.SystemMarkedSpeed(nodes))(t)
			name := ladder.system + r["nodes"]
			w := ladder.work(number(t, r["N"]))
			check.cell(ladder.tableC+", "+name+", C", r["C [Mflop/s]"], float64(c)*1e-6)
			check.cell(ladder.tableW+", "+name+", W", r["W [flop]"], float64(w))
			systems[name] = c
			points = append(points, scalability.Point{MarkedSpeed: c, Work: w})
			names = append(names, name)
			printedPsi = append(printedPsi, r["psi"])
		}
		psi := expect.Value(points.Psi())(t)
		for i, got := range psi {
			check.cell(fmt.Sprintf("%s, psi(%s, %s)", ladder.tablePsi, names[i], names[i+1]), printedPsi[i+1], got)
		}
	}

	for _, r := range readCSV(t, "ge_times.csv") {
		row := map[string]string{"2": "Table 3", "4": "Table 4"}[r["nodes"]] + ", N = " + r["N"]
		w := gaussWork(number(t, r["N"]))
		d := units.Seconds(number(t, r["T [ms]"]) * 1e-3)
		s := expect.Value(scalability.AchievedSpeed(w, d))(t)
		e := expect.Value(scalability.SpeedEfficiency(w, d, systems["C_"+r["nodes"]]))(t)
		check.cell(row+", W", r["W [flop]"], float64(w))
		check.cell(row+", S", r["S [Mflop/s]"], float64(s)*1e-6)
		check.cell(row+", E_s", r["E_s"], e)
	}

	// Tables 3 and 4: 5 and 7 rows of W, S, E_s. Tables 5 and 7 with 8: 5 rows of W
	// and C each. Tables 6 and 9: 4 psi each.
	expect.Equal(t, check.count, 3*(5+7)+2*(5+5)+2*4, "checked cells")
	for name := range truncated {
		expect.That(t, check.truncated[name], "no cell is called %q", name)
	}
}

// TestChen2008Example is the worked example of 4.3: one server CPU, one blade and
// two V210, 20.88 + 20.29 + 2*36.45 = 114.07 Mflop/s.
func TestChen2008Example(t *testing.T) {
	c := expect.Value(scalability.SystemMarkedSpeed([]units.FlopsPerSecond{20.88e6, 20.29e6, 36.45e6, 36.45e6}))(t)
	expect.Close(t, float64(c), 114.07e6, 1e-14, "C")
}

// TestChen2008Corollary2 goes from Table 5 to Table 6 another way: a machine that
// holds E_s = 0.3 has T = W/(0.3 C), hence an overhead T - W/C, and the ratio of
// two overheads must be psi.
func TestChen2008Corollary2(t *testing.T) {
	nodeSpeeds := readNodeSpeeds(t)
	var before units.Seconds
	steps := 0
	for _, r := range readCSV(t, "ge_ladder.csv") {
		c := 2*nodeSpeeds["server CPU"] + units.FlopsPerSecond(number(t, r["blades"]))*nodeSpeeds["blade"]
		p := scalability.Point{MarkedSpeed: c, Work: gaussWork(number(t, r["N"]))}
		total := expect.Value(scalability.RequiredTime(p.Work, 0.3, c))(t)
		overhead := expect.Value(p.Overhead(total, scalability.Sequential{}))(t)
		if r["psi"] != "" {
			psi := expect.Value(scalability.Corollary2(before, overhead))(t)
			// One unit in the last place: 0.290 is truncated.
			if printed := number(t, r["psi"]); math.Abs(psi-printed) > 1e-3 {
				t.Errorf("%s nodes: psi = %.6f, printed %s", r["nodes"], psi, r["psi"])
			}
			steps++
		}
		before = overhead
	}
	expect.Equal(t, steps, 4, "checked steps")
}

// A cellChecker compares recomputed numbers with printed ones and counts them.
type cellChecker struct {
	t         *testing.T
	count     int
	truncated map[string]bool // the cells of the list that were met
}

// cell fails unless got, rounded to the digits of printed, is printed; for cells
// listed as truncated, unless got with its further digits cut off is printed and
// rounding would not give it.
func (c *cellChecker) cell(name, printed string, got float64) {
	c.t.Helper()
	c.count++
	value, unit := number(c.t, printed), lastPlace(c.t, printed)
	rounds := math.Abs(got-value) <= unit/2*(1+1e-9)
	if _, ok := truncated[name]; !ok {
		if !rounds {
			c.t.Errorf("%s: printed %s, recomputed %.9g", name, printed, got)
		}
		return
	}
	c.truncated[name] = true
	if rounds || got < value || got >= value+unit {
		c.t.Errorf("%s: printed %s, recomputed %.9g, which does not truncate to it or also rounds to it", name, printed, got)
	}
}

// lastPlace returns the unit of the last digit of a printed number: 0.001 for
// 0.445, 1e6 for 1.44E+08.
func lastPlace(t *testing.T, printed string) float64 {
	t.Helper()
	mantissa, exponent, _ := strings.Cut(printed, "E")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			t.Fatal(err)
		}
	}
	return math.Pow10(power - len(decimals))
}

func readNodeSpeeds(t *testing.T) map[string]units.FlopsPerSecond {
	t.Helper()
	speeds := map[string]units.FlopsPerSecond{}
	for _, r := range readCSV(t, "marked_speeds.csv") {
		speeds[r["node"]] = units.FlopsPerSecond(number(t, r["C [Mflop/s]"]) * 1e6)
	}
	return speeds
}

// readCSV returns the rows of a file in testdata by column heading.
func readCSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	f := expect.Value(os.Open(filepath.Join("testdata", name)))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	records := expect.Value(r.ReadAll())(t)
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, heading := range records[0] {
			row[heading] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v := expect.Value(strconv.ParseFloat(s, 64))(t)
	return v
}
