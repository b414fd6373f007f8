package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestBlockCount(t *testing.T) {
	for _, tt := range []struct {
		op   workloads.Collective
		want int
	}{
		{workloads.Barrier, 0},
		{workloads.Bcast, 1},
		{workloads.Reduce, 1},
		{workloads.Gather, 7},
		{workloads.Scatter, 7},
		{workloads.Allreduce, 1},
		{workloads.Allgather, 7},
		{workloads.Alltoall, 49},
		{workloads.ReduceScatter, 7},
		{workloads.Scan, 1},
	} {
		expect.Equal(t, collective.BlockCount(tt.op, 7), tt.want, "%v among 7 ranks: blocks", tt.op)
	}
}

func TestUniform(t *testing.T) {
	b := collective.Uniform(4, 2.5)
	for _, tt := range []struct {
		first, count int
		want         units.Bytes
	}{
		{0, 0, 0}, {0, 1, 2.5}, {3, 2, 5}, {1, 4, 10}, {0, 9, 10},
	} {
		expect.Equal(t, b.Size(collective.Range(tt.first, tt.count)), tt.want, "%d blocks from %d on", tt.count, tt.first)
	}
}

// TestVarying adds up every cyclic range block by block.
func TestVarying(t *testing.T) {
	sizes := []units.Bytes{3, 0, 10, 0, 0, 200, 4000}
	b := collective.Varying(sizes)
	n := len(sizes)
	for first := range 2 * n {
		var want units.Bytes
		for count := range n + 1 {
			expect.Equal(t, b.Size(collective.Range(first, count)), want, "%d blocks from %d on", count, first)
			want += sizes[(first+count)%n]
		}
		expect.Equal(t, b.Size(collective.Range(first, n+1)), 4213, "more blocks than there are, from %d on", first)
	}
	sizes[0] = 99
	got := b.Size(collective.Range(0, 1))
	expect.That(t, got == 3, "block 0 became %v when the caller's slice changed; expected 3", got)
	expect.Equal(t, collective.Varying(nil).Size(collective.Range(0, 1)), 0, "no blocks have the size")
}

// TestSizeOfRelay: among 5 ranks, those with bit 1 set of the distances 1 ... 4
// are 2 and 3. Rank 1 has then the blocks from 1 to 3 and, one rank further on
// its way, from 0 to 3.
func TestSizeOfRelay(t *testing.T) {
	sizes := make([]units.Bytes, 25)
	sizes[1*5+3] = 100
	sizes[0*5+3] = 7
	relay := collective.Relay(5, 1, 1)
	expect.Equal(t, collective.Varying(sizes).Size(relay), 107, "relay")
	expect.Equal(t, collective.Uniform(25, 3).Size(relay), 6, "relay of blocks of 3 bytes")
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		size units.Bytes
		n    int
		want []units.Bytes
	}{
		{12, 4, []units.Bytes{3, 3, 3, 3}},
		{10, 4, []units.Bytes{2, 3, 2, 3}}, // cuts at 2.5, 5, 7.5
		{2, 3, []units.Bytes{0, 1, 1}},     // cuts at 2/3, 4/3
		{0, 2, []units.Bytes{0, 0}},
		{7.5, 2, []units.Bytes{3, 4.5}},
		{9, 1, []units.Bytes{9}},
	} {
		b := collective.Cut(tt.size, tt.n)
		for i, want := range tt.want {
			expect.Equal(t, b.Size(collective.Range(i, 1)), want, "%v in %d pieces: piece %d", tt.size, tt.n, i)
		}
		// All pieces, beginning with any of them.
		for first := range tt.n {
			got := b.Size(collective.Range(first, tt.n))
			expect.That(t, got == tt.size, "%v in %d pieces: all from %d on have %v", tt.size, tt.n, first, got)
		}
	}
}
