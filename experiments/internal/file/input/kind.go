package input

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Kind is what a file describes.
type Kind string

// The kinds of file.
const (
	KindApplication Kind = "application"
	KindMachine     Kind = "machine"
	KindScenario    Kind = "scenario"
	KindStudy       Kind = "study"
	KindSuper       Kind = "super-program"
	KindSweep       Kind = "sweep plan"
	KindPurchase    Kind = "purchase plan"
	KindQueue       Kind = "job mix"
	KindLesson      Kind = "lesson"
)

// CheckKind returns an error if a file is not of the wanted kind. The error names the
// command for such files.
func CheckKind(root *yamldoc.Node, want Kind) error {
	if kind := KindOf(root); kind != want && !(kind == KindScenario && !root.Has("machine")) {
		return WrongKind(root, want)
	}
	return nil
}

// kinds lists the kinds of file, the command that takes each and the keys by which it
// is recognised. The kind of a file is that of the first entry of which it has a key;
// a file with none of these keys is a scenario.
var kinds = []struct {
	kind    Kind
	command string
	keys    []string
}{
	{KindLesson, "lesson", []string{"lesson"}},
	{KindApplication, "describe", []string{"application"}},
	{KindMachine, "describe", []string{"node_types"}},
	{KindStudy, "iso", []string{"systems", "target_efficiency"}},
	{KindSweep, "sweep", []string{"factors"}},
	{KindPurchase, "plan", []string{"budget"}},
	{KindQueue, "queue", []string{"queue"}},
	{KindSuper, "run", []string{"levels", "log2_levels"}},
	{KindScenario, "run", nil},
}

// KindOf recognises the kind of a file by its keys.
func KindOf(root *yamldoc.Node) Kind {
	for _, k := range kinds {
		if slices.ContainsFunc(k.keys, root.Has) {
			return k.kind
		}
	}
	return KindScenario
}

// CommandOf returns the command that takes a file of a kind.
func CommandOf(kind Kind) string {
	for _, k := range kinds {
		if k.kind == kind {
			return k.command
		}
	}
	panic("input: no kind of file " + string(kind))
}

// named says how a scenario names a file that no command simulates alone.
var named = map[Kind]string{
	KindApplication: ", and a scenario names it, as in workload: {application: FILE}",
	KindMachine:     ", and a scenario names it, as in machine: FILE",
}

// WrongKind is the error for a file of another kind than a command takes.
func WrongKind(root *yamldoc.Node, want Kind) error {
	is := KindOf(root)
	var d yamldoc.Decoder
	d.Fail(root, "this is "+is.withArticle(), fmt.Sprintf("%s; 'isoscale %s' takes this file%s", want.withArticle(), CommandOf(is), named[is]))
	return d.Err()
}

func (k Kind) withArticle() string {
	if strings.ContainsRune("aeiou", rune(k[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// MayBeMachine reports whether a document is a machine, or one that lacks its node types.
func MayBeMachine(root *yamldoc.Node) bool {
	kind := KindOf(root)
	return kind == KindMachine || kind == KindScenario && !root.Has("workload")
}
