package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// outcome is the answer to "run". One of Run and SuperProgram is there.
type outcome struct {
	Headline     string                     `json:"headline"`
	Run          *run.Result                `json:"run,omitempty"`
	SuperProgram *system.SuperProgramResult `json:"super_program,omitempty"`
	// Cause says in a sentence what limits the run; "" where that is not known, or was
	// not asked for with the timeline.
	Cause     string `json:"cause,omitempty"`
	Processes int    `json:"processes,omitempty"`
}

func (b *Bridge) run(ctx context.Context, q *Request) (any, []byte, error) {
	s, super, err := b.documents.ReadRunnable(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	if super != nil {
		r, err := system.RunSuperProgram(ctx, super, q.overrides())
		if err != nil {
			return nil, nil, err
		}
		return outcome{Headline: r.Headline(), SuperProgram: r}, nil, nil
	}
	o := run.Options{Overrides: q.overrides(), Links: q.Links && s.HasLinks(), Picture: q.Timeline,
		LinksShownBy: "the topology screen"}
	r, err := runCompared(ctx, s, o)
	if err != nil {
		return nil, nil, err
	}
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, nil, err
	}
	x := outcome{Headline: r.Headline(), Run: r, Processes: placement.Ranks()}
	if !q.Timeline {
		return x, nil, nil
	}
	x.Cause = r.Cause()
	return x, r.Timeline(), nil
}

// runCompared runs a scenario and, if one process alone can run it too and does any work,
// compares both.
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

// trace answers with the timeline in the Chrome trace event format, which Perfetto opens.
func (b *Bridge) trace(ctx context.Context, q *Request) (any, []byte, error) {
	s, err := b.documents.Read(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	r, err := run.Run(ctx, s, run.Options{Overrides: q.overrides(), Timeline: true})
	if err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	if err := r.WriteTimeline(&text); err != nil {
		return nil, nil, err
	}
	return json.RawMessage(text.Bytes()), nil, nil
}

// measure simulates a scenario, or carries out a super-program, for its outcomes alone.
func (b *Bridge) measure(ctx context.Context, q *Request) (any, []byte, error) {
	s, super, err := b.documents.ReadRunnable(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	outcomes := system.OutcomesOfScenarios()
	if super != nil {
		outcomes = system.OutcomesOfSuperPrograms()
	}
	values, err := system.RunCase(ctx, &scenario.Case{Scenario: s, Super: super})
	if err != nil {
		return nil, nil, err
	}
	answer := map[string]float64{}
	for i, o := range outcomes {
		answer[o.Name] = values[i]
	}
	return answer, nil, nil
}

// held is the answer to "hold": a system at the problem size that holds a target.
type held struct {
	N           int     `json:"n"`
	Processes   int     `json:"processes"`
	Efficiency  float64 `json:"speed_efficiency"`
	Work        float64 `json:"work"`         // flop
	MarkedSpeed float64 `json:"marked_speed"` // flop/s
}

// hold looks for the problem size that holds a speed-efficiency.
func (b *Bridge) hold(ctx context.Context, q *Request) (any, []byte, error) {
	s, err := b.documents.Read(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	sys, err := system.New(s)
	if err != nil {
		return nil, nil, err
	}
	x, err := system.NewCurve(sys).Hold(ctx, q.Target, scenario.UsualSizes)
	if err != nil {
		return nil, nil, err
	}
	return held{x.N, len(sys.Speeds), x.SpeedEfficiency, float64(x.Work), float64(x.MarkedSpeed)}, nil, nil
}

// exported is the answer to "export": the files of a scenario as they run in the command
// line, the scenario first.
type exported struct {
	Files []file `json:"files"`
}

type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// export writes a scenario with what was set in it. Its machine is written into it, so
// that one file is enough, unless its workload is an application of a file.
func (b *Bridge) export(_ context.Context, q *Request) (any, []byte, error) {
	if _, _, err := b.documents.ReadRunnable(q.File, q.overrides()); err != nil {
		return nil, nil, err
	}
	root, err := b.documents.WithMachine(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	x := exported{[]file{{"scenario.yaml", root.YAML()}}}
	if name := textAt(root, "workload", "application"); name != "" {
		x.Files = append(x.Files, file{name, string(b.documents[input.Resolve(filepath.Dir(q.File), name)])})
	}
	return x, nil, nil
}
