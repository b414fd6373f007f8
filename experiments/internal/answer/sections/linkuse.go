package sections

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// NodeSummary says how many nodes of each type take part and how many processes
// run on each if it is more than one, as "1 server x 2, 3 blade", or on what devices,
// as "2 gpu x 8 devices at bf16". Many types are counted, not named: "64 nodes of 64
// types with 1024 processes".
func NodeSummary(p *topology.Placement) string {
	const most = 8 // types that are named
	var parts []string
	all, processes := 0, 0
	for i := 0; i < len(p.Blocks); {
		first, nodes := p.Blocks[i], 0
		for ; i < len(p.Blocks) && p.Blocks[i].Type == first.Type; i++ {
			nodes += p.Blocks[i].Nodes
			processes += p.Blocks[i].Nodes * p.Blocks[i].Processes
		}
		all += nodes
		part := fmt.Sprintf("%d %s", nodes, first.Type.Name)
		if first.Type.Name == "node" { // which many describe who have only one type
			part = input.Plural(nodes, "node")
		}
		switch {
		case first.OnDevices():
			part += fmt.Sprintf(" x %s at %s", input.Plural(first.Processes, "device"), first.Precision)
		case first.Processes > 1:
			part += fmt.Sprintf(" x %d", first.Processes)
		}
		if first.Threads > 1 && !first.OnDevices() {
			part += fmt.Sprintf(" (%d threads each)", first.Threads)
		}
		parts = append(parts, part)
	}
	if len(parts) > most {
		return fmt.Sprintf("%d nodes of %d types with %d processes", all, len(parts), processes)
	}
	return input.List(parts)
}

// IdleCores says how many cores of the nodes that take part compute, if some do not.
func IdleCores(p *topology.Placement) string { return InUse(p.Cores()) }

// IdleDevices says how many devices of the nodes that take part compute, if some do
// not.
func IdleDevices(p *topology.Placement) string { return InUse(p.Devices()) }

// InUse says how many of some parts of a machine are in use, "" if all are.
func InUse(used, all int) string {
	if used == all {
		return ""
	}
	return fmt.Sprintf("%d of %d in use", used, all)
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

// LinkResults lists the links that were used, the ones that cost most first.
func LinkResults(p *topology.Platform, u *flow.Usage) []Link {
	var list []Link
	for _, i := range usedLinks(u) {
		l := u.Links[i]
		list = append(list, Link{
			Link: p.Links[i].Name, Messages: l.Messages, Bytes: float64(l.Bytes), Busy: float64(l.Busy), Mean: l.Mean, Peak: l.Peak, Lost: float64(lost(u, i)),
		})
	}
	return list
}

// lost returns the time that was lost on a link, 0 where it is only the rounding of
// rates that are equal.
func lost(u *flow.Usage, link int) units.Seconds {
	const rounding = 1e-12 // of the time of the run
	if t := u.Links[link].Lost; t > rounding*u.Until {
		return t
	}
	return 0
}

// usedLinks returns the numbers of the links that were used, the ones that cost
// most first, and those that cost the same by their use.
func usedLinks(u *flow.Usage) []int {
	var list []int
	for i := range u.Links {
		if u.Links[i].Busy > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		if c := cmp.Compare(lost(u, b), lost(u, a)); c != 0 {
			return c
		}
		return cmp.Compare(u.Links[b].Mean, u.Links[a].Mean)
	})
	return list
}

// noticeableLoss is the fraction of the time of all ranks that sharing one link must
// cost before a run has a warning about it.
const noticeableLoss = 0.05

// worstLink returns the link that cost most, -1 without links, and what part of
// the time of all ranks that was.
func worstLink(u *flow.Usage, ranks int) (link int, share float64) {
	link = -1
	for i := range u.Links {
		if link < 0 || lost(u, i) > lost(u, link) {
			link = i
		}
	}
	if link >= 0 {
		share = float64(lost(u, link)) / (float64(u.Until) * float64(ranks))
	}
	return link, share
}

// LinksFlag asks run and replay for the use of links.
const LinksFlag = "--links"

// BottleneckLead is BottleneckWarning as a sentence for the lead of a report.
func BottleneckLead(p *topology.Platform, u *flow.Usage, ranks int) []string {
	worst, share := worstLink(u, ranks)
	if worst < 0 || share < noticeableLoss {
		return nil
	}
	return []string{fmt.Sprintf("The bottleneck is the link %s (%v): sharing it cost messages and computations %v in total, which is %s of the time of all ranks.",
		p.Links[worst].Name, p.Links[worst].Bandwidth, input.Rounded(float64(u.Links[worst].Lost)), Percent(share))}
}

// BottleneckWarning names the link that costs most, if it costs much, and if the use of
// links was not recorded, by what it is shown, such as "--links".
func BottleneckWarning(p *topology.Platform, u *flow.Usage, ranks int, shownBy string) []string {
	worst, share := worstLink(u, ranks)
	if worst < 0 || share < noticeableLoss {
		return nil
	}
	l := u.Links[worst]
	warning := fmt.Sprintf("%s (%v) is the bottleneck: sharing it cost messages and computations %v in total",
		p.Links[worst].Name, p.Links[worst].Bandwidth, l.Lost)
	if u.Recorded {
		return []string{fmt.Sprintf("%s; its mean utilisation was %.0f %%", warning, 100*l.Mean)}
	}
	return []string{fmt.Sprintf("%s; %s shows the use of every link", warning, shownBy)}
}

// LinkUse returns the use of links over time for pictures, nil if it was not recorded
// or no link was used. All windows are equally wide, and there are as many for each
// link.
func LinkUse(p *topology.Platform, u *flow.Usage) *timeline.LinkUse {
	windows := 0
	for i := range u.Links {
		windows = max(windows, len(u.Links[i].Bins))
	}
	if !u.Recorded || windows == 0 {
		return nil
	}
	use := &timeline.LinkUse{Window: u.Width}
	for i := range u.Links {
		if u.Links[i].Bins == nil {
			continue
		}
		use.Links = append(use.Links, p.Links[i].Name)
		shares := make([]uint8, windows)
		for k, share := range u.Links[i].Bins {
			shares[k] = uint8(min(255, math.Round(255*float64(share))))
		}
		use.Share = append(use.Share, shares...)
	}
	return use
}
