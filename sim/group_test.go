package sim_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Members are numbered by key and, where keys are equal, by their previous numbers.
func TestSplitNumbersMembers(t *testing.T) {
	type place struct{ rank, size int }
	const none = -1
	for _, c := range []struct {
		name        string
		colour, key func(rank int) int
		want        []place // of each rank; size 0: in no group
	}{
		{"rows", func(r int) int { return r / 3 }, func(int) int { return 0 }, []place{{0, 3}, {1, 3}, {2, 3}, {0, 3}, {1, 3}, {2, 3}}},
		{"columns, from below", func(r int) int { return r % 3 }, func(r int) int { return -r }, []place{{1, 2}, {1, 2}, {1, 2}, {0, 2}, {0, 2}, {0, 2}}},
		{"some", func(r int) int { return []int{7, none, 7, none, none, 9}[r] }, func(r int) int { return 0 }, []place{{0, 2}, {}, {1, 2}, {}, {}, {0, 1}}},
		{"all, shuffled", func(int) int { return 0 }, func(r int) int { return []int{2, 1, 2, 0, 1, 9}[r] }, []place{{3, 6}, {1, 6}, {4, 6}, {0, 6}, {2, 6}, {5, 6}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ranBodies(t, 6, func(r *sim.Rank) {
				var got place
				if g := r.Split(c.colour(r.Rank()), c.key(r.Rank())); g != nil {
					got = place{g.Rank(), g.Size()}
				}
				expect.Equal(t, got, c.want[r.Rank()], "rank %d", r.Rank())
			})
		})
	}
}

// Of two ranks each sends the other 8 bytes, which take 1 + 8 s.
func TestSplitTakesTheTimeOfAnAllgather(t *testing.T) {
	res := ranBodies(t, 2, func(r *sim.Rank) { r.Split(0, 0) })
	expect.Same(t, finishes(res), []units.Seconds{9, 9}, "finish times")
}

// begin is when the programs of these tests have made their groups.
const begin = 1000

// every is all collective operations, one after the other.
func every(r *sim.Rank) {
	r.Barrier()
	r.Bcast(1, 5)
	r.Reduce(2, 6, 0.5)
	r.Gather(0, 2)
	r.Gatherv(1, collective.Varying([]units.Bytes{1, 2, 3}))
	r.Scatter(2, 3)
	r.Scatterv(0, collective.Varying([]units.Bytes{3, 2, 1}))
	r.Allreduce(7, 1)
	r.Allgather(2)
	r.Alltoall(3)
	r.ReduceScatter(2, 1)
	r.Scan(4, 1)
	r.Sendrecv((r.Rank()+1)%r.Size(), 4, units.Bytes(r.Rank()), (r.Rank()+r.Size()-1)%r.Size())
}

// On a network without contention, three ranks of a group take as long as a program of
// three ranks, whatever the other ranks do; also with measured costs and on a fabric.
func TestGroupsAreProgramsOfTheirOwn(t *testing.T) {
	costs := func(p *sim.Program) {
		for _, op := range []workloads.Collective{workloads.Bcast, workloads.Allreduce} {
			expect.Success(t, p.Choose(collective.Choice{Operation: op, Cost: &collective.Cost{Base: 3, PerProcess: 1}}))
		}
	}
	for _, c := range []struct {
		name   string
		choose func(p *sim.Program)
	}{{"algorithms", func(*sim.Program) {}}, {"costs", costs}} {
		t.Run(c.name, func(t *testing.T) {
			alone := func() *sim.Program {
				p := sim.NewProgram(3, func(r *sim.Rank) {
					r.Delay(begin)
					r.Compute(units.Flops(r.Rank()))
					every(r)
				})
				c.choose(p)
				return p
			}
			group := func() *sim.Program {
				p := sim.NewProgram(9, func(r *sim.Rank) {
					g := r.Split(r.Rank()%3, -r.Rank())
					g.Delay(begin - g.Now())
					g.Compute(units.Flops(g.Rank()))
					every(g)
				})
				c.choose(p)
				return p
			}
			check := func(t *testing.T, three, nine []units.Seconds) {
				for i, got := range nine {
					if want := three[2-i/3]; got != want { // keys are the other way round
						t.Errorf("rank %d: %v, want %v", i, got, want)
					}
				}
			}
			_, want, err := runProgram(t, alone, hockney)
			if err != nil {
				t.Fatal(err)
			}
			_, got, err := runProgram(t, group, hockney)
			if err != nil {
				t.Fatal(err)
			}
			check(t, finishes(want), finishes(got))

			onFabric := func(p *sim.Program) []units.Seconds {
				model := expect.Value(flow.New(star{}.machine(p.Ranks()), flow.Parameters{}))(t)
				res := ran(t, sim.Config{Program: p, Fabric: model, Protocol: eagerAlways, Ranks: true})
				return finishes(res)
			}
			three, nine := onFabric(alone()), onFabric(group())
			for i, got := range nine {
				want := three[2-i/3]
				expect.That(t, near(float64(got), float64(want)), "fabric, rank %d: %v, want %v", i, got, want)
			}
		})
	}
}

// Wildcards take what was sent in their own group, in the order of arrival, also where
// so many messages wait that they are looked up.
func TestGroupsKeepMessagesApart(t *testing.T) {
	for _, more := range []int{0, 50} {
		ranBodies(t, 4, func(r *sim.Rank) {
			pair := r.Split(r.Rank()/2, -r.Rank()) // 1, 0 and 3, 2
			four := pair.Split(0, 0)               // the same, in another context
			all := r.Split(0, r.Rank())
			if r.Rank() == 3 {
				four.Send(1, 5, 1)
				pair.Send(1, 6, 2)
				all.Send(2, 7, 3)
				r.Send(2, 8, 4)
				for range more {
					r.Send(2, 9, 0)
					all.Send(2, 9, 0)
				}
			}
			if r.Rank() == 2 {
				r.Delay(begin)
				for _, x := range []struct {
					in   *sim.Rank
					want sim.Status
				}{
					{r, sim.Status{Source: 3, Tag: 8, Size: 4}},
					{all, sim.Status{Source: 3, Tag: 7, Size: 3}},
					{pair, sim.Status{Source: 0, Tag: 6, Size: 2}},
					{four, sim.Status{Source: 0, Tag: 5, Size: 1}},
				} {
					expect.Equal(t, x.in.Probe(sim.AnySource, sim.AnyTag), x.want, "probe")
					got := x.in.Wait(x.in.Irecv(sim.AnySource, sim.AnyTag))
					expect.That(t, got == x.want, "%v, want %v", got, x.want)
				}
				_, ok := pair.Iprobe(sim.AnySource, sim.AnyTag)
				expect.That(t, !ok, "a message in the pair, want none")
				for range more {
					all.Recv(sim.AnySource, sim.AnyTag)
				}
				for range more {
					r.Recv(sim.AnySource, sim.AnyTag)
				}
			}
		})
	}
}

// Split of four is a ring of three steps, in each of which 8 bytes take 9 s.
func TestGroupMisuse(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(r *sim.Rank)
		want string
	}{
		{"peer", func(r *sim.Rank) {
			if g := r.Split(r.Rank()%2, 0); r.Rank() == 1 {
				g.Send(2, 0, 0)
			}
		}, "rank 1 at 27 s: send: peer 2; expected a rank from 0 to 1"},
		{"root", func(r *sim.Rank) {
			if g := r.Split(r.Rank()%2, 0); r.Rank() == 1 {
				g.Bcast(3, 0)
			}
		}, "rank 1 at 27 s: bcast: peer 3; expected a rank from 0 to 1"},
		{"tag", func(r *sim.Rank) {
			if g := r.Split(r.Rank()%2, 0); r.Rank() == 1 {
				g.Recv(0, 32768)
			}
		}, "rank 1 at 27 s: recv: tag 32768; expected one from 0 to 32767"},
		{"process", func(r *sim.Rank) {
			if g := r.Split(r.Rank()%2, 0); r.Rank() == 1 {
				g.Recv(sim.FromProcess, 1)
			}
		}, "rank 1 at 27 s: recv: from a process in a group; expected the rank that the body got, as processes send to no group"},
		{"a member does not call", func(r *sim.Rank) {
			if r.Rank() != 2 {
				r.Split(0, 0)
			}
		}, "recv in split, peer 2, tag collective"},
		{"one calls something else", func(r *sim.Rank) {
			if r.Rank() == 2 {
				r.Allgather(8)
			} else {
				r.Split(0, 0)
			}
		}, "split: left when 3 of 4 ranks had called it; expected an algorithm of allgather in which everybody waits for all, and calls in the same order on all ranks"},
		{"a member does not take part", func(r *sim.Rank) {
			if g := r.Split(r.Rank()%2, 0); r.Rank() != 3 {
				g.Barrier()
			}
		}, "rank 1: recv in barrier among ranks 1, 3, peer 3, tag collective"},
		{"a message that never comes", func(r *sim.Rank) {
			if g := r.Split(r.Rank()/2, 0); r.Rank() == 3 {
				g.Recv(0, sim.AnyTag)
			}
		}, "rank 3: recv, peer 2, tag any, since 27 s (rank 2 has finished, among ranks 2-3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runBodies(t, 4, c.body)
			expect.Failure(t, err, c.want)
		})
	}
}

// More groups than there are contexts.
func TestGroupsHaveALimit(t *testing.T) {
	_, _, err := runBodies(t, 1, func(r *sim.Rank) {
		for range 1 << 14 {
			r.Split(0, 0)
		}
	})
	expect.Failure(t, err, "split: a rank in more than 16383 groups; expected at most that many")
}
