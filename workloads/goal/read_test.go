package goal_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

// maxLine is the longest line that is read, as the messages have it.
const maxLine = 1048576

func read(t testing.TB, text string) *goal.Schedule {
	t.Helper()
	return expect.Value(goal.Read("test", strings.NewReader(text)))(t)
}

func TestForms(t *testing.T) {
	f := expect.Value(os.Open("testdata/forms.goal"))(t)
	defer f.Close()
	s := expect.Value(goal.Read("forms.goal", f))(t)
	want := []goal.Op{
		{Kind: goal.Calc, Size: 10},
		{Kind: goal.Calc, Size: 20, CPU: 2},
		{Kind: goal.Send, Size: 8, Peer: 1},
		{Kind: goal.Send, Size: 9, Peer: 2, Tag: 5, CPU: 1, NIC: 3},
		{Kind: goal.Send, Size: 10, Peer: 0, NIC: 1},
		{Kind: goal.Recv, Size: 11, Peer: goal.AnySource, Tag: goal.AnyTag},
		{Kind: goal.Recv, Size: 12, Peer: 2, Tag: 4294967294, CPU: 1},
		{Kind: goal.Calc, Size: 99}, // its label is taken: "a" stays the first operation
		{Kind: goal.Calc, Size: 1<<63 - 1, Rank: 1},
	}
	expect.Same(t, s.Ops(), want, "operations")
	// What waits, by the operation waited for: a is 0, b 1, s 2, t2_x 5.
	dependents := map[int32]string{0: "1 2 5", 1: "2 at start"}
	for i := range s.Ops() {
		var got []string
		for _, e := range s.Dependents(int32(i)) {
			text := fmt.Sprint(e.Op())
			if e.OnStart() {
				text += " at start"
			}
			got = append(got, text)
		}
		expect.Equal(t, strings.Join(got, " "), dependents[int32(i)], "dependents of %d", i)
	}
	var lines []int
	for i := range s.Ops() {
		lines = append(lines, s.Line(int32(i)))
	}
	expect.Same(t, lines, []int{6, 7, 8, 9, 10, 11, 12, 16, 18}, "lines")
	// Largest cpu 2, largest nic 3; dependencies as above.
	expect.Equal(t, s.Shape(), (goal.Shape{Ranks: 3, Ops: 9, Edges: 4, CPUs: 3, NICs: 4}), "shape")
	// 9 operations of 32 bytes, 4 dependencies and 3 ranks of 4.
	expect.Equal(t, s.Shape().Memory(), 9*32+7*4, "Memory")
	for rank, want := range [][2]int32{{0, 8}, {8, 9}, {9, 9}} {
		first, end := s.Rank(rank)
		expect.That(t, first == want[0] && end == want[1], "rank %d is %d to %d, want %v", rank, first, end, want)
	}
}

func TestReadErrors(t *testing.T) {
	const head = "num_ranks 2\nrank 0 {\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", `t:1:1: the text ends; expected "num_ranks" and the number of ranks`},
		{"no header", "rank 0 {\n}\n", `t:1:1: unexpected "rank"; expected "num_ranks" or a comment`},
		{"no ranks", "num_ranks 0", `t:1:11: the number of ranks is 0; expected at least 1`},
		{"no number of ranks", "num_ranks\n1\n", `t:1:10: the line ends; expected the number of ranks, a whole number`},
		{"too many ranks", "num_ranks 2147483647", `t:1:11: the number of ranks is too large; expected at most 2147483646`},
		{"header twice", "num_ranks 1 num_ranks 1", `t:1:13: unexpected "num_ranks"; expected "rank 0 {" or a comment`},
		{"not a word", "num_ranks 1 ?", `t:1:13: unexpected "?"; expected "rank 0 {" or a comment`},
		{"first rank not 0", "num_ranks 2\nrank 1 {\n}\n", `t:2:6: rank 1; expected rank 0: ranks come in order, each once`},
		{"rank twice", head + "}\nrank 0 {\n", `t:4:6: rank 0; expected rank 1: ranks come in order, each once`},
		{"no brace", "num_ranks 1\nrank 0\n{", `t:2:7: the line ends; expected "{"`},
		{"missing rank", head + "}\n", `t:4:1: the text ends; expected "rank 1 {", because there are 2 ranks`},
		{"open rank", head + "calc 1\n", `t:4:1: the text ends inside rank 0; expected an operation or "}"`},
		{"rank in rank", head + "rank 1 {\n", `t:3:1: unexpected "rank"; expected the end of rank 0, "}", before it`},
		{"closed twice", head + "}}\n", `t:3:2: unexpected "}"; expected "rank 1 {" or a comment`},
		{"operation outside", head + "}\ncalc 1\n", `t:4:1: unexpected "calc"; expected "rank 1 {" or a comment`},
		{"open comment", head + " /* here", `t:3:2: the comment has no end; expected "*/"`},
		{"carriage return inside", head + "calc 1\rcalc 2\n", `t:3:7: unexpected "\r"; expected "cpu" or the end of the line`},
		{"line begins wrong", head + "7\n", `t:3:1: unexpected "7"; expected an operation, a label, a comment or "}"`},
		{"label alone", head + "a\n", `t:3:2: the line ends; expected ":", "requires" or "irequires" after the label "a"`},
		{"unknown operation", head + "a: compute 5\n", `t:3:4: unexpected "compute"; expected "send", "recv" or "calc"`},
		{"no size", head + "calc\n", `t:3:5: the line ends; expected the size, a whole number`},
		{"negative size", head + "calc -5\n", `t:3:6: unexpected "-"; expected the size, a whole number`},
		{"size too large", head + "calc 9223372036854775808\n", `t:3:6: the size is too large; expected at most 9223372036854775807`},
		{"size far too large", head + "calc 99999999999999999999999999\n", `t:3:6: the size is too large; expected at most 9223372036854775807`},
		{"no b", head + "send 8 to 1\n", `t:3:8: unexpected "to"; expected "b" for bytes`},
		{"send from", head + "send 8b from 1\n", `t:3:9: unexpected "from"; expected "to" and a rank`},
		{"recv to", head + "recv 8b to 1\n", `t:3:9: unexpected "to"; expected "from" and a rank`},
		{"send to any", head + "send 8b to -1\n", `t:3:12: unexpected "-"; expected the rank, a whole number`},
		{"no such rank", head + "send 8b to 2\n", `t:3:12: there is no rank 2; expected a rank from 0 to 1`},
		{"tag too large", head + "send 8b to 1 tag 4294967295\n", `t:3:18: the tag is too large; expected at most 4294967294`},
		{"cpu too large", head + "calc 8 cpu 256\n", `t:3:12: the cpu is too large; expected at most 255`},
		{"nic too large", head + "send 8b to 1 nic 256\n", `t:3:18: the nic is too large; expected at most 255`},
		{"nic of calc", head + "calc 8 nic 1\n", `t:3:8: unexpected "nic"; expected "cpu" or the end of the line`},
		{"order of options", head + "send 8b to 1 nic 1 tag 2\n", `t:3:20: unexpected "tag"; expected "tag", "cpu", "nic", each once and in this order, or the end of the line`},
		{"two operations", head + "calc 1 calc 2\n", `t:3:8: unexpected "calc"; expected "cpu" or the end of the line`},
		{"comment behind", head + "calc 1 // x\n", `t:3:8: unexpected "/"; expected the end of the line: a comment may begin only where a line may begin`},
		{"brace behind", head + "calc 1 }\n", `t:3:8: unexpected "}"; expected "cpu" or the end of the line`},
		{"unknown label", head + "a: calc 1\na requires b\n", `t:4:12: rank 0 has no label "b" above this line; expected a label of this rank that is defined before`},
		{"label defined later", head + "a requires b\na: calc 1\n", `t:3:1: rank 0 has no label "a" above this line; expected a label of this rank that is defined before`},
		{"label of another rank", head + "a: calc 1\n}\nrank 1 {\nb: calc 1\nb requires a\n", `t:7:12: rank 1 has no label "a" above this line; expected a label of this rank that is defined before`},
		{"no second label", head + "a: calc 1\na requires\n", `t:4:11: the line ends; expected a label`},
		{"three labels", head + "a: calc 1\na requires a a\n", `t:4:14: unexpected "a"; expected the end of the line`},
		{"long word", head + "x" + strings.Repeat("y", 99) + "\n", `t:3:101: the line ends; expected ":", "requires" or "irequires" after the label "x` + strings.Repeat("y", 36) + `..."`},
		{"long line with an end", head + strings.Repeat(" ", maxLine+1) + "\n", `t:3:1: the line is longer than 1048576 bytes; expected shorter lines`},
		{"long line", head + strings.Repeat(" ", maxLine+1), `t:3:1: the line is longer than 1048576 bytes; expected shorter lines`},
		{"byte order mark", "\ufeff" + head, `t:1:1: the text begins with a byte order mark; expected UTF-8 without one`},
		{"not a text", "\x7fELF", `t:1:1: unexpected "\x7f"; expected "num_ranks" or a comment`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := goal.Read("t", strings.NewReader(tt.text))
			var syntax *goal.SyntaxError
			expect.Need(t, s == nil && errors.As(err, &syntax), "got %v, %v; want a SyntaxError", s, err)
			expect.That(t, err.Error() == tt.want, "got  %s\nwant %s", err, tt.want)
		})
	}
}

// The lines come in pieces of one byte, end with CR LF and are longer than the
// buffer of the reader at first.
func TestReadAnyPieces(t *testing.T) {
	label := strings.Repeat("x", 300_000)
	text := "num_ranks 1\n\nrank 0 {\n" + label + ": calc 1\nb: calc 2\nb requires " + label + "\n}"
	want := read(t, text)
	got := expect.Value(goal.Read("test", iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))))(t)
	expect.That(t, got.Equal(want) && got.Shape() == (goal.Shape{Ranks: 1, Ops: 2, Edges: 1, CPUs: 1, NICs: 1}),
		"got %+v, want %+v", got.Shape(), want.Shape())
}

// More labels than the table has at first, with colliding beginnings, and the
// same labels for other operations in the next rank.
func TestManyLabels(t *testing.T) {
	const n = 1000
	var b strings.Builder
	b.WriteString("num_ranks 2\n")
	for rank := range 2 {
		fmt.Fprintf(&b, "rank %d {\n", rank)
		for i := range n {
			fmt.Fprintf(&b, "l%d: calc %d\n", (i+rank*500)%n, i)
		}
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "l%d requires l%d\n", i, i-1)
		}
		b.WriteString("}\n")
	}
	s := read(t, b.String())
	expect.Need(t, s.Shape().Edges == 2*(n-1), "%d dependencies, want %d", s.Shape().Edges, 2*(n-1))
	// In rank 1 label l0 is operation 500, so l(i) is operation (i+500) mod 1000.
	for i := 1; i < n; i++ {
		on, op := int32(n+(i-1+500)%n), int32(n+(i+500)%n)
		d := s.Dependents(on)
		expect.Need(t, len(d) == 1 && d[0].Op() == op, "dependents of %d: %v, want %d", on, d, op)
	}
}

// A line may have exactly as many bytes as the limit.
func TestLongestLine(t *testing.T) {
	s := read(t, "num_ranks 1\nrank 0 {\n"+strings.Repeat(" ", maxLine-6)+"calc 5\n}")
	expect.Equal(t, s.Shape().Ops, 1, "operations")
}

func compressed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	expect.Value(io.WriteString(z, text))(t)
	expect.Success(t, z.Close())
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	text := "num_ranks 1\nrank 0 {\n" + strings.Repeat("calc 7\n", 10_000) + "}\n"
	z := compressed(t, text)
	s := expect.Value(goal.Read("t.gz", bytes.NewReader(z)))(t)
	expect.That(t, s.Equal(read(t, text)), "the compressed text gives another schedule")
	for name, broken := range map[string][]byte{"cut": z[:len(z)/2], "header only": z[:2]} {
		_, err := goal.Read("t.gz", bytes.NewReader(broken))
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), "t.gz: "), "%s: error %v, want one that names the file", name, err)
	}
}

// Much text in a small file must not get past the limit of memory, be it
// operations, labels, dependencies or ranks that fill it.
func TestReadMax(t *testing.T) {
	const limit = 1 << 18
	const head = "num_ranks 2000000\nrank 0 {\n"
	many := func(line string) string { return strings.Repeat(line, 100_000) }
	for name, text := range map[string]string{
		"operations":   head + many("calc 1\n"),
		"dependencies": head + "a: calc 1\n" + many("a requires a\n"),
		"labels":       head + "a" + strings.Repeat("b", 150_000) + ": calc 1\nb" + strings.Repeat("b", 150_000) + ": calc 1\n",
	} {
		_, err := goal.ReadMax("t.gz", bytes.NewReader(compressed(t, text)), limit)
		expect.That(t, err != nil && strings.HasSuffix(err.Error(), "bytes of memory; expected at most 262144"),
			"%s: error %v, want one about memory", name, err)
	}
	var ranks strings.Builder
	ranks.WriteString("num_ranks 100000\n")
	for i := range 100_000 {
		fmt.Fprintf(&ranks, "rank %d {\n}\n", i)
	}
	_, err := goal.ReadMax("t", strings.NewReader(ranks.String()), limit)
	expect.That(t, err != nil, "ranks: no error")
	// 100000 ranks of 4 bytes.
	expect.Value(goal.ReadMax("t", strings.NewReader(ranks.String()), 400_000))(t)
}

func TestReadFailure(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("num_ranks 1\n"), iotest.ErrReader(errors.New("disk on fire")))
	_, err := goal.Read("t", broken)
	expect.That(t, err != nil && err.Error() == "t: disk on fire", "error %v, want t: disk on fire", err)
}
