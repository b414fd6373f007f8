package explorer

import (
	"context"
	"path"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// taught is an open lesson with the results of its runs, which its questions share.
type taught struct {
	*lesson.Lesson
	lab *lesson.Lab
}

// open reads a lesson, once. several counts what a request selects from; the number in the request must exist.
func (b *Bridge) open(ctx context.Context, q *Request, what string, several func(*lesson.Lesson) int) (*lesson.Lesson, *lesson.Lab, error) {
	t, ok := b.taught[q.File]
	if !ok {
		data, ok := b.documents[q.File]
		if !ok {
			return nil, nil, input.Errorf("%s: no such document", q.File)
		}
		l, err := lesson.Read(q.File, data)
		if err != nil {
			return nil, nil, err
		}
		folder := path.Dir(q.File)
		for _, s := range l.Steps {
			if c := s.Curve; c != nil {
				at := append(slices.Clip(c.Set), Setting{Path: c.Over, Value: c.Values[0]})
				c.Axis = c.Over // unless its runs fail; whoever asks for them is told
				if names, err := ofCase((*Bridge).settings)(b, ctx, &Request{File: path.Join(folder, c.File), Set: at, Paths: []string{c.Over}}); err == nil {
					c.Axis = names.([]told)[0].Label
				}
			}
		}
		t = taught{l, lesson.NewLab(l, lesson.Source{Documents: b.documents, Folder: folder})}
		b.taught[q.File] = t
	}
	if n := several(t.Lesson); q.Step < 0 || q.Step >= n {
		return nil, nil, input.Errorf("%s %d; expected one of 0 to %d", what, q.Step, n-1)
	}
	return t.Lesson, t.lab, nil
}

// prose is a text of a lesson with its numbers filled in.
type prose struct {
	Text    string   `json:"text"`
	Insight string   `json:"insight"`
	Steps   []string `json:"steps"` // the texts before the questions
	Hints   []string `json:"hints"`
}

// lesson is the answer to "lesson": a lesson without its answers, and its texts with the numbers filled in.
func (b *Bridge) lesson(ctx context.Context, q *Request) (any, error) {
	l, lab, err := b.open(ctx, q, "lesson", func(*lesson.Lesson) int { return q.Step + 1 })
	if err != nil {
		return nil, err
	}
	texts := []lesson.Text{l.Text, l.Insight}
	texts = each.Append(texts, l.Steps, func(s lesson.Step) lesson.Text { return s.Text })
	texts = each.Append(texts, l.Steps, func(s lesson.Step) lesson.Text { return s.Hint })
	filled := make([]string, len(texts))
	for i, text := range texts {
		if filled[i], err = lab.Fill(ctx, text); err != nil {
			return nil, err
		}
	}
	return struct {
		*lesson.Lesson
		Prose prose `json:"prose"`
	}{l, prose{filled[0], filled[1], filled[2 : 2+len(l.Steps)], filled[2+len(l.Steps):]}}, nil
}

// revealed is what is shown after the prediction of a step.
type revealed struct {
	Answer  *lesson.Answer `json:"answer"`
	Printed string         `json:"printed,omitempty"` // a number with its unit
	Reveal  string         `json:"reveal"`
	// Compared compares the prediction with the answer, Right says whether it counts as right, and Reply what is wrong
	// with the chosen option.
	Compared   string  `json:"compared,omitempty"`
	Right      bool    `json:"right,omitempty"`
	Reply      string  `json:"reply,omitempty"`
	Derivation string  `json:"derivation,omitempty"`
	Ceiling    float64 `json:"ceiling,omitempty"` // of a curve
}

// predicted returns the prediction for a step in a request, nil if there is none of the step's kind.
func (q *Request) predicted(s *lesson.Step) *lesson.Prediction {
	switch x := q.Prediction; {
	case s.Curve != nil && len(q.Curve) == len(s.Curve.Values):
		return &lesson.Prediction{Curve: q.Curve}
	case s.Number != nil && x != nil:
		return &lesson.Prediction{Number: *x}
	case s.Choice != nil && x != nil && *x >= 0 && *x < float64(len(s.Choice.Options)):
		return &lesson.Prediction{Choice: int(*x)}
	}
	return nil
}

func (b *Bridge) reveal(ctx context.Context, q *Request) (any, error) {
	l, lab, err := b.open(ctx, q, "step", func(l *lesson.Lesson) int { return len(l.Steps) })
	if err != nil {
		return nil, err
	}
	var r revealed
	if r.Answer, err = lab.Answer(ctx, q.Step); err != nil {
		return nil, err
	}
	s := &l.Steps[q.Step]
	if s.Number != nil {
		r.Printed = lesson.Print(*r.Answer.Number, s.Number.Unit)
	}
	if s.Curve != nil {
		r.Ceiling = s.Curve.Ceiling
	}
	if p := q.predicted(s); p != nil {
		r.Right, r.Compared = s.Compare(p, r.Answer)
		if r.Reply, err = lab.Fill(ctx, s.Reply(p, r.Answer)); err != nil {
			return nil, err
		}
	}
	if r.Derivation, err = lab.Fill(ctx, s.Derivation); err != nil {
		return nil, err
	}
	r.Reveal, err = lab.Fill(ctx, s.Reveal)
	return r, err
}

// solved is the answer to an exercise; for a solution, it says whether that is right.
type solved struct {
	Said  string `json:"said"`
	Right bool   `json:"right,omitempty"`
}

func (b *Bridge) exercise(ctx context.Context, q *Request) (any, error) {
	l, lab, err := b.open(ctx, q, "exercise", func(l *lesson.Lesson) int { return len(l.Exercises) })
	if err != nil {
		return nil, err
	}
	x, err := lab.Exercise(ctx, q.Step)
	if err != nil {
		return nil, err
	}
	e := &l.Exercises[q.Step]
	if q.Prediction == nil {
		return solved{Said: lesson.Print(x, e.Unit)}, nil
	}
	var s solved
	s.Right, s.Said = e.Check(*q.Prediction, x)
	return s, nil
}
