package algorithm

import (
	"errors"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Collective is a collective operation alone: a round is one call, which all processes
// make as soon as they have left the previous one. With one round the makespan is the
// time of the operation when all enter it at once, as one would measure it. Combining
// in a reduction takes no work.
//
// Calls may overlap, because the root of a broadcast, for example, need not wait for
// the others. The messages of all calls have the same tag and are told apart by their
// order: every receive names its source, and of two messages between the same processes
// the first sent is the first received. With a single process there is nothing to do.
type Collective struct {
	Series                   // Rounds is the number of calls
	Choice collective.Choice // the operation, and how it is carried out
	Size   units.Bytes       // of a block; collective.BlockCount says how many there are: none in a barrier
	Root   int               // if the operation has one; otherwise 0
}

// Validate reports everything that is wrong with the parameters.
func (c Collective) Validate() error {
	const name = "collective"
	op := c.Choice.Operation
	return errors.Join(
		c.check(name),
		checkChoices(name, c.Choices(), op),
		expect(c.Size >= 0 && c.Size <= 1e18, name, "size is %v; expected 0 B to 1 EB", c.Size),
		expect(c.Root >= 0 && c.Root < max(1, c.Processes), name, "root is %d; expected one of %d processes",
			c.Root, c.Processes),
		expect(c.Root == 0 || collective.Rooted(op), name, "root is %d; expected 0, %v has no root", c.Root, op),
	)
}

// Work returns 0.
func (c Collective) Work() units.Flops { return 0 }

// Footprints returns the memory of the data that each process gives and gets. Buffers
// of the algorithms are not counted.
func (c Collective) Footprints() []units.Bytes {
	p := c.Processes
	blocks, root := 1, 0 // of each process; additional ones of the root
	switch c.Choice.Operation {
	case workloads.Barrier:
		blocks = 0
	case workloads.Reduce:
		root = 1
	case workloads.Gather, workloads.Scatter:
		root = p
	case workloads.Allreduce, workloads.Scan:
		blocks = 2
	case workloads.Allgather, workloads.ReduceScatter:
		blocks = 1 + p
	case workloads.Alltoall:
		blocks = 2 * p
	}
	need := c.alike(units.Bytes(blocks) * c.Size)
	need[c.Root] += units.Bytes(units.Bytes(root) * c.Size)
	return need
}

// Choices returns how the operation is carried out.
func (c Collective) Choices() []collective.Choice { return []collective.Choice{c.Choice} }

// Overhead returns the closed-form T_o for n calls one after the other, an upper bound
// if they overlap:
//
//	T_o = p Startup + n T(all blocks)
//
// T is the time with root 0. Other roots have the same time unless the network treats
// pairs of processes differently.
func (c Collective) Overhead(costs Costs) units.Seconds {
	t := c.startTime()
	if c.Processes == 1 {
		return t
	}
	op := c.Choice.Operation
	return t + units.Seconds(units.Seconds(c.Rounds)*costs.Collective(op, units.Bytes(c.blocks())*c.Size))
}

// Program returns a fresh run. The parameters must be valid.
func (c Collective) Program() workloads.Program {
	blocks := collective.Uniform(c.blocks(), c.Size)
	return newMachine(c.Processes, c.Startup).
		repeat(c.Rounds, call(c.Choice, collective.Call{Size: c.Processes, Root: c.Root}, blocks))
}

// blocks returns how many blocks a call has.
func (c Collective) blocks() int { return collective.BlockCount(c.Choice.Operation, c.Processes) }

var collectiveKind = Kind{
	Name: "collective", Title: "one collective operation alone, a number of times in a row",
	Source: "none", Size: "number of calls", Element: double,
	Scaling: func(parameter.Values) Scaling { return Weak }, // more processes send more
	Parameters: []parameter.Parameter{
		{Name: "op", Type: parameter.Word{Of: operationNames()}, Default: workloads.Allreduce.String(), Meaning: "the operation"},
		{Name: "algorithm", Type: parameter.AlgorithmOf{Word: "op"}, Default: collective.Default(workloads.Allreduce).Algorithm.Name(), Meaning: "how it is carried out (the default depends on the operation)" + measured},
		{Name: "size", Type: parameter.Size{}, Default: "8 B", Meaning: "size of a block: the data sent to, or received from, each other process"},
		{Name: "root", Type: parameter.Count{Max: 1<<20 - 1}, Default: "0", Meaning: "root process, for operations that have one"},
	},
	Build: func(c Case) Algorithm {
		return Collective{Series: c.series(), Choice: c.Choice("algorithm"), Size: c.Size("size"),
			Root: c.Count("root")}
	},
}

func operationNames() []string {
	var names []string
	for _, op := range collective.Operations() {
		names = append(names, op.String())
	}
	return names
}
