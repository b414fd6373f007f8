package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Prediction is what a reader expects of a step.
type Prediction struct {
	Number float64   // in base units
	Choice int       // an option, from 0
	Curve  []float64 // a value for each point, in base units
}

// ReadPrediction reads what a reader expects of a step with a question: a number in a unit of
// the quantity that is asked for ("12.5 ms"), the letter of an option ("b"), or a number for
// each point of a curve, separated by commas.
func (s *Step) ReadPrediction(text string) (*Prediction, error) {
	switch {
	case s.Number != nil:
		x, err := readNumber(text, s.Number.Unit)
		return &Prediction{Number: x}, err
	case s.Choice != nil:
		last := Letter(len(s.Choice.Options) - 1)
		for i := range s.Choice.Options {
			if strings.EqualFold(strings.TrimSpace(text), Letter(i)) {
				return &Prediction{Choice: i}, nil
			}
		}
		return nil, input.Errorf("prediction %q; expected a letter from a to %s", text, last)
	case s.Curve != nil:
		parts := strings.Split(text, ",")
		if len(parts) != len(s.Curve.Values) {
			return nil, input.Errorf("%s predicted; expected %d, separated by commas", input.Plural(len(parts), "value"), len(s.Curve.Values))
		}
		p := &Prediction{}
		for _, part := range parts {
			x, err := readNumber(part, s.Curve.Unit)
			if err != nil {
				return nil, err
			}
			p.Curve = append(p.Curve, x)
		}
		return p, nil
	}
	return nil, input.Errorf("step %q has no question", s.Title)
}

// Letter names an option, from 0: a, b, ...
func Letter(option int) string { return string(rune('a' + option)) }

func readNumber(text, unit string) (float64, error) {
	text = strings.TrimSpace(text)
	if formula.Dimension(unit) != "" {
		x, err := formula.Parse(text, unit)
		if err != nil {
			return 0, input.Errorf("prediction: %v", err)
		}
		return x, nil
	}
	if unit == "%" {
		share, ok := strings.CutSuffix(text, "%")
		if !ok {
			return 0, input.Errorf("prediction %q; expected a share, as in 50 %%", text)
		}
		x, err := readNumber(share, "")
		return x / 100, err
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, input.Errorf("prediction %q; expected a number", text)
	}
	return x, nil
}

// nothing is a deviation that is allowed in any case, in base units: relative to an answer that is 0,
// except for rounding, any deviation is too large.
const nothing = 1e-12

// deviation returns how far a prediction is from an answer, relative to a size, with the digits that are printed, and
// whether it is near, so that no verdict contradicts what is printed.
func deviation(prediction, answer, size, near float64) (off float64, right bool) {
	difference := math.Abs(prediction - answer)
	off = input.Digits(difference/size, 3)
	return off, off <= near || difference <= nothing
}

// sharePrinted prints a deviation. It hides digits that may be rounding errors.
func sharePrinted(x float64) string {
	if x < 1e-5 {
		return "less than 0.001 %"
	}
	return Print(x, "%")
}

// nearExercise is the relative deviation up to which a solution counts as right.
const nearExercise = 0.05

// Check says whether the solution of an exercise is right and, if not, only whether it is too large or too small.
func (e *Exercise) Check(solution, answer float64) (right bool, sentence string) {
	if _, right = deviation(solution, answer, math.Abs(answer), nearExercise); right {
		return true, fmt.Sprintf("Right: it is %s.", Print(answer, e.Unit))
	}
	side := "large"
	if solution < answer {
		side = "small"
	}
	return false, fmt.Sprintf("Not so: too %s, by more than %s.", side, Print(nearExercise, "%"))
}

// Compare says how a prediction of a step compares with the answer, and whether it is
// right. A curve is right if no point is off by more than a tenth of the axis.
func (s *Step) Compare(p *Prediction, a *Answer) (right bool, sentence string) {
	switch {
	case a.Number != nil:
		size := math.Abs(*a.Number)
		off, right := deviation(p.Number, *a.Number, size, s.Number.Near)
		sentence = fmt.Sprintf("%s predicted, %s measured", Print(p.Number, s.Number.Unit),
			Print(*a.Number, s.Number.Unit))
		if size > nothing {
			sentence += fmt.Sprintf(": off by %s, where up to %s counts as right", sharePrinted(off),
				Print(s.Number.Near, "%"))
		}
		return right, sentence
	case a.Choice != nil:
		return p.Choice == *a.Choice, fmt.Sprintf("%s predicted, %s holds: %s", Letter(p.Choice), Letter(*a.Choice),
			s.Choice.Options[*a.Choice].Text)
	}
	worst := 0
	for i, x := range p.Curve {
		if math.Abs(x-a.Curve[i].Value) > math.Abs(p.Curve[worst]-a.Curve[worst].Value) {
			worst = i
		}
	}
	w := a.Curve[worst]
	_, right = deviation(p.Curve[worst], w.Value, s.Curve.To-s.Curve.From, 0.1)
	return right, fmt.Sprintf("the largest difference is at %s: %s predicted, %s measured", w.At,
		Print(p.Curve[worst], s.Curve.Unit), Print(w.Value, s.Curve.Unit))
}
