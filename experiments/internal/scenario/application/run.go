package application

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// run is a run of an application. What a rank has to remember is its place in the
// instructions and the rounds of the loops around it.
type run struct {
	x      *instance
	code   []instruction
	stride int32 // numbers for each rank
	state  []int32
	// performed is the work of each rank that is part of W, without variations; drawn is
	// the same with variations, nil if there are none.
	performed, drawn []float64
	random           bool // amounts of work themselves are drawn
	groups           groups
	calls            []collective.Calls // by number of the group, 0 for all; then likewise for each stream
	bags             []bag
	heard            []heard   // by number of the rank or stream: the message received last; nil: nobody asks
	asking           int32     // the process that asked process 0 for a task last
	streams          int       // of each rank
	pieces           [][]piece // by number of the stream, from 0
	named            [][]int32 // by number of the rank or stream: its open requests with a name; nil: none has one
	silent           int       // see maxSilent
	tried            bool      // by [Try]: there are no messages

	mu      sync.Mutex
	problem error // of the lowest rank that has one
	failed  int32 // that rank
}

// frame is where a rank, or a stream of one, is in the program.
type frame struct {
	expression.Frame
	number int32 // of the rank, or of the stream: streams count on behind all ranks
	failed bool  // the rank has asked for something impossible
}

// The state of a rank or stream: its place, how many operations the instruction there has given, how many requests
// without a name are open, then the round of each loop.
const (
	atPlace = iota
	atOperation
	atUnnamed
	atLoops // behind them, the open pieces of each stream
)

// Run is a program that knows what it has computed.
type Run interface {
	workloads.Program
	// Performed returns the work of all ranks together that is part of W, without
	// variations; random if it is drawn, so that the file cannot state it.
	Performed() (w units.Flops, random bool)
	// Drawn returns W of this run: the work that the file states, times the factor by which
	// variations have changed what was performed. Where amounts of work themselves are
	// drawn, it is what was performed.
	Drawn() units.Flops
	// Err returns why the run ended early, such as a size below 0; nil if it did not.
	Err() error
}

var _ Run = (*run)(nil)

func newRun(x *instance, b *builder) Run {
	p := len(x.c.Speeds)
	r := &run{x: x, code: b.code, stride: atLoops + b.deep, performed: make([]float64, p), groups: b.groups, silent: maxSilent,
		streams: len(b.streams)}
	all := p * (1 + r.streams)
	r.stride += int32(r.streams)
	r.state = make([]int32, all*int(r.stride))
	for i := p; i < all; i++ {
		r.state[i*int(r.stride)+atPlace] = resting
	}
	r.pieces = make([][]piece, all-p)
	if b.names {
		r.named = make([][]int32, all)
	}
	r.calls = make([]collective.Calls, int(b.groups.next+1)*(1+r.streams))
	r.random = b.random
	if b.variations > 0 {
		r.drawn = make([]float64, p)
	}
	if b.hears {
		r.heard = slices.Repeat([]heard{{from: expression.Nobody}}, all)
	}
	if b.bags == 0 && !b.hears {
		return r
	}
	r.bags = make([]bag, b.bags)
	return &listening{r}
}

// stand makes a frame that of the rank or stream with a number, and tells it the message
// that was received last.
func (r *run) stand(f *expression.Frame, number int32) {
	r.x.values.Stand(f, number%int32(len(r.performed)))
	if r.heard != nil {
		f.Hears(r.heard[number].from, r.heard[number].size)
	}
}

func (r *run) Ranks() int { return len(r.performed) }

func (r *run) Performed() (w units.Flops, random bool) {
	return units.Flops(each.Total(r.performed)), r.random
}

func (r *run) Drawn() units.Flops {
	did, _ := r.Performed()
	with := did
	if r.drawn != nil {
		with = units.Flops(each.Total(r.drawn))
	}
	switch {
	case r.random && r.x.Scaling == algorithm.Replicated:
		return with / units.Flops(r.Ranks())
	case r.random:
		return with
	case with == did:
		return r.x.Work()
	}
	return r.x.Work() * (with / did)
}

func (r *run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.problem
}

// fail ends a rank. Ranks may fail at the same time: the lowest is reported.
func (r *run) fail(f *frame, i *instruction, problem string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem == nil || f.Row < r.failed {
		r.failed = f.Row
		r.problem = fmt.Errorf("%s: process %d: %s", i.text, f.Row, problem)
	}
	f.failed = true
}

// maxSilent bounds how many instructions a rank carries out without an operation: the
// engine cannot interrupt it there.
const maxSilent = 1 << 22

func (r *run) Next(rank int, op *workloads.Op) bool {
	s := r.state[rank*int(r.stride):][:r.stride]
	if rank >= len(r.performed) {
		r.nextPiece(rank, s)
	}
	f := frame{number: int32(rank)}
	r.stand(&f.Frame, f.number)
	f.Counters = s[atLoops : len(s)-r.streams]
	at, k := &s[atPlace], &s[atOperation]
	for silent := 0; ; silent++ {
		i := &r.code[*at]
		if silent > r.silent {
			if r.tried {
				return false
			}
			r.fail(&f, i, "too many rounds of loops without any operation; expected at most "+strconv.Itoa(maxSilent))
			return false
		}
		switch i.op {
		case end:
			if rank >= len(r.performed) {
				s[atPlace] = resting
			}
			return false
		case repeat:
			f.Counters[i.loop] = 0
			*at = i.next(*at, r.rounds(&f, i) == 0)
		case again:
			f.Counters[i.loop]++
			*at = i.next(*at, int(f.Counters[i.loop]) < r.rounds(&f, i))
		case branch:
			*at = i.next(*at, !r.due(&f, i) || f.get(i.count) == 0)
		case skip:
			*at = i.jump
		case give:
			if *k == 0 && r.due(&f, i) {
				*k = 1
				r.give(&f, i, *at+1, op)
				op.Place = *at + 1
				return true
			}
			*k, *at = 0, i.jump
		default:
			if r.due(&f, i) && r.step(&f, i, k, op) {
				op.Place = *at + 1
				return !f.failed
			}
			*k = 0
			if *at++; i.op == begin && rank >= len(r.performed) {
				s[atPlace] = resting // the call was the whole piece
				return false
			}
		}
		if f.failed {
			return false
		}
	}
}

// next returns the place behind an instruction, or the one that it jumps to.
func (i *instruction) next(at int32, jumps bool) int32 {
	if jumps {
		return i.jump
	}
	return at + 1
}

// due reports whether an instruction counts in this round of the loop around it.
func (r *run) due(f *frame, i *instruction) bool {
	if i.every == nil {
		return true
	}
	every := r.whole(f, i, i.every, "every", 1, math.MaxInt32)
	return every > 0 && (int(f.Counters[i.loop])+1)%every == 0
}

// rounds returns how often a loop is repeated.
func (r *run) rounds(f *frame, i *instruction) int {
	return r.whole(f, i, i.count, "repeat", 0, expression.MaxItems)
}

// step gives the next operation of an instruction.
func (r *run) step(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	switch i.op {
	case delay:
		t := r.amount(f, i, i.work, "delay")
		return t > 0 && once(k) && set(op, workloads.Op{Kind: workloads.Delay, Time: units.Seconds(t)})
	case computation:
		return *k == 0 && r.compute(f, i, r.amount(f, i, i.work, "flop"), r.amount(f, i, i.traffic, "bytes"), op) && once(k)
	case openAll:
		return r.openExchange(f, i, k, op)
	case closeAll:
		return once(k) && set(op, workloads.Op{Kind: workloads.Waitall, Request: exchangeRequest})
	case message:
		return once(k) && r.message(f, i, op)
	case wait:
		return once(k) && r.wait(f, i, op)
	case collect:
		return r.collect(f, i, k, op)
	case begin:
		if int(f.number) >= len(r.performed) {
			return r.collect(f, i, k, op)
		}
		return once(k) && r.begin(f, i, op)
	case join:
		return r.join(f, i, op)
	case staticBag:
		return r.static(f, i, k, op)
	case dynamicBag:
		return r.dynamic(f, i, k, op)
	}
	panic("application: unknown instruction")
}

// once counts an operation of an instruction, and reports whether it is the first.
func once(k *int32) bool {
	*k++
	return *k == 1
}

func set(op *workloads.Op, to workloads.Op) bool {
	*op = to
	return true
}

// compute gives a computation, if there is any work or traffic.
func (r *run) compute(f *frame, i *instruction, work, traffic float64, op *workloads.Op) bool {
	if work == 0 && traffic == 0 {
		return false
	}
	before := work
	for v := range i.vary {
		factor := max(0, 1+float64(f.get(i.vary[v].width)*f.variation(r.x.values, &i.vary[v])))
		work, traffic = float64(work*factor), float64(traffic*factor) // rounded before they are added
	}
	if !i.flag {
		r.performed[f.Row] += before
		if r.drawn != nil {
			r.drawn[f.Row] += work
		}
	}
	if i.slowness != nil {
		work *= f.get(i.slowness)
	}
	return set(op, workloads.Op{Kind: workloads.Compute, Work: units.Flops(work), Size: units.Bytes(traffic)})
}

// amount returns a value that must be from 0 to 1e30, and otherwise fails.
func (r *run) amount(f *frame, i *instruction, o *operand, what string) float64 {
	v := f.get(o)
	if !(v >= 0 && v <= expression.MaxValue) {
		r.failValue(f, i, o, what, v, "a number from 0 to 1e30")
		return 0
	}
	return v
}

// whole returns a value that must be whole, from least to most, and otherwise fails.
func (r *run) whole(f *frame, i *instruction, o *operand, what string, least, most int) int {
	v := f.get(o)
	if v != math.Trunc(v) || !(v >= float64(least) && v <= float64(most)) {
		r.failValue(f, i, o, what, v, fmt.Sprintf("a whole number from %d to %d", least, most))
		return 0
	}
	return int(v)
}

func (r *run) failValue(f *frame, i *instruction, o *operand, what string, v float64, expected string) {
	r.fail(f, i, fmt.Sprintf("%s: %s is %s; expected %s", what, o.text, strconv.FormatFloat(v, 'g', -1, 64), expected))
}

// partner returns the process whose number a value is: nobody if there is no such
// process.
func (r *run) partner(f *frame, i *instruction, o *operand, what string) int32 {
	v := f.get(o)
	if v != math.Trunc(v) || math.IsInf(v, 0) {
		r.failValue(f, i, o, what, v, "the number of a process")
		return expression.Nobody
	}
	if v < 0 || v >= float64(len(r.performed)) {
		return expression.Nobody
	}
	return int32(v)
}

// call is a call of a collective operation among all processes, or among those with the same
// place on some axes.
type call struct {
	operation workloads.Collective
	choice    collective.Choice // how it is carried out
	members   members
	root      *operand               // place of the root among the members; nil: 0
	varying   *expression.Expression // the size of blocks, if it depends on from and to
	stream    int32                  // that carries it out; 0: the rank itself
}

// name returns the key of the statement.
func (c *call) name() string {
	if c.stream > 0 {
		return "i" + c.operation.String()
	}
	return c.operation.String()
}

// collect gives the operations of a collective operation. Among one process there are
// none.
func (r *run) collect(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	c := i.call
	if c.members.side == 1 {
		return false
	}
	root := r.whole(f, i, c.root, "root", 0, c.members.side-1)
	what, place := c.members.call(&r.x.values.Grid, f.Row, root)
	intensity := collective.FlopsPerByte(r.amount(f, i, i.work, "flop_per_byte"))
	if *k == 0 && c.stream == 0 && !f.failed { // that of a stream was compared when it began
		r.agree(f, i, what, place)
	}
	if c.varying != nil {
		blocks := varyingBlocks{r: r, i: i, number: f.number, rank: f.Row, index: f.Counters}
		return collective.Next(c.choice, what, blocks, intensity, place, k, op) && r.sized(f, i, op)
	}
	size := units.Bytes(r.amount(f, i, i.size, "size"))
	blocks := collective.Uniform(collective.BlockCount(c.operation, c.members.side), size)
	return collective.Next(c.choice, what, blocks, intensity, place, k, op)
}

// sized checks the size of an operation on blocks that differ.
func (r *run) sized(f *frame, i *instruction, op *workloads.Op) bool {
	if !(op.Size >= 0 && op.Size <= expression.MaxValue) {
		r.fail(f, i, fmt.Sprintf("size: %s is less than 0, or not a number, for some processes; expected a number from 0 to 1e30", i.call.varying))
	}
	return true
}

// varyingBlocks are blocks whose size depends on the processes that they come from and
// go to.
type varyingBlocks struct {
	r            *run
	i            *instruction
	number, rank int32
	index        []int32
}

var _ collective.Blocks = varyingBlocks{}

// Size implements collective.Blocks, block by block.
func (b varyingBlocks) Size(s collective.BlockSet) units.Bytes {
	f := expression.Frame{}
	b.r.stand(&f, b.number)
	f.Counters = b.index
	m, p := &b.i.call.members, b.i.call.members.side
	n := collective.BlockCount(b.i.call.operation, p)
	sum := 0.0
	for j := range min(s.Count, n) {
		at := s.At(j, n)
		var from, to int32
		if n == p { // a block for each process: who has it, or gets it
			from = m.world(&b.r.x.values.Grid, b.rank, at)
			to = from
		} else {
			from, to = m.world(&b.r.x.values.Grid, b.rank, at/p), m.world(&b.r.x.values.Grid, b.rank, at%p)
		}
		f.Locals[expression.From], f.Locals[expression.To] = int64(from), int64(to)
		sum += f.Eval(b.i.call.varying)
	}
	return units.Bytes(sum)
}

// variation returns the draw of a vary for the process or for the computation.
func (f *frame) variation(values *expression.Values, v *variation) float64 {
	switch v.by {
	case normal:
		return values.Draw(expression.Normal, f.Place, v.place, v.loops)
	case exponential:
		return values.Draw(expression.Exponential, f.Place, v.place, v.loops)
	}
	return 2*values.Draw(expression.Uniform, f.Place, v.place, v.loops) - 1
}

// Call implements sim.Caller: the statement that a rank is in, by its place in the file,
// and the name of the operation if it is a collective one.
func (r *run) Call(rank int) (name, place string) {
	i := &r.code[r.state[rank*int(r.stride)+atPlace]]
	if i.op == collect || i.op == begin {
		name = i.call.name()
	}
	return name, i.text
}

// Place implements sim.Placer: numbers are those of instructions, from 1.
func (r *run) Place(_ int, number int32) string { return r.code[number-1].text }

// Step returns a hash of the statement that the rank is in, and of the rounds of the loops
// around it (see stepper of package export).
func (r *run) Step(rank int) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	s := r.state[rank*int(r.stride):][:r.stride]
	h := (offset ^ uint64(s[atPlace])) * prime
	for _, round := range s[atLoops : len(s)-r.streams] {
		h = (h ^ uint64(round)) * prime
	}
	return h
}

// How much [Try] carries out: operations of all ranks together, instructions of a rank
// between two operations, and ranks.
const (
	triedOperations = 1 << 20
	triedSilent     = 1 << 16
	triedRanks      = 1 << 14
)

// Try carries out what each rank of a fresh run does, one rank after the other, without
// time and messages: afterwards, [Run.Err] is the impossible thing that the lowest rank has
// asked for, or what ranks disagree about. Long programs are not tried to their end. Try
// uses the run up.
func Try(p Run) {
	var r *run
	switch p := p.(type) {
	case *run:
		r = p
	case *listening:
		r = p.run
	}
	r.silent, r.tried = triedSilent, true
	ranks := min(r.Ranks(), triedRanks)
	for rank := range ranks {
		var op workloads.Op
		for range max(64, triedOperations/ranks) {
			if !r.Next(rank, &op) {
				break
			}
			op = workloads.Op{}
		}
		if r.problem != nil {
			return
		}
	}
	r.problem = r.Disagreement(func(int32) bool { return false })
}

// tryDynamic gives a process tasks as if all had asked for them in turn: which tasks it
// really gets only a simulation can tell.
func (r *run) tryDynamic(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	n := int64(r.whole(f, i, i.count, "tasks", 0, expression.MaxItems))
	if f.Row == 0 {
		for t := int64(0); t < min(n, triedSilent) && !f.failed; t++ {
			f.Locals[expression.Task] = t + 1
			r.amount(f, i, i.input, "input")
		}
		return f.failed
	}
	for !f.failed {
		t := int64(f.Row) - 1 + int64(*k)*int64(len(r.performed)-1)
		if t >= n || *k > triedSilent {
			return false
		}
		*k++
		f.Locals[expression.Task] = t + 1
		r.amount(f, i, i.output, "output")
		if !f.failed && r.task(f, i, int(t), op) {
			return true
		}
	}
	return true
}

// Tags of the messages about tasks.
const (
	requestTag = maxTag - 1
	taskTag    = maxTag
)

// noneLeft is the task that a process has been given if there is none for it.
const noneLeft int32 = -1

// bag is a bag of tasks that process 0 hands out. Only process 0 changes it; the others
// read their own task after the message with it.
type bag struct {
	next  int32   // the next task
	told  int32   // how many processes know that there are no more tasks
	given []int32 // by process: its task
}

// heard is a message that has been received.
type heard struct {
	from int32
	size units.Bytes
}

// listening is a run that is told of messages: process 0 has to know who asks for a task, or
// expressions depend on what was received.
type listening struct {
	*run
}

func (l *listening) Now(int, units.Seconds) {}

func (l *listening) Received(rank int, from, tag int32, size units.Bytes) {
	switch op := l.code[l.state[rank*int(l.stride)+atPlace]].op; {
	case op == dynamicBag && rank == 0 && tag == requestTag:
		l.asking = from
	case (op == message || op == wait) && tag <= maxTag && l.heard != nil:
		l.heard[rank] = heard{from % int32(len(l.performed)), size}
	}
}

// task gives the computation of a task, if it has any work.
func (r *run) task(f *frame, i *instruction, task int, op *workloads.Op) bool {
	f.Locals[expression.Task] = int64(task) + 1
	return r.compute(f, i, r.amount(f, i, i.work, "flop"), r.amount(f, i, i.traffic, "bytes"), op)
}

func (r *run) static(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	n := r.whole(f, i, i.count, "tasks", 0, expression.MaxItems)
	if *k == 0 {
		r.agreeTasks(f, i, n)
	}
	for silent := 0; !f.failed; silent++ {
		t := int(f.Row) + int(*k)*len(r.performed)
		if t >= n {
			return false
		}
		if silent > maxSilent {
			r.fail(f, i, "too many tasks without any work; expected at most "+strconv.Itoa(maxSilent))
		}
		*k++
		if r.task(f, i, t, op) {
			return true
		}
	}
	return true
}

// dynamic gives the next operation of a process in handing tasks out: process 0 answers
// requests with a task, or says that none is left; the others ask and compute. If process 0
// is alone, it computes all tasks.
func (r *run) dynamic(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	if len(r.performed) == 1 {
		return r.static(f, i, k, op)
	}
	if *k == 0 {
		r.agreeTasks(f, i, r.whole(f, i, i.count, "tasks", 0, expression.MaxItems))
	}
	if r.tried {
		return r.tryDynamic(f, i, k, op)
	}
	if f.Row == 0 {
		return r.handOut(f, i, k, op)
	}
	const asking, receiving, computing, returning = 0, 1, 2, 3
	given := func() int32 { return r.bags[i.request].given[f.Row] } // once process 0 has answered
	for {
		switch *k {
		case asking:
			*k = receiving
			return set(op, workloads.Op{Kind: workloads.Send, Peer: 0, Tag: requestTag})
		case returning:
			*k = receiving
			f.Locals[expression.Task] = int64(given()) + 1
			size := units.Bytes(r.amount(f, i, i.output, "output"))
			return set(op, workloads.Op{Kind: workloads.Send, Peer: 0, Tag: requestTag, Size: size})
		case receiving:
			*k = computing
			return set(op, workloads.Op{Kind: workloads.Recv, Peer: 0, Tag: taskTag})
		}
		task := given()
		if task == noneLeft {
			return false
		}
		*k = returning
		if r.task(f, i, int(task), op) || f.failed {
			return true
		}
	}
}

// handOut gives the next operation of process 0.
func (r *run) handOut(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	const filling, waiting, answering = 0, 1, 2
	b := &r.bags[i.request]
	if *k == filling { // each time that the program comes here
		if b.given == nil {
			b.given = make([]int32, len(r.performed))
		}
		b.next, b.told = 0, 0
		*k = waiting
	}
	if *k == waiting {
		*k = answering
		return int(b.told) < len(r.performed)-1 &&
			set(op, workloads.Op{Kind: workloads.Recv, Peer: workloads.AnySource, Tag: requestTag})
	}
	*k = waiting
	size := 0.0
	if n := r.whole(f, i, i.count, "tasks", 0, expression.MaxItems); int(b.next) < n {
		b.given[r.asking] = b.next
		b.next++
		f.Locals[expression.Task] = int64(b.next)
		size = r.amount(f, i, i.input, "input")
	} else {
		b.given[r.asking] = noneLeft
		b.told++
	}
	return set(op, workloads.Op{Kind: workloads.Send, Peer: r.asking, Tag: taskTag, Size: units.Bytes(size)})
}

// maxTag is the largest tag of a file.
const maxTag = 1<<29 - 1

// message gives a message, nothing if its partner is nobody. A sendrecv of which only one
// partner is there is a send to it or a receive from it.
func (r *run) message(f *frame, i *instruction, op *workloads.Op) bool {
	*op = workloads.Op{Kind: i.kind}
	sends := i.to != nil
	receives := i.kind == workloads.Recv || i.kind == workloads.Irecv || i.kind == workloads.Sendrecv
	to, from := expression.Nobody, expression.Nobody
	if sends {
		to = r.partner(f, i, i.to, "to")
	}
	if receives {
		from = workloads.AnySource
		if i.from != nil {
			if from = r.partner(f, i, i.from, "from"); from == expression.Nobody {
				receives = false
			}
		}
	}
	sends = to != expression.Nobody
	if !sends && !receives {
		return false
	}
	if op.Tag = workloads.AnyTag; !i.flag {
		op.Tag = int32(r.whole(f, i, i.tag, "tag", 0, maxTag))
	}
	if sends {
		op.Peer = to
	}
	if sends || i.kind != workloads.Sendrecv {
		op.Size = units.Bytes(r.amount(f, i, i.size, "size"))
	}
	switch {
	case i.kind == workloads.Sendrecv && sends && receives:
		op.From = from
	case i.kind == workloads.Sendrecv && sends:
		op.Kind = workloads.Send
	case i.kind == workloads.Sendrecv:
		op.Kind, op.Peer = workloads.Recv, from
	case receives:
		op.Peer = from
	}
	if i.kind == workloads.Isend || i.kind == workloads.Irecv {
		r.name(f, i, op)
	}
	return true
}

// mostIndex bounds the index of a name of requests.
const mostIndex = 1 << 16

func (r *run) number(f *frame, i *instruction) int32 {
	return i.request*mostIndex + int32(r.whole(f, i, i.index, "index of a request", 0, mostIndex-1))
}

// name gives a request its number: one that follows from its name and index in the file or,
// without a name, one above those.
func (r *run) name(f *frame, i *instruction, op *workloads.Op) {
	if i.request == unnamed {
		s := r.state[int(f.number)*int(r.stride):]
		op.Request = maxRequests*mostIndex + s[atUnnamed]
		s[atUnnamed]++
		if op.Request >= streamRequest {
			r.fail(f, i, "too many requests that nothing waits for")
		}
		return
	}
	op.Request = r.number(f, i)
	if slices.Contains(r.named[f.number], op.Request) {
		r.fail(f, i, "the request is still open from before; expected a wait for it in between")
	}
	r.named[f.number] = append(r.named[f.number], op.Request)
}

// wait gives a wait for a request that is open, or for all.
func (r *run) wait(f *frame, i *instruction, op *workloads.Op) bool {
	s := r.state[int(f.number)*int(r.stride):]
	if i.flag {
		none := s[atUnnamed] == 0
		s[atUnnamed] = 0
		if r.named != nil {
			none = none && len(r.named[f.number]) == 0
			r.named[f.number] = r.named[f.number][:0]
		}
		for k := range r.open(f.number) {
			none = none && r.open(f.number)[k] == 0
			r.open(f.number)[k] = 0
		}
		return !none && set(op, workloads.Op{Kind: workloads.Waitall})
	}
	number, open := r.number(f, i), r.named[f.number]
	at := slices.Index(open, number)
	if at < 0 {
		return false
	}
	r.named[f.number] = slices.Delete(open, at, at+1)
	return set(op, workloads.Op{Kind: workloads.Wait, Request: number})
}
