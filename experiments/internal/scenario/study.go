package scenario

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Study is a ladder of systems that shall all run a workload at the same
// speed-efficiency: each at the problem size that this takes.
type Study struct {
	Title       string
	Description string
	Target      float64 // speed-efficiency to hold, above 0
	TargetPos   yamldoc.Position
	Machine     *topology.Machine
	Network     networks.Network
	Workload    workload.Workload
	Systems     []StudySystem
	Sizes       SizeRange
	Trend       TrendPlan
	Calibration *Calibration // nil: no parameter was fitted
	Compare     *Comparison  // nil: nothing to compare with
	Seed        int64
	Inputs      []input.Input
}

// StudySystem is one of the systems that a study compares.
type StudySystem struct {
	Name      string
	Selection topology.Selection
}

// Scenario returns system i of the study as a scenario without a problem size.
func (s *Study) Scenario(i int) *Scenario {
	return &Scenario{Title: s.Title, Machine: s.Machine, Selection: s.Systems[i].Selection, Network: s.Network, Workload: s.Workload, Seed: s.Seed, Inputs: s.Inputs}
}

// SizeRange is where problem sizes are looked for.
type SizeRange struct{ From, To int }

// TrendPlan says how the papers' way of reading off N is imitated: a polynomial
// of some degree through a number of sampled sizes.
type TrendPlan struct{ Degree, Points int }

// Calibration says which parameters were fitted, to what and how. It is for the
// reader: nothing is computed from it.
type Calibration struct {
	Parameters []string
	Against    string
	Method     string
}

// Comparison holds values from elsewhere. They are shown beside the simulated
// ones and enter no simulation.
type Comparison struct {
	Source string
	Label  string         // what charts and tables call them, as "published"
	N      map[string]int // by system name
	Psi    []float64      // between neighbours of the ladder
	Times  []MeasuredTime
}

// MeasuredTime is the time of one measured run.
type MeasuredTime struct {
	System int // index in the study
	N      int
	Time   units.Seconds
}

// ReadStudy reads a study file. Its errors are yamldoc's, with the place of
// every problem.
func ReadStudy(path string, overrides []input.Override) (*Study, error) {
	return readStudy(&document.Reader{}, path, overrides)
}

func readStudy(r *document.Reader, path string, overrides []input.Override) (*Study, error) {
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	if input.KindOf(root) != input.KindStudy {
		return nil, input.WrongKind(root, input.KindStudy)
	}
	s := DecodeStudy(r, root, filepath.Dir(path))
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

var studyObject = &schema.Object{What: "a study, with target_efficiency, machine, network, workload and systems", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the study in a few words"},
	{Key: "description", Type: schema.Text, Meaning: "the study in a few sentences"},
	{Key: "target_efficiency", Type: schema.Number{Max: 100, Above: true}, Required: true, Meaning: "the speed-efficiency to hold as a fraction, such as 0.3 for 30 %"},
	{Key: "machine", Type: machines.Reference, Required: true, Meaning: "the machine: a name of the catalogue, a file, or the machine itself"},
	{Key: "network", Type: schema.Later(networks.Type), Required: true, Meaning: "the network model"},
	{Key: "workload", Type: schema.Later(workload.UnsizedType), Required: true, Meaning: "the workload; the problem size is looked for"},
	{Key: "placement", Type: placementType, Default: "1", Meaning: "how many processes run on each node of a type, on what, and with how many threads"},
	{Key: "systems", Type: schema.List{Of: systemObject, Min: 1}, Required: true, Meaning: "the systems to compare, smallest first"},
	{Key: "sizes", Type: SizesType, Meaning: "the problem sizes to search"},
	{Key: "trend", Type: trendObject, Meaning: "the trend line that problem sizes are read off, as in the papers"},
	{Key: "calibration", Type: calibrationObject, Meaning: "which parameters were fitted; for readers, nothing is computed from it"},
	{Key: "compare", Type: comparisonObject, Meaning: "published or measured values to show beside the simulated ones"},
	{Key: "seed", Type: SeedType, Default: "1", Meaning: "seed of all random numbers"},
}}

var systemObject = &schema.Object{What: "a system, as in {name: C2, nodes: {server: 1, blade: 1}}", Fields: []schema.Field{
	{Key: "name", Type: schema.Name, Required: true, Meaning: "name of the system"},
	{Key: "nodes", Type: nodesType, Default: "all", Meaning: "how many nodes of each type take part"},
	{Key: "placement", Type: placementType, Meaning: "how many processes run on each node of a type; by default that of the study"},
}}

// SizesType is a range in which problem sizes are looked for.
var SizesType = &schema.Object{What: "a range of problem sizes, as in {from: 10, to: 100000}", Fields: []schema.Field{
	{Key: "from", Type: sizeOfStudies, Default: "4", Meaning: "smallest problem size"},
	{Key: "to", Type: sizeOfStudies, Default: "1048576", Meaning: "largest problem size"},
}}

var (
	// sizeOfStudies is a problem size that studies can look at.
	sizeOfStudies = schema.Integer{Min: 3, Max: algorithm.MaxOrder}
	trendDegree   = schema.Integer{Min: 1, Max: 9}
	trendPoints   = schema.Integer{Min: 2, Max: 1000}
)

const wantSize = "a problem size of at least 3"

var trendObject = &schema.Object{What: "a trend line, as in {degree: 3, points: 8}", Fields: []schema.Field{
	{Key: "degree", Type: trendDegree, Default: "3", Meaning: "degree of the polynomial"},
	{Key: "points", Type: trendPoints, Default: "8", Meaning: "sampled problem sizes"},
}}

var calibrationObject = &schema.Object{What: "how parameters were fitted, with parameters, against and method", Fields: []schema.Field{
	{Key: "parameters", Type: schema.List{Of: schema.Text}, Required: true, Meaning: "paths of the parameters, such as workload.sustained"},
	{Key: "against", Type: schema.Text, Required: true, Meaning: "what they were fitted to"},
	{Key: "method", Type: schema.Text, Required: true, Meaning: "how they were found"},
}}

var comparisonObject = &schema.Object{What: "values to compare with, with source and one or more of n, psi and times", Fields: []schema.Field{
	{Key: "source", Type: schema.Text, Required: true, Meaning: "where the values come from"},
	{Key: "label", Type: schema.Name, Default: "compared", Meaning: "what charts and tables call them, as published"},
	{Key: "n", Type: schema.Map{Of: schema.Integer{Min: 1, Max: algorithm.MaxOrder}}, Meaning: "problem sizes by system, as in {C2: 310}"},
	{Key: "psi", Type: schema.List{Of: schema.Number{Max: math.MaxFloat64, Above: true}}, Meaning: "scalabilities, one for each pair of neighbouring systems"},
	{Key: "times", Type: schema.List{Of: measuredTimeObject}, Meaning: "measured times"},
}}

var measuredTimeObject = &schema.Object{What: "a measured time, as in {system: C2, n: 100, time: 260.77 ms}", Fields: []schema.Field{
	{Key: "system", Type: schema.Text, Required: true, Meaning: "the name of a system"},
	{Key: "n", Type: sizeOfStudies, Required: true, Meaning: "problem size"},
	{Key: "time", Type: schema.PositiveTime, Required: true, Meaning: "measured time"},
}}

// DecodeStudy reads a study from the root of a file in folder base. Its problems are
// those of r.
func DecodeStudy(r *document.Reader, root *yamldoc.Node, base string) *Study {
	return reader{r}.study(root, base)
}

func (r reader) study(root *yamldoc.Node, base string) *Study {
	d := studyObject.Open(&r.Decoder, root)
	s := &Study{
		Title:       r.String(d.Take("title"), "a title"),
		Description: r.String(d.Take("description"), "a description"),
	}
	const wantTarget = "the speed-efficiency to hold as a fraction, such as 0.3 for 30 %"
	target := d.Require("target_efficiency", wantTarget)
	if target != nil {
		s.TargetPos = target.Pos()
	}
	s.Target = r.Float(target, wantTarget, func(x float64) bool { return x > 0 && x <= 100 })
	s.Machine = machines.Read(r.Reader, d.Require("machine", "the machine to simulate"), base)
	s.Network = networks.Read(&r.Decoder, d.Require("network", "the network model: "+input.List(networks.Names())), s.Machine)
	s.Workload = workload.Read(r.Reader, d.Require("workload", "the workload to run"), false, base)
	placement := topology.Selection{Oversubscribe: s.Network.SharesCores()}
	r.placement(d.Take("placement"), s.Machine, s.Workload, &placement)
	s.systems(r, d.Require("systems", "a list of systems, as in [{name: C2, nodes: {server: 1, blade: 1}}]"), placement)
	s.Sizes = ReadSizes(&r.Decoder, d.Take("sizes"))
	s.Trend = r.trend(d.Take("trend"))
	s.Calibration = r.calibration(d.Take("calibration"))
	s.Compare = r.comparison(d.Take("compare"), s)
	s.Seed = ReadSeed(&r.Decoder, d.Take("seed"))
	d.Done()
	s.Inputs = r.Inputs()
	return s
}

func (s *Study) systems(r reader, n *yamldoc.Node, placement topology.Selection) {
	items := r.Sequence(n, "systems, as in [{name: C2, nodes: {server: 1, blade: 1}}]")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no systems", "at least one")
	}
	for _, item := range items {
		d := systemObject.Open(&r.Decoder, item)
		x := StudySystem{Name: schema.Name.Read(&r.Decoder, d.Require("name", schema.WantName))}
		if s.find(x.Name) >= 0 && x.Name != "" {
			r.Fail(item, fmt.Sprintf("a second system named %q", x.Name), "a name of its own for each system")
		}
		x.Selection = placement
		x.Selection.Nodes = r.nodes(d.Take("nodes"), s.Machine)
		r.placement(d.Take("placement"), s.Machine, s.Workload, &x.Selection)
		r.defaultPlacement(item, s.Machine, s.Workload, &x.Selection)
		d.Done()
		r.checkPlacement(item, s.Machine, x.Selection, s.Workload)
		s.Systems = append(s.Systems, x)
	}
}

// find returns the index of the system of that name, or -1.
func (s *Study) find(name string) int {
	return slices.IndexFunc(s.Systems, func(x StudySystem) bool { return x.Name == name })
}

func (s *Study) names() []string {
	names := make([]string, len(s.Systems))
	for i, x := range s.Systems {
		names[i] = x.Name
	}
	return names
}

// UsualSizes are the problem sizes that a search looks at unless it is told others.
var UsualSizes = SizeRange{From: 4, To: 1 << 20}

// ReadSizes reads a range of problem sizes, the usual ones where n says nothing.
func ReadSizes(d *yamldoc.Decoder, n *yamldoc.Node) SizeRange {
	keys := SizesType.Open(d, n)
	s := SizeRange{
		From: sizeOfStudies.ReadOr(d, keys.Take("from"), wantSize, UsualSizes.From),
		To:   sizeOfStudies.ReadOr(d, keys.Take("to"), wantSize, UsualSizes.To),
	}
	if s.From >= s.To && d.ProblemCount() == 0 {
		d.Fail(n, fmt.Sprintf("from %d to %d is empty", s.From, s.To), "from below to")
	}
	keys.Done()
	return s
}

func (r reader) trend(n *yamldoc.Node) TrendPlan {
	d := trendObject.Open(&r.Decoder, n)
	t := TrendPlan{
		Degree: trendDegree.ReadOr(&r.Decoder, d.Take("degree"), "the degree of a polynomial, 1 to 9", 3),
		Points: trendPoints.ReadOr(&r.Decoder, d.Take("points"), "a number of sampled sizes, 2 to 1000", 8),
	}
	if t.Points <= t.Degree && r.ProblemCount() == 0 {
		r.Fail(n, fmt.Sprintf("%d points for a polynomial of degree %d", t.Points, t.Degree), fmt.Sprintf("at least %d points", t.Degree+1))
	}
	d.Done()
	return t
}

func (r reader) calibration(n *yamldoc.Node) *Calibration {
	if n == nil {
		return nil
	}
	d := calibrationObject.Open(&r.Decoder, n)
	c := &Calibration{}
	for _, p := range r.Sequence(d.Require("parameters", "a list of parameters"), "a list of parameters") {
		c.Parameters = append(c.Parameters, r.String(p, "the path of a parameter, such as workload.sustained"))
	}
	c.Against = r.String(d.Require("against", "what they were fitted to"), "what they were fitted to")
	c.Method = r.String(d.Require("method", "how they were found"), "how they were found")
	d.Done()
	return c
}

func (r reader) comparison(n *yamldoc.Node, s *Study) *Comparison {
	if n == nil {
		return nil
	}
	d := comparisonObject.Open(&r.Decoder, n)
	c := &Comparison{Source: r.String(d.Require("source", "where the values come from"), "where the values come from"), Label: "compared"}
	if v := d.Take("label"); v != nil {
		c.Label = schema.Name.Read(&r.Decoder, v)
	}
	if v := d.Take("n"); v != nil {
		m := r.Mapping(v, "problem sizes by system, as in {C2: 310}")
		c.N = map[string]int{}
		for _, x := range s.Systems {
			if size := m.Take(x.Name); size != nil {
				c.N[x.Name] = r.Int(size, 1, algorithm.MaxOrder, "a problem size, a whole number above 0")
			}
		}
		m.Done()
	}
	if v := d.Take("psi"); v != nil {
		for _, p := range r.Sequence(v, "a list of scalabilities between neighbours") {
			const want = "a scalability above 0"
			c.Psi = append(c.Psi, r.Float(p, want, func(x float64) bool { return x > 0 }))
		}
		if want := len(s.Systems) - 1; len(c.Psi) != want && v.IsSequence() {
			r.Fail(v, fmt.Sprintf("%d values", len(c.Psi)), fmt.Sprintf("%d, one for each pair of neighbouring systems", want))
		}
	}
	if v := d.Take("times"); v != nil {
		for _, t := range r.Sequence(v, "a list of measured times, as in [{system: C2, n: 100, time: 260.77 ms}]") {
			m := measuredTimeObject.Open(&r.Decoder, t)
			x := MeasuredTime{System: s.find(r.OneOf(m.Require("system", "the name of a system"), s.names(), "system"))}
			x.N = sizeOfStudies.ReadOr(&r.Decoder, m.Require("n", "a problem size"), wantSize, 0)
			x.Time = schema.PositiveTime.Require(&r.Decoder, m, "time")
			m.Done()
			c.Times = append(c.Times, x)
		}
	}
	d.Done()
	return c
}
