package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
)

// The message of examples/ring.goal goes around once: 10, 20 and 5 us of computation,
// four messages of 1024 bytes that take o + L = 4 us to the first byte and o + 1023 G =
// 7.638 us on the core of the receiver, which makes 81.552 us.
func TestCriticalPathOfASchedule(t *testing.T) {
	r, err := GOAL(context.Background(), GOALOptions{Schedule: "../../../../examples/ring.goal",
		Wanted: watch.Wanted{Timeline: true, CriticalPath: true, Picture: true}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"computation": 35e-6, "transfer of messages": 4 * 4e-6, "overhead": 4 * 7.638e-6}
	for _, l := range r.Limits {
		if math.Abs(float64(l.Time)-want[l.Cause]) > 1e-12 {
			t.Errorf("%s takes %v of the path, want %v s", l.Cause, l.Time, want[l.Cause])
		}
		delete(want, l.Cause)
	}
	if len(want) > 0 {
		t.Errorf("not on the path: %v", want)
	}
	var b bytes.Buffer
	if err := r.WriteTimeline(&b); err != nil || !json.Valid(b.Bytes()) || !strings.Contains(b.String(), `"rank 3"`) {
		t.Errorf("timeline: %v\n%s", err, b.String())
	}
	if messages, bytes := r.Picture().Traffic.Total(); messages != r.Messages || bytes != 4*1024 {
		t.Errorf("%d messages with %v between ranks; the replay has %d, want 4 of 1024 B", messages, bytes, r.Messages)
	}
	if err := r.Report().Check(); err != nil {
		t.Error(err)
	}
	// Rank 3 waits for 62.276 us, until the first byte of the message from rank 2, deals
	// with it for 7.638 us and sends for 1.5 us.
	x := r.ranks[3]
	if x.Compute != 0 || math.Abs(x.Wait-62.276e-6) > 1e-12 || math.Abs(x.Overhead-9.138e-6) > 1e-12 || math.Abs(x.Finish-71.414e-6) > 1e-12 {
		t.Errorf("rank 3: %+v", x)
	}
}

// The ranks of a schedule finish when its hosts do, and their times add up to that. They
// are only there when they are asked for.
func TestRanksOfASchedule(t *testing.T) {
	r, err := GOAL(context.Background(), GOALOptions{Schedule: "../../../../examples/ring.goal", AllRanks: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Ranks) != 4 || len(r.HostFinish) != 4 {
		t.Fatalf("%d ranks on %d hosts; want 4 on 4", len(r.Ranks), len(r.HostFinish))
	}
	for i, x := range r.Ranks {
		finish := float64(r.HostFinish[i]) / 1e9
		if x.Rank != i || math.Abs(x.Finish-finish) > 1e-15 || math.Abs(x.Compute+x.Overhead+x.Wait-finish) > 1e-12 {
			t.Errorf("rank %d: %+v; want it to finish at %v s", i, x, finish)
		}
	}
	plain, err := GOAL(context.Background(), GOALOptions{Schedule: "../../../../examples/ring.goal"})
	if err != nil || plain.Ranks != nil {
		t.Errorf("%d ranks that nobody asked for: %v", len(plain.Ranks), err)
	}
}

// What is recorded changes no result.
func TestRecordsOfASchedule(t *testing.T) {
	plain, err := GOAL(context.Background(), GOALOptions{Schedule: "../../../../examples/ring.goal", Parameters: "L=1000,o=0,G=1"})
	if err != nil {
		t.Fatal(err)
	}
	seen, err := GOAL(context.Background(), GOALOptions{Schedule: "../../../../examples/ring.goal", Parameters: "L=1000,o=0,G=1", Wanted: watch.Wanted{CriticalPath: true}})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Makespan != seen.Makespan || plain.CriticalPath != nil || float64(seen.CriticalPath.Makespan) != float64(plain.Makespan)/1e9 {
		t.Errorf("%d ns, and %d ns with a path of %v", plain.Makespan, seen.Makespan, seen.CriticalPath.Makespan)
	}
}
