package dispatch

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/model/sharing"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/sim/meter"
)

// simulation is one run of super-programs on a kernel.
type simulation struct {
	ctx    context.Context
	meter  *meter.Meter
	kernel *kernel.Kernel
	trunks trunks
	work   Work
	inner  int           // levels that an SI of the last level stands for, see reduce
	levels []LevelResult // all but Idle
}

// group is an IDU with its nodes. It executes one super-program at a time.
type group struct {
	*simulation
	depth   int // its level, from 0
	level   Level
	count   int // SIs of a super-program
	process string
	nodes   []node
	in, out sharing.Resource // the two directions of the trunk, if it is finite
}

// node is a place to execute SIs.
type node struct {
	processors server
	in, out    server // the two directions of its interface
	group      *group // what it consists of, nil if it is atomic
}

// newGroup builds the groups of a level and below, without the nodes that there
// are no SIs for.
func (s *simulation) newGroup(m Machine, counts []int, depth int) *group {
	g := &group{
		simulation: s, depth: depth, level: m[depth], count: counts[depth],
		process: fmt.Sprintf("SI of level %d", depth+1),
		nodes:   make([]node, min(m[depth].Nodes, counts[depth])),
	}
	if float64(g.level.Trunk) < inf {
		g.in = s.trunks.system.AddResource(float64(g.level.Trunk), false)
		g.out = s.trunks.system.AddResource(float64(g.level.Trunk), false)
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		n.processors.free, n.in.free, n.out.free = g.level.Processors, 1, 1
		if depth+1 < len(m) {
			n.group = s.newGroup(m, counts, depth+1)
		}
	}
	return g
}

// program is a super-program that is being executed.
type program struct {
	idu     server // the dispatch unit, used by one place at a time
	next    int    // SI to be dispatched
	serving int    // places that have not ended
	done    *kernel.Event
}

// execute runs a super-program and returns when all its SIs are done. number is
// that of the super-program among those of its kind.
//
// The protocol is that of producer and consumers: each place, of which a node
// has Outstanding, is a process that asks the IDU for an SI, deals with it and
// asks again. So the IDU is a queue of places in the order in which they became
// free.
func (g *group) execute(p *kernel.Process, number uint64) {
	run := &program{idu: server{free: 1}, done: g.kernel.NewEvent("end of super-program")}
	// With more places than SIs, those at the end of the queue get none, and
	// neither would those that become free later.
	left := g.count
	for range g.level.Outstanding {
		for at := range min(len(g.nodes), left) {
			run.serving++
			left--
			g.kernel.Go(g.process, func(q *kernel.Process) { g.consume(q, run, at, number) })
		}
		if left == 0 {
			break
		}
	}
	p.Wait(run.done)
}

// consume is a place on a node. If the context is cancelled it takes nothing
// more, so that the run ends soon.
func (g *group) consume(p *kernel.Process, run *program, at int, number uint64) {
	for {
		free := p.Now()
		run.idu.enter(g.kernel, p)
		if run.next == g.count || g.ctx.Err() != nil {
			run.idu.leave()
			break
		}
		si := number*uint64(g.count) + uint64(run.next)
		run.next++
		if g.level.Dispatch > 0 {
			p.Sleep(g.level.Dispatch)
		}
		run.idu.leave()
		g.levels[g.depth].DispatchWait += p.Now() - free
		g.serve(p, at, si)
		g.meter.Note(1, p.Now())
	}
	run.serving--
	if run.serving == 0 {
		run.done.Trigger()
	}
}

// serve takes an SI to its node, executes it and brings the results back.
func (g *group) serve(p *kernel.Process, at int, si uint64) {
	n := &g.nodes[at]
	stats := &g.levels[g.depth]
	local := at == 0 && g.level.IDU == FirstNode
	dispatched := p.Now()
	if !local {
		g.delay(p)
		g.move(p, &n.in, g.in, g.level.Operands)
	}
	stats.Transfer += p.Now() - dispatched

	n.processors.enter(g.kernel, p)
	begin := p.Now()
	if n.group != nil {
		n.group.execute(p, si)
	} else {
		p.Sleep(g.work.leaf(si))
		for range g.inner {
			p.Sleep(0)
		}
	}
	n.processors.leave()
	end := p.Now()
	stats.Executed++
	stats.Busy += end - begin

	if !local {
		g.move(p, &n.out, g.out, g.level.Results)
		g.delay(p)
	}
	stats.Transfer += p.Now() - end
}

// delay is one way without data.
func (g *group) delay(p *kernel.Process) {
	if g.level.Latency > 0 {
		p.Sleep(g.level.Latency)
	}
}

// move carries data through one direction of a node's interface and the trunk.
func (g *group) move(p *kernel.Process, through *server, over sharing.Resource, size units.Bytes) {
	alone := units.Seconds(float64(size) / float64(min(g.level.Bandwidth, g.level.Trunk)))
	if alone == 0 {
		return
	}
	through.enter(g.kernel, p)
	if float64(g.level.Trunk) < inf {
		g.trunks.carry(g.kernel, p, over, size, g.level.Bandwidth)
	} else {
		p.Sleep(alone)
	}
	through.leave()
}
