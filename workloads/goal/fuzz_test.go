package goal_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

// FuzzRead: no input makes the reader panic or use more memory than allowed,
// and what it accepts is the same after writing and reading.
func FuzzRead(f *testing.F) {
	forms := expect.Value(os.ReadFile("testdata/forms.goal"))(f)
	f.Add(forms)
	f.Add(compressed(f, "num_ranks 1 rank 0 {\na: calc 5\na irequires a\n}"))
	f.Add([]byte("num_ranks 2\r\nrank 0 {}\r\nrank 1 {/**/\r\nsend0bto0tag-1cpu1nic1\r\n}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		const limit = 1 << 20
		s, err := goal.ReadMax("fuzz", bytes.NewReader(text), limit)
		if err != nil {
			return
		}
		m := s.Shape().Memory()
		expect.Need(t, m <= limit, "the schedule holds %d bytes, limit %d", m, limit)
		var once, twice bytes.Buffer
		expect.Success(t, goal.Write(&once, s))
		again := expect.Value(goal.Read("written", bytes.NewReader(once.Bytes())))(t)
		expect.Need(t, again.Equal(s), "what was written is another schedule")
		expect.Success(t, goal.Write(&twice, again))
		expect.Need(t, bytes.Equal(once.Bytes(), twice.Bytes()),
			"the canonical form changes when it is read and written")
	})
}

// FuzzWrite: FuzzRead reaches few valid texts, so this one makes schedules from
// the bytes: any that the builder accepts survives writing and reading.
func FuzzWrite(f *testing.F) {
	f.Add([]byte{0, 1, 8, 0, 1, 5, 0, 3, 7, 4, 0, 2, 2, 9, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var b goal.Builder
		b.NextRank()
		n := 0 // operations of the rank
		for ; len(data) >= 3; data = data[3:] {
			kind, x, y := data[0]%6, data[1], data[2]
			switch {
			case kind == 0:
				b.NextRank()
				n = 0
			case kind <= 3:
				op := goal.Op{Kind: goal.Kind(kind), Size: uint64(x) << (y % 56), CPU: y}
				if op.Kind != goal.Calc {
					op.Tag, op.NIC = uint32(x)*0x1010101, x
				}
				b.Add(op)
				n++
			case n > 0 && kind == 4:
				b.Require(int(x)%n, int(y)%n)
			case n > 0:
				b.RequireStart(int(x)%n, int(y)%n)
			}
		}
		s := expect.Value(b.Schedule())(t)
		var text bytes.Buffer
		expect.Success(t, goal.Write(&text, s))
		again := expect.Value(goal.Read("written", &text))(t)
		expect.Need(t, again.Equal(s), "what was written is another schedule")
	})
}
