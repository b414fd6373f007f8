package otf2

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// printed returns an event in the words of otf2-print, without what it says of attributes
// and of the program; "" for others.
func (a *Archive) printed(location uint64, e *Event) string {
	ref := func(s string, id uint32) string { return fmt.Sprintf("%q <%d>", s, id) }
	names := map[Kind]string{Enter: "ENTER", Leave: "LEAVE", MPISend: "MPI_SEND", MPIRecv: "MPI_RECV",
		MPIIsend: "MPI_ISEND", MPIIrecv: "MPI_IRECV", MPIIsendComplete: "MPI_ISEND_COMPLETE",
		MPIIrecvRequest: "MPI_IRECV_REQUEST", MPIRequestTest: "MPI_REQUEST_TEST", MPIRequestCancel: "MPI_REQUEST_CANCELLED",
		MPICollectiveBegin: "MPI_COLLECTIVE_BEGIN", MPICollectiveEnd: "MPI_COLLECTIVE_END",
		ProgramBegin: "PROGRAM_BEGIN", ProgramEnd: "PROGRAM_END"}
	name, ok := names[e.Kind]
	if !ok {
		return ""
	}
	comm := func() string { return "Communicator: " + ref(a.Name(a.Comms[e.Comm].Name), e.Comm) }
	peer := func() string {
		members := a.Groups[a.Comms[e.Comm].Group].Members
		l := a.ranks()[members[e.Peer]]
		return fmt.Sprintf("%d (%q <%d>)", e.Peer, a.Name(a.Locations[a.place[l]].Name), l)
	}
	rest := ""
	switch e.Kind {
	case Enter, Leave:
		rest = "Region: " + ref(a.Name(a.Regions[e.Region].Name), e.Region)
	case MPISend, MPIIsend, MPIRecv, MPIIrecv:
		whom := "Receiver: "
		if e.Kind == MPIRecv || e.Kind == MPIIrecv {
			whom = "Sender: "
		}
		rest = fmt.Sprintf("%s%s, %s, Tag: %d, Length: %d", whom, peer(), comm(), e.Tag, e.Sent)
		if e.Kind == MPIIsend || e.Kind == MPIIrecv {
			rest += fmt.Sprintf(", Request: %d", e.Request)
		}
	case MPIIsendComplete, MPIIrecvRequest, MPIRequestTest, MPIRequestCancel:
		rest = fmt.Sprintf("Request: %d", e.Request)
	case MPICollectiveEnd:
		operation := []string{"BARRIER", "BCAST", "GATHER", "GATHERV", "SCATTER", "SCATTERV", "ALLGATHER", "ALLGATHERV",
			"ALLTOALL", "ALLTOALLV", "ALLTOALLW", "ALLREDUCE", "REDUCE", "REDUCE_SCATTER", "SCAN", "EXSCAN"}[e.Operation]
		root := "UNDEFINED"
		if e.Peer != Undefined {
			root = peer()
		}
		rest = fmt.Sprintf("Operation: %s, %s, Root: %s, Sent: %d, Received: %d", operation, comm(), root, e.Sent, e.Received)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %d %d %s", name, location, e.Time, rest))
}

var (
	spaces  = regexp.MustCompile(` +`)
	program = regexp.MustCompile(`^(PROGRAM_\S+ \d+ \d+) .*`)
)

// eventsOf returns the lines of events of otf2-print, in the form of printed.
func eventsOf(t testing.TB, text string) []string {
	var lines []string
	in := bufio.NewScanner(strings.NewReader(text))
	for in.Scan() {
		if line := spaces.ReplaceAllString(in.Text(), " "); regexp.MustCompile(`^[A-Z_]+ \d+ \d+( |$)`).MatchString(line) {
			lines = append(lines, strings.TrimSpace(program.ReplaceAllString(line, "$1")))
		}
	}
	expect.Success(t, in.Err())
	return lines
}

// read returns all events of an archive in the order of time, then of the locations.
func (a *Archive) read(t testing.TB) []string {
	type line struct {
		time uint64
		text string
	}
	var all []line
	for _, l := range a.Locations {
		in := expect.Value(a.Events(l.ID))(t)
		n := uint64(0)
		for {
			var e Event
			err := in.Next(&e)
			if err == io.EOF {
				break
			}
			expect.Success(t, err)
			n++
			if text := a.printed(l.ID, &e); text != "" {
				all = append(all, line{e.Time, text})
			}
		}
		expect.Equal(t, n, l.Events, "events of location %d", l.ID)
	}
	slices.SortStableFunc(all, func(a, b line) int {
		if a.time < b.time {
			return -1
		}
		return min(1, int(a.time-b.time))
	})
	var lines []string
	for _, l := range all {
		lines = append(lines, l.text)
	}
	return lines
}

// An archive of Score-P, under otf2-pingpong in the folder named by ISOSCALE_TRACES, with what
// otf2-print 3.0.2 prints of it.
func TestPingPong(t *testing.T) {
	root := os.Getenv("ISOSCALE_TRACES")
	if root == "" {
		t.Skip("ISOSCALE_TRACES is not set")
	}
	a := expect.Value(Open(filepath.Join(root, "otf2-pingpong", "traces.otf2")))(t)
	want := eventsOf(t, string(expect.Value(os.ReadFile(filepath.Join(root, "otf2-pingpong", "otf2-print.txt")))(t)))
	expect.Equal(t, len(want), 120, "lines of otf2-print")
	expect.List(t, a.read(t), want, "events")
	trace := expect.Value(OpenTrace(filepath.Join(root, "otf2-pingpong", "traces.otf2")))(t)
	expect.Equal(t, trace.Ranks(), 2, "ranks")
}
