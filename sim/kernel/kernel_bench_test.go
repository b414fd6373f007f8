package kernel

import (
	"testing"

	"github.com/isoscale/isoscale/model/units"
)

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
