package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// A Plan is a question: what to choose from, for which work, within which limits. Once read, all prices are in the
// currency of the budget.
type Plan struct {
	Title       string
	Description string
	Budget      Budget
	Exchange    []Rate
	Energy      Energy
	Costs       Costs
	Commitments []Commitment
	Bids        []Bid                // in the order of the file
	bidFigures  []Figure             // their prices
	offered     map[string]Parameter // figures of offers, by their places in the file
	Nodes       []Node
	Networks    []Network
	Counts      Counts
	Mixes       [][]int // of two or more indices into Nodes, increasing
	Require     []Requirement
	Existing    *Existing // nil: the machine is new
	Model       *networks.Model
	OnNode      topology.Connection // between processes of a node
	OnNodeFrom  string              // the source of that
	Workloads   []Workload
	Objective   Objective
	Reference   *Choice  // nil: the existing machine, if there is one
	Scoring     *Scoring // nil: the objective decides among designs, too
	Load        string   // with runs in a year: how much of them is done
	Queue       Queue
	Tolerance   float64 // of the shortest time, within which the cheapest machine is recommended
	Robustness  Robustness
	Ranges      *Ranges // nil: figures have no ranges
	Seed        int64
	Inputs      []input.Input

	Better      *system.Part  // nil: the machine as in the file; else with this part improved
	WholeUnsaid []string      // workloads with runs in a year for which the plan does not say how many nodes they take
	ModelText   string        // of the network model, as the file has it
	ReadFiles   []string      // SHA-256 sums of the files that the plan names
	ByRuns      bool          // workloads are weighted by runs in a year; the score is the time of a year's work
	BudgetNode  *yamldoc.Node // where messages about the limits point
	MoneyNode   *yamldoc.Node // where messages about the money point
}

func (p *Plan) UsesMemory() bool {
	return slices.ContainsFunc(p.Workloads, func(w Workload) bool {
		return slices.ContainsFunc(w.Runs(), func(x *Workload) bool { return x.Run.MovesMemory() })
	})
}

// What a machine does in a year:
const (
	LoadRuns = "runs" // the runs that the plan states, as far as they fit into the hours available
	LoadFull = "full" // as many as fit, in the proportions of the plan
)

// A Budget bounds the machine. A limit of 0 is none.
type Budget struct {
	Money units.Money // for what is bought
	// Life says that the money also pays for the energy over the years of operation.
	Life      bool
	Power     units.Watts // of the whole machine under load, without cooling
	RackUnits float64     // of the whole machine
}

// Figures lists the figures of all candidates.
func (p *Plan) Figures() []Figure {
	all := []Figure{}
	for _, n := range p.Nodes {
		all = append(all, n.Figures...)
	}
	for _, n := range p.Networks {
		all = append(all, n.Figures...)
	}
	all = append(all, p.bidFigures...)
	inside := Entry{Name: KindOnNode}
	inside.figure(QuantityLatency, p.OnNode.Latency.String(), p.OnNodeFrom)
	inside.figure(QuantityBandwidth, p.OnNode.Bandwidth.String(), p.OnNodeFrom)
	return append(all, inside.Figures...)
}

// A Rate says what one unit of a currency is worth in the currency of the budget.
type Rate struct {
	Currency string
	Worth    float64
}

// Energy is what the cost of energy depends on.
type Energy struct {
	Price       float64   // of a kilowatt hour in the first year, in the currency of the budget
	Growth      float64   // of that price a year
	Path        []float64 // instead of growth: that price by year over the first year's; the last holds from then on
	Years       float64   // of operation, above 0
	Utilisation float64   // fraction of these in which the machine computes, or can compute at most; above 0
	Overhead    float64   // power drawn over power of the machine, at least 1: cooling and losses
}

// An Entry is what node types and networks have in common.
type Entry struct {
	Name    string
	Title   string
	Figures []Figure
}

// A Node is a node type.
type Node struct {
	Entry
	ForSale bool // may be bought by itself; else it is that of an existing machine or of bids
	// Devices are the accelerators that its processes run on, one each; nil if they run on cores. If set, Cores counts
	// devices, and memories and speeds are sums over all devices.
	Devices         *topology.Devices
	Partition       string // by which workloads choose nodes
	Precision       string // of the marked speed of devices
	PrecisionGiven  bool   // by the plan: it holds for applications that name another, too
	speedSource     string // where those speeds of devices come from that are not the marked speed
	Cores           int
	Processes       int                  // on each node
	Threads         int                  // of each process, each on a core of its own
	Speed           units.FlopsPerSecond // marked speed of the node, all cores together
	Memory          units.Bytes          // 0: not known
	MemoryBandwidth units.BytesPerSecond // 0: not known
	Power           units.Watts          // under load
	IdlePower       units.Watts          // at most Power
	WaitPower       units.Watts          // while its processes send, receive or wait; between the other two
	RackUnits       float64
	Price           units.Money
	Discounts       []Discount           // by increasing numbers of nodes
	Cards           int                  // network cards, each with a port; 0 is one
	OnNode          *topology.Connection // between its processes; nil: as Plan.OnNode
	Kernels         []topology.Kernel    // efficiencies of its cores
}

// A Discount is the price of each node when at least From are bought.
type Discount struct {
	From  int
	Price float64
}

// Cost returns the price of count nodes.
func (n *Node) Cost(count int) float64 {
	price := n.Price.Amount
	for _, d := range n.Discounts {
		if count >= d.From {
			price = d.Price
		}
	}
	return float64(float64(count) * price)
}

// leastCost returns a lower bound on the cost of any number of nodes between two. At one price more nodes cost more, so
// it is the cost of the fewest nodes or of the fewest at a discounted price.
func (n *Node) leastCost(from, to int) float64 {
	least := n.Cost(from)
	for _, d := range n.Discounts {
		if from < d.From && d.From <= to {
			least = min(least, n.Cost(d.From))
		}
	}
	return least
}

// priceText is the price of a node with its discounts: "14 000 EUR, from 32 nodes 13 000 EUR".
func (p *Plan) priceText(n *Node) string {
	text := p.Money(n.Price.Amount)
	for _, d := range n.Discounts {
		text += fmt.Sprintf(", from %d nodes %s", d.From, p.Money(d.Price))
	}
	return text
}

// UsedCores returns how many cores compute.
func (n *Node) UsedCores() int { return n.Processes * n.Threads }

func (n *Node) Used() units.FlopsPerSecond {
	return n.Speed * units.FlopsPerSecond(n.UsedCores()) / units.FlopsPerSecond(n.Cores)
}

type Network struct {
	Entry
	BidsOnly         bool                 // not for machines that are bought part by part
	Nodes            []int                // indices into Plan.Nodes of the types that it connects; nil: any
	Latency          units.Seconds        // of an empty message through one switch
	HopLatency       units.Seconds        // of each further switch
	Bandwidth        units.BytesPerSecond // of a port
	PortPrice        units.Money          // adapter and cable of a node
	PortPower        units.Watts
	Switch           Switch
	CablePrice       units.Money // between switches
	FatTree          bool        // two levels where one switch does not suffice; else one switch only
	Oversubscription float64     // ports of a leaf to nodes over those to spines, at least 1
}

type Switch struct {
	Price     units.Money
	Ports     int // at least 2
	Power     units.Watts
	RackUnits float64
}

// Counts are the numbers of nodes to consider of each type.
type Counts struct {
	Affordable bool  // up to as many as the limits allow
	List       []int // else these, increasing
}

// Retire says whether an existing machine may give way to a new one.
type Retire string

const (
	RetireNever    Retire = "never"    // it is kept and extended
	retireAllowed  Retire = "allowed"  // it is kept, or its nodes are retired
	RetireRequired Retire = "required" // its nodes are retired
)

// An Existing machine is kept and extended, unless its nodes are retired.
type Existing struct {
	Node, Network int // indices into Nodes and Networks
	Count         int
	Retire        Retire
	Maintenance   float64 // of its nodes, a year, unless they are retired
}

// A Workload is one part of the mix.
type Workload struct {
	Name string
	Run  workload.Workload
	// Weight is the number of runs in a year, or a share; the shares of all workloads add up to 1.
	Weight float64
	// On is where a run takes place.
	On        RunNodes
	Partition string             // of the node types that it may run on; "" for any
	Memory    units.Bytes        // of each of its nodes, at least; 0: any
	Devices   int                // on which it runs, at least; 0: any number, or none
	RankOrder scenario.RankOrder // which rank runs where on its nodes
	// Impossible is what a run counts as on a machine that cannot run it; 0: such a machine is excluded.
	Impossible units.Seconds
	// Either are alternatives, each saying what is run and where: a node type gets the first alternative that runs on
	// it. Run is that of the first alternative. nil: there is only one.
	Either   []Workload
	Deadline units.Seconds // of a run; 0 for none
	// Batch is a number of runs that a machine that does nothing else must complete within Within; 0 for none.
	Batch    int
	Within   units.Seconds
	Estimate queue.Estimate // of run times, as the queue knows them
	// Target is the speed-efficiency to hold, with a problem size searched within Sizes; 0 if the size is given.
	Target float64
	Sizes  scenario.SizeRange
	Text   string // of Run, as the file has it
	// Content is what Run is, whatever the order and the units in which the file has it.
	Content string
}

func (w Workload) name() string { return w.Name }

// SideBySide reports whether runs of some workload take less than the whole machine.
func (p *Plan) SideBySide() bool {
	return slices.ContainsFunc(p.Workloads, func(w Workload) bool { return !w.On.All })
}

// OnSome reports whether every run takes some nodes of one type, so that it takes equally long on all machines that
// have these nodes and the same wiring.
func (p *Plan) OnSome() bool {
	return !slices.ContainsFunc(p.Workloads, func(w Workload) bool { return w.On.All })
}

// Robustness says how the choice is tested.
type Robustness struct {
	Change  float64 // relative change of each figure, above 0 and below 1
	Samples int     // joint changes
}

func (p *Plan) Describe() *input.Description {
	d := &input.Description{Title: p.Title}
	fact := func(name string, known bool, value any) {
		if known {
			d.Facts = append(d.Facts, input.Parameter{Name: name, Value: fmt.Sprint(value)})
		}
	}
	fact("budget", p.Budget.Money.Currency != "", p.Budget.Money)
	fact("power limit", p.Budget.Power > 0, p.Budget.Power)
	fact("rack units", p.Budget.RackUnits > 0, input.Number(p.Budget.RackUnits))
	fact("energy price", true, input.Number(p.Energy.Price)+" "+p.Budget.Money.Currency+"/kWh")
	fact("years of operation", true, input.Number(p.Energy.Years))
	fact("objective", true, p.Objective.Name)
	fact("network model", true, p.Model.Name)
	if e := p.Existing; e != nil {
		fact("existing", true, fmt.Sprintf("%d %s on %s", e.Count, p.Nodes[e.Node].Name, p.Networks[e.Network].Name))
	}
	for _, x := range p.Require {
		fact("required", true, x.Nodes+": "+x.AtLeast())
	}
	nodes := input.DataTable{Title: "node types", Columns: []string{"node", "cores", "speed", "memory", "bandwidth",
		"power", "U", "price"}}
	for _, n := range p.Nodes {
		runOn := fmt.Sprint(n.Cores) // what its processes run on
		if n.Devices != nil {
			runOn = input.Plural(n.Cores, "device")
		}
		nodes.Rows = append(nodes.Rows, []string{
			n.Name, runOn, n.Speed.String(), input.OrDash(n.Memory > 0, n.Memory),
			input.OrDash(n.MemoryBandwidth > 0, n.MemoryBandwidth), n.Power.String(), input.Number(n.RackUnits),
			input.OrDash(n.ForSale || n.Price.Amount > 0, p.priceText(&n)),
		})
	}
	networks := input.DataTable{Title: "networks", Columns: []string{"network", "latency", "bandwidth", "per port",
		"switch", "ports"}}
	for _, n := range p.Networks {
		networks.Rows = append(networks.Rows, []string{n.Name, n.Latency.String(), n.Bandwidth.String(),
			input.OrDash(!n.BidsOnly, p.Money(n.PortPrice.Amount)), input.OrDash(!n.BidsOnly, p.Money(n.Switch.Price.Amount)), fmt.Sprint(n.Switch.Ports)})
	}
	works := input.DataTable{Title: "workloads", Columns: []string{"workload", "algorithm", "n", "weight", "nodes"}}
	for _, w := range p.Workloads {
		weight := input.Number(w.Weight)
		if p.ByRuns {
			weight = WeightText(w.Weight) + " runs a year"
		}
		for i, x := range w.Runs() {
			size := fmt.Sprint(x.Run.N)
			if w.Target > 0 {
				size = fmt.Sprintf("%d to %d, for efficiency %g", w.Sizes.From, w.Sizes.To, w.Target)
			}
			if i > 0 {
				weight = "or"
			}
			place := x.On.Text()
			if x.Partition != "" {
				place += ", " + x.Partition
			}
			works.Rows = append(works.Rows, []string{w.Name, x.Run.Name, size, weight, place + x.AtLeast()})
		}
	}
	if d.Tables = []input.DataTable{nodes, networks, works}; len(p.Bids) > 0 {
		d.Tables = append(d.Tables, p.describeBids())
	}
	return d
}
