package scenario

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// SuperProgram is a program of super-instructions (SIs) on a hierarchical cluster: n_1 nodes at the outermost level,
// each of them a cluster of n_2 nodes, and so on, with a program of w_1 SIs, each of them a program of w_2 SIs of the
// next level. It is the scenario of [Jin], by formula or by simulating how the SIs are dispatched.
type SuperProgram struct {
	Title     string
	Method    SuperProgramMethod
	Nodes     []float64 // n_i, outermost first; the mean if groups differ
	Tasks     []float64 // w_i at these n_i; whole for Dispatch
	Smooth    []float64 // w_i as given, before rounding
	Imbalance []float64 // c_i, for the formula
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

// ReadRunnable reads what run accepts: a scenario or a super-program. The other one is nil.
func (d Documents) ReadRunnable(path string, overrides []input.Override) (s *Scenario, p *SuperProgram, err error) {
	r, root, err := d.open(path, overrides, input.KindScenario, input.KindSuper)
	if err != nil {
		return nil, nil, err
	}
	c := decode(r, root, filepath.Dir(path))
	return c.Scenario, c.Super, r.Err()
}

const (
	maxSuperLevels = 16
	wantNodes      = "the nodes of each level, outermost first, as in [8, 4]"
	wantSpeeds     = "the speeds of the nodes of each level, outermost first: of all nodes or a list of those of a group, as in [[1, 2], 1]; a node above the last level is a cluster all of whose nodes are that much faster"
	wantLog2       = "log2 of the nodes of each level, outermost first, as in [3, 2]"
	wantTasks      = "the SIs of each level, numbers or formulas of n1, n2, ..., as in [512, 8*n2^1.5]"
)

var superProgramRecord = schema.Declare("a super-program, with levels or log2_levels, tasks and method", func(k *schema.Keys, s *SuperProgram) {
	r := superReader{k.Decoder}
	k.Optional("title", schema.Text.To(&s.Title), "the super-program in a few words")
	k.Required("workload", schema.Func(superProgramNames, func(n *yamldoc.Node) {
		k.OneOf(n, []string{superProgramName}, "workload of this kind of file")
	}), "super-program")
	k.Optional("method", schema.Choice(&s.Method, "method", methodType).Or(Formula),
		"formula: a closed form; dispatch: a simulation of the dispatch units")
	var counts [][]int // of each level: one number, or one for each of its groups
	k.Optional("levels", schema.Func(levelsType, func(n *yamldoc.Node) {
		for _, v := range r.levels(n, wantNodes) {
			counts = append(counts, r.counts(v, counts))
		}
	}), wantNodes+"; a list for groups that differ, as in [2, [4, 8]]")
	k.Optional("log2_levels", schema.Func(log2Levels, func(n *yamldoc.Node) {
		if counts = nil; k.Node("levels") != nil {
			k.Fail(n, "levels and log2_levels say the same", "one of them")
			return
		}
		for _, v := range r.levels(n, wantLog2) {
			counts = append(counts, []int{1 << log2Type.Read(k.Decoder, v)})
		}
	}), wantLog2+"; in place of levels")
	if k.Node("levels") == nil && k.Node("log2_levels") == nil && k.Self().IsMapping() {
		k.Fail(k.Self(), `missing key "levels"`, wantNodes+"; or log2_levels")
	}
	s.Nodes, s.Levels = means(counts), levelsOf(counts)
	k.Optional("speeds", schema.Func(speedsType, func(n *yamldoc.Node) {
		r.speeds(n, s.Levels)
	}).Else("1 of all nodes"), wantSpeeds)
	k.Required("tasks", schema.Func(tasksOfLevels, func(n *yamldoc.Node) {
		for _, v := range r.each(n, len(s.Nodes), wantTasks) {
			w := r.tasks(v, s.Nodes)
			s.Smooth = append(s.Smooth, w)
			if s.Method == Dispatch {
				// SIs are whole, and a program has at least one.
				w = max(1, math.Round(w))
			}
			s.Tasks = append(s.Tasks, w)
		}
	}), wantTasks)
	const wantImbalance = "c of each level: SIs for which each of the other nodes idles at the end"
	k.Optional("imbalance", schema.Func(imbalances, func(n *yamldoc.Node) {
		for _, v := range r.each(n, len(s.Nodes), wantImbalance) {
			s.Imbalance = append(s.Imbalance, imbalanceType.Read(k.Decoder, v))
		}
	}), wantImbalance+"; required by the formula")
	if s.Method == Formula && k.Node("imbalance") == nil && k.Self().IsMapping() {
		k.Fail(k.Self(), `missing key "imbalance"`, wantImbalance+", as in [0.9, 0.7]")
	}
	k.Optional("time", schema.To(&instructionTime, &s.Time).Or(1), "time of an SI of the last level")
	k.Optional("scatter", schema.Number{Max: 1, Want: "half width of the times of SIs, as a fraction from 0 to 1"}.To(&s.Scatter).Or(0), "half width of the times of SIs, as a fraction; dispatch only")
	k.Optional("dispatch", schema.Func(dispatchType, func(n *yamldoc.Node) {
		r.dispatch(n, s.Levels)
	}), "what dispatching costs, for all levels or one entry for each")
	k.Optional("seed", Seed(&s.Seed), "seed of all random numbers")
	if nodes := k.Node("levels"); s.Method == Formula && !k.Declaring() {
		r.refuseUnequal(nodes, s.Levels)
	}
})

// The types of keys, made once: each point of a sweep reads them.
var (
	superProgramNames schema.Type = schema.OneOf{superProgramName}
	levelsType        schema.Type = schema.List{Of: orGroups(superNodesType), Min: 1, Max: maxSuperLevels}
	log2Levels        schema.Type = schema.List{Of: log2Type, Min: 1, Max: maxSuperLevels}
	speedsType        schema.Type = schema.List{Of: orGroups(speedType), Max: maxSuperLevels}
	tasksOfLevels     schema.Type = schema.List{Of: tasksType, Max: maxSuperLevels}
	imbalances        schema.Type = schema.List{Of: imbalanceType, Max: maxSuperLevels}
	dispatchType      schema.Type = schema.AnyOf{
		dispatchRecord.Object, schema.List{Of: dispatchRecord.Object, Max: maxSuperLevels},
	}
)

// orGroups is one value for a level, or a list with one for each of its groups or nodes.
func orGroups(t schema.Type) schema.Type { return schema.AnyOf{t, schema.List{Of: t, Min: 1}} }

var (
	superNodesType = schema.Integer{Min: 1, Max: 1 << 26, Want: "a number of nodes, at least 1 and at most 67108864"}
	log2Type       = schema.Integer{Min: 0, Max: 26, Want: "log2 of a number of nodes, a whole number from 0 to 26"}
	speedType      = schema.Number{Max: 1e9, Above: true}
	imbalanceType  = schema.Number{Max: 1e9, Want: "a number of SIs, at least 0"}
)

// superProgramForms are the two ways to give the levels, each with the formula, which needs the imbalance, or without
// it.
var superProgramForms = func() schema.AnyOf {
	var forms schema.AnyOf
	for _, levels := range []*schema.Object{
		superProgramRecord.Without("log2_levels").Requiring("levels"),
		superProgramRecord.Without("levels").Requiring("log2_levels"),
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

var dispatchers = []string{string(dispatch.FirstNode), string(dispatch.Separate)}

var dispatchRecord = schema.Declare(wantDispatch, func(k *schema.Keys, l *dispatch.Level) {
	k.Optional("outstanding", schema.Integer{Min: 1, Max: 1 << 20, Want: "the SIs that a node has at a time, at least 1"}.To(&l.Outstanding).Or(1), "SIs that a node has at a time")
	const place = "place of the dispatch unit"
	k.Optional("dispatcher", schema.Choice(&l.IDU, place, dispatchers).Else(dispatchers[0]), place)
	k.Optional("time", schema.Time.To(&l.Dispatch).Or(0), "time of the dispatch unit for each SI")
	k.Optional("latency", schema.Time.To(&l.Latency).Or(0), "of each transfer")
	k.Optional("operands", schema.Size.To(&l.Operands).Or(0), "sent to a node with each SI")
	k.Optional("results", schema.Size.To(&l.Results).Or(0), "sent back with each SI")
	k.Optional("bandwidth", schema.Bandwidth.To(&l.Bandwidth).Else("no limit"), "of the link of each node")
	k.Optional("trunk", schema.Bandwidth.To(&l.Trunk).Else("no limit"),
		"of the link of the dispatch unit, shared by its nodes")
}).Shared("dispatch")

// superReader reads parts of super-programs.
type superReader struct{ *yamldoc.Decoder }

// DecodeSuperProgram reads a super-program from the root of a file. It reports problems to r.
func DecodeSuperProgram(r *document.Reader, root *yamldoc.Node) *SuperProgram {
	s := &SuperProgram{}
	superProgramRecord.Read(&r.Decoder, root, s)
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
	want := "a number of SIs above 0 and at most 67108864, or a formula of n1, n2, ... such as 8*n2^1.5"
	text := r.String(n, want)
	if text == "" || len(nodes) == 0 {
		return 0
	}
	w, plain := n.FloatWithin(func(float64) bool { return true })
	var err error
	if !plain {
		w, err = tasksFormula(text, nodes)
	}
	switch {
	case err != nil:
		if wrong := (*formula.Error)(nil); errors.As(err, &wrong) && wrong.Expected != "" {
			want = wrong.Expected
		}
		r.Fail(n, formula.Explain(text, err), want)
		return 0
	case !(w > 0 && w <= 1<<26):
		r.Fail(n, fmt.Sprintf("%s is %g", text, w), want)
		return 0
	}
	return w
}

// countNames are the names of the numbers of nodes of each level in formulas: n1, n2 and so on.
var countNames = sync.OnceValue(func() formula.Variables {
	var names []string
	for level := range maxSuperLevels {
		names = append(names, fmt.Sprintf("n%d", level+1))
	}
	return formula.Numbers(names)
})

// tasksFormula evaluates a formula of the numbers of nodes of each level.
func tasksFormula(text string, nodes []float64) (float64, error) {
	names := countNames()[:min(len(nodes), maxSuperLevels)]
	e, err := names.Compile(text, formula.IsNumber)
	if err != nil {
		return 0, err
	}
	if dimension := formula.Dimension(e.Unit()); dimension != "" {
		return 0, fmt.Errorf("this is a %s", dimension)
	}
	values := make(map[string]float64, len(names))
	for i := range names {
		values[names[i].Name] = nodes[i]
	}
	return e.Number(values)
}

// Rounding returns the factor by which rounding to whole SIs has changed the work, and a text about it; "" if nothing
// was rounded.
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
	by := input.Figure(100*(change-1), 2)
	if change > 1 {
		by = "+" + by
	}
	return change, fmt.Sprintf("%s SIs are simulated as %s whole ones, which changes the work by %s %%",
		strings.Join(given, " x "), strings.Join(whole, " x "), by)
}

// TooFast returns the largest factor by which the SIs of a level take less time by the formula than one SI does, and a
// text about it; 1 and "" if none do.
func (s *SuperProgram) TooFast() (factor float64, text string) {
	factor = 1
	if s.Method != Formula {
		return factor, ""
	}
	for i, w := range s.Tasks {
		n := s.Nodes[i]
		one := min(1, w) // SI
		if all := (w + float64(s.Imbalance[i]*(n-1))) / n; one/all > factor+1e-9 {
			factor, text = one/all, fmt.Sprintf("%s SIs of level %d on %s nodes take %.3g of the time of one by the "+
				"formula, which does not hold for so few", input.Number(w), i+1, input.Number(n), all/one)
		}
	}
	return factor, text
}

// levelsOf returns levels with free dispatch.
func levelsOf(counts [][]int) []dispatch.Level {
	levels := make([]dispatch.Level, len(counts))
	for i, groups := range counts {
		levels[i] = dispatch.Ideal(slices.Max(groups), 1)
		if len(groups) > 1 {
			levels[i].Counts = groups
		}
	}
	return levels
}

// dispatch reads the costs of dispatching SIs: one mapping for all levels or a sequence with one for each.
func (r superReader) dispatch(n *yamldoc.Node, levels []dispatch.Level) {
	if n.IsSequence() {
		for i, v := range r.each(n, len(levels), wantDispatch) {
			if i < len(levels) {
				dispatchRecord.Read(r.Decoder, v, &levels[i])
			}
		}
		return
	}
	dispatchRecord.Read(r.Decoder, n, new(dispatch.Level)) // problems are reported once
	for i := range levels {
		dispatchRecord.Read(new(yamldoc.Decoder), n, &levels[i])
	}
}

// superProgramName is the workload of a file with a super-program.
const superProgramName = "super-program"

// counts reads the nodes of a level: a number, or one for each group if groups differ. above has the counts of the
// levels above.
func (r superReader) counts(n *yamldoc.Node, above [][]int) []int {
	if !n.IsSequence() {
		return []int{superNodesType.Read(r.Decoder, n)}
	}
	var all []int
	for _, v := range r.Sequence(n, superNodesType.Want) {
		all = append(all, superNodesType.Read(r.Decoder, v))
	}
	switch {
	case len(all) == 0:
		r.Fail(n, "no groups", "the nodes of one group after another, as in [4, 8]")
		return []int{1}
	case len(above) == 0 && len(all) > 1:
		list := strings.ReplaceAll(fmt.Sprint(all), " ", ", ")
		r.Fail(n, "a list at the outermost level, which is one group", fmt.Sprintf("a number, because the outermost level is first: [%d, %s] are %[1]d clusters with these counts, and [%[1]d, %[2]s, 4] those of 4 nodes each; the levels of a tree are in the other order", len(all), list))
	case slices.Min(all) == slices.Max(all):
		return all[:1]
	}
	return all
}

// means returns the mean number of nodes of the groups of each level, where lists are repeated from the first.
func means(counts [][]int) []float64 {
	var all []float64
	groups := 1.0
	for _, of := range counts {
		sum := each.Sum(of, func(n int) float64 { return float64(n) })
		rounds, rest := int(groups)/len(of), int(groups)%len(of)
		nodes := float64(rounds) * sum
		for _, n := range of[:rest] {
			nodes += float64(n)
		}
		all = append(all, nodes/groups)
		groups = min(nodes, 1<<52)
	}
	return all
}

// speeds reads the speeds of the nodes of each level.
func (r superReader) speeds(n *yamldoc.Node, levels []dispatch.Level) {
	const want = "a speed above 0 and at most 1000000000, 1 for a node that takes the time of an SI"
	read := func(v *yamldoc.Node) float64 {
		return r.Float(v, want, func(x float64) bool { return x >= 1e-9 && x <= 1e9 })
	}
	for i, v := range r.each(n, len(levels), wantSpeeds) {
		if i >= len(levels) {
			break
		}
		var all []float64
		if v.IsSequence() {
			all = each.Append(all, r.Sequence(v, wantSpeeds), read)
			if len(all) == 0 {
				r.Fail(v, "no speeds", wantSpeeds)
			}
		} else {
			all = []float64{read(v)}
		}
		if slices.ContainsFunc(all, func(x float64) bool { return x != 1 }) {
			levels[i].Speeds = all
		}
	}
}

// refuseUnequal reports nodes that differ, for which there is no formula.
func (r superReader) refuseUnequal(n *yamldoc.Node, levels []dispatch.Level) {
	for i, l := range levels {
		if l.Counts != nil || l.Speeds != nil && slices.Min(l.Speeds) != slices.Max(l.Speeds) {
			r.Fail(n, fmt.Sprintf("the nodes of level %d differ, but [Jin] Eq. 24 to 26 are for nodes that are alike", i+1), "method: dispatch")
			return
		}
	}
}

// Speed is the common speed of the nodes, which the formula requires to be alike.
func (s *SuperProgram) Speed() float64 {
	speed := 1.0
	for _, l := range s.Levels {
		if l.Speeds != nil {
			speed *= l.Speeds[0]
		}
	}
	return speed
}

// Description shows a super-program in full.
func (s *SuperProgram) Description() *input.Description {
	levels := input.DataTable{Title: "levels, outermost first", Columns: []string{"nodes", "SIs", "imbalance"}}
	costs := input.DataTable{Title: "dispatch, outermost level first", Columns: []string{"outstanding", "dispatcher", "time", "latency", "operands", "results", "bandwidth", "trunk"}}
	var notes []string
	for i, l := range s.Levels {
		if l.Speeds != nil {
			notes = append(notes, fmt.Sprintf("speeds of the nodes of level %d, in turn: %s", i+1, list(l.Speeds)))
		}
		nodes := fmt.Sprint(l.Nodes)
		if l.Counts != nil {
			nodes = list(l.Counts) // for each group
		}
		c := "-"
		if i < len(s.Imbalance) {
			c = input.Number(s.Imbalance[i])
		}
		levels.Rows = append(levels.Rows, []string{nodes, input.Number(s.Tasks[i]), c})
		costs.Rows = append(costs.Rows, []string{fmt.Sprint(l.Outstanding), string(l.IDU),
			l.Dispatch.String(), l.Latency.String(), l.Operands.String(), l.Results.String(),
			input.OrDash(!math.IsInf(float64(l.Bandwidth), 1), l.Bandwidth), input.OrDash(!math.IsInf(float64(l.Trunk), 1), l.Trunk)})
	}
	if _, rounded := s.Rounding(); rounded != "" {
		notes = append(notes, rounded)
	}
	return &input.Description{Title: s.Title, Source: "[Jin]",
		Facts: []input.Parameter{
			{Name: "method", Value: string(s.Method)}, {Name: "time of an SI of the last level", Value: s.Time.String()},
			{Name: "scatter", Value: input.Number(s.Scatter)},
		},
		Tables: []input.DataTable{levels, costs}, Notes: notes}
}

func list[T any](all []T) string {
	parts := each.Append(nil, all, func(x T) string { return fmt.Sprint(x) })
	return strings.Join(parts, ", ")
}
