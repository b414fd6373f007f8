package replay

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/otf2"
	"github.com/isoscale/isoscale/experiments/internal/answer/paraver"
	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// source is a trace that is replayed on a platform.
type source interface {
	workloads.Program
	Close() error
	// Recorded is the number of ranks in the trace.
	Recorded() int
	// Files are the files that hold what ranks did.
	Files() []string
}

// open opens the trace, for a number of ranks; 0: as many as it has.
func (p *placed) open(ranks int) (source, error) {
	if p.Recorded != "" {
		t, err := OpenRecorded(p.Recorded)
		if err != nil {
			return nil, err
		}
		return &timed{recorded.NewProgram(t, p.speed), filesOf(p.Recorded)}, nil
	}
	trace, err := titrace.Open(p.Trace, ranks)
	if err != nil {
		return nil, input.OrOtherForm(p.Trace, TraceError(err), "a time-independent trace", input.FormTI,
			input.FormTIList, input.FormTIFolder)
	}
	trace.Select(p.settings.collectives)
	return trace, nil
}

// timed is a trace with times.
type timed struct {
	*recorded.Program
	files []string
}

// wrong returns why a replay has failed: an error in the trace, if it has one.
func wrong(trace source, err error) error {
	if t, ok := trace.(*timed); ok {
		if e := t.Close(); e != nil {
			err = e
		}
	}
	return TraceError(err)
}

func (t *timed) Recorded() int   { return t.Ranks() }
func (t *timed) Files() []string { return t.files }

// OpenRecorded opens a trace of Paraver or of OTF2. With an error, the trace is of no use.
func OpenRecorded(path string) (t recorded.Trace, err error) {
	switch input.FormOf(path) {
	case input.FormParaver:
		t, err = paraver.Open(path)
	case input.FormOTF2:
		t, err = otf2.OpenTrace(path)
	default:
		if _, err = input.ReadFile(path); err != nil {
			return nil, input.Unread(path, err, "a trace of Paraver (.prv, .prv.gz) or the anchor of OTF2 (.otf2)")
		}
		err = input.Errorf("%s: neither a trace of Paraver (.prv, .prv.gz) nor the anchor of an archive of OTF2 (.otf2)", path)
		return nil, input.OrOtherForm(path, err, "a trace of Paraver or of OTF2")
	}
	return t, TraceError(err)
}

// filesOf returns the files of a trace, those of an archive in the order of their names.
func filesOf(path string) []string {
	if input.FormOf(path) != input.FormOTF2 {
		return append([]string{path}, paraver.NamesFiles(path)...)
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	all, _ := filepath.Glob(filepath.Join(stem, "*")) // the pattern is good
	slices.Sort(all)
	return append([]string{path, stem + ".def"}, all...)
}

// efficiency says where a recorded run lost time, in comparison with one on an ideal network.
type efficiency struct {
	scalability.Factors
	ideal units.Seconds
}

// CheckRecorded reads all of a trace, by a replay on an ideal network. The efficiency is nil if no
// rank computes.
func CheckRecorded(ctx context.Context, path string) (recorded.Trace, *efficiency, error) {
	t, err := OpenRecorded(path)
	if err != nil {
		return nil, nil, err
	}
	f, ideal, err := recorded.Factors(ctx, t)
	switch {
	case errors.Is(err, recorded.ErrIdle):
		return t, nil, nil
	case err != nil:
		return nil, nil, TraceError(err)
	}
	return t, &efficiency{f, ideal}, nil
}

// DescribeRecorded says how much is in a trace of Paraver or of OTF2, and the efficiencies of the
// run that was recorded.
func DescribeRecorded(ctx context.Context, path string) (*input.Description, error) {
	t, f, err := CheckRecorded(ctx, path)
	if err != nil {
		return nil, err
	}
	m := t.Measured()
	d := &input.Description{Kind: string(input.FormOf(path)), Name: path}
	d.Facts.Add("ranks", t.Ranks())
	d.Facts.Add("length", m.Length)
	d.Facts.Add("messages", m.Messages, m.Bytes.String())
	if input.FormOf(path) == input.FormParaver {
		nodes, err := paraver.NodesOf(path)
		if err != nil {
			return nil, TraceError(err)
		}
		if len(nodes) > 0 {
			const most = 8 // names
			note := strings.Join(nodes[:min(len(nodes), most)], ", ")
			if more := len(nodes) - most; more > 0 {
				note += fmt.Sprintf(" and %d more", more)
			}
			d.Facts.Add("recorded on", input.Plural(len(nodes), "node"), note)
		}
	}
	if f == nil {
		return d, nil
	}
	percent := func(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }
	d.Facts.Add("parallel efficiency", percent(f.Parallel), "load balance x serialisation x transfer")
	d.Facts.Add("load balance", percent(f.LoadBalance), "mean over maximum of the ranks' computation times")
	d.Facts.Add("serialisation", percent(f.Serialisation),
		"on a network free of cost, where the run takes "+f.ideal.String())
	d.Facts.Add("transfer", percent(f.Transfer), "the rest")
	return d, nil
}
