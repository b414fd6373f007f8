package scenario

import (
	"cmp"
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
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Study is a ladder of systems that all run a workload at the same speed-efficiency, each at the problem size that this
// takes.
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
	RankOrder RankOrder
	// Machine and Network are set if they differ from those of the study, as where a torus grows with the system; nil:
	// the study's.
	Machine *topology.Machine
	Network *networks.Network
}

// MachineOf returns the machine of system i.
func (s *Study) MachineOf(i int) *topology.Machine { return cmp.Or(s.Systems[i].Machine, s.Machine) }

// Scenario returns system i of the study as a scenario without a problem size.
func (s *Study) Scenario(i int) *Scenario {
	return &Scenario{Title: s.Title, Machine: s.MachineOf(i), Selection: s.Systems[i].Selection,
		RankOrder: s.Systems[i].RankOrder, Network: *cmp.Or(s.Systems[i].Network, &s.Network), Workload: s.Workload, Seed: s.Seed, Inputs: s.Inputs}
}

// Facts returns [Scenario.Facts] for all systems.
func (s *Study) Facts() []input.Parameter {
	order := s.Systems[0].RankOrder.Name
	if slices.ContainsFunc(s.Systems, func(x StudySystem) bool { return x.RankOrder.Name != order }) {
		order = input.List(each.Of(s.Systems, func(x StudySystem) string {
			return x.Name + ": " + cmp.Or(x.RankOrder.Name, RankOrders[0])
		}))
	}
	return settingFacts(s.Machine, s.Network, s.Workload, order)
}

// SizeRange is the range in which problem sizes are searched.
type SizeRange struct{ From, To int }

// TrendPlan says how the papers' way of reading off N is imitated: a polynomial of this degree through this number of
// sampled sizes, 0 for none.
type TrendPlan struct{ Degree, Points int }

// Calibration says which parameters were fitted, to what and how. It is for the reader only: nothing is computed from
// it.
type Calibration struct {
	Parameters []string
	Against    string
	Method     string
}

// Comparison holds values from elsewhere. They are shown beside the simulated ones and affect no simulation.
type Comparison struct {
	Source string
	Label  string         // what charts and tables call the values, such as "published"
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

// ReadStudy reads a study. Its errors are as for [Documents.Read].
func (d Documents) ReadStudy(path string, overrides []input.Override) (*Study, error) {
	r, root, err := d.open(path, overrides, input.KindStudy)
	if err != nil {
		return nil, err
	}
	return DecodeStudy(r, root, filepath.Dir(path)), r.Err()
}

var studyRecord = schema.Declare("a study, with target_efficiency, machine, network, workload and systems", func(k *schema.Keys, f *file[Study]) {
	s := &f.of
	k.Optional("title", schema.Text.To(&s.Title), "the study in a few words")
	k.Optional("description", schema.Text.To(&s.Description), "the study in a few sentences")
	const wantTarget = "the speed-efficiency to hold as a fraction, such as 0.3 for 30 %"
	k.Required("target_efficiency", schema.Number{Max: 100, Above: true, Want: wantTarget}.To(&s.Target), wantTarget)
	s.TargetPos = k.Node("target_efficiency").Pos()
	systemKeys(k, f, &s.Machine, &s.Network)
	k.Required("workload", schema.Func(schema.Later(workload.UnsizedType), func(n *yamldoc.Node) {
		s.Workload = workload.Read(f.Reader, n, false, f.base)
	}), "the workload; the problem size is searched for")
	placement := topology.Selection{Oversubscribe: s.Network.SharesCores()}
	k.Optional("placement", schema.Func(placementType, func(n *yamldoc.Node) {
		f.placement(n, s.Machine, s.Workload, &placement)
	}).Else("1"), "how many processes run on each node of a type, on what, and with how many threads")
	var order *yamldoc.Node
	if RankOrderKey(k, &order); order.IsScalar() && f.OneOf(order, RankOrders, "rank order") == "" {
		order = nil // reported once, not for each system
	}
	k.Required("systems", schema.Func(schema.List{Of: systemRecord.Object, Min: 1}, func(n *yamldoc.Node) {
		s.systems(f, n, k.Node("machine"), k.Node("network"), order, placement)
	}).Wanted("a list of systems, as in [{name: C2, nodes: {server: 1, blade: 1}}]"),
		"the systems to compare, smallest first")
	s.Sizes = UsualSizes
	k.Optional("sizes", sizesRecord.To(&s.Sizes), "the problem sizes to search")
	k.Optional("trend", trendRecord.To(&s.Trend), "the trend line that problem sizes are read off, as in the papers")
	k.Optional("calibration", schema.Pointer(calibrationRecord, &s.Calibration),
		"which parameters were fitted; for readers only, nothing is computed from it")
	k.Optional("compare", schema.Func(comparisonRecord.Object, func(n *yamldoc.Node) {
		c := comparing{study: s}
		comparisonRecord.Read(k.Decoder, n, &c)
		s.Compare = &c.Comparison
	}), "published or measured values to show beside the simulated ones")
	k.Optional("seed", Seed(&s.Seed), "seed of all random numbers")
})

// DecodeStudy reads a study from the root of a file in folder base. It reports problems to r.
func DecodeStudy(r *document.Reader, root *yamldoc.Node, base string) *Study {
	f := &file[Study]{reader: reader{r}, base: base}
	studyRecord.Read(&r.Decoder, root, f)
	f.of.Inputs = r.Inputs()
	return &f.of
}

// placedSystem is a system of a study that is being read. machine and network are the study's nodes.
type placedSystem struct {
	*file[Study]
	study            *Study
	machine, network *yamldoc.Node
	order            *yamldoc.Node // the study's
	StudySystem
}

// own reads the machine and the network of a system that differ from the study's in some keys.
func (x *placedSystem) own(machine, network *yamldoc.Node) {
	merged := func(of, over *yamldoc.Node) *yamldoc.Node {
		if over == nil {
			return of
		}
		return of.Merge(over)
	}
	x.Machine = machines.Read(x.Reader, merged(x.machine, machine), x.base)
	if x.Machine == nil {
		return // reported already
	}
	n := networks.Read(&x.Decoder, merged(x.network, network), x.Machine)
	x.Network = &n
	x.Selection.Oversubscribe = n.SharesCores()
}

var systemRecord = schema.Declare("a system, as in {name: C2, nodes: {server: 1, blade: 1}}", func(k *schema.Keys, x *placedSystem) {
	k.Required("name", schema.Name.To(&x.Name), "name of the system")
	if k.Declaring() {
		x.file, x.study = &file[Study]{}, &Study{}
	}
	var machine, network *yamldoc.Node
	k.Optional("machine", schema.Node(schema.Any, &machine),
		"keys of a machine in place of the study's, or another machine, as in {network: {topology: {dimensions: [4, 4, 4]}}}")
	k.Optional("network", schema.Node(schema.Any, &network), "keys of the network model in place of the study's, or another model")
	if !k.Declaring() && (machine != nil || network != nil) && x.machine != nil && x.network != nil {
		x.own(machine, network)
	}
	m, w := cmp.Or(x.Machine, x.study.Machine), x.study.Workload
	x.Selection.Nodes = nil
	k.Optional("nodes", x.nodesKey(m, &x.Selection), "how many nodes of each type take part")
	k.Optional("placement", schema.Func(placementType, func(n *yamldoc.Node) {
		x.placement(n, m, w, &x.Selection)
	}), "how many processes run on each node of a type; by default that of the study")
	x.defaultPlacement(k.Self(), m, w, &x.Selection)
	order := x.order
	RankOrderKey(k, &order)
	if !k.Declaring() {
		x.RankOrder = x.rankOrder(order, m, &x.Selection)
	}
})

func (s *Study) systems(r *file[Study], n, machine, network, order *yamldoc.Node, placement topology.Selection) {
	items := r.Sequence(n, "systems, as in [{name: C2, nodes: {server: 1, blade: 1}}]")
	if n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no systems", "at least one")
	}
	for _, item := range items {
		x := placedSystem{r, s, machine, network, order, StudySystem{Selection: placement}}
		systemRecord.Read(&r.Decoder, item, &x)
		if s.find(x.Name) >= 0 && x.Name != "" {
			r.Fail(item, fmt.Sprintf("a second system named %q", x.Name), "a name of its own for each system")
		}
		r.checkPlacement(item, cmp.Or(x.Machine, s.Machine), x.Selection, s.Workload)
		s.Systems = append(s.Systems, x.StudySystem)
	}
}

// find returns the index of the system with a name, or -1.
func (s *Study) find(name string) int {
	return slices.IndexFunc(s.Systems, func(x StudySystem) bool { return x.Name == name })
}

// UsualSizes are the problem sizes in which a search looks by default.
var UsualSizes = SizeRange{From: 4, To: 1 << 20}

// sizeOfStudies is a problem size that studies can try.
var sizeOfStudies = schema.Integer{Min: 3, Max: algorithm.MaxOrder, Want: "a problem size of at least 3"}

var sizesRecord = schema.Declare("a range of problem sizes, as in {from: 10, to: 100000}", func(k *schema.Keys, s *SizeRange) {
	k.Optional("from", sizeOfStudies.To(&s.From).Or(UsualSizes.From), "smallest problem size")
	k.Optional("to", sizeOfStudies.To(&s.To).Or(UsualSizes.To), "largest problem size")
	if s.From >= s.To && k.ProblemCount() == 0 {
		k.Fail(k.Self(), fmt.Sprintf("from %d to %d is empty", s.From, s.To), "from below to")
	}
})

// SizesType is a range in which problem sizes are searched.
var SizesType = sizesRecord.Object

// ReadSizes reads a range of problem sizes; ends that n leaves out are the usual ones.
func ReadSizes(d *yamldoc.Decoder, n *yamldoc.Node) SizeRange {
	var s SizeRange
	sizesRecord.Read(d, n, &s)
	return s
}

const (
	usualDegree = 3
	usualPoints = 8
)

var trendRecord = schema.Declare("a trend line, as in {degree: 3, points: 8}", func(k *schema.Keys, t *TrendPlan) {
	k.Optional("degree", schema.Integer{Min: 1, Max: 9, Want: "the degree of a polynomial, 1 to 9"}.To(&t.Degree).Or(usualDegree), "degree of the polynomial")
	k.Optional("points", schema.Integer{Min: 2, Max: 1000, Want: "a number of sampled sizes, 2 to 1000"}.To(&t.Points).Or(usualPoints), "sampled problem sizes")
	if t.Points <= t.Degree && k.ProblemCount() == 0 {
		k.Fail(k.Self(), fmt.Sprintf("%d points for a polynomial of degree %d", t.Points, t.Degree), fmt.Sprintf("at least %d points", t.Degree+1))
	}
})

var calibrationRecord = schema.Declare("how parameters were fitted, with parameters, against and method", func(k *schema.Keys, c *Calibration) {
	k.Required("parameters", schema.ListOf[string]{Of: schema.Text, What: "parameters"}.To(&c.Parameters),
		"paths of the parameters, such as workload.sustained")
	k.Required("against", schema.Text.To(&c.Against), "what they were fitted to")
	k.Required("method", schema.Text.To(&c.Method), "how they were found")
})

// comparing is a comparison with a study that is being read.
type comparing struct {
	study *Study
	Comparison
}

var comparisonRecord = schema.Declare("values to compare with, with source and one or more of n, psi and times", func(k *schema.Keys, c *comparing) {
	k.Required("source", schema.Text.To(&c.Source), "where the values come from")
	k.Optional("label", schema.Name.To(&c.Label).Or("compared"), "what charts and tables call them, such as published")
	order := schema.Integer{Min: 1, Max: algorithm.MaxOrder, Want: "a problem size, a whole number above 0"}
	k.Optional("n", schema.Func(schema.Map{Of: order}, func(n *yamldoc.Node) {
		m := k.Mapping(n, "problem sizes by system, as in {C2: 310}")
		c.N = map[string]int{}
		for _, x := range c.study.Systems {
			if size := m.Take(x.Name); size != nil {
				c.N[x.Name] = order.Read(k.Decoder, size)
			}
		}
		m.Done()
	}), "problem sizes by system, as in {C2: 310}")
	psi := schema.Number{Max: math.MaxFloat64, Above: true, Want: "a scalability above 0"}
	k.Optional("psi", schema.ListOf[float64]{Of: psi, What: "scalabilities between neighbours"}.To(&c.Psi),
		"scalabilities, one for each pair of neighbouring systems")
	if n := k.Node("psi"); n.IsSequence() && len(c.Psi) != len(c.study.Systems)-1 {
		k.Fail(n, fmt.Sprintf("%d values", len(c.Psi)), fmt.Sprintf("%d, one for each pair of neighbouring systems", len(c.study.Systems)-1))
	}
	k.Optional("times", schema.Func(schema.List{Of: measuredTimeRecord.Object}, func(n *yamldoc.Node) {
		for _, item := range k.Sequence(n, "a list of measured times, as in [{system: C2, n: 100, time: 260.77 ms}]") {
			t := measuring{study: c.study}
			measuredTimeRecord.Read(k.Decoder, item, &t)
			c.Times = append(c.Times, t.MeasuredTime)
		}
	}), "measured times")
})

// measuring is a measured time of a study that is being read.
type measuring struct {
	study *Study
	MeasuredTime
}

var measuredTimeRecord = schema.Declare("a measured time, as in {system: C2, n: 100, time: 260.77 ms}", func(k *schema.Keys, t *measuring) {
	k.Required("system", schema.Func(schema.Text, func(n *yamldoc.Node) {
		names := each.Of(t.study.Systems, func(x StudySystem) string { return x.Name })
		t.System = t.study.find(k.OneOf(n, names, "system"))
	}), "the name of a system")
	k.Required("n", sizeOfStudies.To(&t.N), "problem size")
	k.Required("time", schema.PositiveTime.To(&t.Time), "measured time")
})
