package kernel

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/model/units"
)

// The hold model: with a constant population, take the next event and put one
// back after an exponentially distributed delay of mean 1. One operation is one
// Pop and one Push.

var populations = []int{64, 1024, 16384, 1048576}

// delays are drawn in advance, so that only the queue is measured.
func delays() []units.Seconds {
	rng := rand.New(rand.NewPCG(1, 2))
	d := make([]units.Seconds, 1<<16)
	for i := range d {
		d[i] = units.Seconds(rng.ExpFloat64())
	}
	return d
}

func BenchmarkCalendar(b *testing.B) {
	d := delays()
	for _, n := range populations {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var c Calendar
			for i := range n {
				c.Push(d[i%len(d)]+units.Seconds(i)/units.Seconds(n), int32(i))
			}
			for i := range 2 * n { // warm up
				at, id, _ := c.Pop()
				c.Push(at+d[i%len(d)], id)
			}
			b.ReportAllocs()
			events := 0
			for i := 0; b.Loop(); i++ {
				at, id, ok := c.Pop()
				if ok {
					events++
				}
				c.Push(at+d[i%len(d)], id)
			}
			if events != b.N || c.Len() != n {
				b.Fatalf("%d events for %d operations, %d pending, want %d", events, b.N, c.Len(), n)
			}
		})
	}
}

// BenchmarkContainerHeap is the yardstick: the same with the standard library.
func BenchmarkContainerHeap(b *testing.B) {
	d := delays()
	for _, n := range populations {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var h refHeap
			seq := 0
			push := func(at units.Seconds, id int32) {
				heap.Push(&h, refItem{at: at, seq: seq, id: id})
				seq++
			}
			for i := range n {
				push(d[i%len(d)]+units.Seconds(i)/units.Seconds(n), int32(i))
			}
			for i := range 2 * n { // warm up
				e := heap.Pop(&h).(refItem)
				push(e.at+d[i%len(d)], e.id)
			}
			b.ReportAllocs()
			events := 0
			for i := 0; b.Loop(); i++ {
				e := heap.Pop(&h).(refItem)
				events++
				push(e.at+d[i%len(d)], e.id)
			}
			if events != b.N || h.Len() != n {
				b.Fatalf("%d events for %d operations, %d pending, want %d", events, b.N, h.Len(), n)
			}
		})
	}
}

// ticks is a model with the given number of changes, one a second, and no work.
type ticks struct{ now, end int }

func (m *ticks) Next() (units.Seconds, bool) { return units.Seconds(m.now + 1), m.now < m.end }
func (m *ticks) Advance(to units.Seconds)    { m.now++ }

// BenchmarkModelAlone is what the kernel adds to an event of a model.
func BenchmarkModelAlone(b *testing.B) {
	b.ReportAllocs()
	m := &ticks{end: b.N}
	if err := New().Run(m); err != nil || m.now != b.N {
		b.Fatalf("error %v, %d events, want %d", err, m.now, b.N)
	}
}

// BenchmarkSleep is one turn of a process.
func BenchmarkSleep(b *testing.B) {
	b.ReportAllocs()
	k := New()
	turns := 0
	k.Go("p", func(p *Process) {
		for range b.N {
			p.Sleep(1)
			turns++
		}
	})
	if err := k.Run(nil); err != nil || turns != b.N || k.Now() != units.Seconds(b.N) {
		b.Fatalf("error %v, %d turns until %v, want %d", err, turns, k.Now(), b.N)
	}
}
