package input

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// Kind is what a file describes.
type Kind string

// The kinds of file.
const (
	KindMachine  Kind = "machine"
	KindScenario Kind = "scenario"
	KindStudy    Kind = "study"
	KindSuper    Kind = "super-program"
	KindSweep    Kind = "sweep plan"
	KindPurchase Kind = "purchase plan"
)

// CheckKind returns an error that names the right command if a file is of another
// kind than wanted.
func CheckKind(root *yamldoc.Node, want Kind) error {
	if kind := KindOf(root); kind != want && !(kind == KindScenario && !root.Has("machine")) {
		return WrongKind(root, kind, want)
	}
	return nil
}

// kinds says how files are recognised, and which command takes them. The first
// entry one of whose keys a file has is its kind; a scenario is what has none of
// them.
var kinds = []struct {
	kind    Kind
	command string
	keys    []string
}{
	{KindMachine, "describe", []string{"node_types"}},
	{KindStudy, "iso", []string{"systems", "target_efficiency"}},
	{KindSweep, "sweep", []string{"factors"}},
	{KindPurchase, "plan", []string{"budget"}},
	{KindSuper, "run", []string{"levels", "log2_levels"}},
	{KindScenario, "run", nil},
}

// KindOf tells the kind of a file by its keys.
func KindOf(root *yamldoc.Node) Kind {
	for _, k := range kinds {
		if slices.ContainsFunc(k.keys, root.Has) {
			return k.kind
		}
	}
	return KindScenario
}

// CommandOf says which command takes a file of a kind.
func CommandOf(kind Kind) string {
	for _, k := range kinds {
		if k.kind == kind {
			return k.command
		}
	}
	panic("input: no kind of file " + string(kind))
}

// WrongKind is the error for a file of another kind than a command takes.
func WrongKind(root *yamldoc.Node, is, want Kind) error {
	var d yamldoc.Decoder
	d.Fail(root, fmt.Sprintf("this is a %s", is), fmt.Sprintf("a %s; 'isoscale %s' takes this file", want, CommandOf(is)))
	return d.Err()
}
