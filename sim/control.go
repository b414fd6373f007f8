package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Methods by which a process learns about the machine and the ranks, and changes them.

// RankState is what a rank does.
type RankState uint8

const (
	Running  RankState = iota // it computes, or sends, or receives
	Waiting                   // for a message, a collective operation or an event
	Stopped                   // its node has been stopped
	Failed                    // its node has failed
	Finished                  // its program has ended
)

var rankStates = [...]string{"running", "waiting", "stopped", "failed", "finished"}

// String returns the state in words.
func (x RankState) String() string {
	if int(x) >= len(rankStates) {
		return fmt.Sprintf("RankState(%d)", uint8(x))
	}
	return rankStates[x]
}

// Ranks returns the number of ranks.
func (c *Control) Ranks() int { return int(c.world.engine.ranks) }

// State returns what a rank does at the present time.
func (c *Control) State(rank int) RankState {
	c.enter("state")
	id := c.rank("state", rank)
	w := c.world
	s, r := w.engine.shards[0], w.engine.rank(id)
	switch {
	case r.state == finished:
		return Finished
	case r.state == lost:
		return Failed
	case w.nodeOf(id).state == nodeStopped:
		return Stopped
	case r.state == blockedCompute:
		return Running
	}
	for _, x := range s.ahead[id] {
		if x.to > c.Now() {
			if x.part >= PartWaitMessage {
				return Waiting
			}
			return Running
		}
	}
	if r.state != running {
		return Waiting
	}
	return Running
}

// Nodes returns one more than the number of the last node that has ranks. Nodes are
// counted from 0.
func (c *Control) Nodes() int { return len(c.world.nodes) }

// Node returns the number of the node with a name: see Site.Nodes.
func (c *Control) Node(name string) int { return c.find("node", c.world.site.Nodes, name) }

// NodeOf returns the node of a rank.
func (c *Control) NodeOf(rank int) int { return int(c.world.place[c.rank("node of", rank)]) }

// RanksOn returns the ranks on a node, ascending.
func (c *Control) RanksOn(node int) []int {
	var all []int
	for _, id := range c.node("ranks on", node).ranks {
		all = append(all, int(id))
	}
	return all
}

// Speed returns the speed at which each rank of a node computes when the node is not
// stopped and the rank has a core for itself; 0 for a node without ranks.
func (c *Control) Speed(node int) units.FlopsPerSecond { return c.node("speed", node).speed }

// SetSpeed changes the speed of each rank of a node, from now on. The rest of a
// computation under way proceeds at the new speed; memory bandwidth stays as it is.
func (c *Control) SetSpeed(node int, speed units.FlopsPerSecond) {
	c.enter("set speed")
	if n := c.adjustable("set speed", node); n.state == nodeFailed {
		c.fail("set speed", "node %d has failed; expected one that has not", node)
	}
	if !(speed >= minCapacity && speed <= maxCapacity) {
		c.fail("set speed", "%v; expected a speed from %v to %v", speed, units.FlopsPerSecond(minCapacity),
			units.FlopsPerSecond(maxCapacity))
	}
	c.world.setSpeed(int32(node), speed, c.Now())
}

// Up reports whether a node has neither been stopped nor failed.
func (c *Control) Up(node int) bool { return c.node("up", node).state == nodeRuns }

// Stop makes a node stand still until Restart: its ranks do nothing. Messages under way
// travel on and wait at the node. Without a Restart its ranks are blocked for ever.
func (c *Control) Stop(node int) {
	c.enter("stop")
	if n := c.adjustable("stop", node); n.state != nodeRuns {
		c.fail("stop", "node %d has stopped before; expected one that runs", node)
	}
	c.world.stop(int32(node), c.Now())
}

// Restart lets a stopped node go on where it was, with the rest of a computation, a
// delay or an overhead.
func (c *Control) Restart(node int) {
	c.enter("restart")
	if n := c.adjustable("restart", node); n.state != nodeStopped {
		c.fail("restart", "node %d is not stopped; expected one that Stop has stopped", node)
	}
	c.world.restart(int32(node), c.Now())
}

// Fail ends the ranks of a node that have not finished. They do not come back. Ranks
// that wait for them wait for ever; all others go on, and the run ends with the last of
// these.
func (c *Control) Fail(node int) {
	c.enter("fail")
	if n := c.adjustable("fail", node); n.state == nodeFailed {
		c.fail("fail", "node %d has failed before; expected one that has not", node)
	}
	c.world.fail(int32(node), c.Now())
}

// Links returns the number of links: 0 on a network, which has none.
func (c *Control) Links() int {
	if c.world.adjust == nil {
		return 0
	}
	return c.world.adjust.Links()
}

// Link returns the number of the link with a name: see Site.Links.
func (c *Control) Link(name string) int { return c.find("link", c.world.site.Links, name) }

// Bandwidth returns the bandwidth of a link.
func (c *Control) Bandwidth(link int) units.BytesPerSecond {
	return c.world.adjust.Bandwidth(c.link("bandwidth", link))
}

// SetBandwidth changes the bandwidth of a link from now on, also for what flows over it
// now.
func (c *Control) SetBandwidth(link int, bandwidth units.BytesPerSecond) {
	c.enter("set bandwidth")
	l := c.link("set bandwidth", link)
	if !(bandwidth >= minCapacity && bandwidth <= maxCapacity) {
		c.fail("set bandwidth", "%v; expected a bandwidth from %v to %v", bandwidth,
			units.BytesPerSecond(minCapacity), units.BytesPerSecond(maxCapacity))
	}
	c.world.adjust.SetBandwidth(c.Now(), l, bandwidth)
}

// Bounds of speeds and bandwidths, those of package flow.
const (
	minCapacity = 1e-25
	maxCapacity = 1e25
)

// Send gives a rank a message, which arrives at once: it comes from outside the machine
// and costs no rank and no link anything. A rank receives it from [FromProcess] or
// [AnySource].
func (c *Control) Send(to, tag int, size units.Bytes) {
	c.enter("send")
	id := c.rank("send", to)
	if tag < 0 || tag >= int(workloads.CollectiveTag) {
		c.fail("send", "tag %d; expected one from 0 to %d", tag, workloads.CollectiveTag-1)
	}
	c.size("send", size)
	c.world.send(id, int32(tag), size, c.Now())
}

// Transfer starts to move bytes from the node of one rank to that of another, beside
// the messages of the ranks: background traffic. The event happens when they have
// arrived. It needs a fabric.
func (c *Control) Transfer(from, to int, size units.Bytes) *Event {
	c.enter("transfer")
	if c.world.fabric == nil {
		c.fail("transfer", "the network shares nothing; expected a fabric, such as the flow model")
	}
	c.size("transfer", size)
	done := c.NewEvent("end of a transfer of " + c.Name())
	if err := c.world.transfer(c.rank("transfer", from), c.rank("transfer", to), size, c.Now(), done); err != nil {
		c.fail("transfer", "%w", err)
	}
	return done
}

func (c *Control) size(call string, size units.Bytes) {
	if !(size >= 0 && size <= maxSize) {
		c.fail(call, "size %v; expected a finite size of at least 0", size)
	}
}

// rank checks the number of a rank.
func (c *Control) rank(call string, rank int) int32 {
	if rank < 0 || rank >= c.Ranks() {
		c.fail(call, "rank %d; expected one from 0 to %d", rank, c.Ranks()-1)
	}
	return int32(rank)
}

// node checks the number of a node.
func (c *Control) node(call string, node int) *worldNode {
	if node < 0 || node >= c.Nodes() {
		c.fail(call, "node %d; expected one from 0 to %d", node, c.Nodes()-1)
	}
	return &c.world.nodes[node]
}

// adjustable is node for a node that is to be changed.
func (c *Control) adjustable(call string, node int) *worldNode {
	if c.world.fabric != nil && c.world.adjust == nil {
		c.fail(call, "the fabric cannot be changed; expected one that is a sim.Adjustable")
	}
	return c.node(call, node)
}

// link checks the number of a link.
func (c *Control) link(call string, link int) int32 {
	switch n := c.Links(); {
	case c.world.adjust == nil:
		c.fail(call, "there are no links; expected a fabric that is a sim.Adjustable, such as the flow model")
	case link < 0 || link >= n || link > math.MaxInt32:
		c.fail(call, "link %d; expected one from 0 to %d", link, n-1)
	}
	return int32(link)
}

// find returns the place of a name in a list.
func (c *Control) find(call string, names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		const most = 8
		known := strings.Join(names[:min(len(names), most)], ", ")
		if len(names) > most {
			known += ", ..."
		}
		c.fail(call, "there is no %s %q; expected one of: %s", call, name, known)
	}
	return i
}
