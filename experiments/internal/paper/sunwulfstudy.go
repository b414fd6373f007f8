package paper

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// The simulations of Sunwulf.
const (
	gaussStudy  = "sunwulf-ge.yaml"
	matMulStudy = "sunwulf-mm.yaml"
)

// The fits of words/sunwulf.json: the parameters that the files of the studies call fitted; and, with nothing fitted,
// the constants of section 4.5 instead. With these a process computes 1/t_c = 32.26 Mflop/s, which on the five systems
// is 1.56 to 1.59 times the mean marked speed of a process.
const (
	gaussFit       = "gauss"
	gaussAsPrinted = "gauss as printed"
	matMulFit      = "matmul"
)

// sunwulfWords returns the words about both papers on Sunwulf.
func sunwulfWords() *draft { return readDraft("sunwulf") }

// sunwulf is the result of the simulations with which both papers are compared.
type sunwulf struct {
	gauss, gaussAsPrinted, matMul study
	// curves holds for each system of the multiplication study the simulated
	// speed-efficiency over N.
	curves []simulatedCurve
}

type simulatedCurve struct {
	name string
	n, e []float64
}

type study struct{ *iso.Result }

// time returns the simulated time in ms; NaN if there is none.
func (s study) time(nodes, n int) float64 {
	for _, t := range s.Comparison.Times {
		if t.System == fmt.Sprintf("C%d", nodes) && t.N == n {
			return t.Simulated * 1e3
		}
	}
	return math.NaN()
}

// sunwulfDone caches the result, which is the same for both papers and all runs.
var sunwulfDone struct {
	sync.Mutex
	outcome *sunwulf
}

// runSunwulf simulates on the first call. The result must not be changed.
func runSunwulf(ctx context.Context) (*sunwulf, error) {
	sunwulfDone.Lock()
	defer sunwulfDone.Unlock()
	if sunwulfDone.outcome == nil {
		s, err := simulateSunwulf(ctx)
		if err != nil {
			return nil, err
		}
		sunwulfDone.outcome = s
	}
	return sunwulfDone.outcome, nil
}

func simulateSunwulf(ctx context.Context) (*sunwulf, error) {
	var s sunwulf
	var err error
	if s.gauss, err = runStudy(ctx, gaussStudy, gaussFit, withCheckRuns); err != nil {
		return nil, err
	}
	if s.gaussAsPrinted, err = runStudy(ctx, gaussStudy, gaussAsPrinted, nil); err != nil {
		return nil, err
	}
	// A study simulates the sizes for which it has times to compare with: here the times that would hold the target, so
	// that E_s is the target times their ratio.
	var target float64
	s.matMul, err = runStudy(ctx, matMulStudy, matMulFit, func(study *scenario.Study) error {
		target = study.Target
		return atSizesOfCurves(study)
	})
	if err != nil {
		return nil, err
	}
	for _, t := range s.matMul.Comparison.Times {
		if k := len(s.curves); k == 0 || s.curves[k-1].name != t.System {
			s.curves = append(s.curves, simulatedCurve{name: t.System})
		}
		c := &s.curves[len(s.curves)-1]
		c.n, c.e = append(c.n, float64(t.N)), append(c.e, target*t.Compared/t.Simulated)
	}
	return &s, nil
}

// addRun adds a run of a size to a study, with the time in which a system of some marked speed, in Mflop/s, would reach
// an efficiency.
func addRun(study *scenario.Study, system, n int, work, efficiency, speed float64) error {
	t, err := scalability.RequiredTime(units.Flops(work), efficiency, units.FlopsPerSecond(speed*1e6))
	study.Compare.Times = append(study.Compare.Times, scenario.MeasuredTime{System: system, N: n, Time: t})
	return err
}

// withCheckRuns adds the runs with which the papers check the sizes that they read off: 0.312 at N = 310 on two nodes
// and 0.288 at N = 480 on four.
func withCheckRuns(study *scenario.Study) error {
	constants := load("jpdc2008_parameters")
	for system, x := range []reading{readingOn2, readingOn4} {
		speed, checked := x.symbols()
		efficiency, c := constants.constant(checked).Value, constants.constant(speed).Value
		if err := addRun(study, system, x.n, gaussWork(float64(x.n)), efficiency, c); err != nil {
			return err
		}
	}
	return nil
}

// atSizesOfCurves adds sizes from a fifth of the published one to twice as large to
// a study.
func atSizesOfCurves(study *scenario.Study) error {
	const steps = 10 // of a fifth
	sheet := load("jpdc2008_table8")
	for i, x := range study.Systems {
		for step := 1; step <= steps; step++ {
			n := study.Compare.N[x.Name] * step / 5
			if err := addRun(study, i, n, matMulWork(float64(n)), study.Target, sheet.value(i, "C")); err != nil {
				return err
			}
		}
	}
	return nil
}

func runStudy(ctx context.Context, file, fit string, change func(*scenario.Study) error) (study, error) {
	s, overrides, err := readStudy(file, sunwulfWords().Fits[fit])
	if err == nil && change != nil {
		err = change(s)
	}
	if err != nil {
		return study{}, err
	}
	r, err := iso.Run(ctx, s, overrides, nil)
	return study{r}, err
}

// readStudy reads an embedded study with parameters set to the values listed, so that the values in a table are those
// simulated.
func readStudy(file string, parameters []Parameter) (*scenario.Study, []input.Override, error) {
	text, err := files.ReadFile("studies/" + file)
	if err != nil {
		return nil, nil, err
	}
	var overrides []input.Override
	for _, p := range parameters {
		value := strconv.FormatFloat(p.Value, 'g', -1, 64)
		if p.Unit != "1" {
			value += " " + p.Unit
		}
		overrides = append(overrides, input.Override{Path: p.Name, Value: value})
	}
	study, err := scenario.Documents{file: text}.ReadStudy(file, overrides)
	return study, overrides, err
}
