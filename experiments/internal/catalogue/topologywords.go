package catalogue

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
)

// topologyWords says how a cluster is wired.
func topologyWords(c build.Cluster) string {
	words := ""
	switch t := c.Topology.(type) {
	case build.Star:
		words = "star: each host has a cable to one switch that is no limit"
	case build.Bus:
		return "bus: one medium that all messages share"
	case build.Backbone:
		words = fmt.Sprintf("backbone: a star in which all messages share one link of %v, %v", t.Bandwidth, t.Latency)
	case build.Tree:
		switches, levels := treeSize(build.Subcluster(t))
		words = fmt.Sprintf("tree: %s, nested in %s", input.Plural(switches, "switch"), input.Plural(levels, "level"))
	case build.Levels:
		switches, levels := treeSize(build.Subcluster(t.Tree()))
		what, counts := "equal", times(t.Counts)
		if t.Groups != nil {
			what, counts = "unequal", fmt.Sprintf("up to %s", counts)
		}
		words = fmt.Sprintf("tree of %s subclusters: %s nodes, innermost level first; %s, nested in %s", what, counts, input.Plural(switches, "switch"), input.Plural(levels, "level"))
	case build.LeafSpine:
		leaves := (len(c.Nodes) + t.Hosts - 1) / t.Hosts
		words = fmt.Sprintf("fat tree: %s of %s, each with a cable to each of %s, oversubscription %s",
			input.Plural(leaves, "leaf switch"), input.Plural(t.Hosts, "host"), input.Plural(t.Spines, "spine"), input.Number(t.Oversubscription))
	case build.FatTree:
		words = fmt.Sprintf("fat tree: %s, from the hosts on %s below a switch, %s above, %s to each",
			input.Plural(len(t.Down), "level"), times(t.Down), times(t.Up), times(t.Cables)+" cables")
	case build.Torus:
		words = fmt.Sprintf("%s: %s", t.Kind(), times(t.Dimensions))
	case build.Dragonfly:
		words = fmt.Sprintf("dragonfly: %s of %s of %s of %s", input.Plural(t.Groups, "group"), input.Plural(t.Chassis, "chassis"),
			input.Plural(t.Routers, "router"), input.Plural(t.Nodes, "host"))
	case build.Graph:
		words = fmt.Sprintf("graph: %s and %s", input.Plural(len(t.Switches), "switch"), input.Plural(len(t.Links), "cable"))
	}
	if c.Network.HalfDuplex {
		words += "; half-duplex"
	}
	return words
}

func treeSize(s build.Subcluster) (switches, levels int) {
	for _, sub := range s.Subclusters {
		n, deep := treeSize(sub)
		switches += n
		levels = max(levels, deep)
	}
	return switches + 1, levels + 1
}

// times joins numbers as in 4 x 4 x 2.
func times(counts []int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " x ")
}
