package catalogue

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// kind is a kind of YAML file: what such a file contains, and how it is shown. Package input says how it is recognised,
// and which command takes it.
type kind struct {
	name  input.Kind
	short string // in the command line
	form  schema.Type
	show  func(f *file) (*input.Description, error)
}

var kinds = []kind{
	{input.KindScenario, "scenario", scenario.Type, showScenario},
	{input.KindStudy, "study", scenario.StudyType, showStudy},
	{input.KindApplication, "application", application.Type, showApplication},
	{input.KindMachine, "machine", machines.Type, showMachine},
	{input.KindSuper, "super-program", scenario.SuperProgramType, showSuperProgram},
	{input.KindSweep, "sweep", sweep.Type,
		shown(func(f *file) (*sweep.Plan, error) { return sweep.ReadRoot(f.root, f.path) }, (*sweep.Plan).Size)},
	{input.KindPurchase, "plan", model.Type,
		shown(func(f *file) (*model.Plan, error) {
			p, err := model.ReadRoot(f.root, f.path)
			if err == nil {
				f.warnings = p.AssumedSpeeds()
			}
			return p, err
		}, nil)},
	{input.KindQueue, "queue", queue.Type,
		shown(func(f *file) (*queue.Mix, error) { return queue.ReadRoot(f.root) }, (*queue.Mix).Extent)},
	{input.KindLesson, "lesson", lesson.Type,
		shown(func(f *file) (*lesson.Lesson, error) {
			l, err := lesson.ReadRoot(f.root)
			f.check = func() error {
				if err := lesson.Check(l, lesson.Source{Folder: filepath.Dir(f.path)}); err != nil {
					return fmt.Errorf("%s: %w", f.path, err)
				}
				return nil
			}
			return l, err
		}, (*lesson.Lesson).Extent)},
}

// file is a YAML file that is described.
type file struct {
	path   string
	reader *document.Reader
	root   *yamldoc.Node

	// Set by show for its callers:
	machine *topology.Machine // nil if it has none
	wired   bool              // the links of the machine matter to it
	detail  string            // how much is in it, for validate
	// warnings are the warnings of a run that are known before time passes.
	warnings []string
	// check returns the error with which carrying out the file would end before time passes; nil if reading finds all
	// such errors.
	check func() error
}

func openFile(path string, overrides []input.Override) (*file, *kind, error) {
	f := &file{path: path, reader: &document.Reader{}}
	var err error
	if f.root, err = f.reader.Open(path, overrides); err != nil {
		return nil, nil, err
	}
	return f, kindOf(f.root), nil
}

func kindOf(root *yamldoc.Node) *kind {
	name := input.KindOf(root)
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	panic("catalogue: no entry for files of kind " + string(name))
}

// describe shows a file in full.
func (k *kind) describe(f *file) (*input.Description, error) {
	d, err := k.show(f)
	if err != nil {
		return nil, err
	}
	d.Kind = string(k.name)
	if k.name != input.KindMachine { // a machine has its own name
		d.Name = f.path
	}
	return d, nil
}

func showMachine(f *file) (*input.Description, error) {
	m := machines.ReadBody(&f.reader.Decoder, f.root, strings.TrimSuffix(filepath.Base(f.path), ".yaml"))
	if err := f.reader.Err(); err != nil {
		return nil, err
	}
	f.machine, f.wired = m, true
	return describeMachine(m), nil
}

func showApplication(f *file) (*input.Description, error) {
	a := application.Read(&f.reader.Decoder, f.root)
	if err := f.reader.Err(); err != nil {
		return nil, err
	}
	d := describeWorkload(a.Kind(), workload.FileParameters(a.Kind()))
	describeSpeeds(d, a)
	return d, nil
}

func showScenario(f *file) (*input.Description, error) {
	s := scenario.Decode(f.reader, f.root, filepath.Dir(f.path))
	if err := f.reader.Err(); err != nil {
		return nil, err
	}
	f.machine, f.wired = s.Machine, s.HasLinks()
	f.check = func() error { return system.Check(s) }
	if p, err := s.Machine.Place(s.Selection); err == nil {
		f.warnings = s.Workload.AssumedSpeeds(p)
	}
	t, err := systemTable(&scenario.Study{Machine: s.Machine, Systems: []scenario.StudySystem{{Name: "-", Selection: s.Selection}}})
	return &input.Description{
		Title: s.Title,
		Facts: append(s.Facts(),
			input.Parameter{Name: "n", Value: strconv.Itoa(s.Workload.N)}),
		Tables: []input.DataTable{t},
	}, err
}

func showStudy(f *file) (*input.Description, error) {
	s := scenario.DecodeStudy(f.reader, f.root, filepath.Dir(f.path))
	if err := f.reader.Err(); err != nil {
		return nil, err
	}
	f.machine, f.wired = s.Machine, s.Network.Flow != nil
	f.check = func() error { return iso.Check(s) }
	t, err := systemTable(s)
	return &input.Description{
		Title: s.Title,
		Facts: append([]input.Parameter{{Name: "target_efficiency", Value: input.Number(s.Target)}},
			s.Facts()...),
		Tables: []input.DataTable{t},
	}, err
}

func showSuperProgram(f *file) (*input.Description, error) {
	s := scenario.DecodeSuperProgram(f.reader, f.root)
	if err := f.reader.Err(); err != nil {
		return nil, err
	}
	f.check = func() error { return system.CheckSuperProgram(s) }
	return s.Description(), nil
}

// shown describes what read makes of a file; extent says how much is in it.
func shown[T interface{ Describe() *input.Description }](read func(f *file) (T, error),
	extent func(T) string) func(*file) (*input.Description, error) {
	return func(f *file) (*input.Description, error) {
		x, err := read(f)
		if err != nil {
			return nil, err
		}
		if extent != nil {
			f.detail = extent(x)
		}
		return x.Describe(), nil
	}
}

// SchemaNames are the kinds of file that have a schema, as [Schema] takes them.
func SchemaNames() []string {
	return each.Of(kinds, func(k kind) string { return k.short })
}

// Schema returns the JSON Schema (draft 2020-12) of a kind of file, ready for
// encoding/json; of a file of any kind if the name is "".
func Schema(name string) (map[string]any, error) {
	if name == "" {
		var all schema.AnyOf
		for _, k := range kinds {
			all = append(all, k.form)
		}
		return schema.JSONSchema("a file of isoscale", all), nil
	}
	i := slices.Index(SchemaNames(), name)
	if i < 0 {
		return nil, input.Errorf("unknown kind of file %q; expected one of %s%s", name, input.List(SchemaNames()),
			input.Suggestion(name, SchemaNames()))
	}
	return schema.JSONSchema("isoscale: "+string(kinds[i].name), kinds[i].form), nil
}
