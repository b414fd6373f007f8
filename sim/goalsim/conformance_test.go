package goalsim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// TestConformance compares the finish times of all hosts with those that LogGOPSim gave
// for the same schedules. The cases are not part of this module: the folder that
// ISOSCALE_CONFORMANCE names has goal/CASE/schedule.goal and goal/CASE/expected.json. A
// relative name starts at the root of the module.
//
// In cases without exact numbers, the times of hosts depend on the order in which an
// unstable sort leaves more than 16 operations. We keep file order, so only the
// makespan is compared there, to 2 %; and where LogGOPSim stalls for this reason, the
// schedule must only complete.
func TestConformance(t *testing.T) {
	folder := os.Getenv("ISOSCALE_CONFORMANCE")
	if folder == "" {
		t.Skip("ISOSCALE_CONFORMANCE is not set; it names the folder of the conformance cases")
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join("..", "..", folder)
	}
	cases := expect.Value(filepath.Glob(filepath.Join(folder, "goal", "*", "expected.json")))(t)
	expect.Need(t, len(cases) != 0, "no case in %s; expected goal/*/expected.json", folder)
	compared := 0
	for _, expected := range cases {
		name := filepath.Base(filepath.Dir(expected))
		t.Run(name, func(t *testing.T) {
			if conform(t, expected) {
				compared++
			}
		})
	}
	expect.That(t, compared != 0, "no case was compared")
	t.Logf("%d of %d cases compared host by host", compared, len(cases))
}

// conform runs one case. It is true if all hosts were compared.
func conform(t *testing.T, expected string) bool {
	var want struct {
		Input      string           `json:"input"`
		Ranks      int              `json:"ranks"`
		Parameters map[string]int64 `json:"parameters_ns"`
		Tolerance  string           `json:"tolerance_suggested"`
		Expected   struct {
			HostFinish []goalsim.Nanoseconds `json:"host_finish_ns"`
			Max        goalsim.Nanoseconds   `json:"max_finish_ns"`
			Events     int64                 `json:"loggopsim_events"`
		} `json:"expected"`
	}
	text := expect.Value(os.ReadFile(expected))(t)
	err := json.Unmarshal(text, &want)
	expect.Need(t, err == nil, "%s: %v", expected, err)
	var parts []string
	for symbol, value := range want.Parameters {
		parts = append(parts, fmt.Sprintf("%s=%d", strings.TrimSuffix(symbol, "_bytes"), value))
	}
	p, err := goalsim.ParseParameters(strings.Join(parts, ","))
	expect.Need(t, err == nil, "%s: %v", expected, err)
	input := want.Input
	if input == "" {
		input = "schedule.goal"
	}
	f := expect.Value(os.Open(filepath.Join(filepath.Dir(expected), input)))(t)
	defer f.Close()
	s := expect.Value(goal.Read(input, f))(t)
	got := expect.Value(goalsim.Run(context.Background(), s, p))(t)
	expect.Need(t, len(got.HostFinish) == want.Ranks, "%d hosts, want %d", len(got.HostFinish), want.Ranks)
	if !strings.HasPrefix(want.Tolerance, "exact") {
		off := got.Makespan - want.Expected.Max
		expect.That(t, want.Expected.Max <= 0 || max(off, -off)*50 <= want.Expected.Max,
			"makespan %d ns, want %d to 2 %%", got.Makespan, want.Expected.Max)
		t.Logf("hosts not compared: makespan %d ns, LogGOPSim %d; tolerance: %s", got.Makespan, want.Expected.Max, want.Tolerance)
		return false
	}
	expect.Equal(t, got.Makespan, want.Expected.Max, "makespan")
	expect.That(t, want.Expected.Events == 0 || got.Events == want.Expected.Events,
		"%d events, want %d", got.Events, want.Expected.Events)
	if want.Expected.HostFinish == nil {
		return true
	}
	for host, finish := range got.HostFinish {
		expect.Equal(t, finish, want.Expected.HostFinish[host], "host %d finishes at", host)
	}
	return true
}
