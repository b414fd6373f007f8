package timeline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
)

// The binary form: see docs/formats/timeline.md.
const (
	magic   = "ISTL"
	version = 1
	align   = 8

	compactVersion = 2
)

// contents is the JSON at the beginning of the binary form.
type contents struct {
	*Timeline
	Links  []string         `json:"links,omitempty"`
	Window units.Seconds    `json:"window_s,omitempty"`
	Arrays map[string]array `json:"arrays"`
}

// array is where an array is.
type array struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"` // in bytes
	Length int    `json:"length"` // in elements
}

// field is an array of a timeline: a pointer to a slice of numbers.
type field struct {
	name string
	data any
}

func (f field) slice() reflect.Value { return reflect.ValueOf(f.data).Elem() }

func (f field) kind() (string, int) {
	switch f.slice().Type().Elem().Kind() {
	case reflect.Uint8:
		return "u8", 1
	case reflect.Uint32:
		return "u32", 4
	case reflect.Int32:
		return "i32", 4
	}
	return "f64", 8
}

// appendTo appends the elements, little-endian.
func (f field) appendTo(data []byte) []byte {
	data, err := binary.Append(data, binary.LittleEndian, f.slice().Interface())
	if err != nil { // they are numbers
		panic("timeline: " + err.Error())
	}
	return data
}

// fields lists the arrays in the order in which they are written.
func (t *Timeline) fields(use *LinkUse) []field {
	return []field{
		{"span_first", &t.SpanFirst}, {"span_end", &t.SpanEnd}, {"span_part", &t.SpanPart},
		{"message_first", &t.MessageFirst}, {"message_to", &t.MessageTo}, {"message_leaves", &t.MessageLeaves},
		{"message_arrives", &t.MessageArrives}, {"message_received", &t.MessageReceived},
		{"message_size", &t.MessageSize}, {"message_tag", &t.MessageTag},
		{"path_from", &t.PathFrom}, {"path_until", &t.PathUntil}, {"path_rank", &t.PathRank},
		{"path_to", &t.PathTo}, {"path_kind", &t.PathKind},
		{"bin_share", &t.BinShare}, {"link_use", &use.Share},
	}
}

// Encode returns the binary form. The same timeline gives the same bytes.
func (t *Timeline) Encode() []byte { return t.encode(version, nil) }

// encode writes the arrays as they are or, if spans is given, in the compact form: in
// planes, with the spans of messages as further arrays.
func (t *Timeline) encode(version uint32, spans *spanOfMessages) []byte {
	listed := *t // as JSON has lists without elements
	listed.Parts, listed.PathKinds = append([]Part{}, t.Parts...), append([]string{}, t.PathKinds...)
	c := contents{Timeline: &listed, Arrays: map[string]array{}}
	use := &LinkUse{}
	if t.Use != nil {
		use = t.Use
		c.Links, c.Window = use.Links, use.Window
	}
	fields := t.fields(use)
	if spans != nil {
		fields = append(fields, field{"leaves_span", &spans.leaves}, field{"received_span", &spans.received})
	}
	// The offsets of arrays depend on the length of the contents, which depends on them.
	// Offsets grow with the guessed length, so that a few rounds settle it.
	var head []byte
	end := 0
	for start := 0; ; start = len(head) {
		at := start
		for _, f := range fields {
			kind, size := f.kind()
			n := f.slice().Len()
			if n == 0 {
				continue
			}
			c.Arrays[f.name] = array{kind, at, n}
			at += (size*n + align - 1) / align * align
		}
		end = at
		text, err := json.Marshal(c)
		if err != nil {
			panic(err) // only numbers and text, and all numbers are finite
		}
		head = append([]byte(magic), 0, 0, 0, 0, 0, 0, 0, 0)
		head = append(head, text...)
		for len(head)%align != 0 || len(head) < start {
			head = append(head, ' ')
		}
		if len(head) == start {
			break
		}
	}
	binary.LittleEndian.PutUint32(head[4:], version)
	binary.LittleEndian.PutUint32(head[8:], uint32(len(head)-12))
	out := slices.Grow(head, end-len(head))
	for _, f := range fields {
		begin := len(out)
		out = f.appendTo(out)
		if spans != nil {
			_, size := f.kind()
			copy(out[begin:], planes(out[begin:], size))
		}
		for len(out)%align != 0 {
			out = append(out, 0)
		}
	}
	return out
}

// Decode reads the binary form. The error says what is wrong with it.
func Decode(data []byte) (*Timeline, error) {
	const head = len(magic) + 8
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, errors.New("timeline: not a timeline in binary form; expected it to begin with " + magic)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != version {
		return nil, fmt.Errorf("timeline: version %d; expected %d", v, version)
	}
	n := binary.LittleEndian.Uint32(data[8:])
	if uint64(n) > uint64(len(data)-head) {
		return nil, fmt.Errorf("timeline: contents of %d bytes in a file of %d", n, len(data))
	}
	t := &Timeline{}
	c := contents{Timeline: t}
	if err := json.NewDecoder(bytes.NewReader(data[head : head+int(n)])).Decode(&c); err != nil {
		return nil, fmt.Errorf("timeline: contents: %w", err)
	}
	use := &LinkUse{Links: c.Links, Window: c.Window}
	for _, f := range t.fields(use) {
		a, ok := c.Arrays[f.name]
		if !ok {
			continue
		}
		if err := f.read(data, a); err != nil {
			return nil, fmt.Errorf("timeline: array %s: %w", f.name, err)
		}
	}
	if len(use.Links) > 0 || len(use.Share) > 0 {
		t.Use = use
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	return t, nil
}

func (f field) read(data []byte, a array) error {
	kind, size := f.kind()
	switch {
	case a.Type != kind:
		return fmt.Errorf("type %q; expected %s", a.Type, kind)
	case a.Offset < 0 || a.Offset%align != 0 || a.Offset > len(data):
		return fmt.Errorf("begins at %d; expected a multiple of %d within the %d bytes of the file", a.Offset, align, len(data))
	case a.Length < 0 || a.Length > (len(data)-a.Offset)/size:
		return fmt.Errorf("has %d elements at %d; expected them within the %d bytes of the file", a.Length, a.Offset, len(data))
	}
	into := reflect.MakeSlice(f.slice().Type(), a.Length, a.Length)
	f.slice().Set(into)
	_, err := binary.Decode(data[a.Offset:], binary.LittleEndian, into.Interface())
	return err
}

// check reports the first thing that does not fit together.
func (t *Timeline) check() error {
	switch {
	case t.Ranks < 0 || t.Rows < 0 || t.Columns < 0 || t.Rows > MostRows || t.Columns > MostColumns:
		return fmt.Errorf("%d ranks in %d rows and %d columns; expected at most %d rows and %d columns", t.Ranks, t.Rows, t.Columns, MostRows, MostColumns)
	case !(t.Tick > 0) || math.IsInf(float64(t.Tick), 1):
		return fmt.Errorf("tick_s is %v; expected a time above 0", float64(t.Tick))
	case len(t.BinShare) != t.Rows*t.Columns*int(BinKinds):
		return fmt.Errorf("bin_share has %d elements; expected %d", len(t.BinShare), t.Rows*t.Columns*int(BinKinds))
	case t.Use != nil && (len(t.Use.Links) == 0 || len(t.Use.Share)%len(t.Use.Links) != 0):
		return fmt.Errorf("link_use has %d elements for %d links; expected as many for each", len(t.Use.Share), len(t.Use.Links))
	}
	for _, err := range []error{
		checkLists("span", t.Ranks, t.SpanFirst, len(t.SpanEnd), len(t.SpanPart)),
		checkLists("message", t.Ranks, t.MessageFirst, len(t.MessageTo), len(t.MessageLeaves), len(t.MessageArrives),
			len(t.MessageReceived), len(t.MessageSize), len(t.MessageTag)),
		checkLengths("the path", len(t.PathKind), len(t.PathFrom), len(t.PathUntil), len(t.PathRank), len(t.PathTo)),
	} {
		if err != nil {
			return err
		}
	}
	return t.checkNumbers()
}

// checkNumbers reports the first number that refers to nothing.
func (t *Timeline) checkNumbers() error {
	for i, p := range t.SpanPart {
		if int(p) >= len(t.Parts) {
			return fmt.Errorf("span_part[%d] is %d; expected one of %d parts", i, p, len(t.Parts))
		}
	}
	for i, to := range t.MessageTo {
		if uint64(to) >= uint64(t.Ranks) {
			return fmt.Errorf("message_to[%d] is %d; expected one of %d ranks", i, to, t.Ranks)
		}
	}
	for i, k := range t.PathKind {
		if int(k) >= len(t.PathKinds) || uint64(t.PathRank[i]) >= uint64(t.Ranks) ||
			uint64(t.PathTo[i]) >= uint64(t.Ranks) {
			return fmt.Errorf("segment %d of the path is of kind %d, from %d to %d; expected one of %d kinds and %d ranks", i, k, t.PathRank[i], t.PathTo[i], len(t.PathKinds), t.Ranks)
		}
	}
	return nil
}

// checkLists checks where the elements of each rank begin, and that there are as many
// in each array.
func checkLists(name string, ranks int, first []uint32, lengths ...int) error {
	if err := checkLengths(name+"s", lengths[0], lengths[1:]...); err != nil {
		return err
	}
	if len(first) == 0 && lengths[0] == 0 {
		return nil
	}
	if len(first) != ranks+1 || first[0] != 0 || int(first[ranks]) != lengths[0] {
		return fmt.Errorf("%s_first does not lead from 0 to %d in %d steps", name, lengths[0], ranks)
	}
	for i := range ranks {
		if first[i] > first[i+1] {
			return fmt.Errorf("%s_first[%d] is %d and the next %d; expected no smaller one", name, i, first[i], first[i+1])
		}
	}
	return nil
}

func checkLengths(of string, want int, lengths ...int) error {
	for _, n := range lengths {
		if n != want {
			return fmt.Errorf("arrays of %s with %d and %d elements; expected equal numbers", of, want, n)
		}
	}
	return nil
}

// Compact returns a form of the timeline for pages, which compresses to a third of the size
// of the compressed binary form: the same layout with version 2, whose arrays hold
// differences from near values, byte by byte. See docs/formats/timeline.md. The same
// timeline gives the same bytes.
func (t *Timeline) Compact() []byte {
	c := *t
	c.SpanEnd = minus(t.SpanEnd, t.SpanEnd, 1)
	c.PathFrom = minus(t.PathFrom, t.PathUntil, 1)
	c.PathUntil = minus(t.PathUntil, t.PathUntil, 1)
	c.MessageArrives = minus(t.MessageArrives, t.MessageLeaves, 0)
	c.MessageLeaves, c.MessageReceived = slices.Clone(t.MessageLeaves), slices.Clone(t.MessageReceived)
	spans := &spanOfMessages{leaves: make([]uint32, len(t.MessageTo)), received: make([]uint32, len(t.MessageTo))}
	last := make([]uint32, t.Ranks) // span of the message before, for each receiver
	for rank := range max(0, len(t.MessageFirst)-1) {
		sending := uint32(0)
		for i := t.MessageFirst[rank]; i < t.MessageFirst[rank+1]; i++ {
			sending, spans.leaves[i], c.MessageLeaves[i] = t.before(uint32(rank), sending, t.MessageLeaves[i])
			to := t.MessageTo[i]
			last[to], spans.received[i], c.MessageReceived[i] = t.before(to, last[to], t.MessageReceived[i])
		}
	}
	return c.encode(compactVersion, spans)
}

// spanOfMessages are the spans at whose ends messages leave and are received, as steps
// from the span of the message before.
type spanOfMessages struct{ leaves, received []uint32 }

// before returns the first span of a rank that does not end before a time, counted from
// the first of the rank, its distance from another one, and how long before its end the
// time is. Behind the last span there is one that ends at 0. Differences are modulo 2^32.
func (t *Timeline) before(rank, from, at uint32) (span, step, early uint32) {
	var ends []uint32
	if len(t.SpanFirst) > 0 {
		ends = t.SpanEnd[t.SpanFirst[rank]:t.SpanFirst[rank+1]]
	}
	span = uint32(sort.Search(len(ends), func(i int) bool { return ends[i] >= at }))
	end := uint32(0)
	if int(span) < len(ends) {
		end = ends[span]
	}
	return span, span - from, end - at
}

// minus returns each element less the one so many places before it in another list, which begins
// with zeros, modulo 2^32.
func minus(x, y []uint32, before int) []uint32 {
	out := slices.Clone(x)
	for i := before; i < len(x); i++ {
		out[i] -= y[i-before]
	}
	return out
}

// planes puts the first bytes of all elements before all second ones, and so on.
func planes(data []byte, size int) []byte {
	out := make([]byte, 0, len(data))
	for k := range size {
		for i := k; i < len(data); i += size {
			out = append(out, data[i])
		}
	}
	return out
}
