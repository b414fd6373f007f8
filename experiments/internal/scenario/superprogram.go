package scenario

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
	"github.com/isoscale/isoscale/model/units"
)

// SuperProgram is a program of super-instructions (SIs) on a hierarchical
// cluster: n_1 nodes at the outermost level, each a cluster of n_2 nodes, and so
// on; a program of w_1 SIs, each of which is a program of w_2 SIs of the next
// level. It is the scenario of [Jin], as a formula or by simulating how the
// SIs are dispatched.
type SuperProgram struct {
	Title     string
	Method    SuperProgramMethod
	Nodes     []float64 // n_i, outermost first; the mean of groups that differ
	Tasks     []float64 // w_i at these n_i; whole for Dispatch
	Smooth    []float64 // w_i as given, before they were rounded
	Imbalance []float64 // c_i, of the formula
	Time      units.Seconds
	Scatter   float64 // of Time, for Dispatch
	Levels    []dispatch.Level
	Seed      int64
	Inputs    []input.Input
}

// SuperProgramMethod says where the time of a super-program comes from.
type SuperProgramMethod string

const (
	// Formula takes [Jin] Eq. 24 to 26, smooth in n_i.
	Formula SuperProgramMethod = "formula"
	// Dispatch simulates dispatch units that hand SIs to nodes.
	Dispatch SuperProgramMethod = "dispatch"
)

// ReadRunnable reads what run takes: a scenario or a super-program. The other one
// is nil.
func ReadRunnable(path string, overrides []input.Override) (*Scenario, *SuperProgram, error) {
	return readRunnable(&document.Reader{}, path, overrides)
}

func readRunnable(r *document.Reader, path string, overrides []input.Override) (*Scenario, *SuperProgram, error) {
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, nil, err
	}
	if input.KindOf(root) != input.KindSuper {
		s, err := wholeScenario(r, root, path)
		return s, nil, err
	}
	s := DecodeSuperProgram(r, root)
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	return nil, s, nil
}

const (
	maxSuperLevels = 16
	wantNodes      = "the nodes of each level, outermost first, as in [8, 4]"
	wantSpeeds     = "the speeds of the nodes of each level, outermost first: of all nodes or a list of those of a group, as in [[1, 2], 1]; a node above the last level is a cluster all of whose nodes are that much faster"
	wantLog2       = "log2 of the nodes of each level, outermost first, as in [3, 2]"
	wantTasks      = "the SIs of each level, numbers or formulas of n1, n2, ..., as in [512, 8*n2^1.5]"
)

var superProgramObject = &schema.Object{What: "a super-program, with levels or log2_levels, tasks and method", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the super-program in a few words"},
	{Key: "workload", Type: schema.OneOf{superProgramName}, Required: true, Meaning: "super-program"},
	{Key: "method", Type: methodType, Default: string(Formula), Meaning: "formula: a closed form; dispatch: a simulation of the dispatch units"},
	{Key: "levels", Type: schema.List{Of: schema.AnyOf{superNodesType, schema.List{Of: superNodesType, Min: 1}}, Min: 1, Max: maxSuperLevels}, Meaning: wantNodes + "; a list for groups that differ, as in [2, [4, 8]]"},
	{Key: "log2_levels", Type: schema.List{Of: schema.Integer{Min: 0, Max: 26}, Min: 1, Max: maxSuperLevels}, Meaning: wantLog2 + "; in place of levels"},
	{Key: "speeds", Type: schema.List{Of: schema.AnyOf{speedType, schema.List{Of: speedType, Min: 1}}, Max: maxSuperLevels}, Default: "1 of all nodes", Meaning: wantSpeeds},
	{Key: "tasks", Type: schema.List{Of: tasksType, Max: maxSuperLevels}, Required: true, Meaning: wantTasks},
	{Key: "imbalance", Type: schema.List{Of: schema.Number{Max: 1e9}, Max: maxSuperLevels}, Meaning: "c of each level: SIs for which each of the other nodes idles at the end; required by the formula"},
	{Key: "time", Type: instructionTime, Default: "1 s", Meaning: "time of an SI of the last level"},
	{Key: "scatter", Type: schema.Number{Max: 1}, Default: "0", Meaning: "half width of the times of SIs, as a fraction; dispatch only"},
	{Key: "dispatch", Type: schema.AnyOf{dispatchObject, schema.List{Of: dispatchObject, Max: maxSuperLevels}}, Meaning: "what dispatching costs, for all levels or one entry for each"},
	{Key: "seed", Type: SeedType, Default: "1", Meaning: "seed of all random numbers"},
}}

var (
	superNodesType = schema.Integer{Min: 1, Max: 1 << 26}
	speedType      = schema.Number{Max: 1e9, Above: true}
)

// superProgramForms are the two ways to give the levels, each with the formula,
// which needs the imbalance, or without.
var superProgramForms = func() schema.AnyOf {
	var forms schema.AnyOf
	for _, levels := range []*schema.Object{
		superProgramObject.Without("log2_levels").Requiring("levels"),
		superProgramObject.Without("levels").Requiring("log2_levels"),
	} {
		dispatched := levels.Requiring("method")
		dispatched.Field("method").Type = schema.OneOf{string(Dispatch)}
		forms = append(forms, levels.Requiring("imbalance"), dispatched)
	}
	return forms
}()

var methodType = schema.OneOf{string(Formula), string(Dispatch)}

// tasksType is a number of SIs or a formula.
var tasksType = schema.AnyOf{schema.Number{Max: 1 << 26, Above: true}, schema.Pattern(".")}

var instructionTime = schema.PositiveTime.Wanted("the time of an SI of the last level, above 0")

const wantDispatch = "what dispatching costs, as in {outstanding: 2, latency: 50 us, operands: 1 MB, bandwidth: 1 Gbit/s}, or one of these for each level"

var dispatchObject = &schema.Object{What: wantDispatch, Ref: "dispatch", Fields: []schema.Field{
	{Key: "outstanding", Type: outstanding, Default: "1", Meaning: "SIs that a node has at a time"},
	{Key: "dispatcher", Type: schema.OneOf{"first-node", "separate"}, Default: "first-node", Meaning: "place of the dispatch unit"},
	{Key: "time", Type: schema.Time, Default: "0 s", Meaning: "time of the dispatch unit for each SI"},
	{Key: "latency", Type: schema.Time, Default: "0 s", Meaning: "of each transfer"},
	{Key: "operands", Type: schema.Size, Default: "0 B", Meaning: "sent to a node with each SI"},
	{Key: "results", Type: schema.Size, Default: "0 B", Meaning: "sent back with each SI"},
	{Key: "bandwidth", Type: schema.Bandwidth, Default: "no limit", Meaning: "of the link of each node"},
	{Key: "trunk", Type: schema.Bandwidth, Default: "no limit", Meaning: "of the link of the dispatch unit, shared by its nodes"},
}}

var outstanding = schema.Integer{Min: 1, Max: 1 << 20}

// superReader reads parts of super-programs.
type superReader struct{ *document.Reader }

// DecodeSuperProgram reads a super-program from the root of a file. Its problems are
// those of r.
func DecodeSuperProgram(r *document.Reader, root *yamldoc.Node) *SuperProgram {
	return superReader{r}.superProgram(root)
}

func (r superReader) superProgram(root *yamldoc.Node) *SuperProgram {
	d := superProgramObject.Open(&r.Decoder, root)
	s := &SuperProgram{Title: r.String(d.Take("title"), "a title"), Method: Formula}
	r.OneOf(d.Require("workload", "super-program"), []string{superProgramName}, "workload of this kind of file")
	if v := d.Take("method"); v != nil {
		s.Method = SuperProgramMethod(r.OneOf(v, []string{string(Formula), string(Dispatch)}, "method"))
	}
	nodes, log2 := d.Take("levels"), d.Take("log2_levels")
	var counts [][]int // of each level: one number or those of its groups
	switch {
	case nodes != nil && log2 != nil:
		r.Fail(log2, "levels and log2_levels say the same", "one of them")
	case log2 != nil:
		for _, v := range r.levels(log2, wantLog2) {
			counts = append(counts, []int{1 << r.Int(v, 0, 26, "log2 of a number of nodes, a whole number from 0 to 26")})
		}
	default:
		if nodes == nil {
			nodes = d.Require("levels", wantNodes+"; or log2_levels")
		}
		for _, v := range r.levels(nodes, wantNodes) {
			counts = append(counts, r.counts(v, counts))
		}
	}
	s.Nodes = means(counts)
	tasks := d.Require("tasks", wantTasks)
	for _, v := range r.each(tasks, len(s.Nodes), wantTasks) {
		w := r.tasks(v, s.Nodes)
		s.Smooth = append(s.Smooth, w)
		if s.Method == Dispatch {
			// SIs are whole, and a program has at least one.
			w = max(1, math.Round(w))
		}
		s.Tasks = append(s.Tasks, w)
	}
	const wantImbalance = "c of each level: SIs for which each of the other nodes idles at the end, as in [0.9, 0.7]"
	if v := d.Take("imbalance"); v != nil {
		for _, v := range r.each(v, len(s.Nodes), wantImbalance) {
			s.Imbalance = append(s.Imbalance, r.Float(v, "a number of SIs, at least 0", func(x float64) bool { return x >= 0 && x <= 1e9 }))
		}
	} else if s.Method == Formula {
		d.Require("imbalance", wantImbalance)
	}
	s.Time = instructionTime.ReadOr(&r.Decoder, d.Take("time"), 1)
	s.Scatter = r.Float(d.Take("scatter"), "half width of the times of SIs, as a fraction from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
	s.Levels = r.dispatchLevels(d.Take("dispatch"), counts)
	r.speeds(d.Take("speeds"), s.Levels)
	if s.Method == Formula {
		r.refuseUnequal(nodes, s.Levels)
	}
	s.Seed = ReadSeed(&r.Decoder, d.Take("seed"))
	d.Done()
	s.Inputs = r.Inputs()
	return s
}

// levels reads a sequence with one element for each level.
func (r superReader) levels(n *yamldoc.Node, want string) []*yamldoc.Node {
	items := r.Sequence(n, "levels: "+want)
	if n.IsSequence() && (len(items) == 0 || len(items) > maxSuperLevels) {
		r.Fail(n, fmt.Sprintf("%d levels", len(items)), fmt.Sprintf("1 to %d levels", maxSuperLevels))
		return nil
	}
	return items
}

// each reads a sequence of k elements.
func (r superReader) each(n *yamldoc.Node, k int, want string) []*yamldoc.Node {
	if n == nil {
		return nil
	}
	items := r.Sequence(n, want)
	if n.IsSequence() && k > 0 && len(items) != k {
		r.Fail(n, fmt.Sprintf("%d values", len(items)), fmt.Sprintf("%d, one for each level", k))
		return nil
	}
	return items
}

// tasks reads a number of SIs.
func (r superReader) tasks(n *yamldoc.Node, nodes []float64) float64 {
	const want = "a number of SIs above 0 and at most 67108864, or a formula of n1, n2, ... such as 8*n2^1.5"
	text := r.String(n, want)
	if text == "" || len(nodes) == 0 {
		return 0
	}
	variables := make(map[string]float64, len(nodes))
	for i, count := range nodes {
		variables[fmt.Sprintf("n%d", i+1)] = count
	}
	w, err := formula.Number(text, variables)
	switch {
	case err != nil:
		if wrong := (*formula.Error)(nil); errors.As(err, &wrong) && wrong.Expected != "" {
			r.Fail(n, err.Error(), "")
		} else {
			r.Fail(n, err.Error(), want)
		}
		return 0
	case !(w > 0 && w <= 1<<26):
		r.Fail(n, fmt.Sprintf("%s is %g", text, w), want)
		return 0
	}
	return w
}

// Rounding returns by which factor rounding to whole SIs has changed the work, and
// says so; "" if nothing was rounded.
func (s *SuperProgram) Rounding() (change float64, text string) {
	if slices.Equal(s.Tasks, s.Smooth) {
		return 1, ""
	}
	var given, whole []string
	change = 1
	for i, w := range s.Tasks {
		given, whole = append(given, input.Number(s.Smooth[i])), append(whole, input.Number(w))
		change *= w / s.Smooth[i]
	}
	return change, fmt.Sprintf("%s SIs are simulated as %s whole ones, which changes the work by %+.2g %%",
		strings.Join(given, " x "), strings.Join(whole, " x "), 100*(change-1))
}

// dispatchLevels reads what the dispatch of SIs costs: one mapping for all levels
// or a sequence of one for each. Nothing said costs nothing.
func (r superReader) dispatchLevels(n *yamldoc.Node, counts [][]int) []dispatch.Level {
	levels := make([]dispatch.Level, len(counts))
	for i, groups := range counts {
		levels[i] = dispatch.Ideal(slices.Max(groups), 1)
		if len(groups) > 1 {
			levels[i].Counts = groups
		}
	}
	switch {
	case n == nil:
	case n.IsSequence():
		for i, v := range r.each(n, len(levels), wantDispatch) {
			if i < len(levels) {
				r.dispatchLevel(v, levels[i:i+1])
			}
		}
	default:
		r.dispatchLevel(n, levels)
	}
	return levels
}

// dispatchLevel reads the costs of some levels.
func (r superReader) dispatchLevel(n *yamldoc.Node, levels []dispatch.Level) {
	d := dispatchObject.Open(&r.Decoder, n)
	l := dispatch.Ideal(1, 1)
	l.Outstanding = outstanding.ReadOr(&r.Decoder, d.Take("outstanding"), "the SIs that a node has at a time, at least 1", l.Outstanding)
	if v := d.Take("dispatcher"); v != nil {
		l.IDU = dispatch.FirstNode
		if r.OneOf(v, []string{"first-node", "separate"}, "place of the dispatch unit") == "separate" {
			l.IDU = dispatch.Separate
		}
	}
	l.Dispatch = schema.Time.Read(&r.Decoder, d.Take("time"))
	l.Latency = schema.Time.Read(&r.Decoder, d.Take("latency"))
	l.Operands = schema.Size.Read(&r.Decoder, d.Take("operands"))
	l.Results = schema.Size.Read(&r.Decoder, d.Take("results"))
	l.Bandwidth = schema.Bandwidth.ReadOr(&r.Decoder, d.Take("bandwidth"), l.Bandwidth)
	l.Trunk = schema.Bandwidth.ReadOr(&r.Decoder, d.Take("trunk"), l.Trunk)
	d.Done()
	for i := range levels {
		nodes, counts := levels[i].Nodes, levels[i].Counts
		levels[i] = l
		levels[i].Nodes, levels[i].Counts = nodes, counts
	}
}

// superProgramName is the workload of a file with a super-program.
const superProgramName = "super-program"
