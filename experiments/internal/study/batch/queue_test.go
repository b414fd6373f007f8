package batch

import (
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestParseQueue(t *testing.T) {
	pad := func(cells ...string) string {
		var line strings.Builder
		for i, width := range []int{30, 20, 12, 40, 60} {
			line.WriteString(cells[i] + strings.Repeat(" ", width-len(cells[i])))
		}
		return line.String() + "\n"
	}
	for _, tt := range []struct {
		name, out string
		want      []task
		err       string
	}{
		{"nothing", "", nil, ""},
		{"running", pad("7", "RUNNING", "0", "n1", "None"), []task{{shard: 7, End: End{State: "RUNNING", Node: "n1"}}}, ""},
		{"no node, a reason of words", pad("7", "PENDING", "0", "", "launch failed requeued held"),
			[]task{{shard: 7, End: End{State: "PENDING"}, reason: "launch failed requeued held"}}, ""},
		// 768 = 3 * 256: exit code 3. 9: killed by signal 9.
		{"ends", pad("1", "FAILED", "768", "n2", "NonZeroExitCode") + pad("2", "FAILED", "9", "n2", "RaisedSignal:9(Killed)"), []task{
			{shard: 1, End: End{State: "FAILED", ExitCode: 3, Node: "n2"}, reason: "NonZeroExitCode"},
			{shard: 2, End: End{State: "FAILED", Signal: 9, Node: "n2"}, reason: "RaisedSignal:9(Killed)"}}, ""},
		{"as a pair", pad("1", "FAILED", "3:0", "n2", "(null)"), []task{{shard: 1, End: End{State: "FAILED", ExitCode: 3, Node: "n2"}}}, ""},
		{"spaces cut off", "1                             COMPLETED           0\n", []task{{shard: 1, End: End{State: "COMPLETED"}}}, ""},
		// What Slurm 22.05 prints just after an array of which two tasks run is cancelled.
		{"the tasks that have not started", pad("N/A", "CANCELLED", "0", "", "Resources") + pad("0", "CANCELLED", "15", "n1", "None"),
			[]task{{shard: others, End: End{State: "CANCELLED"}, reason: "Resources"}, {shard: 0, End: End{State: "CANCELLED", Signal: 15, Node: "n1"}}}, ""},
		// Without the option -r, which a site may unset.
		{"ranges", pad("[3-5,7%2]", "PENDING", "0", "", "Priority"), []task{{shard: others, End: End{State: "PENDING"}, reason: "Priority"}}, ""},
		{"no index", pad("x", "RUNNING", "0", "n1", "None"), nil, `expected the index of a task and its state`},
		{"below 0", pad("-1", "RUNNING", "0", "n1", "None"), nil, `expected the index of a task and its state`},
		{"no exit code", pad("1", "RUNNING", "x", "n1", "None"), nil, `exit code "x"; expected a number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseQueue(tt.out)
			expect.That(t, (tt.err != "" || err == nil) && (tt.err == "" || err != nil && strings.Contains(err.Error(), tt.err)),
				"got error %v, want %q", err, tt.err)
			expect.That(t, reflect.DeepEqual(got, tt.want), "got %+v, want %+v", got, tt.want)
		})
	}
}

func FuzzParseQueue(f *testing.F) {
	f.Add("1                             FAILED              768         n2\n")
	f.Add("1 RUNNING\n\n2")
	f.Add("N/A                           CANCELLED           0                                                   Resources\n")
	f.Add("[3-5%2]                       PENDING             0\n")
	f.Fuzz(func(t *testing.T, out string) {
		tasks, err := parseQueue(out)
		expect.That(t, err != nil || len(tasks) <= strings.Count(out, "\n")+1,
			"%d tasks of %d lines", len(tasks), strings.Count(out, "\n")+1)
		for _, task := range tasks {
			expect.That(t, task.shard >= others && task.State != "", "task %+v", task)
		}
	})
}
