package paper

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// Sources returns the papers in the order in which they are shown.
func Sources() []Source {
	return []Source{
		{"sun2005", Sun2005, true},
		{"jpdc2008", JPDC2008, true},
		{"bosque", Bosque, false},
		{"jin", Jin, false},
		{"he2004", He2004, false},
	}
}

// Result is the result of reproducing papers; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Papers     []*Paper   `json:"papers"`
	Provenance Provenance `json:"provenance"`
}

// Provenance is the origin of a result. Only the program determines it.
type Provenance struct {
	input.BuildInfo
	Inputs []input.Input `json:"inputs"` // embedded in the program
}

// UnknownNameError reports an unknown paper.
type UnknownNameError struct{ Name string }

func (e *UnknownNameError) Error() string {
	names := each.Append(nil, Sources(), func(s Source) string { return s.Name })
	return fmt.Sprintf("unknown paper %q; expected %s or all%s", e.Name, strings.Join(names, ", "), input.Suggestion(e.Name, names))
}

// Find returns the papers with the given names, in the order of Sources and without
// duplicates. The name all, or no name, selects every paper. The error is an *UnknownNameError.
func Find(names []string) ([]Source, error) {
	sources := Sources()
	for _, name := range names {
		if name != "all" && !slices.ContainsFunc(sources, func(s Source) bool { return s.Name == name }) {
			return nil, &UnknownNameError{name}
		}
	}
	if len(names) == 0 || slices.Contains(names, "all") {
		return sources, nil
	}
	return slices.DeleteFunc(sources, func(s Source) bool { return !slices.Contains(names, s.Name) }), nil
}

// Reproduce computes papers, one after the other, and checks that every value is a number. progress, which may be nil,
// is told after each paper.
func Reproduce(ctx context.Context, sources []Source, progress input.Progress) (*Result, error) {
	r := &Result{Papers: []*Paper{}, Provenance: Provenance{BuildInfo: input.Build()}}
	for i, s := range sources {
		p, err := s.Make(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		for k := range p.Tables {
			t := &p.Tables[k]
			if err := t.check(); err != nil {
				return nil, err
			}
			if t.Cells == nil {
				t.Cells = []Cell{} // JSON shows a list
			}
		}
		if p.Misprints == nil {
			p.Misprints = []Misprint{}
		}
		r.Papers = append(r.Papers, p)
		if progress != nil {
			progress(input.Step{Done: i + 1, Total: len(sources), What: s.Name})
		}
	}
	r.addInputs(sources)
	return r, nil
}

// addInputs lists the embedded files of the computed papers: their data, and the studies that the two papers on Sunwulf
// share.
func (r *Result) addInputs(sources []Source) {
	r.Provenance.Inputs = []input.Input{}
	var names []string
	usesStudies := false
	for _, p := range sources {
		names = append(names, must(fs.Glob(files, "data/"+p.Name+"_*.csv"))...)
		usesStudies = usesStudies || p.Studies
	}
	if usesStudies {
		names = append(names, must(fs.Glob(files, "studies/*.yaml"))...)
	}
	for _, name := range names {
		r.Provenance.Inputs = append(r.Provenance.Inputs, input.Hashed(name, must(files.ReadFile(name))))
	}
}
