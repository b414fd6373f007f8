package sim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Bodies whose ranks disagree about a collective call, with the text of the error. With
// more than 2048 ranks per core, several cores advance them.
func TestRanksThatDisagree(t *testing.T) {
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want []string
	}{
		{"operation", func(r *sim.Rank) {
			if r.Rank() == 2 {
				r.Reduce(0, 8, 0)
			} else {
				r.Bcast(0, 8)
			}
		}, []string{"call 1 of rank 0 is bcast of 8 B with root 0 (agreement_test.go:", "call 1 of rank 2 is reduce of 8 B with root 0 (agreement_test.go:"}},
		{"root", func(r *sim.Rank) { r.Bcast(r.Rank()/4, 8) },
			[]string{"rank 0 is bcast of 8 B with root 0", "rank 4 is bcast of 8 B with root 1"}},
		{"size", func(r *sim.Rank) {
			r.Barrier()
			r.Allreduce(8+8*size(r.Rank() == 5), 0)
		}, []string{"call 2 of rank 0 is allreduce of 8 B", "call 2 of rank 5 is allreduce of 16 B"}},
		{"number", func(r *sim.Rank) {
			for range 2 + int(size(r.Rank() == 3)) {
				r.Bcast(3, 8)
			}
		}, []string{"rank 0 ends after 2, call 3 of rank 3 is bcast of 8 B with root 3"}},
		{"blocks that may differ", func(r *sim.Rank) {
			if r.Rank() == 1 {
				r.Gather(0, 8)
			} else {
				r.Gatherv(0, collective.Uniform(r.Size(), 8))
			}
		}, []string{"rank 0 is gather with root 0", "rank 1 is gather of 8 B with root 0"}},
		{"in a group", func(r *sim.Rank) {
			row := r.Among(r.Rank() % 2)
			row.Scatter(row.Rank()/3, 8)
		}, []string{"call 1 of rank 0 is scatter of 8 B with root 0", "call 1 of rank 6 is scatter of 8 B with root 1"}},
		{"number in a group", func(r *sim.Rank) {
			row := r.Among(r.Rank() % 2)
			if r.Rank() != 7 {
				row.Bcast(0, 8)
			}
		}, []string{"rank 7 ends after 0, call 1 of rank 1 is bcast of 8 B with root 0"}},
		{"division into groups", func(r *sim.Rank) {
			if r.Rank() == 6 {
				r.Allgather(8)
			} else {
				r.Split(0, 0)
			}
		}, []string{"split: left when 7 of 8 ranks had called it"}},
	} {
		for _, ranks := range []int{8, 5000} {
			if ranks > 8 && strings.Contains(tt.name, "group") {
				continue // an allgather of so many takes long
			}
			p := sim.NewProgram(ranks, tt.body)
			_, err := sim.Run(context.Background(), sim.Config{Program: p, Network: hockney, Rates: ones(ranks)})
			expect.Need(t, err != nil, "%s, %d ranks: no error", tt.name, ranks)
			for _, want := range tt.want {
				expect.That(t, ranks != 8 || strings.Contains(err.Error(), want), "%s: %v; expected %q in it", tt.name, err, want)
			}
			again := sim.NewProgram(ranks, tt.body)
			_, one := sim.Run(context.Background(), sim.Config{Program: again, Network: hockney, Rates: ones(ranks), Workers: 1})
			expect.That(t, one != nil && one.Error() == err.Error(), "%s, %d ranks: on several cores\n%v\non one\n%v", tt.name, ranks, err, one)
		}
	}
}

// size is 1 byte where a condition holds.
func size(holds bool) units.Bytes {
	if holds {
		return 1
	}
	return 0
}

// Random calls that all ranks make alike, among all ranks and in groups, with different
// sizes where these may differ: there is no error.
func TestRandomCallsThatAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(1, 9).Draw(t, "ranks")
		sides := rapid.IntRange(1, 3).Draw(t, "groups")
		calls := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 1000), 4, 4), 1, 12).Draw(t, "calls")
		body := func(r *sim.Rank) {
			of := []*sim.Rank{r, r.Among(r.Rank() % sides)}
			for _, c := range calls {
				g, size := of[c[1]%2], units.Bytes(c[2])
				root := c[3] % max(1, ranks/sides) % g.Size()
				switch c[0] % 9 {
				case 0:
					g.Barrier()
				case 1:
					g.Bcast(root, size)
				case 2:
					g.Reduce(root, size, 0)
				case 3:
					g.Gatherv(root, collective.Uniform(g.Size(), size))
				case 4:
					g.Scatter(root, size)
				case 5:
					g.Allreduce(size, 0)
				case 6:
					g.Allgather(size)
				case 7:
					g.Alltoall(size)
				default:
					g.ReduceScatter(size, 0)
				}
			}
		}
		p := sim.NewProgram(ranks, body)
		if _, err := sim.Run(context.Background(), sim.Config{Program: p, Network: hockney, Rates: ones(ranks)}); err != nil {
			t.Fatal(err)
		}
	})
}

// placed says where its operations are written.
type placed struct{ workloads.Program }

func (placed) Place(rank int, number int32) string { return fmt.Sprintf("rank%d:%d", rank, number) }

// A receive without room for its message is an error with the places of both, also if
// the receive was posted long before. A place has 16 bits; a larger one is left out.
func TestPlacesOfAMessageWithoutRoom(t *testing.T) {
	for number, want := range map[int32][2]string{
		1:         {"rank 1 at ", " (rank1:1): recv: a message of 9 B with tag 4 from rank 0 (rank0:1), and room for 8 B"},
		1<<16 - 1: {"rank 1 at ", " (rank1:65535): recv: a message of 9 B with tag 4 from rank 0 (rank0:65535), and"},
		1 << 16:   {"rank 1 at ", " s: recv: a message of 9 B with tag 4 from rank 0, and room for 8 B"},
	} {
		put, get, late := send(1, 9, 4), irecv(0, 4, 7), wait(7)
		put.Place, get.Place, get.Size, late.Place = number, number, 8, 2
		for _, net := range []sim.Network{hockney, network.Hockney{Latency: 1, Bandwidth: 1}, network.LogGOPS{Latency: 1}} {
			_, err := sim.Run(t.Context(), sim.Config{Network: net, Rates: []units.FlopsPerSecond{1, 1},
				Program: placed{script{{compute(1), put}, {get, compute(3), late}}.program()}})
			for _, part := range want {
				expect.Failure(t, err, part)
			}
		}
	}
}
