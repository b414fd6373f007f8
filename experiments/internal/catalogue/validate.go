package catalogue

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/internal/scenario/hpldat"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Validation describes a valid file.
type Validation struct {
	File   string `json:"file"`
	Kind   string `json:"kind"`
	Title  string `json:"title,omitempty"`
	Detail string `json:"detail,omitempty"` // its extent, as "8 ranks, 152 actions"
	// Warnings are those of the answers that are known without them.
	Warnings []string `json:"warnings,omitempty"`
}

// Validate reads a file and checks what can be checked without simulating: a YAML file, a SimGrid
// platform, a trace, measured times or a log of jobs. It recognises the kind by the beginning of the
// file, or else by the extension of its name.
func Validate(ctx context.Context, path string, overrides []input.Override) (Validation, error) {
	form := input.FormOf(path)
	if form == input.FormUnknown {
		form = input.FormOfName(path)
	}
	v := Validation{File: path, Kind: string(form)}
	var err error
	switch extent := extents[form]; {
	case extent == nil:
		err = v.validateYAML(overrides)
	case len(overrides) > 0:
		err = input.Errorf("--set applies to YAML files only; %s: %s", path, form.Sentence())
	default:
		v.Detail, err = extent(ctx, path)
	}
	if err != nil {
		return Validation{}, err
	}
	return v, nil
}

// extents check a file of a form that is not YAML, and say how much is in it.
var extents = map[input.Form]func(ctx context.Context, path string) (string, error){
	input.FormPlatform: func(_ context.Context, path string) (string, error) {
		data, err := input.ReadFile(path)
		if err != nil {
			return "", input.Unread(path, err, "a SimGrid platform")
		}
		p, err := machines.ParsePlatform(path, data)
		if err != nil {
			return "", err
		}
		return input.Plural(len(p.Hosts), "host") + ", " + input.Plural(len(p.Links), "link"), nil
	},
	input.FormGOAL: func(_ context.Context, path string) (string, error) {
		s, _, err := replay.ReadGOAL(path)
		if err != nil {
			return "", err
		}
		return input.Plural(s.Ranks(), "rank") + ", " + input.Plural(len(s.Ops()), "operation"), nil
	},
	input.FormCSV: func(_ context.Context, path string) (string, error) {
		m, err := measurements.Read(path)
		if err != nil {
			return "", err
		}
		return input.Plural(len(m.Rows), "row"), nil
	},
	input.FormBatchLog: func(_ context.Context, path string) (string, error) {
		log, _, err := queue.ReadLog(path)
		if err != nil {
			return "", err
		}
		return queue.LogExtent(log), nil
	},
	input.FormHPL: func(_ context.Context, path string) (string, error) {
		_, combinations, err := readHPL(path)
		return input.Plural(combinations, "combination") + " of values", err
	},
	input.FormTI: validateTI, input.FormTIList: validateTI, input.FormTIFolder: validateTI,
	input.FormParaver: validateRecorded, input.FormOTF2: validateRecorded,
}

func (v *Validation) validateYAML(overrides []input.Override) error {
	f, k, err := openFile(v.File, overrides)
	if err != nil {
		return err
	}
	d, err := k.describe(f)
	if err != nil {
		return err
	}
	v.Kind, v.Title, v.Detail, v.Warnings = d.Kind, d.Title, f.detail, f.warnings
	if f.check != nil {
		return f.check()
	}
	return nil
}

// validateTI reads every action, as a replay does.
func validateTI(ctx context.Context, path string) (string, error) {
	trace, err := titrace.Open(path, 0)
	if err != nil {
		return "", replay.TraceError(err)
	}
	// Closing a trace that was only read cannot lose data. Check reports read errors.
	defer trace.Close()
	if err := trace.Check(ctx); err != nil {
		return "", replay.TraceError(err)
	}
	return input.Plural(trace.Ranks(), "rank"), nil
}

// validateRecorded reads all of a trace, and finds out whether its ranks agree.
func validateRecorded(ctx context.Context, path string) (string, error) {
	t, _, err := replay.CheckRecorded(ctx, path)
	if err != nil {
		return "", err
	}
	return input.Plural(t.Ranks(), "rank") + ", " + input.Plural(int(t.Measured().Messages), "message"), nil
}

// String says in one line that a file is valid, and of what kind.
func (v Validation) String() string {
	if v.Detail == "" {
		return fmt.Sprintf("%s: valid %s", v.File, v.Kind)
	}
	return fmt.Sprintf("%s: valid %s, %s", v.File, v.Kind, v.Detail)
}

func readHPL(path string) ([]input.Parameter, int, error) {
	data, err := input.ReadFile(path)
	if err != nil {
		return nil, 0, input.Unread(path, err, "an HPL.dat")
	}
	return hpldat.ReadValues(path, data)
}

func describeHPL(path string) (*input.Description, error) {
	values, combinations, err := readHPL(path)
	if err != nil {
		return nil, err
	}
	d := &input.Description{Kind: string(input.FormHPL), Name: path, Facts: values,
		Title: input.Plural(combinations, "combination") + " of values of the workload hpl"}
	if combinations > 1 {
		d.Notes = []string{"a scenario takes one value of each parameter: give the others beside the name of the file"}
	}
	return d, nil
}
