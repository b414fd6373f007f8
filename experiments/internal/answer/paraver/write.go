package paraver

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

// states are the states of Paraver that stand for the parts of a rank's time.
var states = [...]int{
	sim.PartCompute:        running,
	sim.PartDelay:          scheduling,
	sim.PartSendOverhead:   4, // blocking send
	sim.PartRecvOverhead:   3, // waiting for a message
	sim.PartCollectiveCost: 13,
	sim.PartWaitMessage:    3,
	sim.PartWaitSend:       4,
	sim.PartWaitCollective: 13,
	sim.PartWaitEvent:      5, // synchronisation
	sim.PartStopped:        9, // blocked
}

// Write writes a run as a trace of one application with a task for each rank. Logical times of a message are those at
// which its sender and its receiver called for it; messages without a receive are left out. A sender that waits for a
// message is in a call of MPI meanwhile. REQUIRES: the run has no [told.Run.Err].
func Write(w io.Writer, run *told.Run) error {
	n := len(run.Ranks)
	out := bufio.NewWriter(w)
	tasks := strings.TrimSuffix(strings.Repeat("1:1,", n), ",")
	fmt.Fprintf(out, "#Paraver (01/01/2000 at 00:00):%d_ns:1(%d):1:%d(%s),1\nc:1:1:%d", run.End, n, n, tasks, n)
	for r := range n {
		fmt.Fprintf(out, ":%d", r+1)
	}
	out.WriteByte('\n')
	type record struct {
		at   int64
		text string
	}
	var records []record
	add := func(at int64, format string, args ...any) {
		records = append(records, record{at, fmt.Sprintf(format, args...)})
	}
	sent, _ := run.ByRank()
	for _, m := range slices.Concat(sent...) {
		if m.Met < 0 {
			continue
		}
		x := run.Calls(m, uint8(sim.PartWaitSend), uint8(sim.PartWaitMessage))
		add(x.Begun, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:%d:%d\n", m.From+1, m.From+1, x.Begun, m.Sent,
			m.To+1, m.To+1, x.Posted, m.Met, m.Bytes(), m.Tag)
		if x.Done <= run.End {
			const call = "2:%d:1:%d:1:%d:%d:%d\n"
			add(x.Begun, call, m.From+1, m.From+1, x.Begun, pointToPoint, callSend)
			add(x.Done, call, m.From+1, m.From+1, x.Done, pointToPoint, 0)
		}
	}
	for r, spans := range run.Ranks {
		for _, s := range spans {
			add(s.From, "1:%d:1:%d:1:%d:%d:%d\n", r+1, r+1, s.From, s.To, states[sim.Part(s.Part)])
		}
	}
	slices.SortStableFunc(records, func(a, b record) int { return cmp.Compare(a.at, b.at) })
	for _, x := range records {
		out.WriteString(x.text)
	}
	return out.Flush() // returns the first error of any write
}

// stateNames are the names of the states that Write uses.
var stateNames = map[int]string{running: "Running", 3: "Waiting a message", 4: "Blocking Send", 5: "Synchronization",
	scheduling: "Scheduling and Fork/Join", 9: "Blocked", 13: "Group Communication"}

// WriteNames writes the files that Paraver reads beside a trace: one with the names of states (.pcf) and
// one with those of ranks (.row).
func WriteNames(states, rows io.Writer, ranks int, name func(rank int) string) error {
	pcf, row := bufio.NewWriter(states), bufio.NewWriter(rows)
	fmt.Fprint(pcf, "DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\n\nSTATES\n")
	for _, s := range slices.Sorted(maps.Keys(stateNames)) {
		fmt.Fprintf(pcf, "%d    %s\n", s, stateNames[s])
	}
	fmt.Fprintf(pcf, "\nEVENT_TYPE\n9    %d    MPI Point-to-point\nVALUES\n%d    MPI_Send\n0    End\n", pointToPoint, callSend)
	fmt.Fprintf(row, "LEVEL THREAD SIZE %d\n", ranks)
	for r := range ranks {
		fmt.Fprintln(row, name(r))
	}
	return errors.Join(pcf.Flush(), row.Flush())
}
