package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/sim/observe"
)

// Rank 1 computes 1 Gflop at 1 Gflop/s while rank 0 waits for its message of 1 MB, which
// flows over two links: the path is the computation and the message, without contention.
// By CM02, 1 MB takes 1.0e6/(0.97 1.25e8) s, less than 1.25 times 1e6/1.25e8.
func TestCriticalPathOfAReplay(t *testing.T) {
	dir := t.TempDir()
	trace, platform := filepath.Join(dir, "wait.ti"), filepath.Join(dir, "two.xml")
	for file, text := range map[string]string{
		trace: "0 init\n1 init\n0 recv 1 0 1000000 6\n1 compute 1e9\n1 send 0 0 1000000 6\n0 finalize\n1 finalize\n",
		platform: `<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="125MBps" latency="0us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := TI(context.Background(), TIOptions{Trace: trace, Platform: platform, Settings: []string{"network/model:CM02"},
		Wanted: watch.Wanted{Timeline: true, CriticalPath: true, Picture: true}})
	if err != nil {
		t.Fatal(err)
	}
	p := r.CriticalPath
	if len(p.Segments) != 2 || p.Segments[0].Kind != "compute" || p.Segments[0].Rank != 1 || p.Segments[1].Kind != observe.Message {
		t.Fatalf("path %+v, want a computation of rank 1 and a message", p.Segments)
	}
	if compute := float64(p.Segments[0].Length()); math.Abs(compute-1) > 1e-12 {
		t.Errorf("the computation takes %v s, want 1 s", compute)
	}
	limits := r.Causes()
	if len(limits) != 2 || limits[0].Where != "rank 1 (b)" || limits[1].Cause != "transfer of messages" {
		t.Errorf("limits %+v, want computation on rank 1 and transfer, and no contention", limits)
	}
	if want := "Computation limits the run: it is 99 % of the critical path, most of it on rank 1 (b)."; r.Cause() != want {
		t.Errorf("cause %q, want %q", r.Cause(), want)
	}
	var b bytes.Buffer
	if err := r.WriteTimeline(&b); err != nil || !json.Valid(b.Bytes()) || !strings.Contains(b.String(), `"rank 1 (b)"`) {
		t.Errorf("timeline: %v\n%s", err, b.String())
	}
	if messages, bytes := r.Picture().Traffic.Total(); messages != r.Messages || float64(bytes) != r.Bytes || bytes != 1e6 {
		t.Errorf("%d messages with %v between ranks; the replay has %d with %v B, want 1 with 1 MB", messages, bytes, r.Messages, r.Bytes)
	}
	x := r.Picture().Timeline
	if x.Messages != 1 || len(x.MessageTo) != 1 || x.MessageArrives[0] != x.End || x.MessageReceived[0] == math.MaxUint32 {
		t.Errorf("picture %+v, want one message that arrives at the end", x)
	}
}
