package lesson

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// Two nodes of 1 Gflop/s pass 1 MB around a ring once, at 1 MB/s without latency: 1 s;
// at 2 MB/s 0.5 s, with 1 s of latency 2 s.
var files = scenario.Documents{
	"l/ring.yaml": []byte(`machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: hockney
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`),
	// Rounds of a second on each of two nodes: the time of n rounds is n seconds.
	"l/work.yaml": []byte(`machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: ideal
workload: {name: pattern, n: 3, shape: ring, size: 0 B, compute: 1 Gflop}
`),
}

const text = `lesson: 2
title: Bandwidth
minutes: 20
text: Two nodes pass a message. It takes {{slow_time; s}}.
runs:
  slow: {file: ring.yaml}
  fast: {file: ring.yaml, set: {machine.network.bandwidth: 2 MB/s}}
  work: {file: work.yaml}
steps:
  - title: Twice the bandwidth
    text: Half of {{slow_time / fast_time}}
    show: [slow, fast]
    question: How long does it take?
    number: {answer: fast_time, unit: s, near: 0.2}
    reveal: It takes {{fast_time; s}}, {{fast_time / slow_time; %}} of {{slow_time; s}}; {{work_n}} rounds.
  - title: Latency
    question: Which is true?
    choice:
      - {text: it is slower, if: fast_time > slow_time}
      - {text: it is faster, if: fast_time < slow_time}
  - title: Rounds
    question: How does the time grow?
    curve: {file: work.yaml, over: workload.n, values: [1, 2, 4], of: time / first_time, label: time relative to one round, to: 5}
  - {title: End, text: Well done.}
insight: It does.
exercises:
  - {question: And the sum?, answer: slow_time + fast_time, unit: s}
instructor: {notes: None., misconceptions: [Bandwidth is all.]}
`

func read(t *testing.T, text string) *Lesson {
	t.Helper()
	return expect.Value(Read("l/lesson.yaml", []byte(text)))(t)
}

func TestAnswersAreMeasured(t *testing.T) {
	l := read(t, text)
	lab := NewLab(l, Source{files, "l"})
	ctx := context.Background()
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	answer := func(step int) *Answer {
		t.Helper()
		return expect.Value(lab.Answer(ctx, step))(t)
	}
	a := answer(0)
	expect.That(t, a.Number != nil && near(*a.Number, 0.5), "the number is %v; want 0.5", a.Number)
	a = answer(1)
	expect.That(t, a.Choice != nil && *a.Choice == 1, "the choice is %v; want 1", a.Choice)
	a = answer(2)
	for i, want := range []float64{1, 2, 4} {
		expect.Need(t, len(a.Curve) == 3 && near(a.Curve[i].Value, want), "the curve is %v; want 1, 2, 4", a.Curve)
	}
	expect.That(t, answer(3) == nil, "a step without a question is answered")
	x, err := lab.Exercise(ctx, 0)
	expect.That(t, err == nil && near(x, 1.5), "the exercise: %v, %v; want 1.5", x, err)
	for _, c := range []struct {
		text Text
		want string
	}{
		{l.Text, "Two nodes pass a message. It takes 1 s."},
		{l.Steps[0].Text, "Half of 2"},
		{l.Steps[0].Reveal, "It takes 500 ms, 50 % of 1 s; 3 rounds."},
		{l.Insight, "It does."},
	} {
		got, err := lab.Fill(ctx, c.text)
		expect.That(t, err == nil && got == c.want, "%q, %v; want %q", got, err, c.want)
	}
}

// Each rank sends before it receives: an eager message passes, and for a rendezvous both
// wait for ever.
func TestDeadlockIsAnOutcome(t *testing.T) {
	documents := scenario.Documents{
		"pass.yaml": []byte(`application: pass
work: 1 flop
program:
  - send: {to: 1 - rank, size: 1 MB}
  - recv: {from: 1 - rank}
`),
		"stuck.yaml": []byte(`machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: {name: hockney, eager_limit: 1 kB}
workload: {application: pass.yaml}
`),
	}
	for limit, want := range map[string]float64{"1 kB": 0, "1 MB": 1} {
		values, err := measure(context.Background(), Source{Documents: documents}, Run{Name: "x", File: "stuck.yaml", Set: []input.Override{{Path: "network.eager_limit", Value: limit}}})
		expect.That(t, err == nil && values[finishes] == want && (len(values) > 1) == (want == 1),
			"eager up to %s: %v, %v; want finishes %v", limit, values, err, want)
	}
}

func TestBadLessons(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"lesson: 2", "lesson: 0", "l/lesson.yaml:1:9: lesson:"},
		{"title: Bandwidth\n", "", `missing key "title"`},
		{"slow: {file: ring.yaml}", "slow_one: {file: ring.yaml}", "a letter, then letters and digits"},
		{"answer: fast_time,", "answer: fsat_time,", "did you mean fast_time?"},
		{"answer: fast_time,", "answer: fast_time +,", "l/lesson.yaml:14:"},
		{"if: fast_time > slow_time", "if: fast_time", "number: answer"},
		{"{{slow_time; s}}", "{{slow_time; m}}", `unknown unit "m"`},
		{"{{slow_time; s}}", "{{slow_time", "{{ without }}"},
		{"show: [slow, fast]", "show: [slow, fats]", "did you mean fast?"},
		{"    number: {answer: fast_time, unit: s, near: 0.2}\n", "", "1 question and 0 predictions"},
		{"    question: Which is true?\n", "", "0 questions and 1 prediction"},
		{"to: 5", "to: 0", "a number above 0"},
		{"unit: s, near: 0.2", "unit: m", "unknown unit"},
		{"near: 0.2", "naer: 0.2", `unknown key "naer"`},
		{"values: [1, 2, 4]", "values: [1]", "2 to 64"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		expect.Need(t, changed != text, "%q is not in the lesson", c.old)
		_, err := Read("l/lesson.yaml", []byte(changed))
		if c.want == "number: answer" { // a number where a condition stands
			c.want = "if"
		}
		expect.Failure(t, err, c.want)
	}
}

// A choice of which none, or more than one, holds is a mistake in the lesson.
func TestChoicesHoldOnce(t *testing.T) {
	for condition, want := range map[string]string{"fast_time > slow_time": `step "Latency": no option holds`, "fast_time < slow_time": `step "Latency": two options hold`} {
		l := read(t, strings.NewReplacer("if: fast_time < slow_time", "if: "+condition, "if: fast_time > slow_time", "if: "+condition).Replace(text))
		expect.Refusal(NewLab(l, Source{files, "l"}).Answer(context.Background(), 1))(t, want)
	}
}

func TestPrint(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{5515, "", "5515"}, {0.49512, "", "0.495"}, {0, "s", "0 s"}, {0.00012345, "s", "123 us"},
		{0.5, "%", "50 %"}, {2.5e6, "B", "2.5 MB"}, {123456, "flop/s", "123 kflop/s"}, {-1234.6, "", "-1235"}, {1013.77, "", "1014"}, {0.0005, "%", "0.05 %"},
	} {
		expect.Equal(t, Print(c.x, c.unit), c.want, "%v in %q", c.x, c.unit)
	}
}

// A prediction is judged by its deviation relative to the answer, or by an absolute tolerance if the answer is 0
// except for rounding. If the two differ, so do their printed forms.
func TestPredictionsAreJudgedByTheStatedTolerance(t *testing.T) {
	for _, c := range []struct {
		predicted, measured, near float64
		unit                      string
		right                     bool
		says                      string
	}{
		{1014, 1013.77, 0.05, "", true, "1014 predicted, 1014 measured: off by 0.0227 %, where up to 5 % counts as right"},
		{16, 9.142857, 0.05, "", false, "16 predicted, 9.14 measured: off by 75 %, where up to 5 % counts as right"},
		{0, 150e-6, 0.1, "s", false, "0 s predicted, 150 us measured: off by 100 %, where up to 10 % counts as right"},
		{150e-6, 150e-6 * (1 + 1e-9), 0.1, "s", true, "150 us predicted, 150 us measured: off by less than 0.001 %, where up to 10 % counts as right"},
		{35.7e-6, 34e-6, 0.05, "s", true, "35.7 us predicted, 34 us measured: off by 5 %, where up to 5 % counts as right"},
		{35.72e-6, 34e-6, 0.05, "s", false, "35.7 us predicted, 34 us measured: off by 5.06 %, where up to 5 % counts as right"},
		{0, 0, 0.1, "s", true, "0 s predicted, 0 s measured"},
		{0, 1e-17, 0.1, "", true, "0 predicted, 1e-17 measured"},
		{1e-6, 0, 0.1, "s", false, "1 us predicted, 0 s measured"},
		{-2, -2.1, 0.1, "", true, "-2 predicted, -2.1 measured: off by 4.76 %, where up to 10 % counts as right"},
	} {
		s := Step{Number: &Number{Unit: c.unit, Near: c.near}}
		right, says := s.Compare(&Prediction{Number: c.predicted}, &Answer{Number: &c.measured})
		expect.That(t, right == c.right && says == c.says, "%v, %q; want %v, %q", right, says, c.right, c.says)
	}
}

// No text makes the reader panic.
func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Add("lesson: 1\nsteps: [{curve: {values: 3}}, {choice: {}}]\nruns: {a: 1}\n")
	f.Add("lesson: 1\ntext: '{{}} {{1;}} {{'\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read("f", []byte(text))
		expect.That(t, err != nil || len(l.Steps) != 0, "a lesson without steps")
	})
}

// A solution within 5 % of the answer is right; otherwise the reply says whether it is too large, but not the answer.
func TestCheckOfExercise(t *testing.T) {
	e := &Exercise{Unit: "s"}
	for _, c := range []struct {
		solution, answer float64
		right            bool
		says             string
	}{
		{2.09, 2, true, "Right: it is 2 s."},
		{1.91, 2, true, "Right: it is 2 s."},
		{0.315, 0.3, true, "Right: it is 300 ms."},
		{2.11, 2, false, "Not so: too large, by more than 5 %."},
		{1.89, 2, false, "Not so: too small, by more than 5 %."},
		{0, 0, true, "Right: it is 0 s."},
		{-2.2, -2, false, "Not so: too small, by more than 5 %."},
	} {
		right, says := e.Check(c.solution, c.answer)
		expect.That(t, right == c.right && says == c.says, "%g for %g: %t, %q", c.solution, c.answer, right, says)
	}
}

// A super-program has no problem size that could be searched for.
func TestHoldOfSuperProgram(t *testing.T) {
	l := read(t, strings.Replace(text, "slow: {file: ring.yaml}", "slow: {file: levels.yaml, hold: 0.5}", 1))
	files := scenario.Documents{"l/levels.yaml": []byte("workload: super-program\nlog2_levels: [1, 1]\ntasks: [1, 1]\nimbalance: [0.5, 0.5]\nmethod: formula\n")}
	expect.Failure(t, Check(l, Source{files, "l"}), "run slow: levels.yaml is a super-program")
}
