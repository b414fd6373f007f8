package algorithm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestCallOperations has 3 processes and 30 bytes: one block of 30 for a
// broadcast, three blocks of 10 for a scatter. A measured call costs
// 1 + 3/8 = 1.375.
func TestCallOperations(t *testing.T) {
	const tag = collective.Tag
	flat := func(op workloads.Collective) collective.Choice {
		a, err := collective.Lookup(op, "flat")
		if err != nil {
			t.Fatal(err)
		}
		return collective.Choice{Operation: op, Algorithm: a}
	}
	star := func(size units.Bytes) [][]workloads.Op {
		leaf := []workloads.Op{{Kind: workloads.Recv, Peer: 0, Tag: tag, Size: size}}
		return [][]workloads.Op{{
			{Kind: workloads.Send, Peer: 1, Tag: tag, Size: size},
			{Kind: workloads.Send, Peer: 2, Tag: tag, Size: size},
		}, leaf, leaf}
	}
	all := func(op workloads.Op) [][]workloads.Op {
		return [][]workloads.Op{{op}, {op}, {op}}
	}
	for _, tt := range []struct {
		name   string
		choice collective.Choice
		want   [][]workloads.Op
	}{
		{"broadcast", flat(workloads.Bcast), star(30)},
		{"scatter", flat(workloads.Scatter), star(10)},
		{"measured gather", measured(workloads.Gather, 1), all(workloads.Op{Kind: workloads.Measured, Collective: workloads.Gather, Size: 30, Time: 1.375})},
		{"measured barrier", measured(workloads.Barrier, 1), all(workloads.Op{Kind: workloads.Measured, Collective: workloads.Barrier, Time: 1.375})},
	} {
		c := algorithm.Call{Processes: 3, Choice: tt.choice, Size: 30}
		if diff := cmp.Diff(tt.want, streams(c.Program())); diff != "" {
			t.Errorf("%s: operations differ (-want +got):\n%s", tt.name, diff)
		}
		if _, err := run(c.Program(), nil); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestMessage(t *testing.T) {
	w, err := run(algorithm.Message{Size: 40}.Program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if w.messages != 1 || w.size != 40 || len(w.ranks) != 2 || len(w.ranks[0].of(workloads.Send)) != 1 {
		t.Errorf("%d messages of %v byte among %d processes; expected one of 40 from 0 to 1", w.messages, float64(w.size), len(w.ranks))
	}
}

// TestChoices has a cost of its own for each operation, to tell them apart.
func TestChoices(t *testing.T) {
	scatter, bcast, gather := measured(workloads.Scatter, 1), measured(workloads.Bcast, 2), measured(workloads.Gather, 3)
	barrier := measured(workloads.Barrier, 4)
	for _, tt := range []struct {
		name      string
		got, want []collective.Choice
	}{
		{"gauss", algorithm.Gauss{Bcast: bcast, Barrier: barrier}.Choices(), []collective.Choice{bcast, barrier}},
		{"matmul", algorithm.MatMul{Scatter: scatter, Bcast: bcast, Gather: gather}.Choices(), []collective.Choice{scatter, bcast, gather}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: choices differ (-want +got):\n%s", tt.name, diff)
		}
	}
}
