package paper

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
)

// Two misprints, recomputed by hand: W(310) = (4*29791000 - 3*96100 - 19*310 + 18)/6
// = 118869828/6 = 19811638, and the printed 1819093 is W(140) = (4*2744000 -
// 3*19600 - 19*140 + 18)/6 = 10914558/6.
func TestMisprintedWorkIsFound(t *testing.T) {
	expect.Equal(t, gaussWork(310), 19811638, "W(310)")
	for w, want := range map[float64]int{1819093: 140, 11682713: 260, 19811638: 310, 19811639: 0, 6.66e8: 0} {
		expect.Equal(t, sizeWithWork(w), want, "work %v is that of N", w)
	}
	p := makePaper(t, "sun2005")
	c := findTable(t, p, "sun2005_table3").Cells[0]
	expect.That(t, c.Row == "2 nodes" && c.Paper == 1819093 && c.Ours == 19811638 &&
		strings.Contains(c.Note, "N = 140"),
		"%+v", c)
	c = findTable(t, p, "sun2005_table6").Cells[3]
	expect.That(t, c.Paper == 322 && math.Abs(c.Ours-3233) <= 0.1 && strings.Contains(c.Note, "3226"), "%+v", c)
}

// The embedded studies are the examples, and the parameters that tables list are those of the files: setting them
// changes nothing.
func TestStudiesAreTheExamples(t *testing.T) {
	for file, parameters := range map[string][]Parameter{
		gaussStudy: sunwulfWords().Fits[gaussFit], matMulStudy: sunwulfWords().Fits[matMulFit],
	} {
		ours := expect.Value(files.ReadFile("studies/" + file))(t)
		example := expect.Value(os.ReadFile("../../../examples/" + file))(t)
		expect.That(t, string(ours) == string(example), "studies/%s is not examples/%[1]s", file)
		set, _, err := readStudy(file, parameters)
		expect.Success(t, err)
		plain, _, err := readStudy(file, nil)
		expect.Success(t, err)
		var names []string
		for _, p := range parameters {
			names = append(names, p.Name)
		}
		expect.That(t, slices.Equal(names, plain.Calibration.Parameters),
			"%s fits %v, the tables list %v", file, plain.Calibration.Parameters, names)
		diff := cmp.Diff(plain.Workload.Parameters, set.Workload.Parameters)
		expect.That(t, diff == "" && plain.Workload.Sustained == set.Workload.Sustained,
			"%s: the listed parameters change the file (-file +listed):\n%s", file, diff)
		// A parameter without effect on the study would change nothing either.
		for i := range parameters {
			changed := slices.Clone(parameters)
			changed[i].Value *= 2
			other, _, err := readStudy(file, changed)
			expect.Success(t, err)
			expect.That(t, !cmp.Equal(other.Workload.Parameters, set.Workload.Parameters),
				"%s: %s has no effect", file, parameters[i].Name)
		}
	}
}

// The elimination times are fitted within 6 % by three parameters: 12 times that scatter by up to 7 % around any smooth
// curve.
func TestFittedTimes(t *testing.T) {
	p := makePaper(t, "jpdc2008")
	sum, n := 0.0, 0
	for _, id := range []string{"jpdc2008_table3", "jpdc2008_table4"} {
		x := findTable(t, p, id)
		expect.Equal(t, len(x.Parameters), 3, "%s: parameters", id)
		for _, c := range x.Cells {
			if c.How == Fitted {
				sum, n = sum+c.Deviation*c.Deviation, n+1
			}
		}
	}
	rms := math.Sqrt(sum / float64(n))
	expect.That(t, n == 12 && rms <= 0.06, "rms %.4f over %d times", rms, n)
	of := findTable(t, p, "jpdc2008_table8").Tally(Fitted)
	expect.That(t, of.Cells == 5 && of.RMS <= 0.04, "N of multiplication: %+v", of)
}
