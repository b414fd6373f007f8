package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

const (
	mostRuns   = 100
	mostSteps  = 50
	mostPoints = 64
)

// Object has all keys of the file of a lesson.
var Object = lessonRecord.Object

// Type is what the file of a lesson contains.
var Type schema.Type = Object

var lessonRecord = schema.Declare("a lesson, with lesson, title and steps", func(k *schema.Keys, r *reader) {
	l := &r.lesson
	k.Required("lesson", schema.Integer{Min: 1, Max: 999}.To(&l.Number), "number by which lessons are sorted")
	k.Required("title", schema.Text.To(&l.Title), "the lesson in a few words")
	k.Required("minutes", schema.Integer{Min: 1, Max: 600}.To(&l.Minutes), "how long it takes in class")
	k.Optional("runs",
		schema.Func(schema.Map{Of: runRecord.Object, Keys: schema.Name, Max: mostRuns}, func(n *yamldoc.Node) {
			for name, v := range k.Entries(n, "the runs by name") {
				x := Run{Name: name}
				if !isIdentifier(name) {
					k.Fail(v, fmt.Sprintf("the name %q of a run", name), "a letter, then letters and digits, as expressions use it")
				}
				runRecord.Read(k.Decoder, v, &x)
				l.Runs = append(l.Runs, x)
			}
		}), "the simulations by name")
	r.nameRuns()
	k.Required("text", r.prose(&l.Text), "text before the first step")
	k.Optional("reproduces", schema.Text.To(&l.Reproduces), "the figure or table of a book or paper that it reproduces")
	k.Required("steps", schema.Func(schema.List{Of: stepForms, Min: 1, Max: mostSteps}, func(n *yamldoc.Node) {
		if l.Steps = listOf(k, r, n, "steps", stepRecord); n.IsSequence() && len(l.Steps) == 0 {
			k.Fail(n, "a lesson without steps", "at least one")
		}
	}), "the steps, in order")
	k.Required("insight", r.prose(&l.Insight), "what to remember")
	k.Optional("exercises", schema.Func(schema.List{Of: exerciseRecord.Object, Max: mostSteps}, func(n *yamldoc.Node) {
		l.Exercises = listOf(k, r, n, "exercises", exerciseRecord)
	}), "questions without predictions")
	k.Optional("instructor", schema.Func(instructorRecord.Object, func(n *yamldoc.Node) {
		l.Instructor = one(k, r, n, instructorRecord)
	}), "notes for instructors")
})

const besideLesson = "a scenario or super-program beside the lesson"

// fileName must not be empty: that would name the folder of the lesson.
var fileName = schema.Custom(schema.Text, func(d *yamldoc.Decoder, n *yamldoc.Node) string {
	if n.IsScalar() && n.Text() == "" {
		d.Fail(n, "no file is named", besideLesson)
		return ""
	}
	return d.String(n, besideLesson)
})

var runRecord = schema.Declare("a run, as in {file: gauss.yaml, set: {nodes.node: 4}}", func(k *schema.Keys, x *Run) {
	k.Required("file", schema.To(fileName, &x.File), besideLesson)
	x.Set = []input.Override{}
	k.Optional("set", schema.To(settings, &x.Set), "values set in it, as with --set")
	k.Optional("hold", share.To(&x.Hold), "the speed-efficiency to hold: the problem size is searched for")
})

// Screens are the names of the screens that show runs.
var Screens = schema.OneOf{"timeline", "topology", "scaling"}

var (
	settings  = schema.Custom(schema.Map{Of: schema.Any}, readSettings)
	share     = schema.Number{Max: 1, Above: true, Below: true, Want: "a speed-efficiency above 0 and below 1"}
	nearness  = schema.Number{Max: 10, Above: true, Want: "how far off counts as right, above 0 and at most 10"}
	unitNames = schema.OneOf{"s", "B", "B/s", "flop", "flop/s", "%"}
	anyNumber = schema.Number{Min: -math.MaxFloat64, Max: math.MaxFloat64, Want: "a number"}
)

// part is a part of a lesson that is being read.
type part[T any] struct {
	*reader
	of T
}

// one reads a part of a lesson, listOf a list of parts.
func one[T any](k *schema.Keys, r *reader, n *yamldoc.Node, record *schema.Record[part[T]]) *T {
	x := part[T]{reader: r}
	record.Read(k.Decoder, n, &x)
	return &x.of
}

func listOf[T any](k *schema.Keys, r *reader, n *yamldoc.Node, what string, record *schema.Record[part[T]]) []T {
	return each.Append(nil, k.Sequence(n, what), func(item *yamldoc.Node) T { return *one(k, r, item, record) })
}

var stepRecord = schema.Declare("a step, with title and text", func(k *schema.Keys, p *part[Step]) {
	s := &p.of
	k.Required("title", schema.Text.To(&s.Title), "the step in a few words")
	k.Optional("text", p.prose(&s.Text), "text before the question")
	k.Optional("show", schema.Func(schema.List{Of: schema.Text, Max: 2}, func(n *yamldoc.Node) {
		for _, x := range k.Sequence(n, "names of runs") {
			s.Show = append(s.Show, p.shown(k, x))
		}
	}), "names of one or two runs to look at with the answer")
	k.Optional("screen", schema.Choice(&s.Screen, "screen", Screens).Or(Screens[0]), "the screen that shows them")
	k.Optional("question", schema.Text.To(&s.Question), "what to predict")
	k.Optional("hint", p.prose(&s.Hint), "help before the prediction")
	kinds := 0
	k.Optional("number", schema.Func(numberRecord.Object, func(n *yamldoc.Node) {
		s.Number = one(k, p.reader, n, numberRecord)
		kinds++
	}), "the prediction is a number")
	k.Optional("choice", schema.Func(schema.List{Of: optionRecord.Object, Min: 2, Max: 9}, func(n *yamldoc.Node) {
		if s.Choice = (&Choice{listOf(k, p.reader, n, "options", optionRecord)}); len(s.Choice.Options) < 2 {
			k.Fail(n, input.Plural(len(s.Choice.Options), "option"), "at least 2")
		}
		kinds++
	}), "the prediction is one of these")
	k.Optional("curve", schema.Func(curveRecord.Object, func(n *yamldoc.Node) {
		if s.Curve = one(k, p.reader, n, curveRecord); len(s.Curve.Values) < 2 || len(s.Curve.Values) > mostPoints {
			k.Fail(n, input.Plural(len(s.Curve.Values), "value"), fmt.Sprintf("2 to %d", mostPoints))
		}
		kinds++
	}), "the prediction is a curve")
	k.Optional("reveal", p.prose(&s.Reveal), "what is shown with the answer, after the prediction")
	k.Optional("derivation", p.prose(&s.Derivation), "how to find the answer by hand, shown on request after the prediction")
	if want := min(len(s.Question), 1); kinds != want {
		k.Fail(k.Self(), fmt.Sprintf("%s and %s", input.Plural(want, "question"), input.Plural(kinds, "prediction")), "a question with one of number, choice and curve, or none of them")
	}
})

// stepForms are a step without a question, and one for each kind of prediction.
var stepForms = schema.AnyOf{
	stepRecord.Without("question", "number", "choice", "curve"),
	stepRecord.Without("choice", "curve").Requiring("question", "number"),
	stepRecord.Without("number", "curve").Requiring("question", "choice"),
	stepRecord.Without("number", "choice").Requiring("question", "curve"),
}

var numberRecord = schema.Declare("a number to predict, as in {answer: four_time, unit: s}",
	func(k *schema.Keys, p *part[Number]) {
		k.Required("answer", p.formula(&p.of.Answer), "an expression over the runs")
		k.Optional("unit", schema.Choice(&p.of.Unit, "unit", unitNames), "its unit")
		k.Optional("near", nearness.To(&p.of.Near).Or(0.1), "how far off counts as right, relative to the answer")
	})

var optionRecord = schema.Declare("an option, as in {text: it is faster, if: four_time < two_time}",
	func(k *schema.Keys, p *part[Option]) {
		k.Required("text", schema.Text.To(&p.of.Text), "the statement")
		k.Optional("reply", p.prose(&p.of.Reply), "what readers who choose it are told if it does not hold")
		k.Required("if", schema.To(schema.Custom(schema.Text, func(d *yamldoc.Decoder, n *yamldoc.Node) expression {
			return compile(d, n, d.String(n, "a condition"), "", p.names, formula.IsTruth)
		}), &p.of.If), "a condition over the runs; it holds for one option")
	})

var curveRecord = schema.Declare("a curve to predict, with file, over, values and of",
	func(k *schema.Keys, p *part[Curve]) {
		c := &p.of
		k.Required("file", schema.To(fileName, &c.File), besideLesson)
		c.Set = []input.Override{}
		k.Optional("set", schema.To(settings, &c.Set), "values set in it, as with --set")
		k.Required("over", schema.Text.To(&c.Over), "the path whose value differs from point to point")
		k.Required("values", schema.Func(schema.List{Of: schema.Any, Min: 2, Max: mostPoints}, func(n *yamldoc.Node) {
			c.Values = each.Of(k.Sequence(n, "values"), inline)
		}), "its values")
		k.Required("of", schema.To(schema.Custom(schema.Text, func(d *yamldoc.Decoder, n *yamldoc.Node) expression {
			first := each.Of(outcomes(), func(o string) string { return firstPoint + o })
			return readExpression(d, n, slices.Concat(outcomes(), first))
		}), &c.Of), "an expression over the outcomes of a point, and of the first one as first_OUTCOME")
		k.Required("label", schema.Text.To(&c.Label), "what it is")
		k.Optional("unit", schema.Choice(&c.Unit, "unit", unitNames), "its unit")
		k.Optional("from", anyNumber.To(&c.From).Or(0), "lower end of the axis, in the unit")
		k.Required("to", anyNumber.To(&c.To), "upper end of the axis")
		k.Optional("ceiling", anyNumber.To(&c.Ceiling).Or(0), "a bound that is drawn with the answer; 0: none")
		if to := k.Node("to"); to != nil && !(c.To > c.From) {
			k.Fail(to, "the upper end is not above the lower one", fmt.Sprintf("a number above %s", input.Number(c.From)))
		}
	})

var exerciseRecord = schema.Declare("an exercise, as in {question: ..., answer: four_time / two_time}",
	func(k *schema.Keys, p *part[Exercise]) {
		k.Required("question", schema.Text.To(&p.of.Question), "what to find out")
		k.Required("answer", p.formula(&p.of.Answer), "an expression over the runs")
		k.Optional("unit", schema.Choice(&p.of.Unit, "unit", unitNames), "its unit")
	})

var instructorRecord = schema.Declare("notes for instructors",
	func(k *schema.Keys, p *part[Instructor]) {
		k.Required("notes", p.prose(&p.of.Notes), "how to teach it")
		k.Optional("misconceptions", schema.ListOf[string]{Of: schema.Text, What: "misconceptions",
			Max: mostSteps}.To(&p.of.Misconceptions), "what students get wrong")
	})

// Read reads the text of a lesson. Its errors are yamldoc's, with the place of every problem.
func Read(name string, data []byte) (*Lesson, error) {
	root, err := yamldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return ReadRoot(root)
}

// ReadRoot is [Read] for the root of a file that has been opened.
func ReadRoot(root *yamldoc.Node) (*Lesson, error) {
	var d yamldoc.Decoder
	r := &reader{lesson: Lesson{runs: map[string]*Run{}}}
	lessonRecord.Read(&d, root, r)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return &r.lesson, nil
}

type reader struct {
	lesson Lesson
	names  []string // that expressions may use
}

// outcomes are the names of the outcomes of a run, or of a point of a curve.
var outcomes = sync.OnceValue(func() []string {
	names := []string{finishes, size, system.Energy}
	for _, o := range slices.Concat(system.OutcomesOfScenarios(system.More{}), system.OutcomesOfSuperPrograms(0)) {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
})

const (
	finishes = "finishes" // 1, or 0 for a run that ends in a deadlock
	size     = "n"        // the problem size
)

// nameRuns adds the names of the outcomes of all runs, for expressions.
func (r *reader) nameRuns() {
	for i := range r.lesson.Runs {
		x := &r.lesson.Runs[i]
		r.lesson.runs[x.Name] = x
		r.names = each.Append(r.names, outcomes(), func(o string) string { return x.Name + "_" + o })
	}
}

func (r *reader) shown(k *schema.Keys, n *yamldoc.Node) string {
	name := k.String(n, "the name of a run")
	if r.lesson.runs[name] == nil {
		known := each.Of(r.lesson.Runs, func(x Run) string { return x.Name })
		k.Fail(n, fmt.Sprintf("unknown run %q", name)+input.Suggestion(name, known), "one of the runs of the lesson")
	}
	return name
}

// isIdentifier reports whether a name can be the RUN of names in expressions.
func isIdentifier(name string) bool {
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return name != ""
}

func readSettings(d *yamldoc.Decoder, n *yamldoc.Node) []input.Override {
	set := []input.Override{}
	for path, value := range d.Entries(n, "values by their paths") {
		set = append(set, input.Override{Path: path, Value: inline(value)})
	}
	return set
}

// inline returns a value in the form in which it can follow --set path=.
func inline(n *yamldoc.Node) string {
	if n.IsScalar() {
		return n.Text()
	}
	return string(n.JSON())
}

// firstPoint is the prefix of names of outcomes of the first point of a curve.
const firstPoint = "first_"

// formula binds a key to a formula over the runs.
func (r *reader) formula(to *expression) *schema.Variable[expression] {
	return schema.To(schema.Custom(schema.Text, func(d *yamldoc.Decoder, n *yamldoc.Node) expression {
		return readExpression(d, n, r.names)
	}), to)
}

// readExpression reads a formula over the given names.
func readExpression(d *yamldoc.Decoder, n *yamldoc.Node, names []string) expression {
	return compile(d, n, d.String(n, "an expression"), "", names, formula.IsNumber)
}

// compile compiles the text at a place of a node.
func compile(d *yamldoc.Decoder, n *yamldoc.Node, text, place string, names []string, kind formula.Kind) expression {
	f, err := formula.Numbers(names).Compile(text, kind)
	if err != nil {
		d.Fail(n, place+problemOf(err, names), "")
	}
	return expression{text, f}
}

// problemOf says what is wrong with an expression, and suggests similar names.
func problemOf(err error, names []string) string {
	if e, ok := errors.AsType[*formula.Error](err); ok && e.Unknown != "" {
		return e.Where() + input.Suggestion(e.Unknown, names) + "; names are RUN_OUTCOME, as in two_time"
	}
	return err.Error()
}

func (r *reader) prose(to *Text) *schema.Variable[Text] {
	return schema.To(schema.Custom(schema.Text, r.text), to)
}

func (r *reader) text(d *yamldoc.Decoder, n *yamldoc.Node) Text {
	t := Text{source: strings.TrimSpace(d.String(n, "a text"))}
	for at := 0; ; {
		from := strings.Index(t.source[at:], "{{")
		if from < 0 {
			return t
		}
		from += at
		length := strings.Index(t.source[from:], "}}")
		if length < 0 {
			d.Fail(n, "{{ without }}", "an expression between both, as in {{two_time; s}}")
			return t
		}
		b := blank{from: from, until: from + length + 2}
		text, unit, has := strings.Cut(t.source[from+2:from+length], ";")
		if b.unit = strings.TrimSpace(unit); has && !slices.Contains(unitNames, b.unit) {
			d.Fail(n, fmt.Sprintf("unknown unit %q in {{%s}}", b.unit, t.source[from+2:from+length]),
				"one of "+input.List(unitNames))
		}
		b.value = compile(d, n, strings.TrimSpace(text), fmt.Sprintf("in {{%s}}: ", text), r.names, formula.IsNumber)
		t.blanks = append(t.blanks, b)
		at = b.until
	}
}
