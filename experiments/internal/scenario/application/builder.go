package application

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// instruction is a part of the program that all ranks share.
type instruction struct {
	op   action
	kind workloads.Kind // message
	jump int32          // repeat, again, branch, skip, give: where to go on
	loop int32          // number of the loop, or of the innermost one around it; the outermost is 0
	text string         // place in the file

	every *operand // it counts once in so many rounds of the loop; nil: always

	// What each action works on.
	count, work, traffic *operand
	to, from, tag, size  *operand
	input, output        *operand
	request              int32    // number of the name (message, begin, wait), the bag (dynamicBag) or the stream (give, join)
	index                *operand // message, begin, wait: of the name; nil: 0
	flag                 bool     // computation, tasks: not part of W; message: any tag; wait: all
	vary                 []variation
	slowness             *operand // computation, tasks: time as a multiple of that at the speed of the workload; nil: 1
	exchange             *exchange
	call                 *call
}

type action uint8

const (
	end action = iota
	computation
	delay
	openAll    // start the messages of an exchange
	closeAll   // wait for them
	message    // a message, or one end of one
	wait       // wait for requests
	collect    // a collective operation
	begin      // start a collective operation that a stream carries out
	give       // give a stream the instructions that follow
	join       // wait for what a stream was given
	repeat     // start a loop
	again      // end of a round
	branch     // go on elsewhere unless a condition holds
	skip       // go on elsewhere
	staticBag  // tasks that are divided beforehand
	dynamicBag // tasks that process 0 hands out
)

// operand is a value that an instruction needs, computed as rarely as possible.
type operand struct {
	value float64                // the same for all
	table []float64              // by rank; nil: the same for all, or computed each time
	each  *expression.Expression // computed each time
	text  string
}

// builder turns statements into instructions for one instance.
type builder struct {
	x          *instance
	code       []instruction
	loops      int32
	deep       int32       // the most loops inside each other
	vary       []variation // of computations from here on
	variations int32       // so far
	random     bool        // how much is computed is drawn
	draws      bool        // anything is drawn
	names      bool        // requests have names
	hears      bool        // expressions depend on what has been received
	bags       int32       // of tasks that are handed out, so far
	groups     groups
	streams    []string            // by number from 1: the name, or the groups whose calls it carries out
	steady     map[string]*operand // operands with tables, by text: equal ones share a table
	speeds     []*operand          // slowness of each inner loop; nil: 1
}

// variation is a vary with its width.
type variation struct {
	vary
	width *operand
	place int32 // of the draw, see [expression.Values.Draw]
	loops int   // how many loops around the computation the draw depends on
}

// operand returns the operand of an expression, nil for none.
func (b *builder) operand(e *expression.Expression) *operand {
	if e == nil {
		return nil
	}
	b.hears, b.draws = b.hears || e.Hears(), b.draws || e.Draws()
	switch f := b.x.values.At(0); {
	case e.Constant():
		return &operand{value: f.Eval(e), text: e.String()}
	case e.Steady() && b.loops > 0:
		if o := b.steady[e.String()]; o != nil && !e.Draws() {
			return o
		}
		o := &operand{table: b.x.values.Table(e), text: e.String()}
		b.steady[e.String()] = o
		return o
	}
	return &operand{each: e, text: e.String()}
}

// decisive is operand for an expression that decides how much is computed.
func (b *builder) decisive(e *expression.Expression) *operand {
	b.random = b.random || e.Draws()
	return b.operand(e)
}

// get returns the value of an operand, 0 for none.
func (f *frame) get(o *operand) float64 {
	switch {
	case o == nil:
		return 0
	case o.each != nil:
		return f.Eval(o.each)
	case o.table != nil:
		return o.table[f.Row]
	}
	return o.value
}

func (b *builder) emit(p Place, i instruction) int {
	i.text, i.loop = p.At, b.loops-1
	i.every = b.operand(p.Every)
	b.code = append(b.code, i)
	return len(b.code) - 1
}

// block adds statements. Variations end with it.
func (b *builder) block(all []Placed) {
	before := len(b.vary)
	for _, s := range all {
		s.Statement(b, s.Place)
	}
	b.vary = b.vary[:before:before]
}

func (b *builder) stream(name string) int32 {
	i := slices.Index(b.streams, name)
	if i < 0 {
		i = len(b.streams)
		b.streams = append(b.streams, name)
	}
	return int32(i + 1)
}

// place returns a new place for draws: below 0, while places in expressions are above.
func (b *builder) place() int32 {
	b.variations++
	return -b.variations
}

// varied returns the variations of a computation here. Noise is drawn anew for each
// computation and each round. Tasks take b.vary instead: their noise depends on the number
// of the task, whoever computes it.
func (b *builder) varied() []variation {
	all := slices.Clone(b.vary)
	for i := range all {
		if !all[i].once {
			all[i].place, all[i].loops = b.place(), int(b.loops)
		}
	}
	return all
}

// slowness returns the slowness of an inner loop, nil if it has the speed of the workload.
func (b *builder) slowness(loop int32) *operand {
	if loop == 0 || b.speeds == nil {
		return nil
	}
	return b.speeds[loop-1]
}

// Program returns a fresh run in which all computations have the speed of the workload.
// The parameters must be valid.
func (x *instance) Program() workloads.Program { return x.program(nil) }

// Draws reports whether a run depends on the seed.
func (x *instance) Draws() bool { return x.err == nil && x.built(nil).draws }

// program returns a fresh run with the slowness of each inner loop.
func (x *instance) program(slowness []*operand) workloads.Program {
	return newRun(x, x.built(slowness))
}

func (x *instance) built(slowness []*operand) *builder {
	x.values.Tabulate()
	b := &builder{x: x, groups: groups{x: x}, steady: map[string]*operand{}, speeds: slowness}
	if x.c.Startup > 0 {
		start := float64(len(x.c.Speeds)) * float64(x.c.Startup)
		b.emit(Place{}, instruction{op: delay, work: &operand{value: start}})
	}
	b.block(x.Statements)
	b.code = append(b.code, instruction{op: end})
	return b
}

// Requests and tags of exchanges are above those of a file and below those of
// collective operations.
const (
	streamRequest   int32 = 1<<29 - 1<<8 // of the first stream; each of the 63 sets of 6 axes has one, too
	exchangeRequest int32 = 1 << 29
	exchangeTag     int32 = 1 << 29
)

// exchange is an exchange of messages with the neighbours on the grid: first receives
// from all of them are started, then sends to all of them; what is done meanwhile
// follows, and then the wait for all of them.
type exchange struct {
	around  []bool // by axis: its ends are neighbours
	offsets []offset
}

// offset is the direction of a neighbour. The list read backwards has the opposite directions.
type offset struct {
	by   []int8 // distance along each axis: -1, 0, 1
	size *operand
}

// exchange returns the neighbours of an exchange in a fixed order.
func (b *builder) exchange(around []bool, sizeOf map[int]*expression.Expression) *exchange {
	e := &exchange{around: around}
	axes := len(b.x.values.Grid.Sides)
	sizes := map[int]*operand{}
	for along, size := range sizeOf {
		sizes[along] = b.operand(size)
	}
	by := make([]int8, axes)
	var visit func(axis, along int)
	visit = func(axis, along int) {
		if axis < 0 {
			if size := sizes[along]; size != nil && along != 0 {
				e.offsets = append(e.offsets, offset{append([]int8(nil), by...), size})
			}
			return
		}
		for d := int8(-1); d <= 1; d++ {
			by[axis] = d
			if d == 0 {
				visit(axis-1, along)
			} else {
				visit(axis-1, along|1<<axis)
			}
		}
	}
	visit(axes-1, 0)
	return e
}

// neighbour returns the process at an offset, nobody beyond the edge of the grid and
// instead of the process itself.
func (e *exchange) neighbour(g *expression.Grid, process int32, o *offset) int32 {
	r := process
	for axis, d := range o.by {
		if d != 0 {
			if r = g.Moved(r, int32(axis), int64(d), e.around[axis]); r == expression.Nobody {
				return expression.Nobody
			}
		}
	}
	if r == process {
		return expression.Nobody
	}
	return r
}

// openExchange starts the messages: receives from all neighbours, then sends to all of them.
func (r *run) openExchange(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	e := i.exchange
	n := int32(len(e.offsets))
	for ; *k < 2*n; *k++ {
		o := *k % n
		to := e.neighbour(&r.x.values.Grid, f.Row, &e.offsets[o])
		if to == expression.Nobody {
			continue
		}
		// Tags tell the directions in which messages move.
		*op = workloads.Op{Kind: workloads.Irecv, Peer: to, Tag: exchangeTag + n - 1 - o, Request: exchangeRequest + *k}
		if *k >= n {
			op.Kind, op.Tag = workloads.Isend, exchangeTag+o
			op.Size = units.Bytes(r.amount(f, i, e.offsets[o].size, "size"))
		}
		*k++
		return true
	}
	return false
}
