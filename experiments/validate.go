package experiments

import (
	"context"
	"fmt"
	"os"

	"github.com/isoscale/isoscale/workloads/goal"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Validation is what validate says of a good file.
type Validation struct {
	File   string `json:"file"`
	Kind   string `json:"kind"`
	Title  string `json:"title,omitempty"`
	Detail string `json:"detail,omitempty"` // how much is in it, as "8 ranks, 152 actions"
}

// Validate reads a file without running anything: one of the YAML files, a platform
// of SimGrid, a trace or measured times, told apart by how it begins or, if that says
// nothing, by its name.
func Validate(ctx context.Context, path string, overrides []Override) (Validation, error) {
	form := formOf(path)
	if form == formUnknown {
		form = formOfName(path)
	}
	v := Validation{File: path, Kind: string(form)}
	var err error
	switch {
	case form != formUnknown && len(overrides) > 0:
		return Validation{}, inputErrorf("--set changes YAML files, and %s is none: %s", path, form.is())
	case form == formPlatform:
		v.Detail, err = validatePlatform(path)
	case form == formGOAL:
		v.Detail, err = validateGOAL(path)
	case form == formCSV:
		var m *Measurements
		if m, err = ReadMeasurements(path); err == nil {
			v.Detail = plural(len(m.rows), "row")
		}
	case form != formUnknown:
		v.Detail, err = validateTI(ctx, path)
	default:
		var d *Description
		if d, _, _, err = describeFile(path, overrides); err == nil {
			v.Kind, v.Title = d.Kind, d.Title
		}
	}
	if err != nil {
		return Validation{}, err
	}
	return v, nil
}

func validatePlatform(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", inputErrorf("%s: cannot read: %v; expected a SimGrid platform", path, reason(err))
	}
	p, err := parsePlatform(path, data)
	if err != nil {
		return "", err
	}
	return plural(len(p.Hosts), "host") + ", " + plural(len(p.Links), "link"), nil
}

func validateGOAL(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", inputErrorf("%s: cannot read: %v; expected a GOAL schedule", path, reason(err))
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	s, err := goal.ReadMax(path, f, memoryLimit())
	if err != nil {
		return "", &InputError{Msg: err.Error(), placed: true}
	}
	return plural(s.Ranks(), "rank") + ", " + plural(len(s.Ops()), "operation"), nil
}

// validateTI looks at every action, as a replay does.
func validateTI(ctx context.Context, path string) (string, error) {
	trace, err := titrace.Open(path, 0)
	if err != nil {
		return "", traceError(err)
	}
	// Closing what was only read cannot lose data; why it gave up, Check says.
	defer trace.Close()
	if err := trace.Check(ctx); err != nil {
		return "", traceError(err)
	}
	return plural(trace.Ranks(), "rank"), nil
}

// String says in one line that a file is valid, and of what kind.
func (v Validation) String() string {
	if v.Detail == "" {
		return fmt.Sprintf("%s: valid %s", v.File, v.Kind)
	}
	return fmt.Sprintf("%s: valid %s, %s", v.File, v.Kind, v.Detail)
}
