package explorer

import (
	"context"
	"path"

	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

func (b *Bridge) open(q *Request) (*lesson.Lesson, *lesson.Lab, error) {
	data, ok := b.documents[q.File]
	if !ok {
		return nil, nil, input.Errorf("%s: no such document", q.File)
	}
	l, err := lesson.Read(q.File, data)
	if err != nil {
		return nil, nil, err
	}
	return l, lesson.NewLab(l, lesson.Among(b.documents, path.Dir(q.File))), nil
}

// prose is a text of a lesson with its numbers.
type prose struct {
	Text    string   `json:"text"`
	Insight string   `json:"insight"`
	Steps   []string `json:"steps"` // the texts before the questions
}

// lesson is the answer to "lesson": a lesson without its answers, and its texts with the
// numbers that they have.
func (b *Bridge) lesson(ctx context.Context, q *Request) (any, []byte, error) {
	l, lab, err := b.open(q)
	if err != nil {
		return nil, nil, err
	}
	var p prose
	if p.Text, err = lab.Fill(ctx, l.Text); err != nil {
		return nil, nil, err
	}
	if p.Insight, err = lab.Fill(ctx, l.Insight); err != nil {
		return nil, nil, err
	}
	for _, s := range l.Steps {
		text, err := lab.Fill(ctx, s.Text)
		if err != nil {
			return nil, nil, err
		}
		p.Steps = append(p.Steps, text)
	}
	return struct {
		*lesson.Lesson
		Prose prose `json:"prose"`
	}{l, p}, nil, nil
}

// revealed is what follows the prediction of a step.
type revealed struct {
	Answer  *lesson.Answer `json:"answer"`
	Printed string         `json:"printed,omitempty"` // a number with its unit
	Reveal  string         `json:"reveal"`
}

func (b *Bridge) reveal(ctx context.Context, q *Request) (any, []byte, error) {
	l, lab, err := b.open(q)
	if err != nil {
		return nil, nil, err
	}
	if q.Step < 0 || q.Step >= len(l.Steps) {
		return nil, nil, input.Errorf("step %d; expected one of 0 to %d", q.Step, len(l.Steps)-1)
	}
	var r revealed
	if r.Answer, err = lab.Answer(ctx, q.Step); err != nil {
		return nil, nil, err
	}
	if n := l.Steps[q.Step].Number; n != nil {
		r.Printed = lesson.Print(*r.Answer.Number, n.Unit)
	}
	r.Reveal, err = lab.Fill(ctx, l.Steps[q.Step].Reveal)
	return r, nil, err
}

func (b *Bridge) exercise(ctx context.Context, q *Request) (any, []byte, error) {
	l, lab, err := b.open(q)
	if err != nil {
		return nil, nil, err
	}
	if q.Step < 0 || q.Step >= len(l.Exercises) {
		return nil, nil, input.Errorf("exercise %d; expected one of 0 to %d", q.Step, len(l.Exercises)-1)
	}
	x, err := lab.Exercise(ctx, q.Step)
	return map[string]string{"printed": lesson.Print(x, l.Exercises[q.Step].Unit)}, nil, err
}
