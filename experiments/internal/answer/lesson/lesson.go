package lesson

import (
	"cmp"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// Lesson is a lesson. Its JSON form is what the explorer shows.
type Lesson struct {
	Number     int         `json:"lesson"`
	Title      string      `json:"title"`
	Minutes    int         `json:"minutes"`
	Text       Text        `json:"text"`
	Reproduces string      `json:"reproduces,omitempty"`
	Runs       []Run       `json:"runs"`
	Steps      []Step      `json:"steps"`
	Insight    Text        `json:"insight"`
	Exercises  []Exercise  `json:"exercises,omitempty"`
	Instructor *Instructor `json:"instructor,omitempty"`

	runs map[string]*Run
}

// Run is a simulation that a lesson is about.
type Run struct {
	Name string           `json:"name"`
	File string           `json:"file"` // beside the lesson
	Set  []input.Override `json:"set"`
	// Hold is the speed-efficiency that the problem size is to hold; 0: it is that of the file.
	Hold float64 `json:"hold,omitempty"`
}

// Step is a part of a lesson: a text and, if it has one, a question.
type Step struct {
	Title    string   `json:"title"`
	Text     Text     `json:"text"`
	Show     []string `json:"show,omitempty"` // names of runs to look at
	Screen   string   `json:"screen"`         // that shows them
	Question string   `json:"question,omitempty"`
	Hint     Text     `json:"hint"`
	// One of these is there if there is a question.
	Number *Number `json:"number,omitempty"`
	Choice *Choice `json:"choice,omitempty"`
	Curve  *Curve  `json:"curve,omitempty"`
	Reveal Text    `json:"reveal"` // what is to be seen after the prediction
	// Derivation is how the answer is found by hand.
	Derivation Text `json:"-"`
}

// Number asks for a number.
type Number struct {
	Unit string `json:"unit,omitempty"`
	// Near is how far off a prediction may be and count as right, relative to the answer.
	Near   float64 `json:"near"`
	Answer expression
}

// Choice asks which of some statements holds.
type Choice struct {
	Options []Option `json:"options"`
}

// Option is a statement; exactly one of those of a choice holds.
type Option struct {
	Text  string     `json:"text"`
	If    expression // a condition
	Reply Text       `json:"-"` // to those who chose it and are wrong
}

// Reply is what those are told who chose an option that does not hold; an empty text for others.
func (s *Step) Reply(p *Prediction, a *Answer) Text {
	if a.Choice == nil || p.Choice == *a.Choice {
		return Text{}
	}
	return s.Choice.Options[p.Choice].Reply
}

// Curve asks for a value at each of several values of a setting.
type Curve struct {
	File   string           `json:"file"`
	Set    []input.Override `json:"set"`
	Over   string           `json:"over"` // path of the setting
	Axis   string           `json:"axis"` // what a reader calls it, for those who draw
	Values []string         `json:"values"`
	// Label and Unit are those of the value, From and To the ends of its axis.
	Label string  `json:"label"`
	Unit  string  `json:"unit,omitempty"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	// Ceiling is a bound of the curve, in the unit; 0: none is drawn.
	Ceiling float64 `json:"-"`
	// Of is an expression over the outcomes of a point, by their names, and those of the
	// first point as first_OUTCOME.
	Of expression
}

// Exercise is a question without a prediction.
type Exercise struct {
	Question string `json:"question"`
	Unit     string `json:"unit,omitempty"`
	Answer   expression
}

// Instructor is what a lecturer should know.
type Instructor struct {
	Notes          Text     `json:"notes"`
	Misconceptions []string `json:"misconceptions,omitempty"`
}

// expression is a formula or a condition with the values of runs.
type expression struct {
	text    string
	formula *formula.Expression
}

// Text is prose in paragraphs, which empty lines divide; a paragraph whose lines begin
// with "- " is a list. Words between backticks are code. {{EXPRESSION}} and
// {{EXPRESSION; UNIT}} are numbers that runs measure.
type Text struct {
	source string
	blanks []blank
}

// blank is an expression in a text.
type blank struct {
	from, until int // in the source, braces included
	value       expression
	unit        string
}

// MarshalText returns the text as it is written, with its expressions.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.source), nil }

// Describe shows what is in a lesson, and no answers.
func (l *Lesson) Describe() *input.Description {
	d := &input.Description{Kind: string(input.KindLesson), Title: l.Title}
	d.Facts.Add("lesson", l.Number)
	d.Facts.Add("minutes", l.Minutes)
	d.Facts.Add("reproduces", l.Reproduces)
	steps := input.DataTable{Title: "steps", Columns: []string{"step", "question"}}
	for _, s := range l.Steps {
		steps.Rows = append(steps.Rows, []string{s.Title, cmp.Or(s.Question, input.None)})
	}
	d.Tables = []input.DataTable{steps}
	return d
}

// Extent says how much is in a lesson.
func (l *Lesson) Extent() string { return input.Plural(len(l.Steps), "step") }

// Tables are the fields of the mappings of a lesson by what they describe, for the documentation.
func Tables() map[string][]schema.Field {
	return map[string][]schema.Field{
		"lesson": Object.Fields(), "run of a lesson": runRecord.Fields(), "step of a lesson": stepRecord.Fields(),
		"number of a lesson": numberRecord.Fields(), "option of a lesson": optionRecord.Fields(), "curve of a lesson": curveRecord.Fields(),
		"exercise of a lesson": exerciseRecord.Fields(), "instructor of a lesson": instructorRecord.Fields(),
	}
}
