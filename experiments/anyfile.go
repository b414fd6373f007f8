package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// anyFile is a file of one of the kinds that isoscale reads; one field is set.
type anyFile struct {
	machine  *topology.Machine
	scenario *Scenario
	study    *IsoStudy
	super    *SuperProgram
}

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
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || formOf(path) != formUnknown {
		return ""
	}
	root, _, err := yamldoc.ReadFile(path)
	if err != nil {
		return ""
	}
	return kindOf(root)
}

// CheckKind returns an error that names the right command if a file is of another
// kind than wanted.
func CheckKind(root *yamldoc.Node, want Kind) error {
	if kind := kindOf(root); kind != want && !(kind == KindScenario && !root.Has("machine")) {
		return wrongKind(root, kind, want)
	}
	return nil
}

// kindOf tells the kind of a file by its keys: a machine has node_types, a
// study has systems or target_efficiency, a super-program has levels, a sweep plan
// has factors, a purchase plan has a budget, anything else is a scenario.
func kindOf(root *yamldoc.Node) Kind {
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

// commandOf says which command takes a file of a kind.
var commandOf = map[Kind]string{
	KindMachine: "describe", KindScenario: "run", KindSuper: "run", KindStudy: "iso", KindSweep: "sweep", KindPurchase: "plan",
}

// wrongKind is the error for a file of another kind than a command takes.
func wrongKind(root *yamldoc.Node, is, want Kind) error {
	var d yamldoc.Decoder
	d.Fail(root, fmt.Sprintf("this is a %s", is), fmt.Sprintf("a %s; 'isoscale %s' takes this file", want, commandOf[is]))
	return d.Err()
}

// readAny reads a file of any kind.
func readAny(path string, overrides []Override) (anyFile, error) {
	r := &reader{}
	root, err := r.open(path, overrides)
	if err != nil {
		return anyFile{}, err
	}
	var f anyFile
	switch base := filepath.Dir(path); kindOf(root) {
	case KindMachine:
		f.machine = r.machineBody(root, strings.TrimSuffix(baseName(path), ".yaml"))
	case KindStudy:
		f.study = r.isoStudy(root, base)
	case KindSuper:
		f.super = r.superProgram(root)
	case KindSweep, KindPurchase:
		return anyFile{}, wrongKind(root, kindOf(root), KindScenario)
	default:
		f.scenario = r.scenario(root, base)
	}
	return f, r.Err()
}
