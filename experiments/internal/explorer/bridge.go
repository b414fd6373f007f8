package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Bridge answers requests about scenarios and plans in documents.
type Bridge struct {
	documents scenario.Documents
	taught    map[string]taught    // by file
	times     map[store.Key][]byte // known outcomes of the simulations of plans
	ran       *run.Result          // the last run with a timeline, for the file and settings of ranOf
	ranOf     Request
	Progress  input.Progress // told how far a plan has come; nil: nobody is told
}

// New returns a bridge to the texts of files, by name.
func New(files map[string]string) *Bridge {
	b := &Bridge{documents: scenario.Documents{}, taught: map[string]taught{}, times: map[store.Key][]byte{}}
	for name, text := range files {
		b.documents[name] = []byte(text)
	}
	return b
}

// Request is a question. Do says which; the other fields are what it needs.
type Request struct {
	Do   string    `json:"do"` // a key of questions
	File string    `json:"file"`
	Set  []Setting `json:"set"`
	// Timeline asks a run for its timeline, and for what limits it.
	Timeline bool `json:"timeline"`
	// Links asks a run for the use of links. Recording it takes as long as simulating.
	Links bool `json:"links"`
	// Why asks shares what processes wait for and what the time is proportional to, which takes longer than the run.
	Why bool `json:"why"`
	// Target is the speed-efficiency that the problem size should hold, above 0 and below 1.
	Target float64 `json:"target"`
	// Nodes is the number of nodes for which topologies are proposed.
	Nodes int `json:"nodes"`
	// Pairs are pairs of ranks, sender first; the question is which of them send over the link with this name.
	Pairs [][2]int `json:"pairs"`
	Link  string   `json:"link"`
	// Step is the number of a step or an exercise of a lesson, from 0.
	Step int `json:"step"`
	// Prediction is the reader's prediction for a step: a number in base units, or an option from 0. Curve has the
	// predicted points of a curve.
	Prediction *float64  `json:"prediction"`
	Curve      []float64 `json:"curve"`
	// Paths are the paths of the settings asked about.
	Paths []string `json:"paths"`
	// Text is the new text of a file.
	Text string `json:"text"`
}

// Setting is a value for a path, as of --set.
type Setting = input.Override

// Reply is an answer.
type Reply struct {
	// JSON is the answer, or {"error": {"text", "input"}}: what is wrong, and whether the fault is in the input rather
	// than in the simulation.
	JSON []byte
	// Timeline says what the ranks did and when, in the form of docs/formats/timeline.md; nil unless requested.
	Timeline []byte
}

// A question computes an answer, which is encoded as JSON.
type question = func(*Bridge, context.Context, *Request) (any, error)

var questions = map[string]question{
	"controls":   ofCase((*Bridge).controls),
	"settings":   ofCase((*Bridge).settings),
	"levers":     (*Bridge).levers,
	"plan":       (*Bridge).plan,
	"run":        ofCase((*Bridge).run),
	"trace":      ofScenario(trace),
	"measure":    ofCase((*Bridge).measure),
	"shares":     ofCase((*Bridge).shares),
	"hold":       ofScenario(hold),
	"export":     ofCase((*Bridge).export),
	"topologies": (*Bridge).topologies,
	"wiring":     ofScenario(wiring),
	"pairs":      ofScenario(pairs),
	"lesson":     (*Bridge).lesson,
	"reveal":     (*Bridge).reveal,
	"exercise":   (*Bridge).exercise,
	"write":      (*Bridge).write,
}

// write sets the text of a file. Whether that is a valid scenario shows when questions about it are asked.
func (b *Bridge) write(_ context.Context, q *Request) (any, error) {
	b.documents[q.File] = []byte(q.Text)
	clear(b.taught) // a lesson may name the file
	b.ran = nil
	return struct{}{}, nil
}

// ofCase reads the scenario or super-program of a file for a question.
func ofCase(ask func(*Bridge, context.Context, *scenario.Case, *Request) (any, error)) question {
	return func(b *Bridge, ctx context.Context, q *Request) (any, error) {
		s, super, err := b.documents.ReadRunnable(q.File, q.Set)
		if err != nil {
			return nil, yamldoc.InWordsOfTheFile(err)
		}
		return ask(b, ctx, &scenario.Case{Scenario: s, Super: super}, q)
	}
}

// ofScenario reads the scenario of a file for a question.
func ofScenario(ask func(context.Context, *scenario.Scenario, *Request) (any, error)) question {
	return func(b *Bridge, ctx context.Context, q *Request) (any, error) {
		s, err := b.documents.Read(q.File, q.Set)
		if err != nil {
			return nil, yamldoc.InWordsOfTheFile(err)
		}
		return ask(ctx, s, q)
	}
}

// Answer answers a request. The answer to a wrong request, or to a simulation that fails, is what is wrong.
func (b *Bridge) Answer(ctx context.Context, request []byte) Reply {
	var q Request
	if err := json.Unmarshal(request, &q); err != nil {
		return failure(input.Errorf("the request is not valid JSON: %v", err))
	}
	question, ok := questions[q.Do]
	if !ok {
		return failure(input.Errorf("unknown request %q", q.Do))
	}
	answer, err := question(b, ctx, &q)
	if err != nil {
		return failure(err)
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return failure(fmt.Errorf("the answer cannot be encoded: %w", err))
	}
	reply := Reply{JSON: data}
	if ran, ok := answer.(outcome); ok {
		reply.Timeline = ran.timeline
	}
	return reply
}

func failure(err error) Reply {
	type problem struct {
		Text  string `json:"text"`
		Input bool   `json:"input"`
	}
	var unattainable *fault.UnattainableError
	data, _ := json.Marshal(map[string]problem{ // texts can always be encoded
		"error": {err.Error(), input.IsError(err) && !errors.As(err, &unattainable)}})
	return Reply{JSON: data}
}
