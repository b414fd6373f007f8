package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// choices tells how each collective operation is carried out.
type choices [workloads.Scan + 1]collective.Choice

func defaultChoices() choices {
	var cs choices
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		cs[op] = collective.Default(op)
	}
	return cs
}

// Choose tells how a collective operation is to be carried out, on all ranks. It
// must not be called during a run. Without it, the algorithms are those of
// [collective.Default].
func (p *Program) Choose(ch collective.Choice) error {
	if err := ch.Validate(); err != nil {
		return err
	}
	p.choices[ch.Operation] = ch
	return nil
}

// Barrier waits until all ranks have called it.
func (r *Rank) Barrier() {
	carryOut(r, workloads.Barrier, 0, differing, collective.Uniform(0, 0), 0)
}

// Bcast sends size bytes from root to all.
func (r *Rank) Bcast(root int, size units.Bytes) {
	carryOut(r, workloads.Bcast, root, size, collective.Uniform(1, size), 0)
}

// Reduce combines size bytes of every rank into one result at root, at that
// intensity.
func (r *Rank) Reduce(root int, size units.Bytes, intensity collective.FlopsPerByte) {
	carryOut(r, workloads.Reduce, root, size, collective.Uniform(1, size), intensity)
}

// Gather sends size bytes of every rank to root.
func (r *Rank) Gather(root int, size units.Bytes) {
	carryOut(r, workloads.Gather, root, size, collective.Uniform(r.Size(), size), 0)
}

// Gatherv sends block i from rank i to root. Blocks of unequal sizes should be
// made once ([collective.Varying]) and used by all ranks.
func (r *Rank) Gatherv(root int, blocks collective.Blocks) {
	carryOut(r, workloads.Gather, root, differing, blocks, 0)
}

// Scatter sends size bytes from root to every rank.
func (r *Rank) Scatter(root int, size units.Bytes) {
	carryOut(r, workloads.Scatter, root, size, collective.Uniform(r.Size(), size), 0)
}

// Scatterv sends block i from root to rank i, as Gatherv the other way round.
func (r *Rank) Scatterv(root int, blocks collective.Blocks) {
	carryOut(r, workloads.Scatter, root, differing, blocks, 0)
}

// Allreduce is a Reduce whose result everybody gets.
func (r *Rank) Allreduce(size units.Bytes, intensity collective.FlopsPerByte) {
	carryOut(r, workloads.Allreduce, 0, size, collective.Uniform(1, size), intensity)
}

// Allgather sends size bytes of every rank to all.
func (r *Rank) Allgather(size units.Bytes) {
	carryOut(r, workloads.Allgather, 0, size, collective.Uniform(r.Size(), size), 0)
}

// Alltoall sends size bytes from every rank to every rank, different ones for
// each.
func (r *Rank) Alltoall(size units.Bytes) {
	carryOut(r, workloads.Alltoall, 0, size, collective.Uniform(r.Size()*r.Size(), size), 0)
}

// ReduceScatter combines a block of size bytes for each rank, at that intensity;
// rank i gets the result of block i.
func (r *Rank) ReduceScatter(size units.Bytes, intensity collective.FlopsPerByte) {
	carryOut(r, workloads.ReduceScatter, 0, size, collective.Uniform(r.Size(), size), intensity)
}

// Scan combines size bytes of the ranks up to this one, at that intensity.
func (r *Rank) Scan(size units.Bytes, intensity collective.FlopsPerByte) {
	carryOut(r, workloads.Scan, 0, size, collective.Uniform(1, size), intensity)
}

// differing stands for the size of a call in which every member may give another.
const differing units.Bytes = -1

// carryOut performs a collective operation as the program has chosen. All members must
// call it with the same size.
func carryOut[B collective.Blocks](
	r *Rank, operation workloads.Collective, root int, size units.Bytes, blocks B, intensity collective.FlopsPerByte,
) {
	carryOutAs(r, operation.String(), operation, root, size, blocks, intensity)
}

// carryOutAs is carryOut for a call of another name. The type parameter keeps blocks
// off the heap.
func carryOutAs[B collective.Blocks](
	r *Rank, call string, operation workloads.Collective, root int, size units.Bytes, blocks B,
	intensity collective.FlopsPerByte,
) {
	r.enter()
	ch := &r.program.choices[operation]
	if ch.Operation == 0 {
		fail(call, "nothing chosen; expected a call of Choose before the run")
	}
	c := collective.Call{Size: r.Size(), Root: r.member(call, root)}
	if r.group != nil {
		c.Group, c.Number = r.group, r.group.number
		r.seldom().calling = r.group
	}
	r.agree(call, operation, c.Root, size)
	r.inside = call
	for k := int32(0); collective.Next(*ch, c, blocks, intensity, r.Rank(), &k, r.op); {
		if r.group != nil && r.op.Tag == workloads.CollectiveTag {
			r.op.Tag = r.group.collectiveTag()
		}
		r.suspend()
	}
	r.inside = ""
	if r.group != nil {
		r.rare.calling = nil
	}
}
