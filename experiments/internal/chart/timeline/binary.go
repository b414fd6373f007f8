package timeline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	Ranks       int              `json:"ranks"`
	Tick        float64          `json:"tick_s"`
	End         uint32           `json:"end"`
	Names       []string         `json:"names,omitempty"`
	Parts       []part           `json:"parts"`
	PathKinds   []string         `json:"path_kinds"`
	Spans       int              `json:"spans"`
	Messages    int              `json:"messages"`
	Rows        int              `json:"rows"`
	Columns     int              `json:"columns"`
	RanksPerRow int              `json:"ranks_per_row"`
	ColumnWidth float64          `json:"column_s"`
	Links       []string         `json:"links,omitempty"`
	Window      float64          `json:"window_s,omitempty"`
	Arrays      map[string]array `json:"arrays"`
}

type part struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// array is where an array is.
type array struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"` // in bytes
	Length int    `json:"length"` // in elements
}

// field is an array of a timeline: one of its pointers is set.
type field struct {
	name string
	u8   *[]uint8
	u32  *[]uint32
	i32  *[]int32
	f64  *[]float64
}

// kind returns the type of the elements and their size.
func (f field) kind() (string, int) {
	switch {
	case f.u8 != nil:
		return "u8", 1
	case f.u32 != nil:
		return "u32", 4
	case f.i32 != nil:
		return "i32", 4
	}
	return "f64", 8
}

func (f field) length() int {
	switch {
	case f.u8 != nil:
		return len(*f.u8)
	case f.u32 != nil:
		return len(*f.u32)
	case f.i32 != nil:
		return len(*f.i32)
	}
	return len(*f.f64)
}

// bytes returns the elements, little-endian.
func (f field) bytes() []byte {
	if f.u8 != nil {
		return *f.u8
	}
	_, size := f.kind()
	out := make([]byte, 0, f.length()*size)
	switch {
	case f.u32 != nil:
		for _, x := range *f.u32 {
			out = binary.LittleEndian.AppendUint32(out, x)
		}
	case f.i32 != nil:
		for _, x := range *f.i32 {
			out = binary.LittleEndian.AppendUint32(out, uint32(x))
		}
	default:
		for _, x := range *f.f64 {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
	}
	return out
}

// fields lists the arrays in the order in which they are written.
func (t *Timeline) fields(use *LinkUse) []field {
	return []field{
		{name: "span_first", u32: &t.SpanFirst}, {name: "span_end", u32: &t.SpanEnd}, {name: "span_part", u8: &t.SpanPart},
		{name: "message_first", u32: &t.MessageFirst}, {name: "message_to", u32: &t.MessageTo}, {name: "message_leaves", u32: &t.MessageLeaves},
		{name: "message_arrives", u32: &t.MessageArrives}, {name: "message_received", u32: &t.MessageReceived},
		{name: "message_size", f64: &t.MessageSize}, {name: "message_tag", i32: &t.MessageTag},
		{name: "path_from", u32: &t.PathFrom}, {name: "path_until", u32: &t.PathUntil}, {name: "path_rank", u32: &t.PathRank},
		{name: "path_to", u32: &t.PathTo}, {name: "path_kind", u8: &t.PathKind},
		{name: "bin_share", u8: &t.BinShare}, {name: "link_use", u8: &use.Share},
	}
}

// Encode returns the binary form. The same timeline gives the same bytes.
func (t *Timeline) Encode() []byte { return t.encode(version, nil) }

// encode writes the arrays as they are or, of the compact form, in planes and with
// those of the spans of messages.
func (t *Timeline) encode(version uint32, spans *spanOfMessages) []byte {
	c := contents{
		Ranks: t.Ranks, Tick: float64(t.Tick), End: t.End, Names: t.Names, PathKinds: append([]string{}, t.PathKinds...), Parts: []part{}, Spans: t.Spans, Messages: t.Messages,
		Rows: t.Rows, Columns: t.Columns, RanksPerRow: t.RanksPerRow, ColumnWidth: float64(t.ColumnWidth), Arrays: map[string]array{},
	}
	for _, p := range t.Parts {
		c.Parts = append(c.Parts, part{p.Name, p.Kind.String()})
	}
	use := &LinkUse{}
	if t.Use != nil {
		use = t.Use
		c.Links, c.Window = use.Links, float64(use.Window)
	}
	fields := t.fields(use)
	if spans != nil {
		fields = append(fields, field{name: "leaves_span", u32: &spans.leaves}, field{name: "received_span", u32: &spans.received})
	}
	// Where the arrays begin depends on the length of the contents, which depends on
	// that: offsets grow with the guess, so that a few rounds settle it.
	var head []byte
	end := 0
	for start := 0; ; start = len(head) {
		at := start
		for _, f := range fields {
			kind, size := f.kind()
			if f.length() == 0 {
				continue
			}
			c.Arrays[f.name] = array{kind, at, f.length()}
			at += padded(size * f.length())
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
		data := f.bytes()
		if spans != nil {
			_, size := f.kind()
			data = planes(data, size)
		}
		out = append(out, data...)
		for len(out)%align != 0 {
			out = append(out, 0)
		}
	}
	return out
}

// padded returns a length in bytes up to the next boundary.
func padded(n int) int { return (n + align - 1) / align * align }

// Decode reads the binary form. The error says what is wrong with it.
func Decode(data []byte) (*Timeline, error) {
	const head = len(magic) + 8
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, errors.New("timeline: no timeline in binary form; expected it to begin with " + magic)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != version {
		return nil, fmt.Errorf("timeline: version %d; expected %d", v, version)
	}
	n := binary.LittleEndian.Uint32(data[8:])
	if uint64(n) > uint64(len(data)-head) {
		return nil, fmt.Errorf("timeline: contents of %d bytes in a file of %d", n, len(data))
	}
	var c contents
	if err := json.NewDecoder(bytes.NewReader(data[head : head+int(n)])).Decode(&c); err != nil {
		return nil, fmt.Errorf("timeline: contents: %w", err)
	}
	t := &Timeline{
		Ranks: c.Ranks, Tick: units.Seconds(c.Tick), End: c.End, Names: c.Names, PathKinds: c.PathKinds, Spans: c.Spans, Messages: c.Messages,
		Rows: c.Rows, Columns: c.Columns, RanksPerRow: c.RanksPerRow, ColumnWidth: units.Seconds(c.ColumnWidth),
	}
	for _, p := range c.Parts {
		k := slices.Index(kindNames[:], p.Kind)
		if k < 0 || p.Kind == "" {
			return nil, fmt.Errorf("timeline: part %q is of kind %q; expected compute, overhead, wait or stopped", p.Name, p.Kind)
		}
		t.Parts = append(t.Parts, Part{p.Name, Kind(k)})
	}
	use := &LinkUse{Links: c.Links, Window: units.Seconds(c.Window)}
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

// read takes an array out of the binary form.
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
	data = data[a.Offset:][:a.Length*size]
	switch {
	case f.u8 != nil:
		*f.u8 = append([]uint8{}, data...)
	case f.u32 != nil:
		for ; len(data) > 0; data = data[4:] {
			*f.u32 = append(*f.u32, binary.LittleEndian.Uint32(data))
		}
	case f.i32 != nil:
		for ; len(data) > 0; data = data[4:] {
			*f.i32 = append(*f.i32, int32(binary.LittleEndian.Uint32(data)))
		}
	default:
		for ; len(data) > 0; data = data[8:] {
			*f.f64 = append(*f.f64, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
	}
	return nil
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
	if err := checkLists("span", t.Ranks, t.SpanFirst, len(t.SpanEnd), len(t.SpanPart)); err != nil {
		return err
	}
	m := len(t.MessageTo)
	if err := checkLists("message", t.Ranks, t.MessageFirst, m, len(t.MessageLeaves), len(t.MessageArrives), len(t.MessageReceived), len(t.MessageSize), len(t.MessageTag)); err != nil {
		return err
	}
	p := len(t.PathKind)
	for _, n := range []int{len(t.PathFrom), len(t.PathUntil), len(t.PathRank), len(t.PathTo)} {
		if n != p {
			return fmt.Errorf("arrays of the path with %d and %d elements; expected as many in each", p, n)
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
		if int(k) >= len(t.PathKinds) || uint64(t.PathRank[i]) >= uint64(t.Ranks) || uint64(t.PathTo[i]) >= uint64(t.Ranks) {
			return fmt.Errorf("segment %d of the path is of kind %d, from %d to %d; expected one of %d kinds and %d ranks", i, k, t.PathRank[i], t.PathTo[i], len(t.PathKinds), t.Ranks)
		}
	}
	return nil
}

// checkLists checks where the elements of each rank begin, and that there are as many
// in each array.
func checkLists(name string, ranks int, first []uint32, lengths ...int) error {
	for _, n := range lengths[1:] {
		if n != lengths[0] {
			return fmt.Errorf("arrays of %ss with %d and %d elements; expected as many in each", name, lengths[0], n)
		}
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

// Compact returns a form of the timeline that compresses to a third of what the binary
// form does, for pages: the same layout with version 2, whose arrays hold differences
// from what is near, byte by byte. See docs/formats/timeline.md. The same timeline gives
// the same bytes.
func (t *Timeline) Compact() []byte {
	c := *t
	c.SpanEnd = differences(t.SpanEnd)
	c.PathFrom = lessBefore(t.PathFrom, t.PathUntil)
	c.PathUntil = differences(t.PathUntil)
	c.MessageArrives = less(t.MessageArrives, t.MessageLeaves)
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

// differences returns each element less the one before, modulo 2^32.
func differences(x []uint32) []uint32 { return lessBefore(x, x) }

// lessBefore returns each element less the one before it in another list, which begins
// with 0.
func lessBefore(x, y []uint32) []uint32 {
	out := slices.Clone(x)
	for i := 1; i < len(x); i++ {
		out[i] -= y[i-1]
	}
	return out
}

// less returns the differences of two lists.
func less(x, y []uint32) []uint32 {
	out := slices.Clone(x)
	for i := range out {
		out[i] -= y[i]
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
