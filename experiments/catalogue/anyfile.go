package catalogue

import (
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/topology"
)

// anyFile is a file of one of the kinds that isoscale reads; one field is set.
type anyFile struct {
	machine  *topology.Machine
	scenario *scenario.Scenario
	study    *scenario.Study
	super    *scenario.SuperProgram
}

// readAny reads a file of any kind.
func readAny(path string, overrides []input.Override) (anyFile, error) {
	r := &scenario.Reader{}
	root, err := r.Open(path, overrides)
	if err != nil {
		return anyFile{}, err
	}
	var f anyFile
	switch base := filepath.Dir(path); input.KindOf(root) {
	case input.KindMachine:
		f.machine = r.MachineBody(root, strings.TrimSuffix(input.BaseName(path), ".yaml"))
	case input.KindStudy:
		f.study = r.IsoStudy(root, base)
	case input.KindSuper:
		f.super = r.SuperProgram(root)
	case input.KindSweep, input.KindPurchase:
		return anyFile{}, input.WrongKind(root, input.KindOf(root), input.KindScenario)
	default:
		f.scenario = r.Scenario(root, base)
	}
	return f, r.Err()
}
