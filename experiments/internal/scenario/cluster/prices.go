package cluster

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/collective"
)

// A Parameter is a figure to which, or to whose reciprocal, costs of messages are proportional.
type Parameter struct {
	Name       string
	Value      float64
	Unit       string // "s", "B/s" or "s/B"
	Reciprocal bool   // as for a bandwidth
	Own        bool   // each connection has its own
	Kind       ParameterKind
}

// Cost returns what the parameter contributes to a time that contains it once.
func (p Parameter) Cost() float64 {
	if p.Reciprocal {
		return 1 / p.Value
	}
	return p.Value
}

// A ParameterKind is what a parameter means, whatever its name in a model.
type ParameterKind string

// The kinds.
const (
	Latency         ParameterKind = "latency"
	Bandwidth       ParameterKind = "bandwidth"
	Overhead        ParameterKind = "overhead"
	Gap             ParameterKind = "gap"
	Speed           ParameterKind = "speed"
	MemoryBandwidth ParameterKind = "memory bandwidth"
)

// ParameterKinds are all kinds.
var ParameterKinds = []ParameterKind{Latency, Bandwidth, Overhead, Gap, Speed, MemoryBandwidth}

// Meaning names the quantity in which a time is linear.
func (k ParameterKind) Meaning() string {
	return map[ParameterKind]string{Latency: "latencies", Bandwidth: "1/bandwidth of messages, or the gap per byte", Overhead: "what messages cost cores",
		Gap: "the gap between messages", Speed: "1/speed of computations", MemoryBandwidth: "1/bandwidth of memories"}[k]
}

// Terms count how often a cost contains each parameter of a model, in the order of Parameters.
type Terms [5]float64

// A Bill is a [network.Cost] in terms of parameters.
type Bill struct{ SendOverhead, Transmission, Latency, RecvOverhead Terms }

// A Level is a connection by which messages between some processes are priced.
type Level struct {
	Where      string
	Parameters []Parameter
	Bill       func(size units.Bytes) Bill
}

// Prices say what the costs of messages consist of.
type Prices struct {
	Levels []Level
	marks  sim.Network // a network whose latency for a message is the index of its level
	byCore bool
	laws   []LawTerms // the shortest first
}

// LawTerms are the terms of a time given by a law of accelerators, by level; the rest of the time is constant.
type LawTerms struct {
	time  units.Seconds
	Level [3]int
	Terms [3]Terms
}

// AddLaws prices the recorded calls. REQUIRES: messages have levels.
func (p *Prices) AddLaws(places *collective.Places) {
	places.Laws(func(t units.Seconds, latency, transfer [3]units.Seconds, between [3][2]int32) {
		x := LawTerms{time: t}
		for l := range x.Level {
			if latency[l] <= 0 && transfer[l] <= 0 {
				continue
			}
			x.Level[l] = p.levelOf(between[l][0], between[l][1])
			level := &p.Levels[x.Level[l]]
			bill := Terms{1} // links have no overhead
			if l == len(x.Level)-1 {
				bill = level.Bill(0).Latency
			}
			base := 0.0
			for k, q := range level.Parameters {
				base += bill[k] * q.Cost()
				if q.Kind == Bandwidth {
					x.Terms[l][k] = float64(transfer[l]) / q.Cost()
				}
			}
			for k := range level.Parameters {
				if base > 0 {
					x.Terms[l][k] += float64(latency[l]) / base * bill[k]
				}
			}
		}
		p.laws = append(p.laws, x)
	})
}

// Law returns the terms of a segment that is a collective operation, nil where no law gives its time.
func (p *Prices) Law(g *observe.Segment) *LawTerms {
	rounding := 1e-13 * g.Until
	i := sort.Search(len(p.laws), func(i int) bool { return p.laws[i].time >= g.Length()-rounding })
	if i == len(p.laws) || p.laws[i].time > g.Length()+rounding {
		return nil
	}
	return &p.laws[i]
}

// levelOf returns the level of messages between two ranks.
func (p *Prices) levelOf(from, to int32) int {
	if len(p.Levels) == 1 {
		return 0
	}
	return int(p.marks.Message(from, to, 0).Latency)
}

// Terms returns the terms of a segment of a critical path that concerns a message, and the level of the message, -1 if
// there is none.
func (p *Prices) Terms(g *observe.Segment) (level int, t Terms) {
	from, to, size := g.Sender, g.Receiver, g.Handled
	switch g.Kind {
	case observe.Message, observe.Handshake:
		from, to, size = g.Rank, g.To, g.Size
	case observe.Interface, sendOverhead, recvOverhead:
	default:
		return -1, t
	}
	if len(p.Levels) == 0 {
		return -1, t
	}
	level = p.levelOf(from, to)
	b := p.Levels[level].Bill(size)
	switch g.Kind {
	case observe.Message:
		t = b.Latency
		if !p.byCore {
			for k := range t {
				t[k] += b.Transmission[k]
			}
		}
	case observe.Handshake:
		t = b.Latency
	case observe.Interface:
		t = b.Transmission
	case sendOverhead:
		t = b.SendOverhead
	case recvOverhead:
		t = b.RecvOverhead
	}
	return level, t
}

var (
	sendOverhead = observe.Kind(sim.PartSendOverhead.String())
	recvOverhead = observe.Kind(sim.PartRecvOverhead.String())
)

// PricesOf returns the prices of one connection for all messages.
func PricesOf[M network.Model](p *Pricing[M], m M) *Prices {
	return &Prices{Levels: []Level{p.level("network", m)}, byCore: m.Handling() == network.ByCore}
}

func (p *Pricing[M]) level(where string, m M) Level {
	return Level{Where: where, Parameters: p.Parameters(m), Bill: func(size units.Bytes) Bill { return p.Bill(m, size) }}
}

// parameter returns a model's parameter of a kind, or the zero one. REQUIRES: the network says what costs consist of.
func (n Network) parameter(of network.Model, kind ParameterKind) (found Parameter) {
	for _, p := range n.level("", of).Parameters {
		if p.Kind == kind {
			found = p
		}
	}
	return found
}

// mark replaces a model; its latency is the index of its level.
type mark struct {
	network.Model
	level int
}

func (m *mark) Message(_, _ int32, _ units.Bytes) network.Cost {
	return network.Cost{Latency: units.Seconds(m.level)}
}

// Prices returns what the costs of the system's messages consist of, nil if that is not known: where messages share
// links, and for a library user's network.
func (s *System) Prices() *Prices {
	switch n := s.network; {
	case n.Kind.Free:
		return &Prices{}
	case n.level == nil:
		return nil
	default:
		return n.prices(s.machine, s.Placement)
	}
}

// prices puts a mark in place of each connection.
func (n Network) prices(m *topology.Machine, p *topology.Placement) *Prices {
	x := &Prices{byCore: n.Base.Handling() == network.ByCore}
	add := func(where string, model network.Model) *mark {
		x.Levels = append(x.Levels, n.level(where, model))
		return &mark{model, len(x.Levels) - 1}
	}
	own := map[topology.Connection]string{} // of node types
	base := "between nodes"
	for _, b := range p.Blocks {
		switch c := b.OnNode(); {
		case c == nil && n.onNode == nil:
			base = "network"
		case c == nil:
		case own[*c] == "":
			own[*c] = "on a " + b.Type.Name
		default:
			own[*c] = "on nodes"
		}
		if acrossNodes(b) {
			c := *b.Type.Devices.Across()
			own[c] = cmp.Or(own[c], "in a domain")
		}
	}
	if n.Tree != nil {
		base = "level 1 switches"
	}
	marked := n
	first := add(base, n.Base)
	marked.Base = first
	if n.onNode != nil {
		marked.onNode = add("on a node", n.onNode)
	}
	if n.betweenGroups != nil {
		marked.betweenGroups = add("between groups", n.betweenGroups)
	}
	marks := map[topology.Connection]*mark{}
	marked.connected = func(c topology.Connection) network.Model {
		if marks[c] == nil {
			where, ok := own[c]
			if !ok {
				where = "copies in memory"
			}
			marks[c] = add(where, n.connected(c))
		}
		return marks[c]
	}
	type passed struct {
		of *mark
		by topology.Connection
	}
	narrow := map[passed]*mark{}
	marked.behind = func(m network.Model, by topology.Connection) network.Model {
		key := passed{m.(*mark), by}
		model, where := n.behind(key.of.Model, by), ", network card"
		if by.Latency > 0 {
			where = ", another rail"
		}
		if model == key.of.Model {
			return m
		}
		if narrow[key] == nil {
			narrow[key] = add(x.Levels[key.of.level].Where+where, model)
		}
		return narrow[key]
	}
	if n.Tree != nil {
		t := Tree{levels: n.Tree.levels}
		for l, below := range n.Tree.Below {
			if l == 0 {
				t.Below = append(t.Below, first)
				continue
			}
			t.Below = append(t.Below, add(fmt.Sprintf("level %d switches", l+1), below))
		}
		marked.Tree = &t
	}
	x.marks = marked.on(m, p)
	return x
}
