package rankorder

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// File is the format of files that give the node of each rank: a line for each, in order, with the node's name or its
// number among those that take part, from 0. Empty lines and text after a # are ignored.
var File = document.Format{Want: "a file of ranks", Parse: parse}

const nodeOfRank = "the name of one node, or its number, for each rank"

func parse(file string, data []byte) (*yamldoc.Node, error) {
	var problems yamldoc.Problems
	var nodes []yamldoc.Value
	for i, line := range strings.Split(string(data), "\n") {
		text, _, _ := strings.Cut(line, "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		pos := yamldoc.Position{File: file, Line: i + 1, Column: strings.Index(text, words[0]) + 1}
		if len(words) > 1 {
			problems = append(problems, &yamldoc.Error{Pos: pos, Msg: fmt.Sprintf("%d words", len(words)), Want: nodeOfRank})
		}
		nodes = append(nodes, yamldoc.Value{Pos: pos, Text: words[0]})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	start := yamldoc.Position{File: file, Line: 1, Column: 1}
	return yamldoc.Lists(start, yamldoc.List{Key: "ranks", Pos: start, Values: nodes}), nil
}

// Listed returns the order of a file of ranks on the slots of a placement without an order. The ranks of a node take
// its slots one after the other. d gets the problems.
func Listed(d *yamldoc.Decoder, root *yamldoc.Node, p *topology.Placement) []int32 {
	list := root.Value("ranks")
	names := d.Sequence(list, File.Want)
	if len(names) != p.Ranks() {
		nodes := each.Of(p.Blocks, func(b topology.Block) string { return fmt.Sprintf("%d %s", b.Nodes, b.Group.Name) })
		d.Fail(list, fmt.Sprintf("%d ranks", len(names)), fmt.Sprintf("%d, a line for each process on %s", p.Ranks(), strings.Join(nodes, ", ")))
		return nil
	}
	type places struct{ free, end int } // slots of a node
	var nodes []places
	known := map[string]int{}
	for _, b := range p.Blocks {
		for i := range b.Nodes {
			first := b.FirstSlot + i*b.Processes
			known[b.Group.NodeName(i)] = len(nodes)
			nodes = append(nodes, places{first, first + b.Processes})
		}
	}
	order := make([]int32, len(names))
	for r, name := range names {
		node, ok := known[name.Text()]
		if number, err := strconv.Atoi(name.Text()); !ok && err == nil {
			node, ok = number, number >= 0 && number < len(nodes)
		}
		switch {
		case !ok:
			d.Fail(name, fmt.Sprintf("rank %d is on %q, but no such node takes part", r, yamldoc.Clip(name.Text())),
				fmt.Sprintf("the name of a node, or a number from 0 to %d", len(nodes)-1))
		case nodes[node].free == nodes[node].end:
			d.Fail(name, fmt.Sprintf("rank %d is one more than %s has processes", r, yamldoc.Clip(name.Text())), "each node as often as it has processes")
		default:
			order[r] = int32(nodes[node].free)
			nodes[node].free++
		}
	}
	return order
}
