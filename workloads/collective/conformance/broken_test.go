package conformance

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// script is an algorithm written out: the steps of each rank.
type script struct {
	op    workloads.Collective
	ranks [][]collective.Step
}

func (s script) Name() string                    { return "script" }
func (s script) Operation() workloads.Collective { return s.op }
func (s script) Step(_ collective.Call, rank, k int) (collective.Step, bool) {
	if k >= len(s.ranks[rank]) {
		return collective.Step{}, false
	}
	return s.ranks[rank][k], true
}

// altered is an algorithm whose steps are changed.
type altered struct {
	collective.Algorithm
	change func(c collective.Call, rank, k int, s *collective.Step, ok bool) bool
}

func (a altered) Step(c collective.Call, rank, k int) (collective.Step, bool) {
	s, ok := a.Algorithm.Step(c, rank, k)
	ok = a.change(c, rank, k, &s, ok)
	return s, ok
}

// Steps of scripts, on one block.
var one = collective.Range(0, 1)

func send(to int) collective.Step {
	return collective.Step{Kind: workloads.Send, Peer: to, Blocks: one}
}

func recv(from int) collective.Step {
	return collective.Step{Kind: workloads.Recv, Peer: from, Blocks: one}
}

func combine(from int) collective.Step {
	return collective.Step{Kind: workloads.Recv, Peer: from, Blocks: one, Combine: true}
}

func irecv(from, request int) collective.Step {
	return collective.Step{Kind: workloads.Irecv, Peer: from, Request: request, Blocks: one}
}

func isend(to, request int) collective.Step {
	return collective.Step{Kind: workloads.Isend, Peer: to, Request: request, Blocks: one}
}

func wait(request int) collective.Step {
	return collective.Step{Kind: workloads.Wait, Request: request}
}

// sendrecv sends the block and combines what it receives.
func sendrecv(to, from int) collective.Step {
	return collective.Step{Kind: workloads.Sendrecv, Peer: to, From: from, Blocks: one, Received: one, Combine: true}
}

var compute = collective.Step{Kind: workloads.Compute, Blocks: one}

// TestBrokenScripts has one mistake per script, each of one block of 1 byte.
// The scripts without mistake show that it is the mistake that is noticed.
func TestBrokenScripts(t *testing.T) {
	type ranks = [][]collective.Step
	for _, tt := range []struct {
		name  string
		op    workloads.Collective
		ranks ranks
		sent  int // messages, each of 1 byte
		want  string
	}{
		{"correct broadcast", workloads.Bcast, ranks{{send(1)}, {recv(0)}}, 1, ""},
		{"nothing happens", workloads.Bcast, ranks{{}, {}}, 0, "rank 1 ends without block 0"},
		{"nobody sends", workloads.Bcast, ranks{{}, {recv(0)}}, 0, "deadlock: rank 1 in step 0 (recv, peer 0)"},
		{"nobody receives", workloads.Bcast, ranks{{send(1), send(1)}, {recv(0)}}, 2, "1 messages from rank 0 to rank 1 are never received"},
		{"wrong direction", workloads.Bcast, ranks{{recv(1)}, {send(0)}}, 1, "rank 1, step 0 (send): sends block 0, which it does not have"},
		{"to itself", workloads.Bcast, ranks{{send(0)}, {}}, 1, "peer is 0; expected another one of 2 ranks"},
		{"to nobody", workloads.Bcast, ranks{{send(2)}, {}}, 1, "peer is 2; expected another one of 2 ranks"},
		{"from anybody", workloads.Bcast, ranks{{send(1)}, {recv(-1)}}, 1, "peer is -1; expected another one of 2 ranks"},
		{"empty message", workloads.Bcast, ranks{{{Kind: workloads.Send, Peer: 1}}, {recv(0)}}, 1, "expects 1 blocks [0] (1 bytes); rank 0 sends 0 blocks [] (0 bytes)"},
		{"too many blocks", workloads.Bcast, ranks{{{Kind: workloads.Send, Peer: 1, Blocks: collective.Range(0, 2)}}, {recv(0)}}, 1, "2 blocks from 0 on; there are 1"},
		{"one message too many", workloads.Bcast, ranks{{send(1), send(1)}, {recv(0), recv(0)}}, 1, "2 messages, 2 bytes; expected 1 messages, 1 bytes"},
		{"foreign kind", workloads.Bcast, ranks{{{Kind: workloads.Delay}, send(1)}, {recv(0)}}, 1, "rank 0, step 0 (delay): not a kind of step"},
		{"foreign wait", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0), {Kind: workloads.Waitall}}}, 1, "rank 1, step 1 (waitall): not a kind of step"},
		{"open request", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0)}}, 1, "rank 1 ends with 1 open requests"},
		{"request closed", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0), wait(0)}}, 1, ""},
		{"closed in another order", workloads.Bcast, ranks{{isend(1, 0), isend(2, 7), wait(7), wait(0)}, {recv(0)}, {recv(0)}}, 2, ""},
		{"other request", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0), wait(1)}}, 1, "rank 1, step 1 (wait): waits for request 1, which is not open"},
		{"waits twice", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0), wait(0), wait(0)}}, 1, "rank 1, step 2 (wait): waits for request 0, which is not open"},
		{"same name twice", workloads.Bcast, ranks{{isend(1, 3), isend(2, 3), wait(3)}, {recv(0)}, {recv(0)}}, 2, "rank 0, step 1 (isend): request 3 is open already"},
		{"negative name", workloads.Bcast, ranks{{isend(1, -1), wait(-1)}, {recv(0)}}, 1, "request is -1; expected 0 to 1073741823"},
		{"waits for nothing that comes", workloads.Bcast, ranks{{}, {irecv(0, 4), wait(4)}}, 0, "deadlock: rank 1 in step 1 (wait, request 4)"},
		{"used before waited for", workloads.Bcast, ranks{{send(1)}, {irecv(0, 0), send(2), wait(0)}, {recv(1)}}, 2, "rank 1, step 1 (send): sends block 0, which it does not have"},
		{"receives without sendrecv", workloads.Bcast, ranks{{send(1)}, {{Kind: workloads.Recv, Received: one}}}, 1, "rank 1, step 0 (recv): blocks received are for a sendrecv only"},

		{"correct exchange", workloads.Allreduce, ranks{{sendrecv(1, 1), compute}, {sendrecv(0, 0), compute}}, 2, ""},
		{"exchange from itself", workloads.Allreduce, ranks{{sendrecv(1, 0), compute}, {sendrecv(0, 0), compute}}, 2, "rank 0, step 0 (sendrecv): peer is 0; expected another one of 2 ranks"},
		{
			// Rank 0 should receive from rank 2, which sends to it.
			"exchange from the wrong rank", workloads.Allreduce,
			ranks{{sendrecv(1, 1), compute}, {sendrecv(2, 0), compute}, {sendrecv(0, 1), compute}},
			3, "deadlock: rank 0 in step 0 (sendrecv, peer 1, from 1)",
		},
		{"exchange not computed", workloads.Allreduce, ranks{{sendrecv(1, 1), compute}, {sendrecv(0, 0)}}, 2, "rank 1 ends with block 0 received 1 times without the computation"},
		{
			"exchange not combined", workloads.Allreduce,
			ranks{{sendrecv(1, 1), compute}, {{Kind: workloads.Sendrecv, Blocks: one, Received: one}}},
			2, "rank 1 ends with the contribution of rank 1 0 times in block 0; expected 1",
		},
		{
			"exchange receives nothing", workloads.Allreduce,
			ranks{{sendrecv(1, 1), compute}, {{Kind: workloads.Sendrecv, Blocks: one}}},
			2, "expects 0 blocks [] (0 bytes); rank 0 sends 1 blocks [0] (1 bytes)",
		},
		{
			"exchange of too much", workloads.Allreduce,
			ranks{{sendrecv(1, 1), compute}, {{Kind: workloads.Sendrecv, Blocks: one, Received: collective.Range(0, 2)}}},
			2, "2 blocks from 0 on; there are 1",
		},

		{"correct scan", workloads.Scan, ranks{{send(1)}, {combine(0), compute, send(2)}, {combine(1), compute}}, 2, ""},
		{"scan from behind", workloads.Scan, ranks{{combine(1), compute}, {send(0)}}, 1, "rank 0 ends with the contribution of rank 1 1 times in block 0; expected 0"},
		{"scan without the first", workloads.Scan, ranks{{}, {send(2)}, {combine(1), compute}}, 1, "rank 1 ends with the contribution of rank 0 0 times in block 0; expected 1"},

		{"correct reduction", workloads.Reduce, ranks{{combine(1), compute, combine(2), compute}, {send(0)}, {send(0)}}, 2, ""},
		{"missing contribution", workloads.Reduce, ranks{{combine(1), compute}, {send(0)}, {}}, 1, "contribution of rank 2 0 times in block 0; expected 1"},
		{"replaced, not combined", workloads.Reduce, ranks{{recv(1)}, {send(0)}}, 1, "contribution of rank 0 0 times in block 0; expected 1"},
		{
			// Rank 1 reaches the root directly and through rank 2.
			"combined twice", workloads.Reduce,
			ranks{{combine(1), compute, combine(2), compute}, {send(0), send(2)}, {combine(1), compute, send(0)}},
			3, "contribution of rank 1 2 times in block 0; expected 1",
		},
		{"never computed", workloads.Reduce, ranks{{combine(1)}, {send(0)}}, 1, "rank 0 ends with block 0 received 1 times without the computation"},
		{"sent before computed", workloads.Reduce, ranks{{combine(1), compute}, {combine(2), send(0), compute}, {send(1)}}, 2, "rank 1, step 1 (send): sends block 0 before the computation"},
		{"computed without need", workloads.Reduce, ranks{{combine(1), compute, compute}, {send(0)}}, 1, "rank 0, step 2 (compute): computes on block 0, which has nothing to combine"},
		{"combined with nothing", workloads.Bcast, ranks{{send(1)}, {combine(0), compute}}, 1, "rank 1, step 0 (recv): combines into block 0, which it does not have"},

		// Both send first: only buffers can save them.
		{"head to head", workloads.Allreduce, ranks{{send(1), combine(1), compute}, {send(0), combine(0), compute}}, 2, "rendezvous sends: deadlock: rank 0 in step 0 (send, peer 1); rank 1 in step 0 (send, peer 0)"},
		{"no root", workloads.Allreduce, ranks{{combine(1), compute}, {send(0)}}, 1, "rank 1 ends with the contribution of rank 0 0 times"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cs := Case{Call: collective.Call{Size: len(tt.ranks)}, Blocks: []units.Bytes{1}}
			facts, err := check(script{tt.op, tt.ranks}, cs, &Traffic{Messages: tt.sent, Volume: units.Bytes(tt.sent)})
			verdict(t, facts, err, tt.want)
		})
	}
}

// TestBrokenAlgorithms breaks the algorithms of package collective.
func TestBrokenAlgorithms(t *testing.T) {
	type step = collective.Step
	type call = collective.Call
	empty := []units.Bytes{0, 0, 0, 0} // emptiness must not hide a loss
	for _, tt := range []struct {
		name   string
		op     workloads.Collective
		base   string
		blocks []units.Bytes
		sent   int
		change func(c call, rank, k int, s *step, ok bool) bool
		want   string
	}{
		{
			"unchanged", workloads.Gather, "binomial", empty, 3,
			func(c call, rank, k int, s *step, ok bool) bool { return ok },
			"",
		},
		{
			// 0 serves 2 and 1; 2 sends to 1 what 3 waits for.
			"wrong peer", workloads.Bcast, "binomial", empty[:1], 3,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 2 && s.Kind == workloads.Send {
					s.Peer = 1
				}
				return ok
			},
			"deadlock: rank 3 in step 0 (recv, peer 2)",
		},
		{
			// The subtree {2, 3} loses its second block on both sides.
			"missing block", workloads.Gather, "binomial", empty, 3,
			func(c call, rank, k int, s *step, ok bool) bool {
				s.Blocks.Count = min(s.Blocks.Count, 1)
				return ok
			},
			"rank 0 ends without block 3",
		},
		{
			"wrong blocks", workloads.Scatter, "flat", empty, 3,
			func(c call, rank, k int, s *step, ok bool) bool {
				s.Blocks.First = 0
				return ok
			},
			"rank 1 ends without block 1",
		},
		{
			"sides disagree", workloads.Scatter, "flat", empty, 3,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 1 {
					s.Blocks.First = 2
				}
				return ok
			},
			"expects 1 blocks [2] (0 bytes); rank 0 sends 1 blocks [1] (0 bytes)",
		},
		{
			// After one round rank 0 has heard of rank 3 only.
			"barrier one round short", workloads.Barrier, "dissemination", nil, 4,
			func(c call, rank, k int, s *step, ok bool) bool { return ok && k < 1 },
			"rank 0 may leave before rank 1 has entered",
		},
		{
			// Rank 0 gets block 3 and takes it for block 2.
			"wrong received blocks", workloads.Allgather, "ring", empty, 12,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 0 && k == 0 {
					s.Received = collective.Range(2, 1)
				}
				return ok
			},
			"rank 0, step 0 (sendrecv): expects 1 blocks [2] (0 bytes); rank 3 sends 1 blocks [3] (0 bytes)",
		},
		{
			// In round 1, with bit 1, rank 0 relays those blocks that rank 1 has.
			"wrong relay", workloads.Alltoall, "bruck", make([]units.Bytes, 16), 8,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 0 && k == 1 {
					s.Blocks = collective.Relay(4, 1, 1)
				}
				return ok
			},
			"rank 0, step 1 (sendrecv): sends block 7, which it does not have",
		},
		{
			// Rank 3 of 5 has a block from 3 to 4, number 3*5+4.
			"relay among other ranks", workloads.Alltoall, "bruck", make([]units.Bytes, 16), 8,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 3 && k == 0 {
					s.Blocks = collective.Relay(5, 3, 0)
				}
				return ok
			},
			"rank 3, step 0 (sendrecv): block 19; there are 16",
		},
		{
			"wrong source", workloads.Allgather, "ring", empty, 12,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 0 {
					s.From = 2
				}
				return ok
			},
			"deadlock: rank 0 in step 0 (sendrecv, peer 1, from 2)",
		},
		{
			"missing combine", workloads.ReduceScatter, "ring", empty, 12,
			func(c call, rank, k int, s *step, ok bool) bool {
				if rank == 1 && k == 0 {
					s.Combine = false
				}
				return ok
			},
			"rank 1, step 1 (compute): computes on block 3, which has nothing to combine",
		},
		{
			"comes back", workloads.Barrier, "linear", nil, 6,
			func(c call, rank, k int, s *step, ok bool) bool { return ok || rank == 1 && k == 4 },
			"rank 1 has no step 2 but a step 4",
		},
		{
			"does not end", workloads.Barrier, "linear", nil, 6,
			func(c call, rank, k int, s *step, ok bool) bool {
				if !ok {
					*s = step{Kind: workloads.Compute} // on nothing
				}
				return true
			},
			"rank 0 does not end within",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := altered{lookup(t, tt.op, tt.base), tt.change}
			cs := Case{Call: collective.Call{Size: 4}, Blocks: tt.blocks}
			facts, err := check(a, cs, &Traffic{Messages: tt.sent})
			verdict(t, facts, err, tt.want)
		})
	}
}

func TestStepWithMemory(t *testing.T) {
	calls := 0
	a := altered{
		lookup(t, workloads.Bcast, "flat"),
		func(c collective.Call, rank, k int, s *collective.Step, ok bool) bool {
			calls++
			s.Peer += calls
			return ok
		},
	}
	cs := Case{Call: collective.Call{Size: 2}, Blocks: []units.Bytes{1}}
	facts, err := check(a, cs, &Traffic{Messages: 1, Volume: 1})
	verdict(t, facts, err, "rank 0, step 0: asked twice")
}

func TestWrongTraffic(t *testing.T) {
	a := lookup(t, workloads.Bcast, "flat")
	cs := Case{Call: collective.Call{Size: 3}, Blocks: []units.Bytes{5}}
	// Right is 2 messages of 5 bytes.
	for _, tt := range []struct {
		traffic Traffic
		want    string
	}{
		{Traffic{Messages: 2, Volume: 10}, ""},
		{Traffic{Messages: 3, Volume: 10}, "2 messages, 10 bytes; expected 3 messages, 10 bytes"},
		{Traffic{Messages: 2, Volume: 5}, "2 messages, 10 bytes; expected 2 messages, 5 bytes"},
	} {
		facts, err := check(a, cs, &tt.traffic)
		verdict(t, facts, err, tt.want)
	}
}

func TestUnfitCases(t *testing.T) {
	one := []units.Bytes{1}
	for _, tt := range []struct {
		name   string
		op     workloads.Collective
		call   collective.Call
		blocks []units.Bytes
		want   string
	}{
		{"operation", 0, collective.Call{Size: 1}, one, "unknown operation Collective(0)"},
		{"no rank", workloads.Bcast, collective.Call{}, one, "case with 0 ranks; expected at least 1"},
		{"root too large", workloads.Bcast, collective.Call{Size: 2, Root: 2}, one, "case with root 2; expected one of 2 ranks"},
		{"root negative", workloads.Bcast, collective.Call{Size: 2, Root: -1}, one, "case with root -1; expected one of 2 ranks"},
		{"root of a barrier", workloads.Barrier, collective.Call{Size: 2, Root: 1}, nil, "case with root 1; expected 0, barrier has no root"},
		{"block of a barrier", workloads.Barrier, collective.Call{Size: 2}, one, "case with 1 blocks; expected 0"},
		{"too few blocks", workloads.Gather, collective.Call{Size: 2}, one, "case with 1 blocks; expected 2"},
		{"no block", workloads.Bcast, collective.Call{Size: 2}, nil, "case without blocks; expected at least 1"},
		{"negative block", workloads.Bcast, collective.Call{Size: 2}, []units.Bytes{-1}, "case with block 0 of -1 byte"},
		{"no number", workloads.Bcast, collective.Call{Size: 2}, []units.Bytes{units.Bytes(math.NaN())}, "case with block 0 of NaN byte"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cs := Case{Call: tt.call, Blocks: tt.blocks}
			facts, err := check(script{op: tt.op}, cs, &Traffic{})
			verdict(t, facts, err, tt.want)
		})
	}
}

// verdict demands an error that says want or, without one, that something was checked.
func verdict(t *testing.T, facts int, err error, want string) {
	t.Helper()
	expect.Outcome(t, err, want)
	expect.That(t, want != "" || facts > 0, "nothing was checked")
}
