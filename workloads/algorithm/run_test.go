package algorithm_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// measured returns the choice of a measured cost: base, and 1/8 s a process.
func measured(op workloads.Collective, base units.Seconds) collective.Choice {
	return collective.Choice{Operation: op, Cost: &collective.Cost{Base: base, PerProcess: 0.125}}
}

// choices returns all ways to carry out op: each algorithm, and a measured cost.
func choices(t testing.TB, op workloads.Collective) []collective.Choice {
	all := []collective.Choice{measured(op, 1)}
	for _, name := range collective.Names(op) {
		a := expect.Value(collective.Lookup(op, name))(t)
		all = append(all, collective.Choice{Operation: op, Algorithm: a})
	}
	return all
}

// how names a choice.
func how(ch collective.Choice) string {
	if ch.Algorithm == nil {
		return "measured"
	}
	return ch.Algorithm.Name()
}

// streams asks a program for all operations of all ranks. In algorithms of this package
// they do not depend on other ranks, so any order will do.
func streams(p workloads.Program) [][]workloads.Op {
	all := make([][]workloads.Op, p.Ranks())
	for rank := range all {
		all[rank] = stream(p, rank)
	}
	return all
}

func stream(p workloads.Program, rank int) (ops []workloads.Op) {
	for {
		var op workloads.Op
		if !p.Next(rank, &op) {
			return ops
		}
		ops = append(ops, op)
	}
}

// world runs a program without time. A message arrives as soon as it is sent; a
// measured collective call blocks the ranks that must wait for others.
type world struct {
	ranks    []worldRank
	queues   map[route][]units.Bytes // messages sent and not yet received
	calls    []meeting               // the measured calls, in order
	messages int
	size     units.Bytes // of all messages
	visit    func(rank int, op workloads.Op)
}

type worldRank struct {
	op      workloads.Op
	entered bool // op has started and is not complete
	ended   bool
	call    int                    // measured calls completed
	open    map[int32]workloads.Op // requests by name
	done    []workloads.Op
}

type route struct{ from, to, tag int32 }

type meeting struct {
	op      workloads.Op
	entered []bool
}

// run runs a program to its end and reports mistakes in its communication. visit, if
// not nil, is called when an operation is complete; for a Send, and the root of a
// broadcast, that is before anyone receives. It is called twice for a Sendrecv: with a
// Send when it sends, and with the Sendrecv when it has received.
func run(p workloads.Program, visit func(rank int, op workloads.Op)) (*world, error) {
	if visit == nil {
		visit = func(int, workloads.Op) {}
	}
	w := &world{ranks: make([]worldRank, p.Ranks()), queues: make(map[route][]units.Bytes), visit: visit}
	for moved := true; moved; {
		moved = false
		for rank := range w.ranks {
			for {
				on, err := w.advance(p, rank)
				if err != nil {
					return nil, fmt.Errorf("rank %d, operation %d: %w", rank, len(w.ranks[rank].done), err)
				}
				if !on {
					break
				}
				moved = true
				visit(rank, w.ranks[rank].op)
			}
		}
	}
	for rank, r := range w.ranks {
		if !r.ended {
			return nil, fmt.Errorf("rank %d is stuck in %+v", rank, r.op)
		}
		if len(r.open) > 0 {
			return nil, fmt.Errorf("rank %d has not waited for %+v", rank, r.open)
		}
		if r.call != len(w.calls) {
			return nil, fmt.Errorf("rank %d takes part in %d measured calls of %d", rank, r.call, len(w.calls))
		}
	}
	for route, sizes := range w.queues {
		if len(sizes) > 0 {
			return nil, fmt.Errorf("%d messages of %+v are never received", len(sizes), route)
		}
	}
	return w, nil
}

// advance completes the next operation of a rank if possible.
func (w *world) advance(p workloads.Program, rank int) (complete bool, err error) {
	r := &w.ranks[rank]
	if r.ended {
		return false, nil
	}
	first := !r.entered
	if first {
		r.op = workloads.Op{}
		if !p.Next(rank, &r.op) {
			r.ended = true
			if p.Next(rank, &r.op) {
				return false, fmt.Errorf("%+v after the end", r.op)
			}
			return false, nil
		}
		r.entered = true
	}
	complete = true
	switch op := r.op; op.Kind {
	case workloads.Compute, workloads.Delay:
		if !(op.Work >= 0) || !(op.Time >= 0) {
			return false, fmt.Errorf("bad operation %+v", op)
		}
	case workloads.Send, workloads.Sendrecv, workloads.Isend:
		if !first { // sent already
			break
		}
		if op.Peer < 0 || int(op.Peer) >= len(w.ranks) || int(op.Peer) == rank || op.Tag < 0 || !(op.Size >= 0) {
			return false, fmt.Errorf("bad message %+v", op)
		}
		to := route{int32(rank), op.Peer, op.Tag}
		w.queues[to] = append(w.queues[to], op.Size)
		w.messages++
		w.size += op.Size
		if op.Kind == workloads.Sendrecv {
			op.Kind = workloads.Send
			w.visit(rank, op)
		}
	case workloads.Recv, workloads.Irecv:
	case workloads.Wait:
		if _, ok := r.open[op.Request]; !ok {
			err = fmt.Errorf("no request %d", op.Request)
		}
	case workloads.Measured:
		complete, err = w.meet(rank, first)
	default:
		err = fmt.Errorf("unexpected operation %+v", op)
	}
	if err != nil {
		return false, err
	}
	switch r.op.Kind {
	case workloads.Recv, workloads.Sendrecv:
		complete = w.receive(rank, r.op)
	case workloads.Wait:
		if request := r.open[r.op.Request]; request.Kind == workloads.Irecv {
			complete = w.receive(rank, request)
		}
	}
	if !complete {
		return false, nil
	}
	switch r.op.Kind {
	case workloads.Isend, workloads.Irecv:
		if _, ok := r.open[r.op.Request]; ok {
			return false, fmt.Errorf("a second request %d", r.op.Request)
		}
		if r.open == nil {
			r.open = make(map[int32]workloads.Op)
		}
		r.open[r.op.Request] = r.op
	case workloads.Wait:
		delete(r.open, r.op.Request)
	}
	r.entered = false
	r.done = append(r.done, r.op)
	return true, nil
}

// receive takes the next message that op waits for, if it is there.
func (w *world) receive(rank int, op workloads.Op) bool {
	from := route{op.Peer, int32(rank), op.Tag}
	if op.Kind == workloads.Sendrecv {
		from.from = op.From
	}
	if len(w.queues[from]) == 0 {
		return false
	}
	w.queues[from] = w.queues[from][1:]
	return true
}

// meet enters a measured call and tells whether the rank may leave it.
func (w *world) meet(rank int, first bool) (complete bool, err error) {
	r := &w.ranks[rank]
	if r.call == len(w.calls) {
		w.calls = append(w.calls, meeting{r.op, make([]bool, len(w.ranks))})
	}
	m := &w.calls[r.call]
	if first && m.op != r.op {
		return false, fmt.Errorf("calls %+v; others call %+v", r.op, m.op)
	}
	m.entered[rank] = true
	switch root := int(m.op.Peer); m.op.Collective {
	case workloads.Bcast, workloads.Scatter:
		complete = m.entered[root]
	case workloads.Gather:
		complete = rank != root || !slices.Contains(m.entered, false)
	case workloads.Barrier, workloads.Alltoall:
		complete = !slices.Contains(m.entered, false)
	default:
		return false, fmt.Errorf("unexpected call %+v", r.op)
	}
	if complete {
		r.call++
	}
	return complete, nil
}

// of returns the completed operations of one kind.
func (r worldRank) of(kind workloads.Kind) (ops []workloads.Op) {
	for _, op := range r.done {
		if op.Kind == kind {
			ops = append(ops, op)
		}
	}
	return ops
}

// work returns the work of all computations of all ranks.
func (w *world) work() (total units.Flops) {
	for _, r := range w.ranks {
		for _, op := range r.of(workloads.Compute) {
			total += op.Work
		}
	}
	return total
}

// called counts the measured calls of one kind.
func (w *world) called(op workloads.Collective) (n int) {
	for _, m := range w.calls {
		if m.op.Collective == op {
			n++
		}
	}
	return n
}

// machines are the speeds that programs are tried with: equal ones, and five speeds in
// turn, up to a factor of 20 apart.
func machines(p int) [][]units.FlopsPerSecond {
	equal := slices.Repeat([]units.FlopsPerSecond{sunBlade}, p)
	mixed := make([]units.FlopsPerSecond, p)
	for q := range mixed {
		mixed[q] = []units.FlopsPerSecond{server, sunBlade, v210, 5e6, 100e6}[q%5]
	}
	return [][]units.FlopsPerSecond{equal, mixed}
}

var (
	processes = []int{1, 2, 3, 5, 8, 17}
	orders    = []int{2, 3, 10, 57}
)

// everywhere tries a program of every order from least on, on all machines.
func everywhere(t *testing.T, least int, element units.Bytes, try func(algorithm.Problem) error) {
	t.Helper()
	for _, p := range processes {
		for _, n := range append([]int{1}, orders...) {
			for i, s := range machines(p) {
				if n < least {
					continue
				}
				err := try(algorithm.Problem{N: n, Speeds: s, Startup: units.Seconds(i) / 4, Element: element})
				expect.Need(t, err == nil, "n = %d, speeds %v: %v", n, s, err)
			}
		}
	}
}

// planned is a collective operation that a program carries out a number of times. Blocks are in
// bytes: what is broadcast; what each process gives to a gather or gets from a scatter; what
// process s has for process d, number s p + d, in an exchange.
type planned struct {
	collective.Choice
	times  int
	blocks []int
}

// traffic returns the messages and bytes of one of them among p processes by an algorithm:
//
//	bcast             p-1 messages with all; by scatter and allgather pieces from floor(v m/p) to
//	                  floor((v+1) m/p), which travel down the tree once for each set bit of v, in
//	                  p-1 messages, and then each p-1 times. No message reaches a segment of a chain.
//	scatter, gather   p-1 messages; a block travels once, in a binomial tree once for each set bit
//	                  of its process
//	alltoall          p (p-1) messages, or p ceil(log2 p) by Bruck's algorithm, in which a block
//	                  travels once for each set bit of d - s mod p
//	barrier           2 (p-1) messages, or p ceil(log2 p), without data
func (c planned) traffic(p int) (messages, size int) {
	name := c.Algorithm.Name()
	switch c.Operation {
	case workloads.Bcast:
		m := c.blocks[0]
		if name != "scatter-allgather" {
			return p - 1, (p - 1) * m
		}
		messages, size = p-1+p*(p-1), (p-1)*m
		for v := range p {
			size += bits.OnesCount(uint(v)) * ((v+1)*m/p - v*m/p)
		}
	case workloads.Scatter, workloads.Gather:
		messages = p - 1
		for q := 1; q < p; q++ {
			travels := 1
			if name == "binomial" {
				travels = bits.OnesCount(uint(q))
			}
			size += travels * c.blocks[q]
		}
	case workloads.Alltoall:
		messages = p * (p - 1)
		if name == "bruck" {
			messages = p * bits.Len(uint(p-1))
		}
		for i, block := range c.blocks {
			travels := bits.OnesCount(uint((i%p - i/p + p) % p))
			if name != "bruck" {
				travels = min(1, travels)
			}
			size += travels * block
		}
	case workloads.Barrier:
		messages = map[string]int{"linear": 2 * (p - 1), "tree": 2 * (p - 1), "leader": p * bits.Len(uint(p-1)), "dissemination": p * bits.Len(uint(p-1))}[name]
	}
	return messages, size
}

// times multiplies each of some numbers.
func times(factor int, numbers []int) []int {
	products := slices.Clone(numbers)
	for i := range products {
		products[i] *= factor
	}
	return products
}

// checkTraffic expects the given messages and bytes plus those of the collective operations;
// measured ones must have been called. A single process does not communicate.
func checkTraffic(w *world, messages, size int, calls ...planned) error {
	p := len(w.ranks)
	measured := map[workloads.Collective]int{}
	for _, c := range calls {
		switch {
		case p == 1:
		case c.Cost != nil:
			measured[c.Operation] += c.times
		default:
			sent, moved := c.traffic(p)
			messages += c.times * sent
			size += c.times * moved
		}
	}
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		if got := w.called(op); got != measured[op] {
			return fmt.Errorf("%d measured calls of %v; expected %d", got, op, measured[op])
		}
	}
	if w.messages != messages || w.size != units.Bytes(size) {
		return fmt.Errorf("%d messages of %v byte; expected %d of %d", w.messages, float64(w.size), messages, size)
	}
	return nil
}

// checkRows expects that each process performs each flop of work on each of its rows.
func checkRows(w *world, rows []int, each, within float64) error {
	for rank, r := range w.ranks {
		var work float64
		for _, op := range r.of(workloads.Compute) {
			work += float64(op.Work)
		}
		if want := float64(rows[rank]) * each; math.Abs(work-want) > within*want {
			return fmt.Errorf("work of process %d is %v flop; expected %v for %d rows", rank, work, want, rows[rank])
		}
	}
	return nil
}

// checkWork compares the work of all processes with the total expected.
func checkWork(w *world, want units.Flops) error {
	if got := w.work(); math.Abs(float64(got-want)) > 1e-12*float64(want) {
		return fmt.Errorf("work is %v flop; expected %v", float64(got), float64(want))
	}
	return nil
}

// checkStart expects one delay of p times startup, before anything else, or
// none.
func checkStart(w *world, startup units.Seconds) error {
	for rank, r := range w.ranks {
		delays := r.of(workloads.Delay)
		if startup == 0 && len(delays) == 0 {
			continue
		}
		if want := units.Seconds(len(w.ranks)) * startup; startup == 0 || len(delays) != 1 || r.done[0].Time != want {
			return fmt.Errorf("rank %d begins with %+v and delays %+v; expected one, first, of %v", rank, r.done[0], delays, want)
		}
	}
	return nil
}
