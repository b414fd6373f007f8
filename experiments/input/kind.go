package input

import (
	"fmt"
	"os"

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

// KindOfFile returns what a YAML file seems to describe; "" if it cannot be read
// as one, or is no file that can be read twice.
func KindOfFile(path string) Kind {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || FormOf(path) != FormUnknown {
		return ""
	}
	root, _, err := yamldoc.ReadFile(path)
	if err != nil {
		return ""
	}
	return KindOf(root)
}

// CheckKind returns an error that names the right command if a file is of another
// kind than wanted.
func CheckKind(root *yamldoc.Node, want Kind) error {
	if kind := KindOf(root); kind != want && !(kind == KindScenario && !root.Has("machine")) {
		return WrongKind(root, kind, want)
	}
	return nil
}

// KindOf tells the kind of a file by its keys: a machine has node_types, a
// study has systems or target_efficiency, a super-program has levels, a sweep plan
// has factors, a purchase plan has a budget, anything else is a scenario.
func KindOf(root *yamldoc.Node) Kind {
	switch {
	case root.Has("node_types"):
		return KindMachine
	case root.Has("systems"), root.Has("target_efficiency"):
		return KindStudy
	case root.Has("factors"):
		return KindSweep
	case root.Has("budget"):
		return KindPurchase
	case root.Has("levels"), root.Has("log2_levels"):
		return KindSuper
	}
	return KindScenario
}

// CommandOf says which command takes a file of a kind.
var CommandOf = map[Kind]string{
	KindMachine: "describe", KindScenario: "run", KindSuper: "run", KindStudy: "iso", KindSweep: "sweep", KindPurchase: "plan",
}

// WrongKind is the error for a file of another kind than a command takes.
func WrongKind(root *yamldoc.Node, is, want Kind) error {
	var d yamldoc.Decoder
	d.Fail(root, fmt.Sprintf("this is a %s", is), fmt.Sprintf("a %s; 'isoscale %s' takes this file", want, CommandOf[is]))
	return d.Err()
}
