package goal

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// maxLine is the longest line of a text, in bytes.
const maxLine = 1 << 20

// bufferSize is how many bytes of a text are read at once.
const bufferSize = 256 << 10

// Read reads a schedule, plain or compressed by gzip (told by its first two bytes). The
// name is for messages only. Reading stops after the last rank; the rest is ignored.
//
// Errors in the text are of type *SyntaxError.
func Read(name string, r io.Reader) (*Schedule, error) {
	return ReadMax(name, r, math.MaxInt64)
}

// ReadMax is Read that gives up when the schedule would hold more than
// maxMemory bytes (Shape.Memory), so that a small compressed file cannot use
// up the memory of the machine.
func ReadMax(name string, r io.Reader, maxMemory int64) (*Schedule, error) {
	text, err := lines.Decompress(r, 4<<10)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; expected a file compressed by gzip", name, err)
	}
	p := parser{name: name, labels: newLabels(), maxMemory: maxMemory}
	if err := p.parse(lines.NewReader(text, bufferSize, maxLine)); err != nil {
		return nil, err
	}
	s, err := p.b.finish()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// SyntaxError is a mistake in a GOAL text, with its place.
type SyntaxError = lines.SyntaxError

// parser reads the text line by line. Each step takes the index of what it expects in
// the line and returns the index after it. A failing step returns -1 and leaves the
// error in p.err.
type parser struct {
	name      string
	b         Builder
	labels    *labels // of the current rank
	maxMemory int64

	line      int
	ranks     int // as announced, 0 before
	open      bool
	comment   bool // inside a block comment
	commentAt SyntaxError
	finished  bool // after the last rank
	err       error
}

const failed = -1

func (p *parser) parse(in lines.Reader) error {
	for !p.finished {
		b, err := in.Next()
		p.line++
		what, expected, ofText := lines.Problem(err, maxLine)
		switch {
		case err == io.EOF:
			return p.atEnd()
		case ofText:
			p.fail(0, what, expected)
		case err != nil:
			return fmt.Errorf("%s: %w", p.name, err)
		default:
			p.parseLine(b)
		}
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// atEnd returns what is missing if the text ends too early.
func (p *parser) atEnd() error {
	switch {
	case p.comment:
		return &p.commentAt
	case p.open:
		p.fail(0, fmt.Sprintf("the text ends inside rank %d", p.b.rank()), `an operation or "}"`)
	case p.ranks == 0:
		p.fail(0, "the text ends", `"num_ranks" and the number of ranks`)
	default:
		p.fail(0, "the text ends", fmt.Sprintf(`"rank %d {", because there are %d ranks`, p.b.rank()+1, p.ranks))
	}
	return p.err
}

// parseLine reads one line. Comments, headers and braces may be followed by more on the
// same line; an operation or dependency ends it.
func (p *parser) parseLine(b []byte) {
	i := 0
	for i != failed && !p.finished {
		if p.comment {
			n := bytes.Index(b[i:], []byte("*/"))
			if n < 0 {
				return
			}
			i += n + 2
			p.comment = false
		}
		i = space(b, i)
		if i == len(b) {
			return
		}
		switch c := b[i]; {
		case isLetter(c):
			i = p.statement(b, i)
		case c == '}' && p.open:
			i = p.closeRank(i)
		case has(b, i, "//"):
			return
		case has(b, i, "/*"):
			p.comment = true
			p.commentAt = SyntaxError{File: p.name, Line: p.line, Column: i + 1,
				What: "the comment has no end", Expected: `"*/"`}
			i += 2
		default:
			i = p.unexpected(b, i, p.expectedAtStart())
		}
	}
}

func (p *parser) expectedAtStart() string {
	switch {
	case p.ranks == 0:
		return `"num_ranks" or a comment`
	case !p.open:
		return fmt.Sprintf(`"rank %d {" or a comment`, p.b.rank()+1)
	}
	return `an operation, a label, a comment or "}"`
}

// statement reads what begins with a word at i.
func (p *parser) statement(b []byte, i int) int {
	end := wordEnd(b, i)
	if !p.open {
		switch string(b[i:end]) {
		case "num_ranks":
			return p.numRanks(b, i, end)
		case "rank":
			return p.openRank(b, i, end)
		}
		return p.unexpected(b, i, p.expectedAtStart())
	}
	switch string(b[i:end]) {
	case "send", "recv", "calc":
		return p.op(b, i, nil)
	case "rank", "num_ranks":
		return p.unexpected(b, i, fmt.Sprintf(`the end of rank %d, "}", before it`, p.b.rank()))
	}
	label := b[i:end]
	j := space(b, end)
	switch {
	case has(b, j, ":"):
		return p.op(b, space(b, j+1), label)
	case has(b, j, "requires"):
		return p.dependency(b, i, end, j+len("requires"), 0)
	case has(b, j, "irequires"):
		return p.dependency(b, i, end, j+len("irequires"), startBit)
	}
	return p.unexpected(b, j, fmt.Sprintf(`":", "requires" or "irequires" after the label %q`, lines.Clip(label)))
}

func (p *parser) numRanks(b []byte, i, end int) int {
	if p.ranks > 0 {
		return p.unexpected(b, i, p.expectedAtStart())
	}
	at := space(b, end)
	n, i := p.number(b, at, "the number of ranks", maxRanks)
	if i != failed && n == 0 {
		return p.fail(at, "the number of ranks is 0", "at least 1")
	}
	p.ranks = int(n)
	return i
}

func (p *parser) openRank(b []byte, i, end int) int {
	if p.ranks == 0 {
		return p.unexpected(b, i, p.expectedAtStart())
	}
	at := space(b, end)
	next := p.b.rank() + 1
	n, i := p.number(b, at, "the number of a rank", maxRanks)
	if i == failed {
		return i
	}
	if int(n) != next {
		return p.fail(at, fmt.Sprintf("rank %d", n), fmt.Sprintf("rank %d: ranks come in order, each once", next))
	}
	i = space(b, i)
	if !has(b, i, "{") {
		return p.unexpected(b, i, `"{"`)
	}
	p.b.NextRank()
	p.labels.reset()
	p.open = true
	return p.checkMemory(i, i+1)
}

func (p *parser) closeRank(i int) int {
	p.open = false
	p.finished = p.b.rank()+1 == p.ranks
	return i + 1
}

// op reads an operation that begins at i, to the end of the line.
func (p *parser) op(b []byte, i int, label []byte) int {
	at := i
	var op Op
	switch {
	case has(b, i, "send"):
		op.Kind = Send
	case has(b, i, "recv"):
		op.Kind = Recv
	case has(b, i, "calc"):
		op.Kind = Calc
	default:
		return p.unexpected(b, i, `"send", "recv" or "calc"`)
	}
	i = space(b, i+4)
	if op.Size, i = p.number(b, i, "the size", maxSize); i == failed {
		return i
	}
	if op.Kind == Calc {
		i = p.cpu(b, space(b, i), &op)
	} else {
		i = p.message(b, space(b, i), &op)
	}
	if i == failed {
		return i
	}
	if i != len(b) {
		return p.unexpected(b, i, p.expectedAfter(b, i, &op))
	}
	return p.add(op, label, at, i)
}

// expectedAfter says what may follow an operation.
func (p *parser) expectedAfter(b []byte, i int, op *Op) string {
	switch {
	case has(b, i, "//"), has(b, i, "/*"):
		return "the end of the line: a comment may begin only where a line may begin"
	case op.Kind == Calc:
		return `"cpu" or the end of the line`
	}
	return `"tag", "cpu", "nic", each once and in this order, or the end of the line`
}

// message reads the part of a send or receive after its size.
func (p *parser) message(b []byte, i int, op *Op) int {
	if !has(b, i, "b") {
		return p.unexpected(b, i, `"b" for bytes`)
	}
	i = space(b, i+1)
	word := "to"
	if op.Kind == Recv {
		word = "from"
	}
	if !has(b, i, word) {
		return p.unexpected(b, i, fmt.Sprintf("%q and a rank", word))
	}
	i = space(b, i+len(word))
	if op.Kind == Recv && has(b, i, "-1") {
		op.Peer, i = AnySource, i+2
	} else {
		at := i
		var peer uint64
		if peer, i = p.number(b, i, "the rank", maxRanks); i == failed {
			return i
		}
		if peer >= uint64(p.ranks) {
			return p.fail(at, fmt.Sprintf("there is no rank %d", peer), fmt.Sprintf("a rank from 0 to %d", p.ranks-1))
		}
		op.Peer = int32(peer)
	}
	i = space(b, i)
	if has(b, i, "tag") {
		if i = p.tag(b, space(b, i+3), op); i == failed {
			return i
		}
	}
	if i = p.cpu(b, space(b, i), op); i == failed {
		return i
	}
	if has(b, i, "nic") {
		var n uint64
		if n, i = p.number(b, space(b, i+3), "the nic", math.MaxUint8); i == failed {
			return i
		}
		op.NIC = uint8(n)
	}
	return space(b, i)
}

func (p *parser) tag(b []byte, i int, op *Op) int {
	if has(b, i, "-1") {
		op.Tag = AnyTag
		return i + 2
	}
	n, i := p.number(b, i, "the tag", uint64(AnyTag)-1)
	op.Tag = uint32(n)
	return i
}

// cpu reads an optional cpu and the space after it.
func (p *parser) cpu(b []byte, i int, op *Op) int {
	if !has(b, i, "cpu") {
		return i
	}
	n, i := p.number(b, space(b, i+3), "the cpu", math.MaxUint8)
	if i == failed {
		return i
	}
	op.CPU = uint8(n)
	return space(b, i)
}

// add takes a complete operation that began at column at.
func (p *parser) add(op Op, label []byte, at, i int) int {
	n := p.b.Add(op)
	if p.b.err != nil {
		return p.fail(at, "one operation too many", fmt.Sprintf("at most %d", maxOps))
	}
	if label != nil {
		p.labels.define(label, int32(n))
	}
	s := p.b.s
	s.lines = push(s.lines, uint32(min(p.line, math.MaxUint32)))
	return p.checkMemory(at, i)
}

// dependency reads the label at j, for the label b[i:end] before it.
func (p *parser) dependency(b []byte, i, end, j int, kind Edge) int {
	j = space(b, j)
	last := j
	if j < len(b) && isLetter(b[j]) {
		last = wordEnd(b, j)
	}
	if last == j {
		return p.unexpected(b, j, "a label")
	}
	op, ok := p.labels.find(b[i:end])
	if !ok {
		return p.unknownLabel(b[i:end], i)
	}
	on, ok := p.labels.find(b[j:last])
	if !ok {
		return p.unknownLabel(b[j:last], j)
	}
	if last = space(b, last); last != len(b) {
		return p.unexpected(b, last, "the end of the line")
	}
	p.b.require(int(op), int(on), kind)
	if p.b.err != nil {
		return p.fail(i, "one dependency too many", fmt.Sprintf("at most %d", maxEdges))
	}
	return p.checkMemory(i, last)
}

// checkMemory returns next if there is memory left. The labels of a rank count too,
// because a few long ones, well compressed, would otherwise evade the limit.
func (p *parser) checkMemory(at, next int) int {
	s := p.b.s
	shape := Shape{Ranks: len(s.first), Ops: len(s.ops), Edges: len(s.edges) + len(p.b.pending)}
	if need := shape.Memory() + int64(len(p.labels.text)); need > p.maxMemory {
		return p.fail(at, fmt.Sprintf("the schedule up to here needs %d bytes of memory", need),
			fmt.Sprintf("at most %d", p.maxMemory))
	}
	return next
}

func (p *parser) unknownLabel(label []byte, i int) int {
	return p.fail(i, fmt.Sprintf("rank %d has no label %q above this line", p.b.rank(), lines.Clip(label)),
		"a label of this rank that is defined before")
}

// number reads a whole number at i.
func (p *parser) number(b []byte, i int, what string, largest uint64) (uint64, int) {
	start := i
	var n uint64
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		d := uint64(b[i] - '0')
		if n > (largest-d)/10 {
			return 0, p.fail(start, what+" is too large", fmt.Sprintf("at most %d", largest))
		}
		n = n*10 + d
	}
	if i == start {
		return 0, p.unexpected(b, i, what+", a whole number")
	}
	return n, i
}

// unexpected fails, quoting the text at i.
func (p *parser) unexpected(b []byte, i int, expected string) int {
	what := "the line ends"
	if i < len(b) {
		end := i + 1
		if isLetter(b[i]) {
			end = wordEnd(b, i)
		}
		what = fmt.Sprintf("unexpected %q", lines.Clip(b[i:end]))
	}
	return p.fail(i, what, expected)
}

func (p *parser) fail(i int, what, expected string) int {
	p.err = &SyntaxError{File: p.name, Line: p.line, Column: i + 1, What: what, Expected: expected}
	return failed
}

// space returns the index of the first byte from i that is no blank.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// wordEnd returns the end of the word that begins with the letter at i.
func wordEnd(b []byte, i int) int {
	for i++; i < len(b) && (isLetter(b[i]) || b[i]-'0' <= 9 || b[i] == '_'); i++ {
	}
	return i
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// has reports whether word is at i.
func has(b []byte, i int, word string) bool {
	return len(b)-i >= len(word) && string(b[i:i+len(word)]) == word
}
