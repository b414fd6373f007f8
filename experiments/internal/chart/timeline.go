package chart

import (
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/report"
)

type timelineData struct{ *report.Timeline }

func (c timelineData) words() (title, caption string) { return c.Title, c.Caption }

func (c timelineData) drawable() bool {
	_, ok := DecodeTimeline(c.Timeline)
	return ok
}

// finding says what the ranks spend their time on, and how long the critical path is.
func (c timelineData) finding() []string {
	x, ok := DecodeTimeline(c.Timeline)
	if !ok {
		return nil
	}
	found := []string{fmt.Sprintf("%s for %s", plural(x.Ranks, "rank"), prefixed(float64(x.Seconds(float64(x.End))), "s", 4))}
	for k := timeline.Compute; k < timeline.BinKinds; k++ {
		if share := x.Share(k); share > 0 {
			found = append(found, fmt.Sprintf("%s %.3g %%", k, 100*share))
		}
	}
	if n := len(x.PathKind); n > 0 {
		found = append(found, fmt.Sprintf("a critical path of %s", plural(n, "segment")))
	}
	return found
}

// table lists spans, messages and the critical path, or the bins where spans are not
// listed.
func (c timelineData) table(t *table) {
	x, ok := DecodeTimeline(c.Timeline)
	if !ok {
		return
	}
	for _, name := range []string{"kind", "what"} {
		t.column(name, false)
	}
	for _, name := range []string{"rank", "to", "from [s]", "until [s]", "received [s]", "size [B]", "share"} {
		t.column(name, true)
	}
	time := func(ticks uint32) string {
		if ticks == timeline.Never {
			return ""
		}
		return full(float64(x.Seconds(float64(ticks))))
	}
	rank := func(r uint32) string { return strconv.Itoa(int(r)) }
	row := func(cells ...string) { t.rows = append(t.rows, cells) }
	for r := range x.Ranks {
		if len(x.SpanFirst) == 0 {
			break
		}
		begin := uint32(0)
		for i := x.SpanFirst[r]; i < x.SpanFirst[r+1]; i++ {
			row("span", x.Parts[x.SpanPart[i]].Name, strconv.Itoa(r), "", time(begin), time(x.SpanEnd[i]), "", "", "")
			begin = x.SpanEnd[i]
		}
	}
	for r := range x.Ranks {
		if len(x.MessageFirst) == 0 {
			break
		}
		for i := x.MessageFirst[r]; i < x.MessageFirst[r+1]; i++ {
			row("message", "", strconv.Itoa(r), rank(x.MessageTo[i]), time(x.MessageLeaves[i]), time(x.MessageArrives[i]), time(x.MessageReceived[i]), full(x.MessageSize[i]), "")
		}
	}
	for i, kind := range x.PathKind {
		row("critical path", x.PathKinds[kind], rank(x.PathRank[i]), rank(x.PathTo[i]), time(x.PathFrom[i]), time(x.PathUntil[i]), "", "", "")
	}
	if len(x.SpanFirst) > 0 {
		return
	}
	for at, share := range x.BinShare {
		cell := at / int(timeline.BinKinds)
		first, column := cell/x.Columns*x.RanksPerRow, cell%x.Columns
		row("bin", timeline.Kind(at%int(timeline.BinKinds)).String(), strconv.Itoa(first), strconv.Itoa(min(first+x.RanksPerRow, x.Ranks)-1),
			full(float64(x.ColumnWidth)*float64(column)), full(float64(x.ColumnWidth)*float64(column+1)), "", "", full(float64(share)/255))
	}
}

// vega has bars for spans or bins, and rules for messages and the path.
func (c timelineData) vega() object {
	x, ok := DecodeTimeline(c.Timeline)
	if !ok {
		return nil
	}
	row := channel(2, "ordinal", "rank")
	from := quantity(4, report.Axis{Title: "time", Unit: "s"})
	until := object{"field": field(5)}
	link := func(kind string, width float64) object {
		return object{"transform": only(0, kind), "mark": object{"type": "rule", "strokeWidth": width},
			"encoding": object{"x": from, "x2": until, "y": row, "y2": object{"field": field(3)}}}
	}
	what := object{"mark": "bar", "encoding": object{"x": from, "x2": until, "y": row, "color": channel(1, "nominal", "time")}}
	if len(x.SpanFirst) == 0 {
		what["transform"] = only(0, "bin")
		what["encoding"].(object)["opacity"] = channel(8, "quantitative", "share")
		return object{"layer": []any{what}}
	}
	what["transform"] = only(0, "span")
	return object{"layer": []any{what, link("message", 0.5), link("critical path", 2)}}
}

// DecodeTimeline decodes the data of a timeline. One that cannot be decoded has nothing to
// draw.
func DecodeTimeline(b *report.Timeline) (*timeline.Timeline, bool) {
	t, err := timeline.Decode(b.Data)
	if err != nil || t.Ranks == 0 || t.End == 0 {
		return nil, false
	}
	return t, true
}
