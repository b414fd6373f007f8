package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// event has the fields of an event that the tests check.
type event struct {
	Name string      `json:"name"`
	Ph   string      `json:"ph"`
	Pid  int         `json:"pid"`
	Tid  int         `json:"tid"`
	Ts   json.Number `json:"ts"`
	Dur  json.Number `json:"dur"`
	ID   int64       `json:"id"`
	Cat  string      `json:"cat"`
	Bp   string      `json:"bp"`
	Args struct {
		Name      string   `json:"name"`
		SortIndex *int     `json:"sort_index"`
		From      *int     `json:"from"`
		To        *int     `json:"to"`
		Size      *float64 `json:"size_bytes"`
		Tag       *int     `json:"tag"`
	} `json:"args"`
}

// ns reads microseconds with three decimals as nanoseconds.
func ns(t *testing.T, n json.Number) int64 {
	t.Helper()
	whole, decimals, _ := strings.Cut(n.String(), ".")
	var v int64
	_, err := fmt.Sscan(strings.TrimLeft(whole+decimals, "0")+" ", &v)
	expect.Need(t, (err == nil || strings.Trim(whole+decimals, "0") == "") && len(decimals) == 3,
		"time %q; expected microseconds with three decimals", n)
	return v
}

func name(rank int) string { return fmt.Sprintf("rank %d (hpc-%d)", rank, rank/2) }

func written(t *testing.T, l *observe.Timeline) []byte {
	t.Helper()
	var b bytes.Buffer
	expect.Success(t, l.Write(&b, name))
	return b.Bytes()
}

// events writes a timeline and reads it.
func events(t *testing.T, l *observe.Timeline) []event {
	t.Helper()
	var doc struct {
		TraceEvents     []event `json:"traceEvents"`
		DisplayTimeUnit string  `json:"displayTimeUnit"`
	}
	d := json.NewDecoder(bytes.NewReader(written(t, l)))
	expect.Success(t, d.Decode(&doc))
	expect.Equal(t, doc.DisplayTimeUnit, "ns", "display time unit")
	return doc.TraceEvents
}

// Rank 0 computes until 3 and sends 2 bytes, which arrive at 3 + 2 + 1 = 6.
func TestTimeline(t *testing.T) {
	l := observe.NewTimeline(2, 100)
	run(t, script{{compute(3), send(1, 2)}, {compute(1), recv(0), compute(4)}}, hockney, l)
	want := `{"traceEvents":[
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"simulation"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"rank 0 (hpc-0)"}},
{"name":"thread_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":0}},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"rank 1 (hpc-0)"}},
{"name":"thread_sort_index","ph":"M","pid":1,"tid":2,"args":{"sort_index":1}},
{"name":"compute","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":3000000.000},
{"name":"send","ph":"X","pid":1,"tid":1,"ts":3000000.000,"dur":0.000,"args":{"to":1,"size_bytes":2,"tag":0}},
{"name":"message","ph":"s","pid":1,"tid":1,"ts":3000000.000,"cat":"message","id":0,"args":{"to":1,"size_bytes":2,"tag":0}},
{"name":"compute","ph":"X","pid":1,"tid":2,"ts":0.000,"dur":1000000.000},
{"name":"wait for message","ph":"X","pid":1,"tid":2,"ts":1000000.000,"dur":5000000.000},
{"name":"receive","ph":"X","pid":1,"tid":2,"ts":6000000.000,"dur":0.000,"args":{"from":0,"size_bytes":2,"tag":0}},
{"name":"message","ph":"f","pid":1,"tid":2,"bp":"e","ts":6000000.000,"cat":"message","id":0,"args":{"from":0,"size_bytes":2,"tag":0}},
{"name":"compute","ph":"X","pid":1,"tid":2,"ts":6000000.000,"dur":4000000.000}
],"displayTimeUnit":"ns"}
`
	expect.Same(t, string(written(t, l)), want, "timeline")
}

// Times of computers are far below a second. Divided by 1e7, the times of the scenes
// are at most microseconds, and some spans are shorter than a nanosecond.
func TestTimelineHoldsTogether(t *testing.T) {
	arrows := 0
	scenes(t, 4, 150, everything, func(t *testing.T, s script, n sim.Network) {
		const scale = 1e-7
		for _, ops := range s {
			for i := range ops {
				ops[i].Work *= scale
				ops[i].Time *= scale * 1e-2
			}
		}
		for _, n := range []sim.Network{n, network.Ideal{}, network.Hockney{Latency: 3e-10, Bandwidth: 1e12}} {
			arrows += wantTimeline(t, s, n)
		}
	})
	expect.That(t, arrows >= 1000, "checked %d arrows; expected at least 1000", arrows)
}

// wantTimeline runs the script and checks the form of its timeline. It returns
// the number of arrows.
func wantTimeline(t *testing.T, s script, n sim.Network) int {
	t.Helper()
	l := observe.NewTimeline(len(s), 1e6)
	res := run(t, s, n, l)
	ends := make([]int64, len(s))
	marks := make([]event, len(s)) // the slice before a flow event
	starts, finishes := map[int64]event{}, map[int64]event{}
	names := 0
	for _, e := range events(t, l) {
		rank := e.Tid - 1
		switch {
		case e.Pid != 1:
			t.Errorf("process %d, want 1", e.Pid)
		case e.Name == "thread_name":
			if names++; e.Args.Name != name(rank) {
				t.Errorf("thread %d is called %q, want %q", e.Tid, e.Args.Name, name(rank))
			}
		case e.Name == "thread_sort_index":
			expect.That(t, e.Args.SortIndex != nil && *e.Args.SortIndex == rank,
				"thread %d has sort index %v, want %d", e.Tid, e.Args.SortIndex, rank)
		case e.Name == "process_name":
		case e.Ph == "X" && (e.Name == "send" || e.Name == "arrive" || e.Name == "receive"):
			expect.That(t, ns(t, e.Dur) == 0 && e.Args.Size != nil && e.Args.Tag != nil &&
				(e.Name == "send") == (e.Args.To != nil),
				"end of a message: %+v", e)
			marks[rank] = e
		case e.Ph == "X":
			from := ns(t, e.Ts)
			expect.That(t, from == ends[rank], "rank %d: %s begins at %d ns, the slice before ends at %d ns", rank, e.Name, from, ends[rank])
			ends[rank] += ns(t, e.Dur)
		case e.Ph == "s" || e.Ph == "f":
			// The slice that began last must be the message's own.
			m := marks[rank]
			expect.That(t, m.Ts == e.Ts && (m.Name == "send") == (e.Ph == "s") && e.Cat == "message" &&
				(e.Bp == "e") == (e.Ph == "f"),
				"flow event %+v after the slice %+v", e, m)
			into := map[string]map[int64]event{"s": starts, "f": finishes}[e.Ph]
			_, ok := into[e.ID]
			expect.That(t, !ok, "two flow events %s with id %d", e.Ph, e.ID)
			into[e.ID] = e
		default:
			t.Errorf("event %+v", e)
		}
	}
	expect.Equal(t, names, len(s), "names of threads")
	for r, end := range ends {
		expect.Equal(t, float64(end), math.Round(float64(res.Ranks[r].Finish)*1e9), "rank %d: slices end at", r)
	}
	// All messages of scenes are received.
	expect.That(t, len(starts) == len(finishes) && int64(len(starts)) == res.Messages,
		"%d arrows begin and %d end; want %d", len(starts), len(finishes), res.Messages)
	for id, a := range starts {
		b, ok := finishes[id]
		expect.That(t, ok && ns(t, b.Ts) > ns(t, a.Ts) && *a.Args.To == b.Tid-1 && *b.Args.From == a.Tid-1 &&
			*a.Args.Size == *b.Args.Size && *a.Args.Tag == *b.Args.Tag,
			"arrow %d from %+v to %+v", id, a, b)
	}
	return len(starts)
}

// The message arrives at 2 + 1 = 3, where its arrow ends, and is received at 5.
func TestArrowEndsWhereTheMessageArrives(t *testing.T) {
	l := observe.NewTimeline(2, 100)
	run(t, script{{send(1, 2)}, {compute(5), recv(0)}}, hockney, l)
	got := map[string]int64{}
	for _, e := range events(t, l) {
		if e.Tid == 2 && (e.Ph == "f" || e.Name == "arrive" || e.Name == "receive") {
			got[e.Name] = ns(t, e.Ts)
		}
	}
	want := map[string]int64{"arrive": 3e9, "message": 3e9, "receive": 5e9}
	expect.That(t, cmp.Equal(got, want), "ends of the message at %v, want %v", got, want)
}

// A message may leave while the rank computes, and after its end: the second
// of 5 bytes each leaves at 5, the third at 10.
func TestTimelineOfABusyInterface(t *testing.T) {
	l := observe.NewTimeline(2, 100)
	s := script{{isend(1, 5, 1), isend(1, 5, 2), compute(7), isend(1, 5, 3)}, {recv(0), recv(0), recv(0)}}
	run(t, s, hockney, l)
	var got []string
	for _, e := range events(t, l) {
		if e.Tid == 1 && e.Ph == "X" {
			got = append(got, fmt.Sprintf("%s %d", e.Name, ns(t, e.Ts)/1e9))
		}
	}
	expect.Same(t, got, []string{"send 0", "compute 0", "send 5", "send 10"}, "slices of rank 0")
}

// Nobody receives the message: it has no arrow.
func TestTimelineOfALostMessage(t *testing.T) {
	l := observe.NewTimeline(2, 100)
	run(t, script{{send(1, 1)}, nil}, hockney, l)
	sends := 0
	for _, e := range events(t, l) {
		if e.Name == "send" {
			sends++
		}
		expect.That(t, e.Ph != "s" && e.Ph != "f", "flow event %+v", e)
	}
	expect.Equal(t, sends, 1, "sends")
}

// Exchanges and synchronous sends are left out, because the reported time of their
// match depends on how far ranks run ahead.
func TestTimelineDoesNotDependOnTheOrderOfRanks(t *testing.T) {
	scenes(t, 5, 100, nonBlocking, func(t *testing.T, s script, n sim.Network) {
		ahead, inOrder := observe.NewTimeline(len(s), 1e6), observe.NewTimeline(len(s), 1e6)
		n = withoutSynchronous(n)
		run(t, s, n, ahead)
		run(t, s, strict{n}, inOrder)
		expect.Same(t, string(written(t, inOrder)), string(written(t, ahead)), "running ahead against strict order")
	})
}

// Three spans (compute, compute, wait) and one message.
func TestTimelineLimit(t *testing.T) {
	s := script{{compute(3), send(1, 2)}, {compute(1), recv(0)}}
	for limit, ok := range map[int]bool{4: true, 3: false, 0: false} {
		l := observe.NewTimeline(2, limit)
		run(t, s, hockney, l)
		err := l.Write(&bytes.Buffer{}, name)
		expect.That(t, ok == (err == nil), "limit %d: error %v", limit, err)
		want := fmt.Sprintf("3 spans and 1 messages; expected at most %d", limit)
		expect.That(t, ok || strings.Contains(err.Error(), want), "limit %d: error %q; want %q in it", limit, err, want)
	}
}

func TestTimelineTooLong(t *testing.T) {
	l := observe.NewTimeline(1, 10)
	run(t, script{{delay(units.Seconds(9.3e9))}}, hockney, l)
	expect.Failure(t, l.Err(), "292 years")
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWritersReportErrors(t *testing.T) {
	l, m := observe.NewTimeline(1, 10), new(observe.Matrix)
	c := observe.NewCriticalPath(1, hockney)
	run(t, script{{compute(1)}}, hockney, l, m, c)
	for name, err := range map[string]error{
		"timeline": l.Write(brokenWriter{}, name),
		"matrix":   m.WriteCSV(brokenWriter{}),
		"path":     c.Path().WriteText(brokenWriter{}, 10),
	} {
		expect.That(t, errors.Is(err, errBroken), "%s: error %v, want %v", name, err, errBroken)
	}
}

// Names come from files of users.
func TestTimelineQuotesNames(t *testing.T) {
	l := observe.NewTimeline(1, 10)
	run(t, script{{compute(1)}}, hockney, l)
	var b bytes.Buffer
	const odd = "a\"\\\n</script>\x01é"
	expect.Success(t, l.Write(&b, func(int) string { return odd }))
	var doc struct{ TraceEvents []event }
	expect.Success(t, json.Unmarshal(b.Bytes(), &doc))
	expect.Equal(t, doc.TraceEvents[1].Args.Name, odd, "name")
}

// A message from a process has no sender: no line leads to its receiver, and the path
// does not lead to an older message that the rank has received.
func TestMessageFromAProcess(t *testing.T) {
	const ranks = 2
	timeline, path, matrix := observe.NewTimeline(ranks, 100), observe.NewCriticalPath(ranks, hockney), &observe.Matrix{}
	p := sim.NewProgram(ranks, func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Send(1, 0, 0)
			return
		}
		r.Recv(0, 0)
		r.Recv(sim.FromProcess, 0)
		r.Compute(1)
	})
	expect.Value(sim.Run(context.Background(), sim.Config{
		Program: p, Network: hockney, Rates: []units.FlopsPerSecond{1, 1}, Observer: observe.Tee(timeline, path, matrix),
		Processes: []sim.Process{{Name: "sender", Body: func(c *sim.Control) {
			c.Sleep(5)
			c.Send(1, 0, 7)
		}}},
	}))(t)
	expect.Success(t, timeline.Err())
	got := matrix.Traffic()
	expect.That(t, len(got) == 1 && got[0].Messages == 1, "traffic %v, want one message of rank 0", got)
	// The wait from 1 s to 5 s is on the path as itself, not as the message of rank 0.
	found := false
	for _, s := range path.Path().Segments {
		found = found || s.Kind == observe.Kind(sim.PartWaitMessage.String()) && s.From == 1 && s.Until == 5
	}
	expect.That(t, found, "%+v", path.Path().Segments)
}
