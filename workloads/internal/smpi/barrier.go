package smpi

import (
	"fmt"

	"github.com/isoscale/isoscale/workloads"
)

var (
	disseminationBarrier = mustLookup(workloads.Barrier, "dissemination")
	treeBarrier          = mustLookup(workloads.Barrier, "tree")
)

// barrierLinear is ompi_basic_linear, the default: every rank sends to rank 0 and then
// waits for its answer. Rank 0 receives from all at once, and answers all at once when
// the last message has arrived.
func barrierLinear(q *Sequence) {
	if q.rank() > 0 {
		q.send(0, 0)
		q.recv(0, 0)
		return
	}
	n := q.ranks() - 1
	if i, ok := q.in(n, 1); ok {
		q.irecv(i, i+1, 0)
	}
	q.waitall()
	if i, ok := q.in(n, 1); ok {
		q.isend(i, i+1, 0)
	}
	q.waitall()
}

// barrierBruck is ompi_bruck: in round i, r signals r + 2^i.
func barrierBruck(q *Sequence) { q.follow(disseminationBarrier, 0) }

// barrierTree is ompi_tree: up a binomial tree and down again.
func barrierTree(q *Sequence) { q.follow(treeBarrier, 0) }

// barrierTwo is ompi_two_procs: two ranks signal each other.
func barrierTwo(q *Sequence) { q.sendrecv(1-q.rank(), 0, 1-q.rank()) }

func exactlyTwo(ranks int) error {
	if ranks != 2 {
		return fmt.Errorf("%d ranks; expected 2", ranks)
	}
	return nil
}

// barrierDoubleRing is ompi_doublering: a token goes round twice, from rank 0.
func barrierDoubleRing(q *Sequence) {
	left, right := q.mod(q.rank()-1), q.mod(q.rank()+1)
	for range 2 {
		if q.rank() > 0 {
			q.recv(left, 0)
		}
		q.send(right, 0)
		if q.rank() == 0 {
			q.recv(left, 0)
		}
	}
}

// barrierRecursiveDoubling is ompi_recursivedoubling: if 2^n is the largest power of
// two, rank 2^n + i first reports to i; the first 2^n ranks exchange signals at
// distance 1, 2, 4, ...; then i releases 2^n + i. The waiting rank has posted its
// receive from the beginning.
func barrierRecursiveDoubling(q *Sequence) {
	f := fold(q.ranks())
	r := q.rank()
	if r >= f.size {
		q.sendrecv(r-f.size, 0, r-f.size)
		return
	}
	if r < f.extra {
		q.recv(r+f.size, 0)
	}
	for d := 1; d < f.size; d *= 2 {
		q.sendrecv(r^d, 0, r^d)
	}
	if r < f.extra {
		q.send(r+f.size, 0)
	}
}
