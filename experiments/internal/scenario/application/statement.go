package application

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// A Statement adds the instructions of a statement of the program of a process.
type Statement func(b *builder, p Place)

// Placed is a statement and its place.
type Placed struct {
	Place
	Statement
}

// Place says where a statement stands and how often it counts.
type Place struct {
	At    string                 // file:line:column
	Every *expression.Expression // it counts once in so many rounds of the loop around it; nil: always
}

// vary multiplies the work and traffic of all computations after it, to the end of its
// block, by 1 + width d, at least 0, where d is drawn once for each process, or for each
// computation. W does not vary.
type vary struct {
	by distributed
	// once: the factor of a process is always the same, an imbalance. Otherwise it is
	// noise.
	once bool
}

// distributed is the distribution of a draw d.
type distributed uint8

const (
	uniform     distributed = iota // in [-1, 1)
	normal                         // mean 0, standard deviation 1
	exponential                    // mean 1
)

// unnamed is the number of a request without a name.
const unnamed int32 = -1

// maxRequests is how many names requests can have.
const maxRequests = 31

// maxStatements bounds the length of a program, and maxNested how deep statements
// contain each other.
const (
	maxStatements = 10_000
	maxNested     = 32
)

// placing is a statement that is being read.
type placing struct {
	*reader
	scope *expression.Scope
	main  *yamldoc.Node // the value of the statement's key
	while []Placed      // of an exchange: what is done meanwhile
	Placed
}

// declare declares the mapping of a statement, or that of its main value.
func declare(what, ref string, keys func(k *schema.Keys, x *placing)) *schema.Record[placing] {
	return schema.Declare(what, func(k *schema.Keys, x *placing) {
		if k.Declaring() {
			x.reader, x.scope = &reader{Decoder: k.Decoder, app: empty()}, expression.NewNames().Scope()
		}
		keys(k, x)
	}).Shared(ref)
}

// statementKind is a kind of statement, which is recognised by its key.
type statementKind struct {
	key    string
	record *schema.Record[placing]
}

// statementKinds are all kinds of statement. It is set by init, since statements
// contain statements.
var statementKinds func() []statementKind

func init() { statementKinds = sync.OnceValue(allStatements) }

func allStatements() (all []statementKind) {
	add := func(key string, keys func(k *schema.Keys, x *placing)) {
		all = append(all, statementKind{key, declare("a statement "+key, "statement-"+key, keys)})
	}
	// with adds a statement whose value is a mapping or, in a short form, the value of one
	// key of the mapping alone.
	with := func(key string, short schema.Type, r *schema.Record[placing], more func(k *schema.Keys, x *placing)) {
		form := schema.Type(r.Object)
		if short != nil {
			form = schema.AnyOf{short, form}
		}
		add(key, func(k *schema.Keys, x *placing) {
			k.Required(key, schema.Func(form, func(n *yamldoc.Node) {
				if x.main = n; short != nil && !n.IsMapping() {
					n = nil
				}
				r.Read(k.Decoder, n, x)
			}), "")
			if more != nil {
				more(k, x)
			}
		})
	}
	with("compute", expressionType, computeRecord, nil)
	with("delay", expressionType, delayRecord, nil)
	add("imbalance", func(k *schema.Keys, x *placing) { x.vary(k, "imbalance", true) })
	add("noise", func(k *schema.Keys, x *placing) { x.vary(k, "noise", false) })
	with("exchange", nil, exchangeRecord, meanwhileKey)
	with("wait", schema.Text, waitRecord, nil)
	add("repeat", repeatKeys)
	add("call", callKeys)
	add("when", whenKeys)
	with("tasks", nil, tasksRecord, nil)
	add("stream", streamKeys)
	add("join", joinKeys)
	for _, m := range messageForms {
		with(m.key, nil, declare(m.what, m.key, m.keys), nil)
	}
	for _, op := range collective.Operations() {
		short := expressionType
		if op == workloads.Barrier {
			short = nil
		}
		with(op.String(), short, collectiveRecord(op, false), nil)
		with("i"+op.String(), short, collectiveRecord(op, true), nil)
	}
	return all
}

var blockType schema.Type = schema.List{Of: schema.Later(statementType)}

func statementType() schema.Type {
	return schema.AnyOf(each.Of(statementKinds(), func(s statementKind) schema.Type { return s.record.Object }))
}

func (r *reader) block(n *yamldoc.Node, s *expression.Scope) []Placed {
	if r.nested++; r.nested > maxNested {
		r.Fail(n, "statements nested too deeply", fmt.Sprintf("at most %d levels", maxNested))
		return nil
	}
	defer func() { r.nested-- }()
	var all []Placed
	for _, item := range r.Sequence(n, "statements, each as in - compute: 2*n^3") {
		if p, ok := r.statement(item, s); ok {
			all = append(all, p)
		}
	}
	if n.IsSequence() && len(all) == 0 && r.Err() == nil {
		r.Fail(n, "no statements", "at least one")
	}
	return all
}

func (x *placing) statements(to *[]Placed, scope func() *expression.Scope) *schema.Function {
	return schema.Func(blockType, func(n *yamldoc.Node) { *to = x.block(n, scope()) })
}

func (r *reader) statement(n *yamldoc.Node, s *expression.Scope) (p Placed, ok bool) {
	if r.parts++; r.parts > maxStatements {
		if r.parts == maxStatements+1 {
			r.Fail(n, "too many statements", fmt.Sprintf("at most %d", maxStatements))
		}
		return p, false
	}
	var found []statementKind
	var known []string
	for _, k := range statementKinds() {
		if n.IsScalar() && n.Text() == k.key { // a statement without anything, such as barrier
			r.Fail(n, "the statement "+k.key+" without a value", "a colon after it, as in - barrier: {}")
			return p, false
		}
		known = append(known, k.key)
		if n.Has(k.key) {
			found = append(found, k)
		}
	}
	slices.Sort(known)
	want := "one of " + strings.Join(known, ", ")
	keys := r.Mapping(n, "a statement, as in {compute: 2*n^3}").Keys()
	switch {
	case len(found) == 1:
		x := placing{reader: r, scope: s}
		found[0].record.Read(r.Decoder, n, &x)
		x.At = n.Pos().String()
		return x.Placed, x.Statement != nil
	case !n.IsMapping():
	case len(found) > 1:
		r.Fail(n, fmt.Sprintf("two statements in one, %s and %s", found[0].key, found[1].key), "a line starting with - for each statement")
	case len(keys) == 0:
		r.Fail(n, "an empty statement", want)
	default:
		if near := yamldoc.Nearest(keys[0], known); len(near) > 0 {
			want += "; did you mean " + strings.Join(near, " or ") + "?"
		}
		r.Fail(n, fmt.Sprintf("unknown statement %q", yamldoc.Clip(keys[0])), want)
	}
	return p, false
}

// short declares the key whose value may stand alone for the whole statement.
func (x *placing) short(k *schema.Keys, key string, scope *expression.Scope, q quantity,
	to **expression.Expression, meaning string,
) {
	if x.main != nil && !x.main.IsMapping() {
		*to = x.expression(x.main, scope, q)
		return
	}
	k.Required(key, x.expr(scope, q, to), meaning)
}

// every declares how often a statement counts.
func (x *placing) every(k *schema.Keys) {
	k.Optional("every", schema.Func(expressionType, func(n *yamldoc.Node) {
		if !x.scope.InLoop() {
			k.Fail(n, "every outside of a loop", "a repeat around the statement")
		}
		if x.Every = x.expression(n, x.scope, aNumber); !x.Every.Constant() {
			k.Fail(n, "every depends on the process or the round", "parameters and numbers")
		}
	}).Else("1"), "only in every so many rounds of the enclosing loop")
}

// counts declares whether the work is part of W, unlike work that several processes repeat.
func (x *placing) counts(k *schema.Keys) (uncounted bool) {
	counts := true
	k.Optional("counts", schema.Boolean.To(&counts).Or(true), "false: the work is performed but is not part of W")
	return !counts
}

// loop declares the kernel and the precision, which decide how fast a computation is.
func (x *placing) loop(k *schema.Keys) (number int32) {
	l := Loop{At: x.main.Pos().String()}
	k.Optional("kernel", x.label(&l.Kernel, "the name of a kernel, such as dgemm"),
		"the inner loop whose efficiency the node types state under kernels; in place of the kernel of the workload")
	k.Optional("precision", x.label(&l.Precision, wantPrecision),
		"precision of its numbers, whose speed the devices state")
	return x.app.AddLoop(l)
}

const computeForm = "a computation, as in {flop: 2*n^3, bytes: 8*n^2}"

var computeRecord = declare(computeForm, "compute", func(k *schema.Keys, x *placing) {
	var flop, bytes *expression.Expression
	x.short(k, "flop", x.scope, someWork, &flop, "work")
	k.Optional("bytes", x.expr(x.scope, aSize, &bytes).Else("0 B"), "traffic between cores and memory")
	uncounted, loop := x.counts(k), x.loop(k)
	x.every(k)
	x.Statement = func(b *builder, p Place) {
		b.emit(p, instruction{op: computation, work: b.decisive(flop), traffic: b.operand(bytes),
			flag: uncounted, vary: b.varied(), slowness: b.slowness(loop)})
	}
})

var delayRecord = declare("a delay, as in {time: 5 us}", "delay", func(k *schema.Keys, x *placing) {
	var time *expression.Expression
	x.short(k, "time", x.scope, aTime, &time, "time")
	x.every(k)
	x.Statement = func(b *builder, p Place) { b.emit(p, instruction{op: delay, work: b.operand(time)}) }
})

var tasksRecord = declare("tasks, as in {count: 1000, flop: 1 Gflop}", "tasks", func(k *schema.Keys, x *placing) {
	var count, flop, bytes, input, output *expression.Expression
	inside := x.scope.Tasks()
	k.Required("count", x.expr(x.scope, aNumber, &count), "how many tasks there are")
	k.Required("flop", x.expr(inside, someWork, &flop), "work of a task, whose number is task")
	k.Optional("bytes", x.expr(inside, aSize, &bytes).Else("0 B"), "traffic between cores and memory")
	order := "static"
	k.Optional("order", schema.Choice(&order, "order of tasks", []string{"static", "dynamic"}).Or(order),
		"process r has the tasks r, r+p, ...; or process 0 hands them out, first come first served")
	isDynamic := order == "dynamic"
	if isDynamic {
		x.notOnStream("tasks that are handed out")
	}
	k.Optional("input", x.expr(inside, aSize, &input).Else("0 B"), "dynamic: size of the message with a task, which may depend on task")
	k.Optional("output", x.expr(inside, aSize, &output).Else("0 B"), "dynamic: size of the message with its result, which may depend on task")
	for _, key := range []string{"input", "output"} {
		if n := k.Node(key); n != nil && !isDynamic {
			k.Fail(n, "tasks in static order have no messages", "order: dynamic, or no input and output")
		}
	}
	uncounted, loop := x.counts(k), x.loop(k)
	x.every(k)
	x.Statement = func(b *builder, p Place) {
		i := instruction{op: staticBag, count: b.decisive(count), work: b.decisive(flop), traffic: b.operand(bytes),
			vary: slices.Clone(b.vary), flag: uncounted, slowness: b.slowness(loop)}
		if isDynamic {
			i.op, i.input, i.output, i.request = dynamicBag, b.operand(input), b.operand(output), b.bags
			b.bags++
		}
		b.emit(p, i)
	}
})

// distributions are those of a variation, each with its key; a file gives one of them.
var distributions = []struct{ key, meaning string }{
	uniform:     {"uniform", "uniform between 1 - this and 1 + this"},
	normal:      {"normal", "normal, with mean 1 and this standard deviation"},
	exponential: {"exponential", "1 plus an exponential part with this mean"},
}

var varyType = func() schema.Type {
	all := schema.AnyOf{expressionType}
	for _, d := range distributions {
		all = append(all, &schema.Object{What: "a distribution, as in {" + d.key + ": 0.1}", Fields: func() []schema.Field {
			return []schema.Field{{Key: d.key, Type: expressionType, Required: true, Meaning: "the factor is " + d.meaning}}
		}})
	}
	return all
}()

func (x *placing) vary(k *schema.Keys, key string, once bool) {
	s, width := vary{once: once}, expression.Constant(0, "0")
	k.Required(key, schema.Func(varyType, func(n *yamldoc.Node) {
		by := n
		x.app.MayDraw = true
		if n.IsMapping() {
			const names = "one of uniform, normal, exponential"
			m := x.Mapping(n, "a distribution, as in {normal: 0.1}")
			by = nil
			for i, d := range distributions {
				switch v := m.Take(d.key); {
				case v == nil:
				case by != nil:
					k.Fail(v, "two distributions", names)
				default:
					by, s.by = v, distributed(i)
				}
			}
			m.Done()
			if len(m.Keys()) == 0 {
				k.Fail(n, "no distribution", names+", as in {normal: 0.1}")
			}
		}
		if by != nil {
			width = x.expression(by, x.scope, aNumber)
		}
	}), "")
	x.Statement = func(b *builder, _ Place) {
		v := variation{vary: s, width: b.operand(width), place: b.place()}
		b.vary = append(b.vary, v)
		b.draws = b.draws || v.width.each != nil || v.width.table != nil || v.width.value != 0
	}
}

func repeatKeys(k *schema.Keys, x *placing) {
	var count *expression.Expression
	var do []Placed
	k.Required("repeat", x.expr(x.scope, aNumber, &count), "")
	index := x.index(k.Node("index"))
	k.Required("do", x.statements(&do, func() *expression.Scope { return x.scope.Loop(index) }),
		"the statements of a round")
	k.Optional("index", schema.Func(schema.Text, func(*yamldoc.Node) {}), "name of the number of the round, from 0")
	x.Statement = func(b *builder, p Place) {
		rounds := b.decisive(count)
		b.loops++
		b.deep = max(b.deep, b.loops)
		head := b.emit(Place{At: p.At}, instruction{op: repeat, count: rounds})
		b.block(do)
		b.emit(Place{At: p.At}, instruction{op: again, count: rounds, jump: int32(head + 1)})
		b.loops--
		b.code[head].jump = int32(len(b.code))
	}
}

func whenKeys(k *schema.Keys, x *placing) {
	var holds *expression.Expression
	var do, otherwise []Placed
	here := func() *expression.Scope { return x.scope }
	k.Required("when", schema.Func(schema.Text, func(n *yamldoc.Node) { holds = x.condition(n, x.scope) }), "")
	k.Required("do", x.statements(&do, here), "the statements if the condition holds")
	k.Optional("else", x.statements(&otherwise, here), "the statements otherwise")
	x.Statement = func(b *builder, p Place) {
		head := b.emit(p, instruction{op: branch, count: b.decisive(holds)})
		b.block(do)
		if len(otherwise) > 0 {
			out := b.emit(Place{At: p.At}, instruction{op: skip})
			b.code[head].jump = int32(len(b.code))
			b.block(otherwise)
			head = out
		}
		b.code[head].jump = int32(len(b.code))
	}
}

func streamKeys(k *schema.Keys, x *placing) {
	var name string
	var do []Placed
	k.Required("stream", x.label(&name, wantStream), "")
	x.main = k.Node("stream")
	x.notOnStream("a stream")
	x.addStream(name)
	x.onStream = true
	k.Required("do", x.statements(&do, func() *expression.Scope { return x.scope }),
		"the statements that run beside the process, after those given to the stream before")
	x.onStream = false
	x.every(k)
	x.Statement = func(b *builder, p Place) {
		head := b.emit(p, instruction{op: give, request: b.stream(name)})
		b.block(do)
		b.emit(Place{At: p.At}, instruction{op: end})
		b.code[head].jump = int32(len(b.code))
	}
}

func joinKeys(k *schema.Keys, x *placing) {
	var name string
	k.Required("join", x.label(&name, wantStream), "")
	x.main = k.Node("join")
	if x.notOnStream("a wait for a stream"); x.main != nil && !slices.Contains(x.streams, name) {
		x.OneOf(x.main, x.streams, "stream (one that an earlier statement has named)")
	}
	x.every(k)
	x.Statement = func(b *builder, p Place) { b.emit(p, instruction{op: join, request: b.stream(name)}) }
}

// index reads the name of the number of the round.
func (x *placing) index(n *yamldoc.Node) string {
	if n == nil {
		return ""
	}
	name := x.String(n, "a name for the number of the round")
	if problem, expected := x.scope.CheckName(name); problem != "" {
		x.Fail(n, problem, expected)
		return ""
	}
	return name
}

// messageForm is a statement that is a message, or one end of one.
type messageForm struct {
	key, what       string
	kind            workloads.Kind
	sends, receives bool
}

var messageForms = []messageForm{
	{"send", "a send, as in {to: rank+1, size: 8 B}", workloads.Send, true, false},
	{"recv", "a receive, as in {from: rank-1}", workloads.Recv, false, true},
	{"isend", "a send, as in {to: rank+1, size: 8 B, request: up}", workloads.Isend, true, false},
	{"irecv", "a receive, as in {from: rank-1, request: down}", workloads.Irecv, false, true},
	{"sendrecv", "a send and a receive, as in {to: rank+1, from: rank-1, size: 8 B}", workloads.Sendrecv, true, true},
}

// anything is a partner or tag that is left open.
const anything = "any"

func (m messageForm) keys(k *schema.Keys, x *placing) {
	var to, from, size, tag *expression.Expression // from nil: any; tag nil: 0, or any if anyTag
	anyTag, request := false, label{number: unnamed}
	orAny := func(q quantity, e **expression.Expression, isAny *bool) *schema.Function {
		return schema.Func(expressionType, func(n *yamldoc.Node) {
			if *isAny = n.Text() == anything; !*isAny {
				*e = x.expression(n, x.scope, q)
			}
		}).Wanted(q.want)
	}
	partner := quantity{"", "the number of a process, such as rank+1"}
	if m.sends {
		k.Required("to", x.expr(x.scope, partner, &to), "process; nobody if there is none with that number")
	}
	if m.receives {
		partner.want += ", or any"
		k.Required("from", orAny(partner, &from, new(bool)), "process, or any; nobody if there is none with that number")
	}
	if m.sends {
		k.Required("size", x.expr(x.scope, aSize, &size), "size")
		k.Optional("tag", x.expr(x.scope, aNumber, &tag).Else("0"), "tag")
	} else {
		k.Optional("size", x.expr(x.scope, aSize, &size), "size that the sender gives, for the reader: it changes nothing")
		k.Optional("tag", orAny(aNumber, &tag, &anyTag).Else("0"), "tag, or any")
	}
	if m.kind == workloads.Isend || m.kind == workloads.Irecv {
		x.names(k, &request)
	}
	x.every(k)
	x.Statement = func(b *builder, p Place) {
		b.emitNamed(p, instruction{op: message, kind: m.kind, to: b.operand(to), from: b.operand(from), tag: b.operand(tag),
			size: b.operand(size), flag: anyTag}, request)
	}
}

// label is the name of a request, with an index or nil.
type label struct {
	number int32
	index  *expression.Expression
}

// emitNamed emits an instruction about a request.
func (b *builder) emitNamed(p Place, i instruction, of label) {
	i.request, i.index = of.number, b.operand(of.index)
	b.names = b.names || of.number != unnamed
	b.emit(p, i)
}

func (x *placing) names(k *schema.Keys, of *label) {
	k.Optional("request", schema.Func(schema.Text, func(n *yamldoc.Node) {
		text := x.String(n, "a name for the request")
		word, _, _ := strings.Cut(text, "(")
		switch {
		case word == "all" || word == "":
			x.Fail(n, "not a name for a request", "another name")
			return
		case slices.Contains(x.requests, word):
		case len(x.requests) == maxRequests:
			x.Fail(n, "too many names for requests", fmt.Sprintf("at most %d; those with an index, as in layer(i), and requests without a name are not limited", maxRequests))
			return
		default:
			x.requests = append(x.requests, word)
		}
		*of = x.named(n, text)
	}), "name for wait, which may have an index, as in layer(i); without one, wait: all waits for it")
}

// named returns the name of a request that is known.
func (x *placing) named(n *yamldoc.Node, text string) (of label) {
	word, index, indexed := strings.Cut(text, "(")
	of.number = int32(slices.Index(x.requests, word))
	inner, ends := strings.CutSuffix(index, ")")
	switch {
	case !indexed:
	case !ends:
		x.Fail(n, "the index of a request does not end", "a name as layer(i)")
	default:
		e, err := x.scope.Number(inner)
		if err != nil {
			x.failExpression(n, err, "a name as layer(i)")
		}
		of.index = e
	}
	return of
}

var waitRecord = declare("a wait, as in {request: up}", "wait", func(k *schema.Keys, x *placing) {
	const want = "the name of a request, or all"
	all, of := false, label{number: unnamed}
	read := func(n *yamldoc.Node) {
		text := x.String(n, want)
		word, _, _ := strings.Cut(text, "(")
		switch {
		case text == "all":
			all = true
		case !slices.Contains(x.requests, word) && n.IsScalar():
			x.OneOf(n, append(slices.Clone(x.requests), "all"), "request (one that an earlier statement has named)")
		default:
			of = x.named(n, text)
		}
	}
	if x.main != nil && !x.main.IsMapping() {
		read(x.main)
	} else {
		k.Required("request", schema.Func(schema.Text, read), want)
	}
	x.every(k)
	x.Statement = func(b *builder, p Place) { b.emitNamed(p, instruction{op: wait, flag: all}, of) }
})

// collectiveRecord declares a collective operation, or its start.
func collectiveRecord(op workloads.Collective, starts bool) *schema.Record[placing] {
	name := op.String()
	if starts {
		name = "i" + name
	}
	example, meaning, peers := "{size: 8 B}", "size of the data", []string(nil)
	switch op {
	case workloads.Barrier:
		example = "{among: all}"
	case workloads.Gather, workloads.Allgather:
		meaning, peers = "size of the block of a process; may depend on from, the process", []string{"from"}
	case workloads.Scatter, workloads.ReduceScatter:
		meaning, peers = "size of the block of a process; may depend on to, the process", []string{"to"}
	case workloads.Alltoall:
		meaning, peers = "size of what a process has for another; may depend on from and to", []string{"from", "to"}
	}
	reduces := op == workloads.Reduce || op == workloads.Allreduce || op == workloads.ReduceScatter || op == workloads.Scan
	choice := schema.AnyOf{ChoiceType(op), schema.Text}
	return declare("a call of "+name+", as in "+example, name, func(k *schema.Keys, x *placing) {
		var size, root, flopPerByte *expression.Expression
		request := label{number: unnamed}
		how, from, among := collective.Default(op), "", axes(0) // from is the parameter that says how, "" for none
		if op != workloads.Barrier {
			x.short(k, "size", x.scope.Peers(peers...), aSize, &size, meaning)
		}
		k.Optional("among", x.among(&among).Else("all"),
			"all processes, or an axis, or several: those with the same place on the other axes")
		k.Optional("algorithm", schema.Func(choice, func(n *yamldoc.Node) {
			how, from = x.choice(n, op)
		}).Else(how.Algorithm.Name()), "how it is carried out, or a parameter that says so")
		if collective.Rooted(op) {
			k.Optional("root", x.expr(x.scope, aNumber, &root).Else("0"), "place of the root among the processes that take part")
		}
		if reduces {
			k.Optional("flop_per_byte", x.expr(x.scope, aNumber, &flopPerByte).Else("0"),
				"work of combining a byte; not part of W")
		}
		if starts {
			x.names(k, &request)
			x.notOnStream("an operation that is started")
		}
		x.every(k)
		if size != nil && size.Varies() && op == workloads.Alltoall && how.Algorithm == nil && from == "" {
			k.Fail(k.Node("algorithm"), "an alltoall whose blocks differ needs an algorithm", "the name of an algorithm")
		}
		x.Statement = func(b *builder, p Place) {
			c := &call{operation: op, choice: how, root: b.operand(root), members: b.groups.among(among)}
			if from != "" {
				c.choice = b.x.c.Values.Choice(from)
			}
			c.choice = b.x.c.Chosen(c.choice)
			if size != nil && size.Varies() {
				c.varying = size
			}
			i := instruction{op: collect, call: c, size: b.operand(size), work: b.operand(flopPerByte)}
			if starts {
				i.op, c.stream = begin, b.stream("among "+strconv.Itoa(int(c.members.axes)))
			}
			b.emitNamed(p, i, request)
		}
	})
}
