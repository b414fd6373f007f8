package lesson

import (
	"cmp"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// Lesson is a lesson. The explorer shows its JSON form.
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
	// Hold is the speed-efficiency that the problem size is to hold; 0: the file has the size.
	Hold float64 `json:"hold,omitempty"`
}

// Step is a part of a lesson: a text and, if it has one, a question.
type Step struct {
	Title    string   `json:"title"`
	Text     Text     `json:"text"`
	Show     []string `json:"show,omitempty"` // names of runs to look at
	Screen   string   `json:"screen"`         // the one of [Screens] that shows them
	Question string   `json:"question,omitempty"`
	Hint     Text     `json:"hint"`
	// One of these is set if there is a question.
	Number *Number `json:"number,omitempty"`
	Choice *Choice `json:"choice,omitempty"`
	Curve  *Curve  `json:"curve,omitempty"`
	Reveal Text    `json:"reveal"` // shown after the prediction
	// Derivation is how the answer is found by hand.
	Derivation Text `json:"-"`
}

// Number asks for a number.
type Number struct {
	Unit string `json:"unit,omitempty"`
	// Near is the relative deviation from the answer up to which a prediction counts as right.
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
	Reply Text       `json:"-"` // to those who choose this option although it does not hold
}

// Reply is the reply to a choice that does not hold; an empty text for other predictions.
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
	Axis   string           `json:"axis"` // title of the setting's axis
	Values []string         `json:"values"`
	// Label and Unit belong to the value, From and To are the ends of its axis.
	Label string  `json:"label"`
	Unit  string  `json:"unit,omitempty"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	// Ceiling is an upper bound to draw, in the unit; 0: none.
	Ceiling float64 `json:"-"`
	// Of is an expression over the outcomes of a point, by name, and those of the first
	// point, as first_OUTCOME.
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

// expression is a formula or a condition over the outcomes of runs.
type expression struct {
	text    string
	formula *formula.Expression
}

// Text is prose in paragraphs separated by empty lines; a paragraph whose lines begin
// with "- " is a list. Words between backticks are code. {{EXPRESSION}} and
// {{EXPRESSION; UNIT}} stand for numbers measured in runs.
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

// MarshalText returns the text as written, with its expressions.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.source), nil }

// Describe shows what is in a lesson, without answers.
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

// Tables are the fields of the mappings in a lesson file, by what they describe, for the documentation.
func Tables() map[string][]schema.Field {
	return map[string][]schema.Field{
		"lesson": Object.Fields(), "run of a lesson": runRecord.Fields(), "step of a lesson": stepRecord.Fields(),
		"number of a lesson": numberRecord.Fields(), "option of a lesson": optionRecord.Fields(), "curve of a lesson": curveRecord.Fields(),
		"exercise of a lesson": exerciseRecord.Fields(), "instructor of a lesson": instructorRecord.Fields(),
	}
}
