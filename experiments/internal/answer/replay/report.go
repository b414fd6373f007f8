package replay

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// tiReplay is what a replay of time-independent traces leaves for its report.
type tiReplay struct {
	options  TIOptions
	platform *topology.Platform
	place    []int32 // host of each rank
	sim      *sim.Result
	usage    *flow.Usage // nil unless links were recorded
}

// rankName returns the name of a rank, with its host.
func (x *tiReplay) rankName(rank int32) string {
	return fmt.Sprintf("rank %d (%s)", rank, x.platform.Hosts[x.place[rank]].Name)
}

// Report returns the answer as a report. It has a section on links if the replay was
// asked to report them.
func (r *TIResult) Report() *report.Document {
	x := &r.replay
	trace, machine := filepath.Base(x.options.Trace), filepath.Base(x.options.Platform)
	ranks := x.ranks()
	doc := &report.Document{
		Title:    fmt.Sprintf("Replay of %s on %s", trace, machine),
		Subtitle: fmt.Sprintf("%d ranks on %d of %d hosts, network model %s", len(ranks), x.hostsUsed(), len(x.platform.Hosts), x.model()),
		Lead:     leadOf(units.Seconds(r.Makespan), ranks),
		Facts: []report.Fact{
			{Label: "Makespan", Value: units.Seconds(r.Makespan).String()},
			{Label: "Ranks", Value: fmt.Sprint(len(ranks)), Note: fmt.Sprintf("on %d hosts", x.hostsUsed())},
			{Label: "Messages", Value: fmt.Sprint(r.Messages), Note: units.Bytes(r.Bytes).String()},
		},
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	if idle := r.IdleCores(); idle != "" {
		doc.Facts = append(doc.Facts, report.Fact{Label: "Cores", Value: idle, Note: "of the hosts that have ranks"})
	}
	limits := r.Causes()
	if cause := watch.Sentence(limits); cause != "" {
		doc.Lead = slices.Insert(doc.Lead, 1, cause)
	}
	if r.Picture() != nil {
		doc.Sections = append(doc.Sections, r.Picture().Section(limits))
	}
	doc.Sections = append(doc.Sections, sections.RankSection(ranks, r.Makespan, sections.CauseTable(x.sim)))
	if p := r.Picture(); p != nil {
		doc.Sections = append(doc.Sections, p.Traffic.Section())
	}
	if x.usage != nil {
		doc.Lead = append(doc.Lead, sections.BottleneckLead(x.platform, x.usage, len(ranks))...)
		links := sections.LinkSection(x.platform, x.usage, len(ranks))
		if n := watch.NetworkPicture(nil, x.platform, sections.LinkUse(x.platform, x.usage)); n != nil {
			links.Blocks = append([]report.Block{n}, links.Blocks...)
		}
		doc.Sections = append(doc.Sections, links)
	}
	doc.Sections = append(doc.Sections,
		report.Section{Heading: "Parameters", Text: []string{"The inputs and the settings of SimGrid that were given. All other settings are those of smpirun."},
			Blocks: []report.Block{page.ParameterTable(x.parameters(), nil)}},
		page.WarningSection(r.Warnings))
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Ignored or assumed", Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	return doc
}

// leadOf gives the makespan and its parts.
func leadOf(makespan units.Seconds, ranks []sections.Rank) []string {
	lead := []string{fmt.Sprintf("The replay takes %v.", makespan)}
	if len(ranks) == 0 || makespan == 0 {
		return lead
	}
	var compute, overhead float64
	first, last := ranks[0], ranks[0]
	for _, x := range ranks {
		compute += x.Compute
		overhead += x.Overhead
		if x.Finish < first.Finish {
			first = x
		}
		if x.Finish > last.Finish {
			last = x
		}
	}
	all := float64(makespan) * float64(len(ranks))
	lead[0] += fmt.Sprintf(" Of the time of all ranks, %s is computation, %s overhead and %s waiting.",
		sections.Percent(compute/all), sections.Percent(overhead/all), sections.Percent(max(0, 1-(compute+overhead)/all)))
	if first.Finish < last.Finish {
		lead = append(lead, fmt.Sprintf("Rank %d on %s finishes first, after %v; rank %d on %s last.",
			first.Rank, first.Node, units.Seconds(first.Finish), last.Rank, last.Node))
	}
	return lead
}

// ranks returns how each rank spent its time.
func (x *tiReplay) ranks() []sections.Rank {
	ranks := make([]sections.Rank, len(x.sim.Ranks))
	for i, s := range x.sim.Ranks {
		ranks[i] = sections.Rank{
			Rank: i, Node: x.platform.Hosts[x.place[i]].Name,
			Finish: float64(s.Finish), Compute: float64(s.Compute), Overhead: float64(s.Overhead()), Wait: float64(s.Wait()),
		}
	}
	return ranks
}

func (x *tiReplay) hostsUsed() int {
	seen := map[int32]bool{}
	for _, h := range x.place {
		seen[h] = true
	}
	return len(seen)
}

// model returns the network model in SimGrid's terms: the last one that was set.
func (x *tiReplay) model() string {
	model := "SMPI"
	for _, s := range x.options.Settings {
		if v, ok := strings.CutPrefix(s, "network/model:"); ok {
			model = v
		}
	}
	return model
}

func (x *tiReplay) parameters() []input.Parameter {
	placement, from := "one rank per core, in the order of the hosts", "default"
	if x.options.Hostfile != "" {
		placement, from = x.options.Hostfile, "--hostfile"
	}
	list := []input.Parameter{
		{Name: "trace", Value: x.options.Trace, Note: "--ti"},
		{Name: "platform", Value: fmt.Sprintf("%s: %d hosts, %d links", x.options.Platform, len(x.platform.Hosts), len(x.platform.Links)), Note: "--platform"},
		{Name: "placement", Value: placement, Note: from},
	}
	named := false
	for _, s := range x.options.Settings {
		key, value, _ := strings.Cut(s, ":")
		named = named || key == "network/model"
		list = append(list, input.Parameter{Name: key, Value: value, Note: "--cfg"})
	}
	if !named {
		list = append(list, input.Parameter{Name: "network/model", Value: "SMPI", Note: "default"})
	}
	return list
}
