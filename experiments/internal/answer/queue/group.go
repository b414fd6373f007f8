package queue

import (
	"fmt"
	"math/bits"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// group fills in the figures of the kinds of a mix, or of the sizes of the jobs of a
// log: 1, 2, 3 to 4, 5 to 8 nodes and so on. work is the node time of all jobs.
func (r *Result) group(work float64) {
	of := func(i int) int { return bits.Len(uint(r.jobs[i].Nodes - 1)) }
	groups := bits.Len(uint(r.Nodes-1)) + 1
	if r.mix != nil {
		of = func(i int) int { return int(r.kinds[i]) }
		groups = len(r.mix.Kinds)
	}
	jobs, starts := make([][]batchqueue.Job, groups), make([][]units.Seconds, groups)
	for i := range r.jobs {
		g := of(i)
		jobs[g], starts[g] = append(jobs[g], r.jobs[i]), append(starts[g], r.starts[i])
	}
	r.Groups = []Group{}
	for g := range groups {
		if len(jobs[g]) == 0 {
			continue
		}
		sum := 0.0
		for _, j := range jobs[g] {
			sum += float64(float64(j.Nodes) * float64(j.Run))
		}
		x := Group{Name: sizeName(g), Jobs: len(jobs[g]), Share: sum / work, Waits: waits(batchqueue.Summarize(r.Nodes, jobs[g], starts[g]))}
		if r.mix != nil {
			x.Name = r.mix.Kinds[g].Name
		}
		r.Groups = append(r.Groups, x)
	}
}

// sizeName is the range of nodes of a class of sizes.
func sizeName(class int) string {
	switch class {
	case 0:
		return "1"
	case 1:
		return "2"
	}
	return fmt.Sprintf("%d to %d", 1<<(class-1)+1, 1<<class)
}
