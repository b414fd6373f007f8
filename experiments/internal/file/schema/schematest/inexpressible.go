package schematest

import (
	"errors"
	"regexp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// expressible reports whether a schema can express one of the problems of a file.
func expressible(err error) bool {
	var problems yamldoc.Problems
	if !errors.As(err, &problems) {
		return !inexpressible(err)
	}
	return slices.ContainsFunc(problems, func(p *yamldoc.Error) bool { return !inexpressible(p) })
}

func inexpressible(err error) bool {
	return slices.ContainsFunc(beyond, func(x *regexp.Regexp) bool { return x.MatchString(err.Error()) })
}

// beyond are the messages of readers about what a schema cannot know.
var beyond = []*regexp.Regexp{
	regexp.MustCompile(`workload \S+ (grows with the number of processes|performs no work)`),
	// The names of node types, networks, systems, switches and currencies are
	// defined elsewhere in the file, or in that of the machine.
	regexp.MustCompile(`(nodes|placement|price_per_hour|compare\.n): unknown key`),
	regexp.MustCompile(`unknown (node type|node type or partition|network|system) "`),
	// So are the devices of a node type, their precisions and the kernels.
	regexp.MustCompile(`node has (no|[0-9]+) devices`),
	regexp.MustCompile(`\.domain: devices without a link`),
	regexp.MustCompile(`\.rails(\[|:.* (on a node that|has no card|nics is))`),
	regexp.MustCompile(`unknown precision of these devices|: no precision; expected`),
	regexp.MustCompile(`the efficiency of kernel "[^"]*" on .* is not known`),
	regexp.MustCompile(`the speed of (these|the) (devices|cores) .*at precision .* is not known`),
	regexp.MustCompile(`: "[^"]*"; expected the name of a node or a switch`),
	regexp.MustCompile(`is not in the currency of the budget`),
	// A text may be written as a number, which is not empty.
	regexp.MustCompile(`the label is empty`),
	// Which algorithms there are depends on the operation, another key.
	regexp.MustCompile(`workload\.algorithm: unknown [a-z-]+ algorithm`),
	// Which outcomes there are depends on the scenario, which may be another file.
	regexp.MustCompile(`unknown outcome|labels\.\S+: no factor or outcome is called`),
	regexp.MustCompile(`offers\[[0-9]+\]\.workload: unknown workload`),
	regexp.MustCompile(`cannot read: no such file`),
	// No two entries may have the same name, nor both ends of a cable.
	regexp.MustCompile(`a second (time|bid |[^ ]+ at the same switch|system named)`),
	regexp.MustCompile(`duplicate (workload )?(name|option)`),
	regexp.MustCompile(`the same node type twice|has the label "[^"]*" too`),
	regexp.MustCompile(`to itself; expected two different ends`),
	// A number has to fit another one, or the length of a list.
	regexp.MustCompile(`no node takes part`),
	regexp.MustCompile(`more than the power under load`),
	regexp.MustCompile(`a job of [0-9]+ nodes; expected at most`),
	regexp.MustCompile(`is below from, `),
	regexp.MustCompile(`expected rows times columns to be their number`),
	// A quantity is a text, of whose size a schema knows nothing.
	regexp.MustCompile(`is not the time of a run; expected`),
	// Purchase plans: keys that depend on others far from them.
	regexp.MustCompile(`of which there are no nodes|runs on no node type|of the nodes; expected above 0|of memory on each node, but that of|no node type is left for this alternative|runs on the whole machine choose no partition`),
	regexp.MustCompile(`not part of a budget that covers the purchase|is not the next number of nodes|a price above that of fewer nodes`),
	regexp.MustCompile(`there is no reference machine|the memory of \S+ is not known|the criterion \S+ twice`),
	regexp.MustCompile(`objective \S+ needs|objective time is about the runs of one workload`),
	regexp.MustCompile(`year [0-9]+ is (not after|beyond)`),
	regexp.MustCompile(`(is|are) judged by the work of`),
	regexp.MustCompile(`jobs are submitted; expected at most`),
	regexp.MustCompile(`is not a figure with a range; expected the place of|no range, neither here nor with the value of`),
	regexp.MustCompile(`the jobs are submitted over`),
	regexp.MustCompile(`has [0-9]+ [^ ]+ nodes, not`),
	regexp.MustCompile(`expected at least 1 and at most [0-9]+( in all)?, one for each core`),
	regexp.MustCompile(`[0-9]+ is more than [0-9]+; expected the number of (processes of a node|threads of a process)`),
	regexp.MustCompile(`[0-9]+ values; expected [0-9]+, one for each`),
	regexp.MustCompile(`[0-9]+ levels; expected [0-9]+ levels as in`),
	regexp.MustCompile(`nodes; expected at most [0-9]+`),
	regexp.MustCompile(`nodes (or more )?in all; expected as many as the (cluster|machine) has`),
	regexp.MustCompile(`[0-9]+ uplinks for [0-9]+ levels?; expected at most`),
	regexp.MustCompile(`levels beside between_groups; expected one of them`),
	regexp.MustCompile(`a way between rails by spines, with cards|expected a second level of a multiple of`),
	regexp.MustCompile(`nodes are more than network [^ ]+ can connect`),
	regexp.MustCompile(`numbers of nodes; expected at most`),
	regexp.MustCompile(`from [0-9]+ to [0-9]+ is empty`),
	regexp.MustCompile(`points for a polynomial of degree`),
	regexp.MustCompile(`a search (of [0-9]+ points, but|among [0-9]+ configurations)|a start of [0-9]+ of [0-9]+ point`),
	regexp.MustCompile(`candidate is the column of`), // of plans with a search
	regexp.MustCompile(`expected one kind of quantity in from, to and step`),
	// Formulas, conditions and numbers with units are text, and powers of two are
	// whole numbers.
	regexp.MustCompile(`\(at character \d+\)`),
	regexp.MustCompile(`tasks\[[0-9]+\]: .*n[0-9].* is `),
	regexp.MustCompile(`the conditions leave none of [0-9]+ points`),
	regexp.MustCompile(`the value is too large`),
	regexp.MustCompile(`a run time of [^;]+; expected`),
	regexp.MustCompile(`is not a power of two`),
	// The design says whether a range of a factor needs a number of levels.
	regexp.MustCompile(`missing key "count"; expected the number of levels`),
	// How many points all factors make, and what a level does to the scenario.
	regexp.MustCompile(`too many points`),
	regexp.MustCompile(`is invalid \([0-9]+ points? tried\)`),
	regexp.MustCompile(`there is no element`),
	// Each algorithm has rules of its own for its parameters together.
	regexp.MustCompile(`workload: [a-z]+: [a-z]+ is [0-9]+; expected`),
}
