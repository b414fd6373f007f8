package titrace

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// Everything added comes out again by rank, from memory, from the file or from both:
// lines of any length, mixed with actions.
func TestSpool(t *testing.T) {
	for _, memory := range []int{0, 5 * blockSize, spoolMemory} {
		r := rand.New(rand.NewPCG(1, uint64(memory)))
		s := newSpool(memory)
		defer s.close()
		want := map[int32]*strings.Builder{}
		for n := 1; n < 40_000; n += 1 + r.IntN(1<<r.IntN(8)) {
			rank := int32(r.IntN(5)) * chainPage / 2
			if want[rank] == nil {
				want[rank] = &strings.Builder{}
			}
			var record []byte
			if r.IntN(2) == 0 {
				line := strings.Repeat("x", r.IntN(1<<r.IntN(14)))
				record = appendText(nil, []byte(line))
				fmt.Fprintf(want[rank], "%d:%s\n", n, line)
			} else {
				a := action{kind: workloads.Send, datatype: int8(r.IntN(60)) - 1,
					peer: r.Int32N(1 << r.IntN(25)), tag: r.Int32N(1 << r.IntN(31)), amount: float64(r.Int64N(1 << r.IntN(50)))}
				record = a.appendRecord(nil)
				fmt.Fprintf(want[rank], "%d:%s\n", n, a.appendLine(nil, rank))
			}
			expect.Success(t, s.add(rank, n, record))
		}
		expect.Equal(t, s.file != nil, (memory < spoolMemory), "with %d bytes of memory there is a file", memory)
		for rank := range int32(3 * chainPage) {
			in := s.reader(rank)
			var got strings.Builder
			at := 0
			for {
				var a action
				line, distance, err := in.next(&a)
				if err == io.EOF {
					break
				}
				expect.Success(t, err)
				if a.kind != 0 {
					line = a.appendLine(nil, rank)
				}
				at += distance
				fmt.Fprintf(&got, "%d:%s\n", at, line)
			}
			if w := want[rank]; w == nil && got.Len() > 0 || w != nil && w.String() != got.String() {
				t.Errorf("memory %d: rank %d reads something else than was added", memory, rank)
			}
		}
	}
}

func TestSpoolLeavesNoFile(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	p := expect.Value(readMerged("t", strings.NewReader(strings.Repeat("0 compute 1\n", 10_000)), 1, 0))(t)
	expect.Need(t, p.spool.file != nil, "nothing was written to a file")
	expect.Success(t, p.Close())
	if _, err := readMerged("t", strings.NewReader(strings.Repeat("0 compute 1\n", 10_000)+"x\n"), 1, 0); err == nil {
		t.Fatal("no error")
	}
	left := expect.Value(os.ReadDir(folder))(t)
	if len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
}

// The documentation says what a rank needs besides its buffer.
func TestRankIsSmall(t *testing.T) {
	n := unsafe.Sizeof(rank{})
	expect.That(t, n <= 512, "a rank has %d bytes, want at most 512", n)
}

// skewed is a merged trace of some MB in which the ranks take turns, line by
// line.
type skewed struct {
	ranks, rounds int
	buf           []byte
}

func (s *skewed) Read(p []byte) (int, error) {
	for len(s.buf) == 0 {
		if s.rounds == 0 {
			return 0, io.EOF
		}
		s.rounds--
		for rank := range s.ranks {
			s.buf = fmt.Appendf(s.buf, "%d send %d 0 1000 6\n", rank, (rank+1)%s.ranks)
		}
	}
	n := copy(p, s.buf)
	if s.buf = s.buf[n:]; len(s.buf) == 0 {
		s.buf = nil
	}
	return n, nil
}

// A merged trace whose ranks take turns is read rank by rank, which is the worst order:
// a reader with queues would hold nearly all of it.
func TestMemoryIsBounded(t *testing.T) {
	const ranks, rounds, memory = 256, 2000, 1 << 20 // 11 MB of text
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	highest := uint64(0)
	look := func() {
		runtime.GC()
		runtime.ReadMemStats(&after)
		highest = max(highest, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
	}
	p := expect.Value(readMerged("t", &skewed{ranks: ranks, rounds: rounds}, 0, memory))(t)
	look()
	var op workloads.Op
	for rank := range ranks {
		for i := range rounds {
			expect.Need(t, p.Next(rank, &op) && op.Kind == workloads.Send,
				"operation %d of rank %d is %+v", i, rank, op)
			if i == rounds/2 && rank%64 == 0 {
				look()
			}
		}
		expect.Need(t, !p.Next(rank, &op), "rank %d has too many operations", rank)
	}
	expect.Success(t, p.Close())
	// Blocks in memory, an unfinished block and half a kilobyte for each rank,
	// and some for the list of blocks.
	const limit = memory + ranks*(blockSize+1024) + 256<<10
	expect.That(t, highest <= limit, "%d bytes in use, want at most %d", highest, limit)
	t.Logf("%d bytes in use at most, without the buffer of the input", highest)
}
