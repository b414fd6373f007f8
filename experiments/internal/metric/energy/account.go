package energy

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// An Account is the energy of a run by purpose. The parts add up to the total; its JSON form is a contract
// (docs/formats/json.md).
type Account struct {
	Total     Joules      `json:"total_j"`
	Compute   Joules      `json:"compute_j"`  // by computations, above the power of idle nodes
	Messages  Joules      `json:"messages_j"` // by sending, receiving and waiting, also above that
	Idle      Joules      `json:"idle_j"`     // by the nodes that take part, as if they did nothing
	Network   Joules      `json:"network_j"`  // by their share of ports, cables and switches
	MeanPower units.Watts `json:"mean_power_w"`
	Assumed   []string    `json:"assumed"` // names of powers that are estimates; may be empty, never null

	Ranks []Joules `json:"-"` // of each rank: its own energy, and an equal part of the rest of its node's
}

// Of returns the energy of a run on the nodes of a placement, where the network draws perNode for each node; nil if the
// power of a node is not known. The result must report every rank.
//
//	E = sum over nodes of (P_idle + P_network) T
//	  + sum over ranks of f (P_load - P_idle) t_compute + f (P_wait - P_idle) t_message
//
//	T          makespan, s
//	t_compute  time that the rank computes, s
//	t_message  time that it sends, receives or waits until it finishes, s
//	P          powers of its node under load, waiting and idle, W; for a process on a
//	           device, plus those of the device
//	f          fraction of the node that the process uses: its threads over the cores, or
//	           one of the devices; 1 for its device. Processes that share cores use
//	           equal fractions
//
// So power is linear in the number of computing processes. A process draws nothing from its finish to the end of the
// run, nor while its node is stopped.
func Of(p *topology.Placement, perNode units.Watts, r *sim.Result) *Account {
	if !Known(p) || len(r.Ranks) != p.Ranks() {
		return nil
	}
	a := &Account{Ranks: make([]Joules, len(r.Ranks)), Assumed: []string{}}
	for _, b := range p.Blocks {
		a.add(p, b, perNode, r)
	}
	a.Total = a.Compute + a.Messages + a.Idle + a.Network
	if r.Makespan > 0 {
		a.MeanPower = units.Watts(float64(a.Total) / float64(r.Makespan))
	}
	return a
}

// add adds the energy of the nodes of a block.
func (a *Account) add(p *topology.Placement, b topology.Block, perNode units.Watts, r *sim.Result) {
	node, device, assumed := powers(b)
	for _, text := range assumed {
		if !slices.Contains(a.Assumed, text) {
			a.Assumed = append(a.Assumed, text)
		}
	}
	idle, load, message := node.idle, node.load-node.idle, node.message-node.idle
	part := part(b)
	load, message = units.Watts(part*float64(load)), units.Watts(part*float64(message))
	if d := b.Type.Devices; d != nil {
		idle += units.Watts(units.Watts(d.Count) * device.idle)
	}
	if b.OnDevices() {
		load += device.load - device.idle
		message += device.message - device.idle
	}
	idleEnergy, network := over(idle, r.Makespan), over(perNode, r.Makespan)
	a.Idle += Joules(Joules(b.Nodes) * idleEnergy)
	a.Network += Joules(Joules(b.Nodes) * network)
	rest := (idleEnergy + network) / Joules(b.Processes)
	for i := range b.Nodes * b.Processes {
		rank := p.Rank(b.FirstSlot + i)
		x := &r.Ranks[rank]
		compute, messages := over(load, x.Useful()), over(message, inMessages(x))
		a.Compute += compute
		a.Messages += messages
		a.Ranks[rank] = compute + messages + rest
	}
}

// NodeTime returns how long the nodes of a block compute and are in messages during a run, in s: the sum over their
// processes of each one's time, times the fraction of its node that it uses.
func NodeTime(p *topology.Placement, b topology.Block, r *sim.Result) (compute, messages units.Seconds) {
	for i := range b.Nodes * b.Processes {
		x := &r.Ranks[p.Rank(b.FirstSlot+i)]
		compute, messages = compute+x.Useful(), messages+inMessages(x)
	}
	f := units.Seconds(part(b))
	return f * compute, f * messages
}

// inMessages returns how long a process sends, receives or waits until it finishes, while its streams do not compute.
func inMessages(x *sim.RankResult) units.Seconds {
	return max(0, x.Overhead()+(x.Wait()-x.Stopped)-x.Beside)
}

// part returns the fraction of a node that one of its processes uses.
func part(b topology.Block) float64 {
	if b.OnDevices() {
		return 1 / float64(b.Type.Devices.Count)
	}
	return min(float64(b.Threads)/float64(b.Type.Cores), 1/float64(b.Processes))
}

// levels are the powers of a node, or of a device.
type levels struct {
	load    units.Watts // all its processes compute
	message units.Watts // all its processes are in messages
	idle    units.Watts // without work
}

// Estimates of powers that are not given. Idle nodes drew half of their peak in the servers of [Barroso2007]; today's
// draw less. On most systems a waiting process polls, so it draws more than an idle one, and less than one that
// computes.
const (
	idleShare    = 0.5 // of the power under load
	messageShare = 0.5 // of the way from idle to load
)

// Halfway is the estimate of a power in messages that is not given.
func Halfway(idle, load units.Watts) units.Watts {
	return idle + units.Watts(messageShare*(load-idle))
}

// fill replaces powers that are not given by estimates, and names these.
func (l levels) fill(what string) (filled levels, assumed []string) {
	if l.idle == 0 && l.load > 0 {
		l.idle = idleShare * l.load
		assumed = append(assumed, fmt.Sprintf("idle_power of %s is %v: half of its power under load", what, l.idle))
	}
	if l.message == 0 && l.load > 0 {
		l.message = Halfway(l.idle, l.load)
		assumed = append(assumed, fmt.Sprintf("wait_power of %s is %v: halfway between idle and load", what, l.message))
	}
	return l, assumed
}

// powers returns what the nodes of a block draw without their devices, what each device draws, and which powers are
// assumed.
func powers(b topology.Block) (node, device levels, assumed []string) {
	t := b.Type
	node, assumed = levels{t.Power, t.WaitPower, t.IdlePower}.fill(t.Name)
	if d := t.Devices; d != nil {
		var more []string
		if device, more = (levels{d.Power, d.WaitPower, d.IdlePower}).fill("a device of " + t.Name); b.OnDevices() {
			assumed = append(assumed, more...)
		}
	}
	return node, device, assumed
}

// Known reports whether the power of every node that takes part is known.
func Known(p *topology.Placement) bool {
	return !slices.ContainsFunc(p.Blocks, func(b topology.Block) bool { return b.Type.Power == 0 })
}

// Joules is an amount of energy.
type Joules float64

// joulesPerKWh is exact.
const joulesPerKWh = 3.6e6

// KWh returns the energy in kilowatt-hours.
func (j Joules) KWh() float64 { return float64(j) / joulesPerKWh }

// over returns the energy of a power that is drawn for a time.
func over(p units.Watts, t units.Seconds) Joules { return Joules(float64(p) * float64(t)) }

// Short prints four digits.
func (j Joules) Short() string {
	value, prefixes := float64(j), []string{"", "k", "M", "G", "T", "P"}
	for value >= 1000 && len(prefixes) > 1 {
		value, prefixes = value/1000, prefixes[1:]
	}
	return fmt.Sprintf("%.4g %sJ", value, prefixes[0])
}

// String prints four digits, and kilowatt-hours for amounts that a bill would show.
func (j Joules) String() string {
	if j < joulesPerKWh/10 {
		return j.Short()
	}
	return fmt.Sprintf("%s (%.4g kWh)", j.Short(), j.KWh())
}
