package input

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

func TestWords(t *testing.T) {
	three := 3.0
	for _, tt := range []struct{ got, want string }{
		{Plural(1, "rank"), "1 rank"}, {Plural(2, "rank"), "2 ranks"}, {Plural(2, "switch"), "2 switches"}, {Plural(2, "chassis"), "2 chassis"},
		{Joined(nil, "or"), ""}, {Joined([]string{"a"}, "or"), "a"}, {Joined([]string{"a", "b", "c"}, "or"), "a, b or c"},
		{Plural(1, "process"), "1 process"}, {Plural(2, "process"), "2 processes"},
		{Capitalized("über"), "Über"}, {Capitalized(""), ""},
		{OrDash(true, 4), "4"}, {OrDash(false, 4), None},
		{Optional(&three, "%.1f"), "3.0"}, {Optional[float64](nil, "%.1f"), None},
		{fmt.Sprint(Rounded(1.23456)), "1.23 s"}, {fmt.Sprint(Rounded(0)), "0 s"},
		{Number(1.0 / 3), "0.333333"}, {Number(0), "0"}, {Number(16128345), "16128345"}, {Number(16128345.5), "16128300"}, {Number(-16128345), "-16128345"}, {Number(123456789012), "123456789012"}, {Figure(16128000, 6), "16128000"}, {Figure(-1048576, 4), "-1049000"}, {Figure(262144, 6), "262144"}, {Figure(1127.6, 3), "1130"}, {Figure(-2.5, 3), "-2.5"}, {Figure(999999.7, 6), "1000000"}, {Figure(0.0123456, 3), "0.0123"}, {Figure(1.5e12, 6), "1.5e+12"}, {List([]string{"a", "b"}), "a, b"},
		{ParameterText([]Parameter{{Name: "L", Value: "1 us"}, {Name: "S", Value: "none"}}), "L 1 us, S none"},
		{Suggestion("gaus", []string{"gauss", "lcs"}), "; did you mean gauss?"}, {Suggestion("xyz", []string{"gauss"}), ""},
		{BuildInfo{"1", "abc", "go", "os/cpu"}.String(), "isoscale 1 (abc), go, os/cpu"},
	} {
		expect.That(t, tt.got == tt.want, "%q, want %q", tt.got, tt.want)
	}
}

// A file is of the first kind of which it has a key, and the error for another kind names
// the command that takes it.
func TestKindOfFile(t *testing.T) {
	for _, tt := range []struct {
		text    string
		kind    Kind
		machine bool
		err     string
	}{
		{"node_types: {}", KindMachine, true, "f.yaml:1:1: this is a machine; expected a study; 'isoscale describe' takes this file, and a scenario names it, as in machine: FILE"},
		{"{nodes: [], network: {}}", KindScenario, true, ""},
		{"{machine: m, workload: w}", KindScenario, false, "f.yaml:1:1: this is a scenario; expected a study; 'isoscale run' takes this file"},
		{"target_efficiency: 0.3", KindStudy, false, ""},
		{"{factors: {}, budget: {}}", KindSweep, false, "f.yaml:1:1: this is a sweep plan; expected a study; 'isoscale sweep' takes this file"},
		{"log2_levels: [1]", KindSuper, false, "f.yaml:1:1: this is a super-program; expected a study; 'isoscale run' takes this file"},
		{"application: x", KindApplication, false, "f.yaml:1:1: this is an application; expected a study; 'isoscale describe' takes this file, and a scenario names it, as in workload: {application: FILE}"},
	} {
		root := expect.Value(yamldoc.Parse("f.yaml", []byte(tt.text)))(t)
		kind, machine := KindOf(root), MayBeMachine(root)
		expect.That(t, kind == tt.kind && machine == tt.machine, "%s: %s, machine %v", tt.text, kind, machine)
		got := ""
		if err := CheckKind(root, KindStudy); err != nil {
			got = err.Error()
			expect.That(t, IsError(err) && HasPosition(err), "%s: %v is no error in the input with its place", tt.text, err)
		}
		expect.That(t, got == tt.err, "%s:\ngot  %s\nwant %s", tt.text, got, tt.err)
	}
}
