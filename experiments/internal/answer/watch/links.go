package watch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Links are the links that the messages of a run shared, with their use.
type Links struct {
	Platform   *topology.Platform
	Place      []int32 // host of each rank
	Parameters flow.Parameters
	Detours    bool // messages may leave the routes of the platform
	Usage      *flow.Usage
}

// Link is the use of one link in a run.
type Link struct {
	Link     string  `json:"link"`
	Messages int64   `json:"messages"`
	Bytes    float64 `json:"bytes"`
	Busy     float64 `json:"busy_s"`
	Mean     float64 `json:"mean_utilisation"` // 0 to 1, over the whole run
	Peak     float64 `json:"peak_utilisation"`
	Lost     float64 `json:"lost_s"` // time that all messages and computations lost by sharing it, in total
}

// fabric returns a fabric of the links without messages, nil if l is nil.
func (l *Links) fabric() sim.Fabric {
	if l == nil {
		return nil
	}
	f, err := flow.New(cluster.FlowMachine(l.Platform, l.Place), l.Parameters)
	if err != nil {
		panic("watch: links of a run that has ended: " + err.Error())
	}
	return f
}

// Used lists the links that were used, the ones that cost most first.
func (l *Links) Used() []Link {
	var list []Link
	for _, i := range l.used() {
		x := l.Usage.Links[i]
		list = append(list, Link{
			Link: l.Platform.Links[i].Name, Messages: x.Messages, Bytes: math.Round(float64(x.Bytes)), Busy: float64(x.Busy),
			Mean: x.Mean, Peak: x.Peak, Lost: float64(l.cost(i)),
		})
	}
	return list
}

// cost returns the time that was lost on a link; it is 0 if the time is only due to rounding of
// equal rates.
func (l *Links) cost(link int) units.Seconds {
	const rounding = 1e-12 // of the time of the run
	if t := l.Usage.Links[link].Lost; t > rounding*l.Usage.Until {
		return t
	}
	return 0
}

// used returns the numbers of the links that were used, the ones that cost most first; of equal
// ones, those with the higher mean utilisation first.
func (l *Links) used() []int {
	list := each.Where(nil, each.Ascending(len(l.Usage.Links)), func(i int) bool { return l.Usage.Links[i].Busy > 0 })
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.cost(b), l.cost(a)), cmp.Compare(l.Usage.Links[b].Mean, l.Usage.Links[a].Mean))
	})
	return list
}

// noticeableLoss is the fraction of the time of all ranks from which on the cost of sharing
// one link is worth a warning.
const noticeableLoss = 0.05

// worst returns the link that cost most, -1 without links, and its cost as a share of the time
// of all ranks.
func (l *Links) worst() (link int, share float64) {
	link = -1
	for i := range l.Usage.Links {
		if link < 0 || l.cost(i) > l.cost(link) {
			link = i
		}
	}
	if all := float64(l.Usage.Until) * float64(len(l.Place)); link >= 0 && all > 0 {
		share = float64(l.cost(link)) / all
	}
	return link, share
}

// named describes a link by its name, its bandwidth and, if these are known, its ends.
func (l *Links) named(link int) string {
	x := l.Platform.Links[link]
	if ends := WiringOf(nil, l.Platform).called(x.Name); ends != "" {
		return fmt.Sprintf("%s (%s, %v)", ends, x.Name, x.Bandwidth)
	}
	return fmt.Sprintf("the link %s (%v)", x.Name, x.Bandwidth)
}

// LinksFlag asks run and replay for the use of links.
const LinksFlag = "--links"

// Warnings names the link that costs most, if it costs much. If the use of links was not recorded,
// it says what shows it: shownBy, such as "--links".
func (l *Links) Warnings(shownBy string) []string {
	worst, share := l.worst()
	if worst < 0 || share < noticeableLoss {
		return nil
	}
	x, rest := l.Usage.Links[worst], shownBy+" shows the use of every link"
	if l.Usage.Recorded {
		rest = fmt.Sprintf("its mean utilisation was %.0f %%", 100*x.Mean)
	}
	return []string{fmt.Sprintf("%s is the bottleneck: sharing it cost messages and computations %v in total; %s",
		l.named(worst), input.Rounded(float64(x.Lost)), rest)}
}

// lead is the sentence of [Links.Warnings] for the lead of a report, or "".
func (l *Links) lead() string {
	worst, share := l.worst()
	if worst < 0 || share < noticeableLoss {
		return ""
	}
	return fmt.Sprintf("The bottleneck is %s: sharing it cost messages and computations %v in total, which "+
		"is %s of the time of all ranks.",
		l.named(worst), input.Rounded(float64(l.Usage.Links[worst].Lost)), Percent(share))
}

const (
	mappedLinks = 24  // links that the map shows
	listedLinks = 50  // links that the table shows
	mapColumns  = 120 // into which the map divides the time
)

func (l *Links) section() report.Section {
	used := l.used()
	s := report.Section{Heading: "Links", Text: []string{l.bottleneck(len(used) > 0)}}
	if len(used) == 0 {
		return s
	}
	s.Text = append(s.Text, "Lost time is the additional time of the messages and computations of which the link "+
		"was the bottleneck, because they shared it, summed over all of them. "+
		"The sum can exceed the time of the run. Lost time that no rank waited for did not delay the run.")
	if l.Usage.Links[used[0]].Bins != nil {
		s.Blocks = append(s.Blocks, l.heatMap(used))
	} else {
		s.Text = append(s.Text, "The machine has too many links to show their utilisation over time.")
	}
	s.Blocks = append(s.Blocks, l.table(used))
	return s
}

// bottleneck says which link cost most and how much that is.
func (l *Links) bottleneck(used bool) string {
	worst, share := l.worst()
	switch {
	case !used:
		return "No link was used."
	case share == 0:
		return "No time was lost by sharing links: every message and computation had the full capacity of its route."
	}
	x := l.Usage.Links[worst]
	cost := fmt.Sprintf("%v in total", input.Rounded(float64(x.Lost)))
	if share < noticeableLoss {
		return fmt.Sprintf("No link is a bottleneck. The most time was lost on %s: %s.", l.named(worst), cost)
	}
	return fmt.Sprintf("The bottleneck is %s: sharing it cost messages and computations %s. Its utilisation was %s "+
		"on average and %s at peak.",
		l.named(worst), cost, Percent(x.Mean), Percent(x.Peak))
}

// Percent prints a fraction as a percentage for running text, without a line break before the sign.
func Percent(x float64) string {
	switch {
	case x == 0:
		return "0\u00a0%"
	case x < 0.001:
		return "less than 0.1\u00a0%"
	case x < 0.1:
		return fmt.Sprintf("%.1f\u00a0%%", 100*x)
	}
	return fmt.Sprintf("%.0f\u00a0%%", 100*x)
}

// heatMap shows the use of the first of the used links over time.
func (l *Links) heatMap(used []int) *report.HeatMap {
	until := float64(l.Usage.Until)
	time := page.Display("s", until)
	shown := fmt.Sprintf("all %d", len(used))
	if n := len(used); n > mappedLinks {
		used = used[:mappedLinks]
		shown = fmt.Sprintf("the first %d of %d", mappedLinks, n)
	}
	c := &report.HeatMap{
		Title:   "Utilisation of links over time",
		X:       report.Axis{Title: "time", Unit: time.Unit, Min: new(0.0), Max: new(until * time.Factor)},
		Y:       report.Axis{Title: "link", Unit: report.Dimensionless},
		Value:   report.Axis{Title: "utilisation", Unit: "%", Min: new(0.0), Max: new(100.0)},
		Columns: mapColumns,
		Caption: fmt.Sprintf("Mean over each 1/%d of the run; blank where it is below 0.05 %%. Shown: %s used links "+
			"(%d in all), by lost time and then by utilisation.",
			mapColumns, shown, len(l.Usage.Links)),
	}
	for _, i := range used {
		row := report.HeatRow{Name: l.Platform.Links[i].Name,
			Values: respread(l.Usage.Links[i].Bins, l.Usage.Width, l.Usage.Until, mapColumns)}
		for k, v := range row.Values {
			row.Values[k] = math.Round(1000*v) / 10
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// respread turns bins of a width, of which the last may be cut at the time until, into means over n
// equal parts of the time up to until. The content of a bin counts as spread evenly over it.
func respread(bins []float32, width, until units.Seconds, n int) []float64 {
	means := page.NewMeans(0, until, n)
	for i, b := range bins {
		from := units.Seconds(units.Seconds(i) * width)
		// The content of a bin that the end of the run cuts lies before the end.
		if to := min(from+width, until); to > from {
			means.Add(from, to, float64(b)*float64(width/(to-from)))
		}
	}
	return means.Values()
}

// table lists the first of the used links.
func (l *Links) table(used []int) *report.Table {
	t := &report.Table{
		Title: "Links by lost time",
		Columns: page.Columns("link", "#bandwidth", "#messages", "#bytes", "#busy", "#mean utilisation [%]",
			"#peak utilisation [%]", "#lost time"),
		Caption: "Busy: time with traffic on the link. A peak of 100 % alone does not show a bottleneck: a single " +
			"message can fill a link.",
	}
	for _, i := range used[:min(len(used), listedLinks)] {
		x := l.Usage.Links[i]
		t.Rows = append(t.Rows, []string{l.Platform.Links[i].Name, l.Platform.Links[i].Bandwidth.String(),
			fmt.Sprint(x.Messages), x.Bytes.String(), x.Busy.String(),
			fmt.Sprintf("%.1f", 100*x.Mean), fmt.Sprintf("%.1f", 100*x.Peak), l.cost(i).String()})
	}
	if len(used) > listedLinks {
		t.Caption += fmt.Sprintf(" Shown: the first %d of %d used links.", listedLinks, len(used))
	}
	return t
}

// over returns the use of links over time for pictures, nil if it was not recorded or no link
// was used. All windows are equally wide, and those of each link reach to the end of the run.
func (l *Links) over() *timeline.LinkUse {
	if l == nil || !l.Usage.Recorded || l.Usage.Width == 0 {
		return nil
	}
	const rounding = 1e-6 // of a window, by which the end may exceed it
	windows := int(math.Ceil(float64(l.Usage.Until/l.Usage.Width) - rounding))
	use := &timeline.LinkUse{Window: l.Usage.Width}
	for i, x := range l.Usage.Links {
		if x.Bins == nil {
			continue
		}
		use.Links = append(use.Links, l.Platform.Links[i].Name)
		shares := make([]uint8, windows)
		for k, share := range x.Bins[:min(windows, len(x.Bins))] {
			shares[k] = uint8(min(255, math.Round(255*float64(share))))
		}
		use.Share = append(use.Share, shares...)
	}
	if use.Links == nil {
		return nil
	}
	return use
}

// picture shows how links are connected and their use over time. It is nil for a platform that
// is too large to draw.
func (l *Links) picture(t topology.Topology) *report.Network {
	w, use := WiringOf(t, l.Platform), l.over()
	if w == nil || use == nil {
		return nil
	}
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // only numbers and text, and all numbers are finite
	}
	data := &timeline.Timeline{Tick: timeline.TickOf(l.Usage.Until), Use: use}
	data.End = data.Ticks(l.Usage.Until)
	n := &report.Network{
		Title: "The network",
		Caption: fmt.Sprintf("%s and %s. The colour of a link shows which part of its capacity is used in the "+
			"chosen stretch of time, its width the capacity.",
			input.Plural(len(l.Platform.Hosts), "host"), input.Plural(len(w.Links), "link")),
		Wiring: text,
		Data:   data.Encode(),
		Table: &report.Table{Title: "Use of links", Caption: fmt.Sprintf("Windows of %v.", use.Window),
			Columns: page.Columns("link", "#mean use [%]", "#most in a window [%]")},
	}
	for i, x := range l.Usage.Links {
		if x.Bins == nil {
			continue
		}
		if len(n.Table.Rows) == listedSegments {
			n.Table.Caption += fmt.Sprintf(" Shown: the first %d of %d links.", listedSegments, len(use.Links))
			break
		}
		n.Table.Rows = append(n.Table.Rows, []string{l.Platform.Links[i].Name, fmt.Sprintf("%.1f", 100*x.Mean),
			fmt.Sprintf("%.1f", 100*slices.Max(x.Bins))})
	}
	return n
}
