package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// lessonView is what is shown of a lesson. Answers and what reveals them are there only
// if they were asked for.
type lessonView struct {
	lessonEntry
	Text       string             `json:"text"`
	Runs       []lessonRun        `json:"runs"`
	Steps      []lessonStep       `json:"steps"`
	Insight    string             `json:"insight,omitempty"`
	Exercises  []lessonExercise   `json:"exercises,omitempty"`
	Instructor *lessonInstruction `json:"instructor,omitempty"`
}

type lessonRun struct {
	Name string `json:"name"`
	// Command is how the command line carries it out; "" if a problem size has to be found first.
	Command  string             `json:"command,omitempty"`
	Hold     float64            `json:"hold,omitempty"`
	Outcomes map[string]float64 `json:"outcomes,omitempty"`
}

type lessonStep struct {
	Title    string   `json:"title"`
	Text     string   `json:"text,omitempty"`
	Question string   `json:"question,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Options  []string `json:"options,omitempty"`
	// Label says what a curve shows, and At where its points are.
	Label   string         `json:"label,omitempty"`
	At      []string       `json:"at,omitempty"`
	Answer  *lesson.Answer `json:"answer,omitempty"`
	Printed string         `json:"printed,omitempty"` // the answer as text
	Reveal  string         `json:"reveal,omitempty"`
	// Hint and Derivation help before and after the prediction.
	Hint       string `json:"hint,omitempty"`
	Derivation string `json:"derivation,omitempty"`
}

type lessonExercise struct {
	Question string   `json:"question"`
	Unit     string   `json:"unit,omitempty"`
	Answer   *float64 `json:"answer,omitempty"`
}

type lessonInstruction struct {
	Notes          string   `json:"notes"`
	Misconceptions []string `json:"misconceptions,omitempty"`
}

// view measures what is asked for and returns what is to be shown.
func (l *openedLesson) view(ctx context.Context, o lessonOptions) (*lessonView, error) {
	v := &lessonView{lessonEntry: l.entry(), Runs: []lessonRun{}, Steps: []lessonStep{}}
	f := filler{ctx: ctx, lab: l.lab}
	v.Text = f.fill(l.Text)
	for i := range l.Runs {
		r := lessonRun{Name: l.Runs[i].Name, Hold: l.Runs[i].Hold}
		if r.Hold == 0 {
			r.Command = l.command(&l.Runs[i])
		}
		if o.run && f.err == nil {
			r.Outcomes, f.err = l.lab.Measure(ctx, r.Name)
		}
		v.Runs = append(v.Runs, r)
	}
	for i := range l.Steps {
		v.Steps = append(v.Steps, *l.step(&f, i, o.answers))
	}
	if o.answers {
		v.Insight = f.fill(l.Insight)
	}
	for i, e := range l.Exercises {
		x := lessonExercise{Question: e.Question, Unit: e.Unit}
		if o.answers && f.err == nil {
			var a float64
			a, f.err = l.lab.Exercise(ctx, i)
			x.Answer = &a
		}
		v.Exercises = append(v.Exercises, x)
	}
	if o.instructor && l.Instructor != nil {
		v.Instructor = &lessonInstruction{f.fill(l.Instructor.Notes), l.Instructor.Misconceptions}
	}
	return v, f.err
}

// filler puts numbers into texts until the first error.
type filler struct {
	ctx context.Context
	lab *lesson.Lab
	err error
}

func (f *filler) fill(t lesson.Text) (text string) {
	if f.err == nil {
		text, f.err = f.lab.Fill(f.ctx, t)
	}
	return strings.ReplaceAll(text, "$", "") // the explorer sets what is between dollars as a formula
}

// step returns a step, from 0, and what it reveals if answered.
func (l *openedLesson) step(f *filler, i int, answered bool) *lessonStep {
	of := l.Steps[i]
	s := &lessonStep{Title: of.Title, Question: of.Question, Text: f.fill(of.Text)}
	switch {
	case of.Number != nil:
		s.Unit = of.Number.Unit
	case of.Choice != nil:
		s.Options = each.Append(s.Options, of.Choice.Options, func(o lesson.Option) string { return o.Text })
	case of.Curve != nil:
		s.Unit, s.Label, s.At = of.Curve.Unit, of.Curve.Label, of.Curve.Values
	}
	if answered && f.err == nil {
		s.Answer, f.err = l.lab.Answer(f.ctx, i)
	}
	if answered && f.err == nil {
		s.Printed, s.Reveal = printedAnswer(&of, s.Answer), f.fill(of.Reveal)
		s.Hint, s.Derivation = f.fill(of.Hint), f.fill(of.Derivation)
	}
	return s
}

func printedAnswer(s *lesson.Step, a *lesson.Answer) string {
	switch {
	case a == nil:
		return ""
	case a.Number != nil:
		return lesson.Print(*a.Number, s.Number.Unit)
	case a.Choice != nil:
		return lesson.Letter(*a.Choice) + ", " + s.Choice.Options[*a.Choice].Text
	}
	text := func(x lesson.Point) string { return x.At + ": " + lesson.Print(x.Value, s.Curve.Unit) }
	return strings.Join(each.Of(a.Curve, text), "; ")
}

// command returns the command line that carries out a run.
func (l *openedLesson) command(r *lesson.Run) string {
	words := []string{"isoscale run", shellQuoted(l.folder + "/" + r.File)}
	for _, s := range r.Set {
		words = append(words, "--set", shellQuoted(s.Path+"="+s.Value))
	}
	return strings.Join(words, " ")
}

// print prints the lesson as text within the width.
func (v *lessonView) print(p *printer) {
	p.Line("Lesson %d: %s (%s)", v.Lesson, v.Title, input.Plural(v.Minutes, "minute"))
	if v.Reproduces != "" {
		p.Wrapped("reproduces: ", v.Reproduces)
	}
	printProse(p, "", v.Text)
	p.Section("Runs:")
	for _, r := range v.Runs {
		if r.Command == "" {
			p.Wrapped("  ",
				fmt.Sprintf("%s: the problem size that holds speed-efficiency %s", r.Name, input.Number(r.Hold)))
		} else {
			p.Line("  %s:", r.Name)
			printCommand(p, "    ", r.Command)
		}
		if r.Outcomes != nil {
			p.Wrapped("      ", printedOutcomes(r.Outcomes))
		}
	}
	for i, s := range v.Steps {
		p.Section(fmt.Sprintf("Step %d: %s", i+1, s.Title))
		s.print(p)
	}
	if v.Insight != "" {
		p.Section("Insight")
		printProse(p, "  ", v.Insight)
	}
	if len(v.Exercises) > 0 {
		p.Section("Exercises")
		for _, e := range v.Exercises {
			p.Wrapped("  - ", e.Question)
			if e.Answer != nil {
				p.Wrapped("    = ", lesson.Print(*e.Answer, e.Unit))
			}
		}
	}
	if v.Instructor != nil {
		p.Section("For instructors")
		printProse(p, "  ", v.Instructor.Notes)
		if len(v.Instructor.Misconceptions) > 0 {
			p.Line("")
			p.Line("  Misconceptions:")
		}
		for _, m := range v.Instructor.Misconceptions {
			p.Wrapped("  - ", m)
		}
	}
}

func (s *lessonStep) print(p *printer) {
	if s.Text != "" {
		printProse(p, "  ", s.Text)
	}
	if s.Question != "" {
		p.List("  ? ", []string{s.Question})
	}
	for i, o := range s.Options {
		p.Wrapped("    "+lesson.Letter(i)+"  ", o)
	}
	if s.Label != "" {
		unit := ""
		if s.Unit != "" {
			unit = " in " + s.Unit
		}
		p.Wrapped("    ", fmt.Sprintf("%s%s, at: %s", s.Label, unit, strings.Join(s.At, ", ")))
	}
	if s.Printed != "" {
		p.List("  = ", []string{s.Printed})
	}
	for _, text := range []string{s.Reveal, s.Derivation} {
		if text != "" {
			printProse(p, "  ", text)
		}
	}
}

// printCommand prints a command so that it can be copied: what does not fit into a line goes
// on in the next, and settings stay whole.
func printCommand(p *printer, indent, command string) {
	line := indent
	for i, part := range strings.Split(command, " --set ") {
		if i > 0 {
			part = "--set " + part
			if len(line)+1+len(part)+2 > textWidth {
				p.Line("%s \\", line)
				line = indent + "  "
			} else {
				line += " "
			}
		}
		line += part
	}
	p.Line("%s", line)
}

// printProse prints paragraphs, each after an empty line, and lists.
func printProse(p *printer, indent, text string) {
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		p.Line("")
		if !strings.HasPrefix(paragraph, "- ") {
			p.Wrapped(indent, paragraph)
			continue
		}
		for _, item := range strings.Split(strings.TrimPrefix(paragraph, "- "), "\n- ") {
			p.Wrapped(indent+"- ", item)
		}
	}
}

// printedOutcomes returns the outcomes of a run that say most, as text.
func printedOutcomes(values map[string]float64) string {
	if values["finishes"] == 0 {
		return "ends in a deadlock"
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if o, ok := system.Known(name); ok && o.Brief || name == "n" {
			all = append(all, strings.ReplaceAll(name, "_", " ")+" "+lesson.Print(values[name], o.Unit))
		}
	}
	return strings.Join(all, ", ")
}

// lessonCheck compares a prediction with the answer of a step.
type lessonCheck struct {
	Lesson     int         `json:"lesson"`
	Number     int         `json:"number"` // of the step, from 1
	Prediction string      `json:"prediction"`
	Right      bool        `json:"right"`
	Compared   string      `json:"compared"`
	Reply      string      `json:"reply,omitempty"` // to those who chose a wrong option
	Step       *lessonStep `json:"step"`
}

// check compares a prediction of a step, from 1, with what the runs give.
func (l *openedLesson) check(ctx context.Context, number int, prediction string) (*lessonCheck, error) {
	if number < 1 || number > len(l.Steps) {
		return nil, input.Errorf("--step %d; expected 1 to %d, the steps of the lesson", number, len(l.Steps))
	}
	p, err := l.Steps[number-1].ReadPrediction(prediction)
	if err != nil {
		return nil, err
	}
	f := filler{ctx: ctx, lab: l.lab}
	s := l.step(&f, number-1, true)
	if f.err != nil {
		return nil, f.err
	}
	c := &lessonCheck{Lesson: l.Number, Number: number, Prediction: prediction, Step: s}
	c.Right, c.Compared = l.Steps[number-1].Compare(p, s.Answer)
	c.Reply = f.fill(l.Steps[number-1].Reply(p, s.Answer))
	return c, f.err
}

func (c *lessonCheck) print(p *printer) {
	verdict := "not so"
	if c.Right {
		verdict = "right"
	}
	p.Wrapped("", fmt.Sprintf("Step %d, %s", c.Number, c.Step.Title))
	p.Wrapped("", c.Step.Question)
	p.Line("")
	p.Wrapped(verdict+": ", c.Compared)
	if c.Step.Answer.Curve != nil {
		p.Wrapped("  = ", c.Step.Printed)
	}
	for _, text := range []string{c.Reply, c.Step.Reveal, c.Step.Derivation} {
		if text != "" {
			printProse(p, "", text)
		}
	}
}
