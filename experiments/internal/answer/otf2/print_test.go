package otf2

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// printed returns an event in the words of otf2-print, without its words about attributes
// and the program; "" for other events.
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
	comm := func() string { return "Communicator: " + ref(a.Strings[a.Comms[e.Comm].Name], e.Comm) }
	peer := func() string {
		members := a.Groups[a.Comms[e.Comm].Group].Members
		l := a.ranks()[members[e.Peer]]
		return fmt.Sprintf("%d (%q <%d>)", e.Peer, a.Strings[a.Locations[a.place[l]].Name], l)
	}
	rest := ""
	switch e.Kind {
	case Enter, Leave:
		rest = "Region: " + ref(a.Strings[a.Regions[e.Region].Name], e.Region)
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
		root := "NONE"
		if e.Peer != math.MaxUint32 {
			root = peer()
		}
		rest = fmt.Sprintf("Operation: %s, %s, Root: %s, Sent: %d, Received: %d", operation, comm(), root, e.Sent, e.Received)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %d %d %s", name, location, e.Time, rest))
}

var (
	spaces  = regexp.MustCompile(` +`)
	event   = regexp.MustCompile(`^(ENTER|LEAVE|MPI_[A-Z_]+|PROGRAM_[A-Z]+) \d+ \d+( |$)`)
	program = regexp.MustCompile(`^(PROGRAM_\S+ \d+ \d+) .*`)
)

// eventsOf returns the lines of events of otf2-print, in the form of printed.
func eventsOf(t testing.TB, text string) []string {
	var lines []string
	in := bufio.NewScanner(strings.NewReader(text))
	for in.Scan() {
		if line := spaces.ReplaceAllString(in.Text(), " "); event.MatchString(line) {
			lines = append(lines, strings.TrimSpace(program.ReplaceAllString(line, "$1")))
		}
	}
	expect.Success(t, in.Err())
	return lines
}

// read returns all events of an archive, location by location.
func (a *Archive) read(t testing.TB) []string {
	var lines []string
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
				lines = append(lines, text)
			}
		}
		expect.Equal(t, n, l.Events, "events of location %d", l.ID)
	}
	return lines
}

// byLocation sorts lines of events by location.
func byLocation(lines []string) []string {
	of := func(line string) int {
		n, _ := strconv.Atoi(strings.Fields(line)[1])
		return n
	}
	slices.SortStableFunc(lines, func(a, b string) int { return of(a) - of(b) })
	return lines
}

// printedDefinitions returns the definitions that are read, as otf2-print prints them for testdata/archive.c.
func (a *Archive) printedDefinitions() []string {
	ref := func(id uint32) string { return fmt.Sprintf("%q <%d>", a.Strings[id], id) }
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	add("CLOCK_PROPERTIES Ticks per Seconds: %d, Global Offset: %d, Length: %d, Date: UNDEFINED", a.Resolution, a.Start, a.Length)
	for _, id := range slices.Sorted(maps.Keys(a.Strings)) {
		add("STRING %d %q", id, a.Strings[id])
	}
	for _, id := range slices.Sorted(maps.Keys(a.Regions)) {
		r := a.Regions[id]
		add("REGION %d Name: %s (Aka. %s), Descr.: %s, Role: %s, Paradigm: %s, Flags: NONE, File: %s, Begin: %d, End: %d", id, ref(r.Name),
			ref(r.Canonical), ref(r.Description), map[byte]string{1: "FUNCTION"}[r.Role], map[byte]string{1: "USER", 4: "MPI"}[r.Paradigm], ref(r.File), r.Begin, r.End)
	}
	for _, l := range a.Locations {
		g := a.LocationGroups[l.Group]
		add("LOCATION_GROUP %d Name: %s, Type: %s, Parent: \"machine::machine\" <%d>, Creator: UNDEFINED", l.Group, ref(g.Name), map[byte]string{1: "PROCESS"}[g.Type], g.Parent)
		add("LOCATION %d Name: %s, Type: %s, # Events: %d, Group: \"process\" <%d>", l.ID, ref(l.Name), map[byte]string{1: "CPU_THREAD"}[l.Type], l.Events, l.Group)
	}
	thread := func(id uint64) string { return fmt.Sprintf("%q <%d>", a.Strings[a.Locations[a.place[id]].Name], id) }
	for _, id := range slices.Sorted(maps.Keys(a.Groups)) {
		g := a.Groups[id]
		var members []string
		for _, m := range g.Members {
			if g.Type == communicating {
				members = append(members, thread(m))
			} else {
				members = append(members, fmt.Sprintf("%d (%s)", m, thread(a.ranks()[m])))
			}
		}
		add("GROUP %d Name: %s, Type: %s, Paradigm: MPI, Flags: NONE, %s: %s", id, ref(g.Name),
			map[byte]string{communicating: "COMM_LOCATIONS", ofRanks: "COMM_GROUP"}[g.Type],
			strings.TrimSuffix(fmt.Sprintf("%d Members", len(members)), map[bool]string{true: "s"}[len(members) == 1]), strings.Join(members, ", "))
	}
	for _, id := range slices.Sorted(maps.Keys(a.Comms)) {
		c := a.Comms[id]
		add("COMM %d Name: %s, Group: %s, Parent: UNDEFINED, Flags: NONE", id, ref(c.Name), fmt.Sprintf("%q <%d>", a.Strings[a.Groups[c.Group].Name], c.Group))
	}
	return lines
}

// needsOTF2 skips the test where Debian's otf2-tools and libotf2-trace-dev or a compiler are missing.
func needsOTF2(t testing.TB, programs ...string) {
	t.Helper()
	expect.Long(t, "runs otf2-print")
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			expect.Need(t, os.Getenv("ISOSCALE_REQUIRE_OTF2") == "", "%v", err)
			t.Skip(err)
		}
	}
}

// otf2Print returns what otf2-print prints about an archive, which must not include a warning.
func otf2Print(t testing.TB, args ...string) string {
	cmd := exec.CommandContext(t.Context(), "otf2-print", args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	expect.That(t, err == nil && problems.Len() == 0, "otf2-print %v: %v\n%s", args, err, problems.String())
	return out.String()
}

// Archives that the library of OTF2 writes, with random numbers of up to 64 bits, maps of communicators
// and clock offsets, are read as otf2-print reads them.
func TestRandomArchives(t *testing.T) {
	t.Parallel() // another program takes most of the time
	needsOTF2(t, "otf2-print", "cc")
	dir := t.TempDir()
	program := filepath.Join(dir, "archive")
	if out, err := exec.CommandContext(t.Context(), "cc", "-w", "-o", program, "testdata/archive.c", "-lotf2").CombinedOutput(); err != nil {
		expect.Need(t, os.Getenv("ISOSCALE_REQUIRE_OTF2") == "", "%v\n%s", err, out)
		t.Skipf("no library of OTF2: %v", err)
	}
	for seed := range 20 { // 0 has one location, 3 several chunks, 19 has 64 locations
		locations, events := 1+seed*seed*63/361, 200
		if seed == 3 {
			events = 30000 // several chunks
		}
		name := filepath.Join(dir, strconv.Itoa(seed))
		out, err := exec.CommandContext(t.Context(), program, name, strconv.Itoa(seed), strconv.Itoa(locations), strconv.Itoa(events)).CombinedOutput()
		expect.Need(t, err == nil && len(out) == 0, "archive %d: %v %s", seed, err, out)
		anchor := filepath.Join(name, "random.otf2")
		a := expect.Value(Open(anchor))(t)
		expect.Equal(t, len(a.Locations), locations, "locations")
		expect.List(t, a.read(t), byLocation(eventsOf(t, otf2Print(t, anchor))), "events of archive %d", seed)
		var want []string
		for line := range strings.Lines(otf2Print(t, "-G", anchor)) {
			line = strings.TrimSpace(spaces.ReplaceAllString(line, " "))
			switch word, _, _ := strings.Cut(line, " "); word {
			case "CLOCK_PROPERTIES", "STRING", "REGION", "LOCATION_GROUP", "LOCATION", "GROUP", "COMM":
				want = append(want, line)
			}
		}
		expect.List(t, a.printedDefinitions(), want, "definitions of archive %d", seed)
	}
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
	expect.List(t, a.read(t), byLocation(want), "events")
	trace := expect.Value(OpenTrace(filepath.Join(root, "otf2-pingpong", "traces.otf2")))(t)
	expect.Equal(t, trace.Ranks(), 2, "ranks")
}
