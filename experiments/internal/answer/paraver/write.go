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

// Write writes a run as a trace of one application with a task for each rank. A message begins when
// it is sent and ends when it meets its receive; messages without a receive are left out.
func Write(w io.Writer, run *told.Run) error {
	if err := run.Err("trace", ""); err != nil {
		return err
	}
	n := len(run.Ranks)
	out := bufio.NewWriter(w)
	tasks := strings.TrimSuffix(strings.Repeat("1:1,", n), ",")
	fmt.Fprintf(out, "#Paraver (01/01/2000 at 00:00):%d_ns:1(%d):1:%d(%s),1\nc:1:1:%d", run.End, n, n, tasks, n)
	for r := range n {
		fmt.Fprintf(out, ":%d", r+1)
	}
	out.WriteByte('\n')
	// A record is a span or a message.
	type record struct {
		at   int64
		rank int32 // -1: a message
		i    int
	}
	var records []record
	for r, spans := range run.Ranks {
		for i, s := range spans {
			records = append(records, record{s.From, int32(r), i})
		}
	}
	sent, _ := run.ByRank()
	messages := slices.Concat(sent...)
	for i, m := range messages {
		if m.Met >= 0 {
			records = append(records, record{m.Sent, -1, i})
		}
	}
	slices.SortFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), cmp.Compare(a.i, b.i))
	})
	for _, x := range records {
		if x.rank >= 0 {
			s := run.Ranks[x.rank][x.i]
			fmt.Fprintf(out, "1:%d:1:%d:1:%d:%d:%d\n", x.rank+1, x.rank+1, s.From, s.To, states[sim.Part(s.Part)])
			continue
		}
		m := messages[x.i]
		fmt.Fprintf(out, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:%d:%d\n", m.From+1, m.From+1, m.Sent, m.Sent,
			m.To+1, m.To+1, m.Met, m.Met, m.Bytes(), m.Tag)
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
	fmt.Fprintf(row, "LEVEL THREAD SIZE %d\n", ranks)
	for r := range ranks {
		fmt.Fprintln(row, name(r))
	}
	return errors.Join(pcf.Flush(), row.Flush())
}
