package paraver

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

const head = "#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:2(1:1,1:1),1\n"

// Rank 0 computes for 10 ns, sends 1000 bytes until 40, computes for 20 and is the root of a bcast;
// rank 1 computes for 30, receives until 35, and computes until it is in the bcast.
const small = head + `c:1:1:2:1:2
1:1:1:1:1:0:10:1
1:2:1:2:1:0:30:1
2:1:1:1:1:10:50000001:1
3:1:1:1:1:10:12:2:1:2:1:30:35:1000:7
1:1:1:1:1:10:40:4
2:2:1:2:1:30:50000001:2
2:2:1:2:1:35:50000001:0
1:2:1:2:1:35:90:1
2:1:1:1:1:40:50000001:0
1:1:1:1:1:40:60:1
2:2:1:2:1:90:50000002:7:50100001:0:50100002:8:50100004:1
2:1:1:1:1:95:50000002:7:50100001:8:50100002:0:50100003:1:50100004:1
`

func steps(t *testing.T, x *Trace) [][]recorded.Step {
	all := make([][]recorded.Step, x.Ranks())
	for r := range all {
		for {
			var s recorded.Step
			err := x.Next(r, &s)
			if err == io.EOF {
				break
			}
			expect.Success(t, err)
			s.Time = units.Seconds(float64(int64(float64(s.Time)*1e9+0.5)) / 1e9)
			all[r] = append(all[r], s)
		}
	}
	return all
}

func TestSteps(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, small)
	expect.Success(t, z.Close())
	want := [][]recorded.Step{{
		{Kind: recorded.Compute, Time: 10e-9},
		{Kind: recorded.Send, Peer: 1, Tag: 7, Size: 1000, Message: 2},
		{Kind: recorded.Wait, Message: 2},
		{Kind: recorded.Compute, Time: 20e-9},
		{Kind: recorded.Collective, Operation: workloads.Bcast, Size: 8},
	}, {
		{Kind: recorded.Compute, Time: 30e-9},
		{Kind: recorded.Receive, Peer: 0, Tag: 7, Message: 3},
		{Kind: recorded.Wait, Message: 3},
		{Kind: recorded.Compute, Time: 55e-9},
		{Kind: recorded.Collective, Operation: workloads.Bcast, Size: 8},
	}}
	for _, tt := range []struct {
		name string
		in   io.Reader
		most int
	}{
		{"in memory", strings.NewReader(small), inMemory},
		{"of Windows", strings.NewReader(strings.ReplaceAll(small, "\n", "\r\n")), inMemory},
		{"compressed", &zipped, inMemory},
		{"in files", strings.NewReader(small), 3},
		{"in files of one", strings.NewReader(small), 1},
	} {
		x := expect.Value(read("t", tt.in, operations, tt.most))(t)
		expect.Same(t, steps(t, x), want, "%s", tt.name)
		expect.Success(t, x.Close())
		expect.Near(t, float64(x.Measured().Useful[0]), 30e-9, 1e-18, "useful time of rank 0")
		expect.Near(t, float64(x.Measured().Useful[1]), 85e-9, 1e-18, "useful time of rank 1")
		expect.Equal(t, x.Measured().Bytes, 1000, "bytes")
	}
	// On an ideal network rank 1 has the message after 30 and computes until 85; the root is done at 30.
	x := expect.Value(read("t", strings.NewReader(small), operations, inMemory))(t)
	f, ideal, err := recorded.Factors(t.Context(), x)
	expect.Success(t, err)
	expect.Near(t, float64(ideal), 85e-9, 1e-18, "ideal")
	expect.Near(t, f.Parallel, 57.5/100, 1e-12, "parallel efficiency")
	expect.Near(t, f.Serialisation, 1, 1e-12, "serialisation")
}

// An irecv that ends in a wait, and an isend that a waitall ends; a second thread and a second
// application do not disturb.
func TestRequests(t *testing.T) {
	const text = "#Paraver (x):1000_us:1(4):2:1(1:1),1:2(2:1,1:1)\n" +
		"1:1:1:1:1:0:5:1\n" + "1:4:2:1:2:0:99:1\n" +
		"2:2:2:1:1:10:50000001:3\n3:2:2:1:1:10:10:3:2:2:1:8:50:64:-1\n" + "2:2:2:1:1:12:50000001:0\n" +
		"2:2:2:1:1:20:50000001:6\n2:2:2:1:1:60:50000001:0\n" +
		"2:3:2:2:1:8:50000001:4\n2:3:2:2:1:9:50000001:0\n2:3:2:2:1:45:50000001:5\n2:3:2:2:1:50:50000001:0\n"
	got := steps(t, expect.Value(read("t", strings.NewReader(text), operations, inMemory))(t))
	expect.Same(t, got, [][]recorded.Step{
		{{Kind: recorded.Compute, Time: 5e-6}},
		{{Kind: recorded.Send, Peer: 2, Tag: -1, Size: 64, Message: 2}, {Kind: recorded.Wait, Message: 2}},
		{{Kind: recorded.Receive, Peer: 1, Tag: -1, Message: 3}, {Kind: recorded.Wait, Message: 3}},
	}, "steps")
}

// A sort in files gives what one in memory does.
func TestSorter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const ranks, n = 7, 5000
	few, many := newSorter(ranks, 37), newSorter(ranks, n+1)
	for i := range n {
		e := entry{at: random.Int64N(100), rank: random.Int32N(ranks), what: what(random.IntN(8)), operation: workloads.Collective(random.IntN(11)),
			peer: random.Int32() - 1<<30, tag: -random.Int32(), size: random.Int64(), message: uint64(i)}
		expect.Success(t, few.add(&e))
		expect.Success(t, many.add(&e))
	}
	a, b := expect.Value(few.finish())(t), expect.Value(many.finish())(t)
	defer discard(a.file)
	for r := range ranks {
		for {
			var x, y entry
			ex, ey := a.next(r, &x), b.next(r, &y)
			expect.Need(t, ex == ey && x == y, "rank %d: %v, %v and %v, %v", r, x, ex, y, ey)
			if ex == io.EOF {
				break
			}
		}
	}
}

var malformed = []struct{ text, says string }{
	{"", "byte 0: no header"},
	{"1:1:1:1:1:0:1:1\n", "byte 0: no header"},
	{"#Paraver (", "byte 10: no ')'"},
	{"#Paraver (x", "byte 11: no ')'"},
	{"#Paraver (x)1", "byte 12: no ':'"},
	{"#Paraver (x):", "byte 13: no length of the trace"},
	{"#Paraver (x):-5:", "byte 15: the trace has a negative length"},
	{"#Paraver (x):99999999999999999999:", "length of the trace has too many digits"},
	{"#Paraver (x):5_m:", "byte 15: unknown unit"},
	{"#Paraver (x):5_ns", "byte 17: no ':'"},
	{"#Paraver (x):5_ns:", "byte 18: no number of nodes"},
	{"#Paraver (x):5_ns:1(", "byte 20: no number of CPUs"},
	{"#Paraver (x):5_ns:1(1:1:1(1:1)", "no ')'"},
	{"#Paraver (x):5_ns:1:0:", "number of applications is 0"},
	{"#Paraver (x):5_ns:1:1:0(", "number of tasks is 0"},
	{"#Paraver (x):5_ns:1:1:99999999(1:1)", "number of tasks is 99999999; expected 1 to 16777216"},
	{"#Paraver (x):5_ns:1:16777216:1(1:1)", "no ':'"},
	{"#Paraver (x):5_ns:1:1:2(1:1)", "no ','"},
	{"#Paraver (x):5_ns:1:1:1(1)", "no ':'"},
	{"#Paraver (x):5_ns:1:1:1(1:1", "no ')'"},
	{head + "4:1\n", "'4' is not a record"},
	{head + "1\n", "byte 59: no ':'"},
	{head + "1:1:1:1:1:0:10\n", "no ':'"},
	{head + "1:1:1:1:1:0:10:\n", "no state"},
	{head + "1:1:1:1:1:0:10:x\n", "no state"},
	{head + "1:1:1:1:1:10:0:1\n", "the state ends at 0, before it begins at 10"},
	{head + "1:1:1:1:1:-1:0:1\n", "begin is -1; expected at least 0"},
	{head + "1:1:2:1:1:0:1:1\n", "application is 2; expected 1 to 1"},
	{head + "1:1:1:3:1:0:1:1\n", "task is 3; expected 1 to 2"},
	{head + "1:1:1:1:1:0:1:1:1\n", "\":1\" after the record"},
	{head + "2:1:1:1:1:0:5\n", "no ':'"},
	{head + "2:1:1:1:1:0:5:\n", "no value of an event"},
	{head + "2:1:1:1:1:0:50000002:99\n", "collective call 99 is not known"},
	{head + "2:1:1:1:1:0:50000002:8:50100004:3\n", "communicator 3, which the trace does not define"},
	{head + "c:1:1:1:2\n2:1:1:1:1:0:50000002:8:50100004:1\n", "to which task 1 does not belong"},
	{head + "c:1:1:1:1\n2:1:1:1:1:0:50000002:7:50100004:1\n", "no task is the root of a bcast"},
	{head + "3:1:1:1:1:0:0:2:1:2:1:0:0:8\n", "no ':'"},
	{head + "3:1:1:1:1:0:0:2:1:2:1:0:0:-8:0\n", "size is -8"},
	{head + "3:1:1:1:1:0:0:2:1:9:1:0:0:8:0\n", "task is 9"},
	{head + "c:1:1:3:1:2:3\n", "number of tasks is 3; expected 1 to 2"},
	{head + "c:1:1:2:1:1\n", "task 1 occurs twice"},
	{head + "c:1:1:2:1\n", "no ':'"},
	{head + "c:1:1:1:1\nc:1:1:1:1\n", "communicator 1 occurs twice"},
	{"\x1f\x8b\x08", "byte 0: cannot be decompressed"},
	{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff", "byte 0: cannot be read"},
}

func TestMalformed(t *testing.T) {
	for i, tt := range malformed {
		_, err := read("t", strings.NewReader(tt.text), operations, inMemory)
		expect.Need(t, err != nil, "case %d, %q: no error", i, tt.text)
		expect.That(t, strings.Contains(err.Error(), tt.says), "case %d, %q: %v; want %q", i, tt.text, err, tt.says)
		expect.Kind[*recorded.FormatError](t, err)
	}
	expect.That(t, len(malformed) >= 40, "%d cases", len(malformed))
}

// Any trace yields an error, or steps that the engine runs or refuses.
func FuzzRead(f *testing.F) {
	f.Add(small)
	for _, tt := range malformed {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := read("t", strings.NewReader(text), operations, 100)
		if err != nil {
			return
		}
		defer x.Close()
		if x.Ranks() > 1000 {
			return
		}
		_, _, _ = recorded.Factors(t.Context(), x)
	})
}

// BenchmarkRead reads states, calls and messages of two ranks.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString(head)
	const rounds = 10000
	for i := range rounds {
		fmt.Fprintf(&text, "1:1:1:1:1:%d:%d:1\n2:1:1:1:1:%[1]d:42000050:123456:42000059:2345\n3:1:1:1:1:%[1]d:%[1]d:2:1:2:1:%[1]d:%[2]d:64:1\n", 10*i, 10*i+5)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		x := expect.Value(read("b", strings.NewReader(text.String()), operations, inMemory))(b)
		expect.Success(b, x.Close())
	}
	b.ReportMetric(3*rounds*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
