package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Ranks with so many posted receives, unexpected messages and open requests that
// the engine looks them up instead of walking over them: the reference walks.
func TestManyOpenRequestsAgreeWithReference(t *testing.T) {
	completed, blocked := 0, 0
	for _, limit := range []units.Bytes{0, 4, 100} {
		for seed := range uint64(20) {
			net := hockney
			net.EagerLimit = limit
			sc := scene{manyOpen(rand.New(rand.NewPCG(seed, uint64(limit)))), net}
			t.Run(fmt.Sprintf("limit_%v_seed_%d", float64(limit), seed), func(t *testing.T) {
				if len(wantAgreement(t, sc).blocked()) > 0 {
					blocked++
				} else {
					completed++
				}
			})
		}
	}
	expect.That(t, completed != 0 && blocked != 0,
		"%d scenes completed and %d were blocked; want some of both", completed, blocked)
}

// manyOpen draws the operations of three ranks: 1 and 2 send 100 messages each to
// rank 0, which posts as many receives in random order, some with wildcards,
// before or after they arrive, and waits for some one by one, then for all.
func manyOpen(r *rand.Rand) script {
	const each = 100
	tags, wild := 1+r.Int32N(2*each), r.IntN(2) == 0
	s := make(script, 3)
	for from := int32(1); from <= 2; from++ {
		s[from] = append(s[from], compute(units.Flops(r.Float64()*100)))
		for i := range int32(each) {
			tag := r.Int32N(tags)
			s[from] = append(s[from], isend(0, units.Bytes(r.Float64()*8), tag, i+1))
			receive := irecv(from, tag, 0)
			if wild && r.IntN(10) == 0 {
				receive.Peer = anySource
			}
			if wild && r.IntN(10) == 0 {
				receive.Tag = anyTag
			}
			s[0] = append(s[0], receive)
		}
		s[from] = appendWaits(r, s[from], each)
	}
	r.Shuffle(len(s[0]), func(i, j int) { s[0][i], s[0][j] = s[0][j], s[0][i] })
	for i := range s[0] {
		s[0][i].Request = int32(i) + 1
	}
	s[0] = slices.Insert(s[0], 0, compute(units.Flops(r.Float64()*1000)))
	s[0] = appendWaits(r, s[0], 2*each)
	return s
}

// appendWaits appends waits for some of requests 1 to n, in random order, and for
// all that are left.
func appendWaits(r *rand.Rand, ops []workloads.Op, n int) []workloads.Op {
	for _, i := range r.Perm(n)[:r.IntN(n)] {
		ops = append(ops, wait(int32(i)+1))
	}
	return append(ops, waitall())
}
