package rankorder

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
)

// slots are slots of nodes with the given numbers, two nodes to a group, all of one kind.
func slots(perNode ...int) Slots {
	var s Slots
	for node, n := range perNode {
		for range n {
			s.Node, s.Group, s.Kind = append(s.Node, int32(node)), append(s.Group, int32(node/2)), append(s.Kind, 0)
		}
	}
	return s
}

// Slots 0 and 1 are on the first node, 2 on the second, 3 to 5 on the third, 6 on the fourth.
func TestInTurn(t *testing.T) {
	s := slots(2, 1, 3, 1)
	expect.Same(t, InTurn(s.Node), []int32{0, 2, 3, 6, 1, 4, 5}, "in turn over nodes")
	expect.Same(t, InTurn(s.Group), []int32{0, 3, 1, 4, 2, 5, 6}, "in turn over groups of slots 0 to 2 and 3 to 6")
}

// both is traffic of a size from a to b.
func both(a, b int, size float64) observe.Traffic {
	return observe.Traffic{From: int32(a), To: int32(b), Messages: 1, Bytes: units.Bytes(size)}
}

// crossings returns the bytes that go between nodes.
func crossings(s Slots, order []int32, traffic []observe.Traffic) float64 {
	if order == nil {
		order = InTurn(make([]int32, len(s.Node)))
	}
	sum := 0.0
	for _, x := range traffic {
		if s.Node[order[x.From]] != s.Node[order[x.To]] {
			sum += float64(x.Bytes)
		}
	}
	return sum
}

// least returns the smallest number of bytes between nodes over all orders.
func least(s Slots, traffic []observe.Traffic) float64 {
	best := crossings(s, nil, traffic)
	order := InTurn(make([]int32, len(s.Node)))
	var permute func(k int)
	permute = func(k int) {
		if k == len(order) {
			best = min(best, crossings(s, order, traffic))
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			permute(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	permute(0)
	return best
}

// shuffled renames ranks, so that block order means nothing.
func shuffled(traffic []observe.Traffic, ranks int, seed uint64) []observe.Traffic {
	name := rand.New(rand.NewPCG(seed, 3)).Perm(ranks)
	all := slices.Clone(traffic)
	for i := range all {
		all[i].From, all[i].To = int32(name[all[i].From]), int32(name[all[i].To])
	}
	return all
}

// TestGreedyIsBest compares with all orders where the best is to be found: a ring, pairs, teams whose members all talk,
// a master with two close helpers, and nodes of different sizes.
func TestGreedyIsBest(t *testing.T) {
	var ring, pairs, teams, master []observe.Traffic
	for r := range 8 {
		ring = append(ring, both(r, (r+1)%8, 10))
		pairs = append(pairs, both(r, r^4, 10), both(r, (r+1)%8, 1))
		if r > 0 {
			master = append(master, both(0, r, 1))
		}
	}
	for a := range 9 {
		for b := range a {
			if a%3 == b%3 {
				teams = append(teams, both(a, b, 5), both(b, a, 7))
			}
		}
	}
	for _, tt := range []struct {
		name    string
		slots   Slots
		traffic []observe.Traffic
		want    float64
	}{
		{"ring on nodes of 4", slots(4, 4), ring, 20},        // it leaves each node once
		{"ring on nodes of 2", slots(2, 2, 2, 2), ring, 40},  // as above
		{"ring on unequal nodes", slots(5, 1, 2), ring, 30},  // as above
		{"pairs on nodes of 2", slots(2, 2, 2, 2), pairs, 8}, // the ring of ones is all that is left
		{"teams on nodes of 3", slots(3, 3, 3), teams, 0},
		{"master", slots(3, 3, 2), append(slices.Clone(master), both(0, 7, 9), both(0, 3, 9)), 5},
	} {
		ranks := len(tt.slots.Node)
		if got := least(tt.slots, tt.traffic); ranks <= 8 && got != tt.want {
			t.Fatalf("%s: the best of all orders has %v between nodes; expected %v", tt.name, got, tt.want)
		}
		for seed := range uint64(20) {
			traffic := shuffled(tt.traffic, ranks, seed)
			got := crossings(tt.slots, Greedy(tt.slots, traffic), traffic)
			expect.That(t, got == tt.want, "%s, names of seed %d: %v between nodes; expected %v", tt.name, seed, got, tt.want)
		}
	}
}

// TestGreedyCutsGridsIntoSquares expects 8 of the 24 edges of a 4 x 4 grid between four nodes, where rows have 12: also
// where all have a little to do with rank 0, or with the ranks next to them.
func TestGreedyCutsGridsIntoSquares(t *testing.T) {
	for _, noise := range []func(r int) observe.Traffic{
		func(r int) observe.Traffic { return both(r, r, 1) },
		func(r int) observe.Traffic { return both(r, 0, 1) },
		func(r int) observe.Traffic { return both(r, r^2, 1) },
	} {
		var grid []observe.Traffic
		for r := range 16 {
			grid = append(grid, noise(r))
			if r%4 < 3 {
				grid = append(grid, both(r, r+1, 100))
			}
			if r < 12 {
				grid = append(grid, both(r, r+4, 100), both(r+4, r, 0))
			}
		}
		got := crossings(slots(4, 4, 4, 4), Greedy(slots(4, 4, 4, 4), grid), grid)
		expect.That(t, got >= 800 && got <= 816, "%v; expected 8 edges of 100, and at most 16 of 1", got)
	}
}

// TestGreedyIsNeverWorse draws traffic on nodes of two kinds: an order is a permutation, keeps each rank on its kind,
// and has no more traffic between nodes than block order.
func TestGreedyIsNeverWorse(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := slots(1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(3))
		for i := range s.Kind {
			s.Kind[i] = s.Node[i] & 1
		}
		ranks := len(s.Node)
		var traffic []observe.Traffic
		for range r.IntN(3 * ranks) {
			traffic = append(traffic, both(r.IntN(ranks), r.IntN(ranks), float64(r.IntN(5))))
		}
		order := Greedy(s, traffic)
		if order == nil {
			continue
		}
		expect.Same(t, slices.Sorted(slices.Values(order)), InTurn(make([]int32, ranks)), "the slots of all ranks")
		for rank, slot := range order {
			expect.That(t, s.Kind[slot] == s.Kind[rank], "seed %d: rank %d has changed its kind of node", seed, rank)
		}
		expect.That(t, crossings(s, order, traffic) <= crossings(s, nil, traffic), "seed %d: worse than block order", seed)
	}
}

// TestGreedyKeepsGroupsTogether: each node is filled by a pair, and pairs of two groups of nodes talk: {0, 3} with {1,
// 5}, and {2, 4} with {6, 7}. Empty messages count where all are empty.
func TestGreedyKeepsGroupsTogether(t *testing.T) {
	s := slots(2, 2, 2, 2)
	var traffic []observe.Traffic
	for pair, messages := range map[[2]int32]int64{{0, 3}: 9, {1, 5}: 9, {2, 4}: 9, {6, 7}: 9, {0, 1}: 2, {4, 6}: 2} {
		traffic = append(traffic, observe.Traffic{From: pair[0], To: pair[1], Messages: messages})
	}
	order := Greedy(s, traffic)
	group := func(rank int) int32 { return s.Group[order[rank]] }
	expect.That(t, s.Node[order[0]] == s.Node[order[3]] && s.Node[order[2]] == s.Node[order[4]] &&
		group(0) == group(1) && group(4) == group(6) && group(0) != group(4), "slots %v", order)
}

// listed is the order in a file, on a machine with a head of two processes and two workers.
func listed(text string) ([]int32, error) {
	m := &topology.Machine{Name: "m", Types: []topology.NodeType{{Name: "head", Cores: 2, MarkedSpeed: 1}, {Name: "w", Cores: 1, MarkedSpeed: 1}},
		Groups: []topology.Group{{Name: "head", Type: "head", Count: 1}, {Name: "w", Type: "w", Count: 2, First: 1}}}
	p, err := m.Place(topology.Selection{Processes: map[string]int{"head": 2}})
	if err != nil {
		return nil, err
	}
	root, err := File.Parse("f", []byte(text))
	if err != nil {
		return nil, err
	}
	var d yamldoc.Decoder
	order := Listed(&d, root, p)
	return order, d.Err()
}

func TestListed(t *testing.T) {
	expect.Same(t, expect.Value(listed("w-2\nhead # the master\n\n 1\n0\n"))(t), []int32{3, 0, 2, 1}, "slots")
	for text, want := range map[string]string{
		"w-2\nhead\n1":          "f:1:1: ranks: 3 ranks; expected 4, a line for each process",
		"w-2\nhead\n  x\n0":     `f:3:3: ranks[2]: rank 2 is on "x", but no such node takes part; expected the name of a node, or a number from 0 to 2`,
		"w-2\nhead\n3\n0":       `f:3:1: ranks[2]: rank 2 is on "3"`,
		"w-2\nhead\n-1\n0":      `f:3:1: ranks[2]: rank 2 is on "-1"`,
		"w-2\nhead\nw-2\n0":     "f:3:1: ranks[2]: rank 2 is one more than w-2 has processes; expected each node as often as it has processes",
		"w-2\nhead 0\n1 1\nw-1": "f:2:1: 2 words; expected the name of one node, or its number, for each rank\nf:3:1:",
	} {
		_, err := listed(text)
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%q: %v; expected %s", text, err, want)
	}
}

// The run that finds out who sends to whom ends at the first pair too many.
func TestPairsAreLimited(t *testing.T) {
	stopped := 0
	m := &pairsWithin{most: 2, stop: func() { stopped++ }}
	for _, pair := range [][2]int32{{0, 1}, {1, 0}, {0, 1}, {0, 2}} {
		expect.That(t, stopped == 0, "ended with %d pairs", m.Pairs())
		m.Sent(sim.Sent{Rank: pair[0], To: pair[1]})
	}
	expect.That(t, stopped == 1 && m.Pairs() == 3, "ended %d times with %d pairs", stopped, m.Pairs())
}
