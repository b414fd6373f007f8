package watch

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// Rank 0 computes for 6 s and sends 1 byte, which arrives after 1 + 1 s: 3/4 of the critical
// path of 8 s are computation, and rank 1 computes nothing.
func TestRecordIsShown(t *testing.T) {
	recording := Start(t.Context(), 2, slow, Wanted{Timeline: true, CriticalPath: true, Picture: true})
	defer recording.Stop()
	run := observed(t, 2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Compute(6)
			r.Send(1, 0, 1)
		} else {
			r.Recv(0, 0)
		}
	}, recording.Observer())
	expect.Success(t, recording.Check(recording.Context().Err()))
	name := func(rank int32) string { return fmt.Sprint("rank ", rank) }
	x := recording.Record(Facts{Run: run, Name: name})
	const cause = "Load imbalance limits the run: rank 0 computes for 75 % of the time, the average rank for 38 %."
	expect.That(t, len(x.Limits) == 2 && x.Limits[0].Time == 6 && x.Limits[1].Time == 2 && x.Cause() == cause,
		"limits %+v, %q; want %q", x.Limits, x.Cause(), cause)
	var b bytes.Buffer
	err := x.WriteTimeline(&b)
	expect.That(t, err == nil && strings.Contains(b.String(), `"rank 1"`), "%v, timeline %s", err, b.String())
	doc := &report.Document{Title: "D", Lead: []string{"first", "last"}}
	x.Show(doc, RanksOf(run, func(rank int) string { return name(int32(rank)) }), CauseTable(run))
	x.ShowLinks(doc, nil)
	expect.Success(t, doc.Check())
	var got []string
	for _, s := range doc.Sections {
		got = append(got, s.Heading)
	}
	want := "What limits the run|Where the time goes|Who sends to whom"
	expect.That(t, strings.Join(got, "|") == want && strings.Join(doc.Lead, "|") == "first|"+cause+"|last",
		"sections %q, want %s; lead %q", got, want, doc.Lead)
}
