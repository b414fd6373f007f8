package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/topology"
)

// NodeSummary says how many nodes of each type take part and how many processes
// run on each if it is more than one, as "1 server x 2, 3 blade".
func NodeSummary(p *topology.Placement) string {
	var parts []string
	for i := 0; i < len(p.Blocks); {
		first, nodes := p.Blocks[i], 0
		for ; i < len(p.Blocks) && p.Blocks[i].Type == first.Type; i++ {
			nodes += p.Blocks[i].Nodes
		}
		part := fmt.Sprintf("%d %s", nodes, first.Type.Name)
		if first.Processes > 1 {
			part += fmt.Sprintf(" x %d", first.Processes)
		}
		if first.Threads > 1 {
			part += fmt.Sprintf(" (%d threads each)", first.Threads)
		}
		parts = append(parts, part)
	}
	return input.List(parts)
}

// IdleCores says how many cores of the nodes that take part compute, if some do not.
func IdleCores(p *topology.Placement) string {
	used, all := p.Cores()
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
			Link: p.Links[i].Name, Messages: l.Messages, Bytes: float64(l.Bytes), Busy: float64(l.Busy), Mean: l.Mean, Peak: l.Peak, Lost: float64(l.Lost),
		})
	}
	return list
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
		if c := cmp.Compare(u.Links[b].Lost, u.Links[a].Lost); c != 0 {
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
		if link < 0 || u.Links[i].Lost > u.Links[link].Lost {
			link = i
		}
	}
	if link >= 0 && u.Links[link].Lost > 0 {
		share = float64(u.Links[link].Lost) / (float64(u.Until) * float64(ranks))
	}
	return link, share
}

// BottleneckLead is BottleneckWarning as a sentence for the lead of a report.
func BottleneckLead(p *topology.Platform, u *flow.Usage, ranks int) []string {
	worst, share := worstLink(u, ranks)
	if worst < 0 || share < noticeableLoss {
		return nil
	}
	return []string{fmt.Sprintf("The bottleneck is the link %s (%v): sharing it cost messages and computations %v in total, which is %s of the time of all ranks.",
		p.Links[worst].Name, p.Links[worst].Bandwidth, input.Rounded(float64(u.Links[worst].Lost)), Percent(share))}
}

// BottleneckWarning names the link that costs most, if it costs much.
func BottleneckWarning(p *topology.Platform, u *flow.Usage, ranks int) []string {
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
	return []string{warning + "; --links shows the use of every link"}
}
