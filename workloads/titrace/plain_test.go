package titrace

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// Which lines are plain. Others may be right or wrong, but are left to Program.action.
func TestScan(t *testing.T) {
	for _, tt := range []struct {
		line  string
		plain bool
	}{
		{"0 send 1 0 5", true},
		{"16777215 irecv 16777215 1073741823 999999999999999 59", true},
		{"0 wait 1 0 5", true},
		{"0 test 1 0 5", true},
		{"0 waitall", true},
		{"0 compute 1e9", true},
		{"0 sleep 0.5", true},
		{"0 compute 007", true}, // never written again
		{"", false},
		{"0", false},
		{"0 ", false},
		{" 0 waitall", false},
		{"0  waitall", false},
		{"0\twaitall", false},
		{"0 waitall ", false},
		{"0 waitall 1", false},
		{"00 waitall", false},
		{"x waitall", false},
		{"16777216 waitall", false},
		{"0 compute", false},
		{"0 compute ", false},
		{"0 compute 1 ", false},
		{"0 compute 1 2", false},
		{"0 compute -1", false},
		{"0 compute nan", false},
		{"0 send 1 0", false},
		{"0 send 1 0 5 6 7", false},
		{"0 send 1 0 5 60", false},
		{"0 send 1  0 5", false},
		{"0 send 1 0\t5", false},
		{"0 send 01 0 5", false},
		{"0 send 1 0 1e6", false},
		{"0 send 1 0 1000000000000000", false},
		{"0 send 1 1073741824 5", false},
		{"0 send 16777216 0 5", false},
		{"0 irecv -555 0 5", false},
		{"0 wait 1 0 5 6", false},
		{"0 wait 1 16777216 5", false},
		{"0 wait 1 0 1073741824", false},
		{"0 barrier", false},
		{"0 Send 1 0 5", false},
	} {
		var a action
		if _, plain := a.scan([]byte(tt.line)); plain != tt.plain {
			t.Errorf("%q: plain %v, want %v", tt.line, plain, tt.plain)
		}
	}
}

// FuzzScan: a plain line survives being an action and a record, and performs
// what it would perform if it were not plain.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"0 send 1 0 5", "0 isend 2 7 1000 5", "1 recv 0 0 1", "2 irecv 3 0 1 0", "0 wait 0 1 3", "0 wait 1 0 3",
		"0 test 0 1 3", "0 test 0 3 3", "0 waitall", "0 compute 1e9", "0 sleep 0.5", "0 send 1 0 5 60"} {
		f.Add([]byte(s), true, true)
		f.Add([]byte(s), false, false)
	}
	f.Fuzz(func(t *testing.T, line []byte, init, open bool) {
		var a action
		me, plain := a.scan(line)
		if !plain || me > 2 {
			return
		}
		record := a.appendRecord(nil)
		n := len(record) + 10
		expect.Need(t, n <= maxRecord, "%q takes up to %d bytes with the distance", line, n)
		b := action{kind: workloads.Kind(record[0])}
		if end := b.decode(record, 1); end != len(record) || a != b {
			t.Fatalf("%q is %+v, and %+v from its record of %d bytes, of which %d are read", line, a, b, len(record), end)
		}
		name := "t"
		begin := func() (*Program, *rank) {
			p := newProgram(3)
			if init {
				p.defaultSize.Store(doubleSize)
			}
			r := &p.ranks[me]
			r.file, r.line = &name, 1
			if open {
				r.requests.add(key{me, 1, 3})
				r.requests.add(key{1, me, 3})
			}
			return p, r
		}
		var got, want workloads.Op
		p, r := begin()
		done, possible := p.perform(r, me, &a, &got)
		q, s := begin()
		wantDone, err := q.action(s, int(me), line, &want)
		expect.Need(t, possible == (err == nil), "%q: possible %v, error %v", line, possible, err)
		if possible && (done != wantDone || got != want || r.requests.open != s.requests.open) {
			t.Fatalf("%q gives %v %+v, want %v %+v", line, done, got, wantDone, want)
		}
		if !possible {
			expect.Need(t, got == (workloads.Op{}), "%q is not possible and gives %+v", line, got)
			again := string(a.appendLine(nil, me))
			expect.Need(t, again == string(line), "%q is written as %q", line, again)
		}
	})
}

// Cutting into pieces has no visible effect: not with lines longer than a piece, not on
// line numbers, not on which error is the first, however little a reader returns at
// once.
func TestPieces(t *testing.T) {
	var text strings.Builder
	lines := 0
	for text.Len() < 6*pieceSize {
		lines += 6
		text.WriteString("0 send 1 0 5 6\n\n# comment\r\n1 recv 0 0 5 6\r\n 0 send 1 0 1e3 6\n0 compute 7\n")
		if lines%4000 < 6 {
			lines++
			fmt.Fprintf(&text, "1 compute %s1\n", strings.Repeat("0", pieceSize+lines))
		}
	}
	long := "0 compute " + strings.Repeat("1", maxLine)
	for _, tt := range []struct {
		name, end string
		want      string // error behind the last line
	}{
		{"rank", "x fly\n" + strings.Repeat("y fly\n", pieceSize), `:1: the rank is "x"; expected a rank from 0 to 1 at the beginning of the line`},
		{"long line", long + "\n" + strings.Repeat("y fly\n", pieceSize), ":1: the line is longer than 4194304 bytes; expected shorter lines"},
		{"long last line", long, ":1: the line is longer than 4194304 bytes; expected shorter lines"},
		{"action", "0 fly", `:3: "fly" is not an action; expected one of ` + actionNames},
		{"last line", "0 send 1 0", ":11: the line ends before the count; expected send PEER TAG COUNT [TYPE]"},
	} {
		for how, slow := range map[string]func(io.Reader) io.Reader{
			"at once":      func(r io.Reader) io.Reader { return r },
			"half":         iotest.HalfReader,
			"end together": iotest.DataErrReader,
		} {
			p, err := Read("t", slow(strings.NewReader(text.String()+tt.end)), 2)
			if err == nil {
				var op workloads.Op
				for p.Next(0, &op) && op.Kind != 0 {
				}
				err = p.Close()
			}
			if want := fmt.Sprintf("t:%d%s", lines+1, tt.want); err == nil || err.Error() != want {
				t.Errorf("%s, %s: error\n%v\nwant\n%s", tt.name, how, err, want)
			}
		}
	}
	p := expect.Value(Read("t", iotest.OneByteReader(strings.NewReader(text.String())), 0))(t)
	var op workloads.Op
	for rank := range 2 {
		for p.Next(rank, &op) && op.Kind != 0 {
		}
		if p.ranks[rank].line < lines-3 {
			t.Errorf("rank %d ends at line %d of %d: %v", rank, p.ranks[rank].line, lines, p.Close())
		}
	}
	expect.Success(t, p.Close())
	_, err := Read("t", io.MultiReader(strings.NewReader(text.String()+"0 se"), iotest.ErrReader(io.ErrClosedPipe)), 0)
	if want := "t: " + io.ErrClosedPipe.Error(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
