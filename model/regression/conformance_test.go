package regression

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// conformanceCase is a folder of cases that the peers computed.
type conformanceCase struct {
	Stated json.RawMessage `json:"stated_in_test"`
	Tool   json.RawMessage `json:"tool_output"`
}

type peerTerm struct {
	Coefficient float64
	Poly, Log   float64
	Factors     []struct {
		Parameter int
		Poly, Log float64
	}
}

type peerModel struct {
	Constant    float64
	Coefficient *float64
	Poly, Log   *float64
	Terms       []peerTerm
	RSS, SMAPE  float64
	AR2         float64
	RSSRounded  float64 `json:"RSS_two_digits"`
	AR2Stated   float64 `json:"adjusted_R2"`
	Segments    []struct {
		Range    string
		Constant float64
		Terms    []peerTerm
	}
}

func readJSON(t *testing.T, into any, path ...string) {
	t.Helper()
	content := expect.Value(os.ReadFile(filepath.Join(path...)))(t)
	err := json.Unmarshal(content, into)
	expect.Need(t, err == nil, "%s: %v", filepath.Join(path...), err)
}

func parse(t *testing.T, raw json.RawMessage) peerModel {
	t.Helper()
	var m peerModel
	expect.Success(t, json.Unmarshal(raw, &m))
	return m
}

func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)
}

// digits is the relative tolerance that the cases suggest.
const digits = 1e-6

// samePrinted compares with a number that was printed with 6 significant digits,
// or cut off after 8 decimals.
func samePrinted(got, want float64) bool {
	return math.Abs(got-want) <= 1e-8 || near(got, want, 5e-6)
}

// TestConformance compares the fits with those of Extra-P. Figures of exact data are
// rounding errors and are only checked to be small.
func TestConformance(t *testing.T) {
	root := os.Getenv("ISOSCALE_CONFORMANCE")
	if root == "" {
		t.Skip("ISOSCALE_CONFORMANCE is not set")
	}
	folders, err := filepath.Glob(filepath.Join(root, "extrap", "*"))
	expect.Need(t, err == nil && len(folders) != 0, "no cases: %v", err)
	series := 0
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			var input struct {
				Points     []float64
				Parameters []string
				Series     json.RawMessage
			}
			readJSON(t, &input, folder, "input.json")
			var expected struct {
				Method   string `json:"how_produced"`
				Expected json.RawMessage
			}
			readJSON(t, &expected, folder, "expected.json")
			if input.Parameters == nil {
				series += conformTerms(t, input.Points, input.Series, expected.Method, expected.Expected)
				return
			}
			var measured []struct {
				Region string
				Points [][]float64
				Mean   []float64
			}
			expect.Success(t, json.Unmarshal(input.Series, &measured))
			var both struct {
				Stated json.RawMessage            `json:"stated_in_test"`
				Tool   map[string]json.RawMessage `json:"tool_output"`
			}
			expect.Success(t, json.Unmarshal(expected.Expected, &both))
			for _, m := range measured {
				series++
				var one []Sample
				var two []Sample2
				for i, p := range m.Points {
					if len(p) == 2 {
						two = append(two, Sample2{p[0], p[1], m.Mean[i]})
					} else {
						one = append(one, Sample{p[0], m.Mean[i]})
					}
				}
				switch stated := parse(t, both.Stated); {
				case stated.Segments != nil:
					conformSegments(t, one, stated)
				case two != nil:
					conformTwo(t, two, stated, parse(t, both.Tool[m.Region]))
				default:
					fit := expect.Value(FitNormalForm(one))(t)
					conformOne(t, fit, parse(t, both.Tool[m.Region]))
					expect.That(t, samePrinted(fit.Constant, stated.Constant) &&
						samePrinted(fit.Coefficient, stated.Terms[0].Coefficient),
						"%s, stated %v %v", fit.Formula, stated.Constant, stated.Terms)
					expect.That(t, math.Abs(fit.Selection.RSS-stated.RSSRounded) <= 0.05 &&
						math.Abs(fit.Selection.AdjustedR2-stated.AR2Stated) <= 0.005,
						"cost %+v, stated RSS %v, adjusted R2 %v", fit.Selection, stated.RSSRounded, stated.AR2Stated)
				}
			}
		})
	}
	t.Logf("%d folders, %d series", len(folders), series)
	expect.That(t, series >= 5, "only %d series were compared", series)
}

// conformTerms compares series of exact data over shared points.
func conformTerms(t *testing.T, p []float64, rawSeries json.RawMessage, method string, rawExpected json.RawMessage) int {
	var series [][]float64
	var expected []conformanceCase
	expect.Success(t, errors.Join(json.Unmarshal(rawSeries, &series), json.Unmarshal(rawExpected, &expected)))
	expect.Need(t, len(series) == len(expected), "%d series, %d results", len(series), len(expected))
	by := leaveOneOut
	if strings.Contains(method, "use_crossvalidation = False") {
		by = allPoints
	}
	for i, y := range series {
		var samples []Sample
		for k := range y {
			samples = append(samples, Sample{p[k], y[k]})
		}
		fit := expect.Value(fitNormalForm(by, samples))(t)
		conformOne(t, fit, parse(t, expected[i].Tool))
		stated := parse(t, expected[i].Stated)
		expect.That(t, samePrinted(fit.Constant, stated.Constant),
			"series %d: constant %v, stated %v", i, fit.Constant, stated.Constant)
		switch {
		case stated.Poly == nil:
			expect.That(t, fit.Term == (Term{}), "series %d: term %v, stated none", i, fit.Term)
		case math.Abs(fit.Term.Exponent()-*stated.Poly) > 1e-5 || float64(fit.Term.Log) != *stated.Log:
			t.Errorf("series %d: term %v, stated %v %v", i, fit.Term, *stated.Poly, *stated.Log)
		case !samePrinted(fit.Coefficient, *stated.Coefficient):
			t.Errorf("series %d: coefficient %v, stated %v", i, fit.Coefficient, *stated.Coefficient)
		}
	}
	return len(series)
}

// conformOne compares with the digits that the tool gave. Costs of exact data are
// rounding: relative to the data, and to the nearly singular fits of steep terms.
func conformOne(t *testing.T, fit *NormalForm, tool peerModel) {
	t.Helper()
	expect.Close(t, fit.Constant, tool.Constant, digits, "%s: constant", fit.Formula)
	if len(tool.Terms) == 0 {
		expect.That(t, fit.Term == (Term{}), "%s: want a constant", fit.Formula)
	} else if want := tool.Terms[0]; fit.Term.Exponent() != want.Poly || float64(fit.Term.Log) != want.Log ||
		!near(fit.Coefficient, want.Coefficient, digits) {
		t.Errorf("%s: want %+v", fit.Formula, want)
	}
	if tool.SMAPE < 1e-8 {
		expect.That(t, fit.Selection.SMAPE <= 1e-8 && fit.Selection.AdjustedR2 >= 1-1e-12,
			"%s: cost %+v, want about none", fit.Formula, fit.Selection)
		return
	}
	conformCost(t, fit.Formula, fit.Selection, tool)
}

func conformCost(t *testing.T, formula string, got Cost, tool peerModel) {
	t.Helper()
	expect.That(t, near(got.RSS, tool.RSS, digits) && near(got.SMAPE, tool.SMAPE, digits) &&
		near(got.AdjustedR2, tool.AR2, digits),
		"%s: cost %+v, want RSS %v, SMAPE %v, AR2 %v", formula, got, tool.RSS, tool.SMAPE, tool.AR2)
}

func conformTwo(t *testing.T, samples []Sample2, stated, tool peerModel) {
	t.Helper()
	fit := expect.Value(FitNormalForm2(samples))(t)
	expect.Need(t, near(fit.Constant, tool.Constant, digits) && samePrinted(fit.Constant, stated.Constant) &&
		len(fit.Products) == len(tool.Terms),
		"%s: want %+v", fit.Formula, tool)
	for i, want := range tool.Terms {
		got := fit.Products[i]
		var exponents [2][2]float64
		for _, f := range want.Factors {
			exponents[f.Parameter] = [2]float64{f.Poly, f.Log}
		}
		expect.That(t, near(got.Coefficient, want.Coefficient, digits) &&
			samePrinted(got.Coefficient, stated.Terms[i].Coefficient) &&
			exponents == [2][2]float64{{got.P.Exponent(), float64(got.P.Log)}, {got.Q.Exponent(), float64(got.Q.Log)}},
			"%s: term %d want %+v", fit.Formula, i, want)
	}
	conformCost(t, fit.Formula, fit.Selection, tool)
}

func conformSegments(t *testing.T, samples []Sample, stated peerModel) {
	t.Helper()
	s := expect.Value(fitSegmented(samples))(t)
	expect.Need(t, s.Detected && len(s.Parts) == len(stated.Segments), "%+v, want %d segments", s, len(stated.Segments))
	for i, want := range stated.Segments {
		part := s.Parts[i]
		fields := strings.Fields(want.Range) // such as p <= 6
		bound := expect.Value(strconv.ParseFloat(fields[2], 64))(t)
		expect.That(t, (fields[1] != "<=" || part.High == bound) && (fields[1] != ">=" || part.Low == bound),
			"part %d from %v to %v, want %s", i, part.Low, part.High, want.Range)
		expect.That(t, math.Abs(part.Constant-want.Constant) <= 1e-9 && part.Term.Exponent() == want.Terms[0].Poly &&
			float64(part.Term.Log) == want.Terms[0].Log && near(part.Coefficient, want.Terms[0].Coefficient, 1e-9),
			"part %d: %s, want %+v", i, part.Formula, want)
	}
}
