package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

const (
	mostRuns   = 100
	mostSteps  = 50
	mostPoints = 64
)

// Object has all keys of the file of a lesson.
var Object = &schema.Object{What: "a lesson, with lesson, title and steps", Fields: []schema.Field{
	{Key: "lesson", Type: schema.Integer{Min: 1, Max: 999}, Required: true, Meaning: "its number, by which lessons are sorted"},
	{Key: "title", Type: schema.Text, Required: true, Meaning: "the lesson in a few words"},
	{Key: "minutes", Type: schema.Integer{Min: 1, Max: 600}, Required: true, Meaning: "how long it takes in class"},
	{Key: "text", Type: schema.Text, Required: true, Meaning: "what comes before the first step"},
	{Key: "reproduces", Type: schema.Text, Meaning: "the figure or table of a book or paper that it reproduces"},
	{Key: "runs", Type: schema.Map{Of: runObject, Keys: schema.Name, Max: mostRuns}, Meaning: "the simulations by name"},
	{Key: "steps", Type: schema.List{Of: stepForms, Min: 1, Max: mostSteps}, Required: true, Meaning: "its parts, in their order"},
	{Key: "insight", Type: schema.Text, Required: true, Meaning: "what is to be remembered"},
	{Key: "exercises", Type: schema.List{Of: exerciseObject, Max: mostSteps}, Meaning: "questions without predictions"},
	{Key: "instructor", Type: instructorObject, Meaning: "for those who teach it"},
}}

var runObject = &schema.Object{What: "a run, as in {file: gauss.yaml, set: {nodes.node: 4}}", Fields: []schema.Field{
	{Key: "file", Type: schema.Text, Required: true, Meaning: "a scenario or super-program beside the lesson"},
	{Key: "set", Type: settingsType, Meaning: "values in it, as of --set"},
	{Key: "hold", Type: share, Meaning: "the speed-efficiency that the problem size is searched for"},
}}

var (
	settingsType = schema.Map{Of: schema.Any}
	share        = schema.Number{Max: 1, Above: true, Below: true}
	nearness     = schema.Number{Max: 10, Above: true}
	unitNames    = schema.OneOf{"s", "B", "B/s", "flop", "flop/s", "%"}
	anyNumber    = schema.Number{Min: -math.MaxFloat64, Max: math.MaxFloat64}
)

var stepObject = &schema.Object{What: "a step, with title and text", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Required: true, Meaning: "the step in a few words"},
	{Key: "text", Type: schema.Text, Meaning: "what comes before the question"},
	{Key: "show", Type: schema.List{Of: schema.Text, Max: 2}, Meaning: "names of one or two runs to look at with the answer"},
	{Key: "question", Type: schema.Text, Meaning: "what is to be predicted"},
	{Key: "number", Type: numberObject, Meaning: "the prediction is a number"},
	{Key: "choice", Type: schema.List{Of: optionObject, Min: 2, Max: 9}, Meaning: "the prediction is one of these"},
	{Key: "curve", Type: curveObject, Meaning: "the prediction is a curve"},
	{Key: "reveal", Type: schema.Text, Meaning: "what is shown with the answer, after the prediction"},
}}

// stepForms are a step without a question, and with one of each kind of prediction.
var stepForms = schema.AnyOf{
	stepObject.Without("question", "number", "choice", "curve"),
	stepObject.Without("choice", "curve").Requiring("question", "number"),
	stepObject.Without("number", "curve").Requiring("question", "choice"),
	stepObject.Without("number", "choice").Requiring("question", "curve"),
}

var numberObject = &schema.Object{What: "a number to predict, as in {answer: four_time, unit: s}", Fields: []schema.Field{
	{Key: "answer", Type: schema.Text, Required: true, Meaning: "an expression over the runs"},
	{Key: "unit", Type: unitNames, Meaning: "its unit"},
	{Key: "near", Type: nearness, Default: "0.1", Meaning: "how far off counts as right, relative to the answer"},
}}

var optionObject = &schema.Object{What: "an option, as in {text: it is faster, if: four_time < two_time}", Fields: []schema.Field{
	{Key: "text", Type: schema.Text, Required: true, Meaning: "the statement"},
	{Key: "if", Type: schema.Text, Required: true, Meaning: "a condition over the runs; it holds for one option"},
}}

var curveObject = &schema.Object{What: "a curve to predict, with file, over, values and of", Fields: []schema.Field{
	{Key: "file", Type: schema.Text, Required: true, Meaning: "a scenario or super-program beside the lesson"},
	{Key: "set", Type: settingsType, Meaning: "values in it, as of --set"},
	{Key: "over", Type: schema.Text, Required: true, Meaning: "the path that has another value at each point"},
	{Key: "values", Type: schema.List{Of: schema.Any, Min: 2, Max: mostPoints}, Required: true, Meaning: "its values"},
	{Key: "of", Type: schema.Text, Required: true, Meaning: "an expression over the outcomes of a point, and of the first one as first_OUTCOME"},
	{Key: "label", Type: schema.Text, Required: true, Meaning: "what it is"},
	{Key: "unit", Type: unitNames, Meaning: "its unit"},
	{Key: "from", Type: anyNumber, Default: "0", Meaning: "lower end of the axis, in the unit"},
	{Key: "to", Type: anyNumber, Required: true, Meaning: "upper end of the axis"},
}}

var exerciseObject = &schema.Object{What: "an exercise, as in {question: ..., answer: four_time / two_time}", Fields: []schema.Field{
	{Key: "question", Type: schema.Text, Required: true, Meaning: "what is to be found out"},
	{Key: "answer", Type: schema.Text, Required: true, Meaning: "an expression over the runs"},
	{Key: "unit", Type: unitNames, Meaning: "its unit"},
}}

var instructorObject = &schema.Object{What: "notes for those who teach the lesson", Fields: []schema.Field{
	{Key: "notes", Type: schema.Text, Required: true, Meaning: "how to teach it"},
	{Key: "misconceptions", Type: schema.List{Of: schema.Text, Max: mostSteps}, Meaning: "what students get wrong"},
}}

// Type is what the file of a lesson contains.
var Type schema.Type = Object

// Read reads the text of a lesson. Its errors are yamldoc's, with the place of every
// problem.
func Read(name string, data []byte) (*Lesson, error) {
	root, err := yamldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return ReadRoot(root)
}

// ReadRoot is [Read] for the root of a file that has been opened.
func ReadRoot(root *yamldoc.Node) (*Lesson, error) {
	r := &reader{lesson: &Lesson{runs: map[string]*Run{}}}
	r.read(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return r.lesson, nil
}

type reader struct {
	yamldoc.Decoder
	lesson *Lesson
	names  []string // that expressions may use
}

// outcomes are the names of what a run measures, and of a curve's point.
var outcomes = func() []string {
	names := []string{finishes, size}
	for _, o := range slices.Concat(system.OutcomesOfScenarios(), system.OutcomesOfSuperPrograms()) {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}()

const (
	finishes = "finishes" // 1, or 0 for a run that ends in a deadlock
	size     = "n"        // the problem size
)

func (r *reader) read(root *yamldoc.Node) {
	l := r.lesson
	d := Object.Open(&r.Decoder, root)
	l.Number = r.Int(d.Require("lesson", "the number of the lesson"), 1, 999, "")
	l.Title = r.String(d.Require("title", "the lesson in a few words"), "a title")
	l.Minutes = r.Int(d.Require("minutes", "how long it takes"), 1, 600, "")
	if n := d.Take("runs"); n != nil {
		m := r.Mapping(n, "the runs by name")
		for _, name := range m.Keys() {
			r.run(name, m.Take(name))
		}
		m.Done()
	}
	for i := range l.Runs {
		l.runs[l.Runs[i].Name] = &l.Runs[i]
		for _, o := range outcomes {
			r.names = append(r.names, l.Runs[i].Name+"_"+o)
		}
	}
	l.Text = r.text(d.Require("text", "what comes before the first step"))
	l.Reproduces = r.String(d.Take("reproduces"), "a text")
	for _, n := range r.Sequence(d.Require("steps", "the parts of the lesson"), "steps") {
		l.Steps = append(l.Steps, r.step(n))
	}
	if n := d.Take("steps"); n.IsSequence() && len(l.Steps) == 0 {
		r.Fail(n, "a lesson without steps", "at least one")
	}
	l.Insight = r.text(d.Require("insight", "what is to be remembered"))
	for _, n := range r.Sequence(d.Take("exercises"), "exercises") {
		e := exerciseObject.Open(&r.Decoder, n)
		l.Exercises = append(l.Exercises, Exercise{
			Question: r.String(e.Require("question", "what is to be found out"), "a text"),
			Answer:   r.expression(e.Require("answer", "an expression over the runs"), r.names),
			Unit:     r.OneOf(e.Take("unit"), unitNames, "unit"),
		})
		e.Done()
	}
	if n := d.Take("instructor"); n != nil {
		e := instructorObject.Open(&r.Decoder, n)
		l.Instructor = &Instructor{Notes: r.text(e.Require("notes", "how to teach it"))}
		for _, m := range r.Sequence(e.Take("misconceptions"), "misconceptions") {
			l.Instructor.Misconceptions = append(l.Instructor.Misconceptions, r.String(m, "a text"))
		}
		e.Done()
	}
	d.Done()
}

func (r *reader) run(name string, n *yamldoc.Node) {
	if !isIdentifier(name) {
		r.Fail(n, fmt.Sprintf("the name %q of a run", name), "a letter, then letters and digits, as expressions use it")
	}
	d := runObject.Open(&r.Decoder, n)
	x := Run{Name: name, File: r.String(d.Require("file", "a scenario beside the lesson"), "the name of a file"), Set: r.settings(d.Take("set"))}
	if h := d.Take("hold"); h != nil {
		x.Hold = r.Float(h, "a speed-efficiency above 0 and below 1", share.In)
	}
	d.Done()
	r.lesson.Runs = append(r.lesson.Runs, x)
}

// isIdentifier reports whether a name can begin the names of an expression.
func isIdentifier(name string) bool {
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return name != ""
}

func (r *reader) settings(n *yamldoc.Node) []Setting {
	set := []Setting{}
	if n == nil {
		return set
	}
	m := r.Mapping(n, "values by their paths")
	for _, path := range m.Keys() {
		set = append(set, Setting{path, inline(m.Take(path))})
	}
	m.Done()
	return set
}

// inline returns a value as it may stand behind --set path=.
func inline(n *yamldoc.Node) string {
	if n.IsScalar() {
		return n.Text()
	}
	return string(n.JSON())
}

func (r *reader) step(n *yamldoc.Node) Step {
	d := stepObject.Open(&r.Decoder, n)
	s := Step{
		Title:    r.String(d.Require("title", "the step in a few words"), "a title"),
		Text:     r.text(d.Take("text")),
		Question: r.String(d.Take("question"), "a question"),
		Reveal:   r.text(d.Take("reveal")),
	}
	for _, x := range r.Sequence(d.Take("show"), "names of runs") {
		name := r.String(x, "the name of a run")
		if r.lesson.runs[name] == nil {
			var known []string
			for _, run := range r.lesson.Runs {
				known = append(known, run.Name)
			}
			r.Fail(x, fmt.Sprintf("unknown run %q", name)+input.Suggestion(name, known), "one of the runs of the lesson")
		}
		s.Show = append(s.Show, name)
	}
	kinds := 0
	if x := d.Take("number"); x != nil {
		kinds++
		s.Number = r.number(x)
	}
	if x := d.Take("choice"); x != nil {
		kinds++
		s.Choice = r.choice(x)
	}
	if x := d.Take("curve"); x != nil {
		kinds++
		s.Curve = r.curve(x)
	}
	if want := min(len(s.Question), 1); kinds != want {
		r.Fail(n, fmt.Sprintf("%s and %s", input.Plural(want, "question"), input.Plural(kinds, "prediction")), "a question with one of number, choice and curve, or none of them")
	}
	d.Done()
	return s
}

func (r *reader) number(n *yamldoc.Node) *Number {
	d := numberObject.Open(&r.Decoder, n)
	x := &Number{
		Answer: r.expression(d.Require("answer", "an expression over the runs"), r.names),
		Unit:   r.OneOf(d.Take("unit"), unitNames, "unit"),
		Near:   nearness.ReadOr(&r.Decoder, d.Take("near"), "how far off counts as right, above 0 and at most 10", 0.1),
	}
	d.Done()
	return x
}

func (r *reader) choice(n *yamldoc.Node) *Choice {
	c := &Choice{}
	for _, x := range r.Sequence(n, "options") {
		d := optionObject.Open(&r.Decoder, x)
		c.Options = append(c.Options, Option{
			Text: r.String(d.Require("text", "the statement"), "a text"),
			If:   r.condition(d.Require("if", "a condition over the runs")),
		})
		d.Done()
	}
	if len(c.Options) < 2 {
		r.Fail(n, input.Plural(len(c.Options), "option"), "at least 2")
	}
	return c
}

func (r *reader) curve(n *yamldoc.Node) *Curve {
	d := curveObject.Open(&r.Decoder, n)
	c := &Curve{
		File:  r.String(d.Require("file", "a scenario beside the lesson"), "the name of a file"),
		Set:   r.settings(d.Take("set")),
		Over:  r.String(d.Require("over", "the path that has another value at each point"), "a path"),
		Label: r.String(d.Require("label", "what the value is"), "a text"),
		Unit:  r.OneOf(d.Take("unit"), unitNames, "unit"),
		From:  anyNumber.ReadOr(&r.Decoder, d.Take("from"), "a number", 0),
	}
	for _, x := range r.Sequence(d.Require("values", "the values of the path"), "values") {
		c.Values = append(c.Values, inline(x))
	}
	to := d.Require("to", "the upper end of the axis")
	if c.To = r.Float(to, "a number", nil); to != nil && !(c.To > c.From) {
		r.Fail(to, "the upper end is not above the lower one", fmt.Sprintf("a number above %s", input.Number(c.From)))
	}
	if len(c.Values) < 2 || len(c.Values) > mostPoints {
		r.Fail(n, input.Plural(len(c.Values), "value"), fmt.Sprintf("2 to %d", mostPoints))
	}
	names := slices.Clone(outcomes)
	for _, o := range outcomes {
		names = append(names, firstPoint+o)
	}
	c.Of = r.expression(d.Require("of", "an expression over the outcomes of a point"), names)
	d.Done()
	return c
}

// firstPoint begins the names of the outcomes of the first point of a curve.
const firstPoint = "first_"

// expression reads a formula of the names given.
func (r *reader) expression(n *yamldoc.Node, names []string) expression {
	text := r.String(n, "an expression")
	if n == nil {
		return expression{}
	}
	f, err := formula.NewExpression(text, names)
	if err != nil {
		r.Fail(n, problemOf(err, names), "")
	}
	return expression{text, f}
}

func (r *reader) condition(n *yamldoc.Node) condition {
	text := r.String(n, "a condition")
	if n == nil {
		return condition{}
	}
	values := formula.Values{}
	for _, name := range r.names {
		values[name] = 1.0
	}
	c, err := formula.NewCondition(text, values)
	if err != nil {
		r.Fail(n, problemOf(err, r.names), "")
	}
	return condition{text, c}
}

// problemOf says what is wrong with an expression, and which names are near.
func problemOf(err error, names []string) string {
	if e, ok := errors.AsType[*formula.Error](err); ok && e.Unknown != "" {
		return e.Where() + input.Suggestion(e.Unknown, names) + "; names are RUN_OUTCOME, as in two_time"
	}
	return err.Error()
}

// text reads prose with its expressions.
func (r *reader) text(n *yamldoc.Node) Text {
	t := Text{source: strings.TrimSpace(r.String(n, "a text"))}
	for at := 0; ; {
		from := strings.Index(t.source[at:], "{{")
		if from < 0 {
			return t
		}
		from += at
		length := strings.Index(t.source[from:], "}}")
		if length < 0 {
			r.Fail(n, "{{ without }}", "an expression between both, as in {{two_time; s}}")
			return t
		}
		b := blank{from: from, until: from + length + 2}
		text, unit, has := strings.Cut(t.source[from+2:from+length], ";")
		if b.unit = strings.TrimSpace(unit); has && !slices.Contains(unitNames, b.unit) {
			r.Fail(n, fmt.Sprintf("unknown unit %q in {{%s}}", b.unit, t.source[from+2:from+length]), "one of "+input.List(unitNames))
		}
		f, err := formula.NewExpression(strings.TrimSpace(text), r.names)
		if err != nil {
			r.Fail(n, fmt.Sprintf("in {{%s}}: %s", text, problemOf(err, r.names)), "")
		}
		b.value = expression{strings.TrimSpace(text), f}
		t.blanks = append(t.blanks, b)
		at = b.until
	}
}
