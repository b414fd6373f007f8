package paper

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// counts are comparisons by verdict.
type counts struct{ exact, rounding, differs, holds int }

func findTable(t *testing.T, p *Paper, id string) *Table {
	t.Helper()
	i := slices.IndexFunc(p.Tables, func(x Table) bool { return x.ID == id })
	if i < 0 {
		t.Fatalf("no table %s", id)
	}
	return &p.Tables[i]
}

// checkCounts holds the recomputed cells of each table against the verdicts of an
// independent program: a script in another language, with its own parser and its
// own formulas, that was run on the same data files. Values that figures give
// were no part of it.
func checkCounts(t *testing.T, p *Paper, want map[string]counts) {
	t.Helper()
	for i := range p.Tables {
		x := &p.Tables[i]
		n := x.Tally(Recomputed)
		if strings.Contains(x.ID, "_fig") {
			continue
		}
		if got, w := (counts{n.Exact, n.Rounding, n.Differ, 0}), want[x.ID]; got != w {
			t.Errorf("%s: %+v, want %+v", x.ID, got, w)
			for _, c := range x.Cells {
				t.Logf("%+v", c)
			}
		}
		delete(want, x.ID)
		for _, c := range x.Cells {
			if c.How == Recomputed && c.Verdict == Differs && c.Note == "" {
				t.Errorf("%s, %s, %s: differs without a reason", x.ID, c.Row, c.Column)
			}
		}
	}
	for id := range want {
		t.Errorf("no table %s", id)
	}
}

func TestSun2005Verdicts(t *testing.T) {
	p := makePaper(t, "sun2005")
	checkCounts(t, p, map[string]counts{
		"sun2005_parameters": {exact: 4},
		"sun2005_table1":     {},
		"sun2005_table2":     {exact: 15},
		"sun2005_table3":     {exact: 8, differs: 2},
		"sun2005_table4":     {exact: 3, rounding: 3, differs: 2},
		"sun2005_table5":     {exact: 3, rounding: 1},
		"sun2005_table6":     {differs: 4},
		"sun2005_table7":     {exact: 4, differs: 8},
	})
	if len(p.Claims) != 0 {
		t.Errorf("%d claims", len(p.Claims))
	}
}

// Two misprints, recomputed by hand: W(310) = (4*29791000 - 3*96100 - 19*310 + 18)/6
// = 118869828/6 = 19811638, and the printed 1819093 is W(140) = (4*2744000 -
// 3*19600 - 19*140 + 18)/6 = 10914558/6.
func TestMisprintedWorkIsFound(t *testing.T) {
	if w := gaussWork(310); w != 19811638 {
		t.Errorf("W(310) = %v", w)
	}
	for w, want := range map[float64]int{1819093: 140, 11682713: 260, 19811638: 310, 19811639: 0, 6.66e8: 0} {
		if n := sizeWithWork(w); n != want {
			t.Errorf("work %v is that of N = %d, want %d", w, n, want)
		}
	}
	p := makePaper(t, "sun2005")
	c := findTable(t, p, "sun2005_table3").Cells[0]
	if c.Row != "2 nodes" || c.Paper != 1819093 || c.Ours != 19811638 || !strings.Contains(c.Note, "N = 140") {
		t.Errorf("%+v", c)
	}
	c = findTable(t, p, "sun2005_table6").Cells[3]
	if c.Paper != 322 || math.Abs(c.Ours-3233) > 0.1 || !strings.Contains(c.Note, "3226") {
		t.Errorf("%+v", c)
	}
}

// The embedded studies are the examples, and the parameters that tables list are
// those of the files: setting them changes nothing.
func TestStudiesAreTheExamples(t *testing.T) {
	for file, parameters := range map[string][]Parameter{gaussStudy: sunwulfWords().Fits[gaussFit], matMulStudy: sunwulfWords().Fits[matMulFit]} {
		ours, err := studies.ReadFile("studies/" + file)
		if err != nil {
			t.Fatal(err)
		}
		example, err := os.ReadFile("../../../examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if string(ours) != string(example) {
			t.Errorf("studies/%s is not examples/%[1]s", file)
		}
		set, _, err := readStudy(file, parameters)
		if err != nil {
			t.Fatal(err)
		}
		plain, _, err := readStudy(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range parameters {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, plain.Calibration.Parameters) {
			t.Errorf("%s fits %v, the tables list %v", file, plain.Calibration.Parameters, names)
		}
		if diff := cmp.Diff(plain.Workload.Parameters, set.Workload.Parameters); diff != "" || plain.Workload.Sustained != set.Workload.Sustained {
			t.Errorf("%s: the listed parameters change the file (-file +listed):\n%s", file, diff)
		}
		// A parameter that means nothing to the study would change nothing either.
		for i := range parameters {
			changed := slices.Clone(parameters)
			changed[i].Value *= 2
			other, _, err := readStudy(file, changed)
			if err != nil {
				t.Fatal(err)
			}
			if cmp.Equal(other.Workload.Parameters, set.Workload.Parameters) {
				t.Errorf("%s: %s has no effect", file, parameters[i].Name)
			}
		}
	}
}

// The times of the elimination are fitted within 6 %: three parameters, 12 times
// that scatter by up to 7 % around any smooth curve.
func TestFittedTimes(t *testing.T) {
	p := makePaper(t, "jpdc2008")
	sum, n := 0.0, 0
	for _, id := range []string{"jpdc2008_table3", "jpdc2008_table4"} {
		x := findTable(t, p, id)
		if len(x.Parameters) != 3 {
			t.Errorf("%s lists %d parameters", id, len(x.Parameters))
		}
		for _, c := range x.Cells {
			if c.How == Fitted {
				sum, n = sum+c.Deviation*c.Deviation, n+1
			}
		}
	}
	if rms := math.Sqrt(sum / float64(n)); n != 12 || rms > 0.06 {
		t.Errorf("rms %.4f over %d times", rms, n)
	}
	if n := findTable(t, p, "jpdc2008_table8").Tally(Fitted); n.Cells != 5 || n.RMS > 0.04 {
		t.Errorf("N of multiplication: %+v", n)
	}
}

// Every simulated value has a printed one beside it, and each printed cell is
// there once for each way and reading.
func TestCellsAreNotRepeated(t *testing.T) {
	for _, s := range papers() {
		p := makePaper(t, s.Name)
		for _, x := range p.Tables {
			seen := map[[4]string]bool{}
			for _, c := range x.Cells {
				key := [4]string{c.Row, c.Column, c.Reading, string(c.How)}
				if seen[key] {
					t.Errorf("%s: %v twice", x.ID, key)
				}
				seen[key] = true
			}
		}
	}
}
