package watch

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/answer/otf2"
	"github.com/isoscale/isoscale/experiments/internal/answer/paraver"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// Wanted says what to record about a run.
type Wanted struct {
	Timeline     bool // what [Record.WriteTimeline] writes
	CriticalPath bool
	Path         bool // for [Record.Walk]
	Picture      bool // what a report shows
	Waits        bool // wait states; the run must be on one core
	Trace        bool // what [Record.WriteParaver] and [Record.WriteOTF2] write
}

// Recording records a run. Fields are nil for what is not wanted.
type Recording struct {
	asked, watched context.Context
	stop           context.CancelFunc
	network        sim.Network

	timeline *observe.Timeline
	quota    *quota // with a timeline
	trace    *told.Run
	path     *observe.CriticalPath
	waits    *waits.Recording
	recorder *Recorder // with a picture
	drawn    *picturePath
	shown    bool // the path is to be shown
}

// Start begins to record a run on network n, which is nil for a fabric. The run must use the context of
// [Recording.Context] and the program of [Recording.Program], and Stop must be called after it.
func Start(ctx context.Context, ranks int, n sim.Network, o Wanted) *Recording {
	r := &Recording{asked: ctx, network: n, shown: o.CriticalPath}
	r.watched, r.stop = context.WithCancel(ctx)
	if o.Timeline {
		r.timeline, r.quota = observe.NewTimeline(ranks, observe.DefaultTimelineLimit), &quota{stop: r.stop}
	}
	if o.Trace {
		r.trace = told.NewRun(ranks, mostTold)
	}
	if o.CriticalPath || o.Path {
		r.path = observe.NewCriticalPath(ranks, n)
	}
	if o.Waits {
		r.waits = waits.NewRecording(ranks, MostWaits, r.stop)
	}
	if o.Picture {
		r.recorder, r.drawn = NewRecorder(ranks), &picturePath{observe.NewCriticalPath(ranks, n), 0}
	}
	return r
}

// Context returns the context for the run. It ends when the run has far more than a timeline may have.
func (r *Recording) Context() context.Context { return r.watched }

func (r *Recording) Stop() { r.stop() }

// Program returns the program that is to run in place of p.
func (r *Recording) Program(p workloads.Program) workloads.Program {
	if r.waits == nil {
		return p
	}
	return r.waits.Program(p)
}

// Observer returns one observer for the recording and the others, or nil.
func (r *Recording) Observer(others ...sim.Observer) sim.Observer {
	all := others
	if r.timeline != nil {
		all = append(all, r.timeline, r.quota)
	}
	if r.trace != nil {
		all = append(all, tracer{r.trace})
	}
	if r.path != nil {
		all = append(all, r.path)
	}
	if r.waits != nil {
		all = append(all, r.waits)
	}
	if r.recorder != nil {
		all = append(all, r.recorder, r.drawn)
	}
	return observe.Tee(all...)
}

// Check returns the error of the run, or why a trace, wait states or a timeline that was wanted is missing.
func (r *Recording) Check(err error) error {
	if r.trace != nil && err == nil {
		err = r.trace.Err("trace", "")
	}
	if r.waits != nil && (err == nil || r.ended()) {
		err = cmp.Or(r.waits.Err(), err)
	}
	if r.timeline == nil {
		return err
	}
	refused := r.timeline.Err()
	if r.quota.told > mostTold {
		refused = fmt.Errorf("timeline: the run has more than %d spans and messages; expected far fewer: simulate fewer ranks or rounds", mostTold)
	}
	if refused != nil && (err == nil || r.ended()) {
		return refused
	}
	return err
}

func (r *Recording) ended() bool { return r.watched.Err() != nil && r.asked.Err() == nil }

// tracer passes on what a trace is written from.
type tracer struct{ *told.Run }

func (t tracer) Span(x sim.Span) { t.Run.Span(x.Rank, uint8(x.Part), x.From, x.To) }

func (t tracer) Sent(x sim.Sent) {
	t.Run.Sent(told.Message{From: x.Rank, To: x.To, Tag: x.Tag, Size: x.Size}, x.Order, x.At)
}

func (t tracer) Received(x sim.Received) { t.Run.Received(x.From, x.Order, x.Arrived, x.At) }

// A quota stops a run that has far more than a timeline may have: so much more that counting
// the rest would take longer than a user waits for a refusal.
type quota struct {
	told int
	stop context.CancelFunc
}

// MostWaits is the number of spans, messages and calls up to which wait states are found: they take about a gigabyte.
const MostWaits = 4_000_000

// mostTold is ten times what a timeline may have, and takes a second or two to simulate.
const mostTold = 10_000_000

func (q *quota) tell() {
	if q.told++; q.told == mostTold+1 {
		q.stop()
	}
}

func (q *quota) Span(sim.Span)         { q.tell() }
func (q *quota) Sent(sim.Sent)         { q.tell() }
func (q *quota) Received(sim.Received) {}

// pathLimit is the number of spans and messages up to which a picture has a critical
// path, which takes 16 bytes or a little more for each of them.
const pathLimit = 10_000_000

// picturePath is the critical path of a picture.
type picturePath struct {
	path *observe.CriticalPath // nil above pathLimit
	told int
}

func (w *picturePath) Beside(ranks, streams int32) { w.path.Beside(ranks, streams) }

func (w *picturePath) more() bool {
	if w.told++; w.told > pathLimit {
		w.path = nil
	}
	return w.path != nil
}

func (w *picturePath) Span(x sim.Span) {
	if w.more() {
		w.path.Span(x)
	}
}

func (w *picturePath) Sent(x sim.Sent) {
	if w.more() {
		w.path.Sent(x)
	}
}

func (w *picturePath) Received(x sim.Received) {
	if w.path != nil {
		w.path.Received(x)
	}
}

// Facts are what is known about a run that has ended, besides what was recorded.
type Facts struct {
	Run   *sim.Result // with its ranks
	Name  func(rank int32) string
	Links *Links // that messages share; nil if they share none
}

func (r *Recording) Record(f Facts) Record {
	x := Record{facts: f, timeline: r.timeline, trace: r.trace, path: r.path}
	end, ranks := f.Run.Makespan, len(f.Run.Ranks)
	if f.Links != nil && f.Links.Usage.Recorded {
		x.Links = f.Links.Used()
	}
	if r.shown {
		x.CriticalPath = x.path.Path()
		x.Limits = x.Causes()
	}
	if r.waits != nil {
		x.Waits = r.waits.States(end, r.network, f.Links.fabric())
		if ranks > RanksShown {
			x.Waits.Ranks = nil
		}
	}
	if r.recorder != nil {
		var names []string
		if ranks <= RanksShown {
			names = each.Of(each.Ascending(ranks), func(i int) string { return f.Name(int32(i)) })
		}
		x.Picture = &Picture{Traffic: r.recorder.traffic}
		if r.drawn.path != nil {
			x.Picture.Path = r.drawn.path.Path()
		}
		x.Picture.Timeline = r.recorder.Timeline(end, names, x.Picture.Path, f.Links.over())
	}
	return x
}

// Record is what was recorded about a run, as far as it was wanted. A result embeds it.
type Record struct {
	Ranks        []Rank        `json:"ranks,omitempty"` // set by the result, which decides whether to list them
	Links        []Link        `json:"links,omitempty"` // if their use was recorded
	CriticalPath *observe.Path `json:"critical_path,omitempty"`
	Limits       []Limit       `json:"limits,omitempty"` // causes on the critical path
	Waits        *waits.States `json:"waits,omitempty"`

	facts    Facts
	path     *observe.CriticalPath
	timeline *observe.Timeline
	trace    *told.Run

	Picture *Picture `json:"-"` // nil if not wanted
}

// Picture is what a report shows about a run.
type Picture struct {
	Timeline *timeline.Timeline
	Path     *observe.Path // nil for a very large run
	Traffic  *Traffic
}

// WriteTimeline writes the activity of every rank in the Chrome trace event format,
// which Perfetto opens. REQUIRES: a timeline was wanted.
func (x *Record) WriteTimeline(w io.Writer) error {
	return x.timeline.Write(w, func(rank int) string { return x.facts.Name(int32(rank)) })
}

// WriteParaver writes the run as a trace of Paraver. REQUIRES: a trace was wanted.
func (x *Record) WriteParaver(w io.Writer) error { return paraver.Write(w, x.trace) }

// WriteParaverNames writes the names of states and of ranks that belong to such a trace.
func (x *Record) WriteParaverNames(states, rows io.Writer) error {
	return paraver.WriteNames(states, rows, len(x.facts.Run.Ranks), func(rank int) string { return x.facts.Name(int32(rank)) })
}

// WriteOTF2 writes the run as an archive of OTF2 in a new folder. REQUIRES: a trace was wanted.
func (x *Record) WriteOTF2(folder string) error {
	return otf2.Write(folder, x.trace, func(rank int) string { return x.facts.Name(int32(rank)) })
}

func (x *Record) Name(rank int32) string { return x.facts.Name(rank) }

// Walk is [observe.CriticalPath.Walk] on the run's path. REQUIRES: a path was wanted.
func (x *Record) Walk(visit func(*observe.Segment)) units.Seconds { return x.path.Walk(visit) }

// Timeline returns the data that the picture of the run is drawn from, in the binary form
// of docs/formats/timeline.md. REQUIRES: a picture was wanted.
func (x *Record) Timeline() []byte { return x.Picture.Timeline.Encode() }

// Cause says in a sentence what limits the run. It is "" if that is not known because neither
// the critical path nor a picture was wanted, or because the run is too large or takes no time.
func (x *Record) Cause() string { return x.cause(x.Causes()) }

func (x *Record) cause(limits []Limit) string {
	if len(limits) == 0 {
		return ""
	}
	return lossesOf(x.facts.Run, limits).says(limits, x.facts.Name)
}

// Causes divides the critical path by cause, nil if that is not known.
func (x *Record) Causes() []Limit {
	path := x.CriticalPath
	if path == nil && x.Picture != nil {
		path = x.Picture.Path
	}
	if path == nil {
		return nil
	}
	return limits(path, x.facts.Links, x.facts.Name)
}

// Show adds what limits the run to the lead of a report, and sections on what its ranks do at
// what time, where their time goes, and who sends to whom. Causes stand before the table of ranks.
func (x *Record) Show(doc *report.Document, ranks []Rank, causes ...report.Block) {
	limits := x.Causes()
	if cause := x.cause(limits); cause != "" {
		doc.Lead = append(doc.Lead[:1:1], append([]string{cause}, doc.Lead[1:]...)...)
	}
	if x.Picture != nil {
		doc.Sections = append(doc.Sections, x.Picture.section(limits))
	}
	doc.Sections = append(doc.Sections, rankSection(ranks, float64(x.facts.Run.Makespan), causes...))
	if x.Waits != nil {
		doc.Sections = append(doc.Sections, x.Waits.Section(x.Name))
	}
	if x.Picture != nil {
		doc.Sections = append(doc.Sections, x.Picture.Traffic.Section())
	}
}

// ShowLinks adds the bottleneck to the lead of a report, and a section on the use of links with a
// picture of the network. The topology is nil for a machine that names none.
func (x *Record) ShowLinks(doc *report.Document, t topology.Topology) {
	l := x.facts.Links
	if l == nil {
		return
	}
	if text := l.lead(); text != "" {
		doc.Lead = append(doc.Lead, text)
	}
	if !l.Usage.Recorded {
		return
	}
	s := l.section()
	if n := l.picture(t); n != nil {
		s.Blocks = append([]report.Block{n}, s.Blocks...)
	}
	doc.Sections = append(doc.Sections, s)
}
