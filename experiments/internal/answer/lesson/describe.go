package lesson

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// Describe shows what is in a lesson, and no answers.
func (l *Lesson) Describe(file string) *input.Description {
	d := &input.Description{Kind: string(input.KindLesson), Name: file, Title: l.Title}
	d.Facts = []input.Parameter{{Name: "lesson", Value: fmt.Sprint(l.Number)}, {Name: "minutes", Value: fmt.Sprint(l.Minutes)}}
	if l.Reproduces != "" {
		d.Facts = append(d.Facts, input.Parameter{Name: "reproduces", Value: l.Reproduces})
	}
	steps := input.DataTable{Title: "steps", Columns: []string{"step", "question"}}
	for _, s := range l.Steps {
		question := s.Question
		if question == "" {
			question = input.None
		}
		steps.Rows = append(steps.Rows, []string{s.Title, question})
	}
	d.Tables = []input.DataTable{steps}
	return d
}

// Tables are the fields of the mappings of a lesson by what they describe, for the
// documentation.
func Tables() map[string][]schema.Field {
	return map[string][]schema.Field{
		"lesson": Object.Fields, "run of a lesson": runRecord.Fields, "step of a lesson": stepRecord.Fields,
		"number of a lesson": numberRecord.Fields, "option of a lesson": optionRecord.Fields, "curve of a lesson": curveRecord.Fields,
		"exercise of a lesson": exerciseRecord.Fields, "instructor of a lesson": instructorRecord.Fields,
	}
}
