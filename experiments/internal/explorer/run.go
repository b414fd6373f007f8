package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// outcome is the answer to "run". Either Run or SuperProgram is set.
type outcome struct {
	Headline     string                     `json:"headline"`
	Run          *run.Result                `json:"run,omitempty"`
	SuperProgram *system.SuperProgramResult `json:"super_program,omitempty"`
	// Cause says in a sentence what limits the run; "" if that is not known, or was not requested with the timeline.
	Cause     string `json:"cause,omitempty"`
	Processes int    `json:"processes,omitempty"`
	timeline  []byte
}

// mostProcesses is the largest number of processes simulated here: a browser has one core for them, and cannot stop a
// simulation. With more, a reader who moves a slider would wait for a minute.
const mostProcesses = 100_000

// withinReach rejects a scenario with too many processes.
func withinReach(s *scenario.Scenario) error {
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return err
	}
	if n := placement.Ranks(); n > mostProcesses {
		return input.Errorf("the scenario has %d processes; expected at most %d in a browser, 'isoscale run' takes more",
			n, mostProcesses)
	}
	return nil
}

func (b *Bridge) run(ctx context.Context, c *scenario.Case, q *Request) (any, error) {
	if c.Super != nil {
		r, err := system.RunSuperProgram(ctx, c.Super, q.Set)
		if err != nil {
			return nil, err
		}
		return outcome{Headline: r.Headline(), SuperProgram: r}, nil
	}
	s := c.Scenario
	if err := withinReach(s); err != nil {
		return nil, err
	}
	r, err := runCompared(ctx, s, run.Options{Overrides: q.Set, Links: q.Links && s.HasLinks(), Picture: q.Timeline,
		LinksShownBy: "the topology screen"})
	if err != nil {
		return nil, err
	}
	x := outcome{Headline: r.Headline(), Run: r, Processes: r.Placement().Ranks()}
	if q.Timeline {
		x.Cause, x.timeline = r.Cause(), r.Timeline()
		b.ran, b.ranOf = r, *q
	}
	return x, nil
}

// runCompared runs a scenario and compares it with one process alone, if that can run it and does any work.
func runCompared(ctx context.Context, s *scenario.Scenario, o run.Options) (*run.Result, error) {
	if s.Workload.PerformsWork() {
		compared := o
		compared.Baseline = run.BaselineProcess
		if r, err := run.Run(ctx, s, compared); err == nil {
			return r, nil
		}
	}
	return run.Run(ctx, s, o)
}

// trace returns the timeline in the Chrome trace event format, which Perfetto opens.
func trace(ctx context.Context, s *scenario.Scenario, q *Request) (any, error) {
	if err := withinReach(s); err != nil {
		return nil, err
	}
	r, err := run.Run(ctx, s, run.Options{Overrides: q.Set, Timeline: true})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = r.WriteTimeline(&text)
	return json.RawMessage(text.Bytes()), err
}

// measure simulates a scenario, or carries out a super-program, only for its outcomes.
func (b *Bridge) measure(ctx context.Context, c *scenario.Case, _ *Request) (any, error) {
	outcomes := system.OutcomesOfScenarios(system.More{})
	if c.Super != nil {
		outcomes = system.OutcomesOfSuperPrograms(0)
	} else if err := withinReach(c.Scenario); err != nil {
		return nil, err
	}
	values, err := system.RunCase(ctx, c)
	if err != nil {
		return nil, err
	}
	return system.ByName(outcomes, values), nil
}

// held is the answer to "hold": a system at the problem size that holds a target.
type held struct {
	N           int     `json:"n"`
	Processes   int     `json:"processes"`
	Efficiency  float64 `json:"speed_efficiency"`
	Work        float64 `json:"work"`         // flop
	MarkedSpeed float64 `json:"marked_speed"` // flop/s
}

// hold searches the problem size that holds a speed-efficiency.
func hold(ctx context.Context, s *scenario.Scenario, q *Request) (any, error) {
	if err := withinReach(s); err != nil {
		return nil, err
	}
	x, err := system.Hold(ctx, s, q.Target)
	if err != nil {
		return nil, err
	}
	return held{x.N, len(x.System.Speeds), x.SpeedEfficiency, float64(x.Work), float64(x.MarkedSpeed)}, nil
}

// exported is the answer to "export": the files with which the command line runs a scenario, the scenario first.
type exported struct {
	Files []file `json:"files"`
}

type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// export writes a scenario with its settings. Its machine is written into it. The files that it still names are those
// that are read with it.
func (b *Bridge) export(_ context.Context, _ *scenario.Case, q *Request) (any, error) {
	root, err := b.documents.WithMachine(q.File, q.Set)
	if err != nil {
		return nil, err
	}
	x, folder := exported{[]file{{"scenario.yaml", root.YAML()}}}, filepath.Dir(q.File)
	own, documents := filepath.Join(folder, x.Files[0].Name), maps.Clone(b.documents)
	documents[own] = []byte(x.Files[0].Text)
	s, _, err := documents.ReadRunnable(own, nil)
	if err != nil || s == nil { // a super-program names no files
		return x, err
	}
	for _, name := range b.files(s.Inputs) {
		if beside, err := filepath.Rel(folder, name); err == nil && name != own {
			x.Files = append(x.Files, file{beside, string(b.documents[name])})
		}
	}
	return x, nil
}
