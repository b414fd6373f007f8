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
	"github.com/isoscale/isoscale/sim"
)

// goalReplay is what a replay of a GOAL schedule leaves for its report.
type goalReplay struct {
	schedule string // file
	cores    int    // of each host
	ranks    timesOfRanks
}

// rankName returns the name of what is observed as a rank: a host or, where hosts have
// several, one of its cores.
func (x *goalReplay) rankName(rank int32) string {
	host := int(rank) / x.cores
	if x.cores == 1 {
		return fmt.Sprintf("rank %d", host)
	}
	return fmt.Sprintf("rank %d, core %d", host, int(rank)%x.cores)
}

// named returns how the ranks spend their time, each with its host and, where hosts have
// several, its core.
func (x *goalReplay) named() []sections.Rank {
	ranks := slices.Clone(x.ranks)
	for i := range ranks {
		ranks[i].Rank, ranks[i].Node = i/x.cores, strings.Replace(x.rankName(int32(i)), "rank", "host", 1)
	}
	return ranks
}

// timesOfRanks is how ranks spend their time, in seconds. It is a [sim.Observer].
type timesOfRanks []sections.Rank

func (t timesOfRanks) Span(s sim.Span) {
	x, length := &t[s.Rank], float64(s.To-s.From)
	switch s.Part {
	case sim.PartCompute:
		x.Compute += length
	case sim.PartSendOverhead, sim.PartRecvOverhead:
		x.Overhead += length
	default:
		x.Wait += length
	}
	x.Finish = float64(s.To)
}

// Sent implements [sim.Observer]; it does nothing.
func (t timesOfRanks) Sent(sim.Sent) {}

// Received implements [sim.Observer]; it does nothing.
func (t timesOfRanks) Received(sim.Received) {}

// Report returns the answer as a report. GOALOptions.Picture must have been set.
func (r *GOALResult) Report() *report.Document {
	x := &r.replay
	hosts, makespan := len(r.HostFinish), inSeconds(r.Makespan)
	ranks := x.named()
	doc := &report.Document{
		Title:    "Replay of " + filepath.Base(x.schedule),
		Subtitle: fmt.Sprintf("%s, LogGOPS with %s", input.Plural(hosts, "host"), r.Parameters),
		Lead:     leadOf(makespan, ranks),
		Facts: []report.Fact{
			{Label: "Makespan", Value: makespan.String(), Note: fmt.Sprintf("%d ns", r.Makespan)},
			{Label: "Hosts", Value: fmt.Sprint(hosts)},
			{Label: "Messages", Value: fmt.Sprint(r.Messages)},
		},
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	if x.cores > 1 {
		doc.Facts[1].Note = input.Plural(x.cores, "core") + " each"
	}
	limits := r.Causes()
	if cause := watch.Sentence(limits); cause != "" {
		doc.Lead = slices.Insert(doc.Lead, 1, cause)
	}
	if r.Picture() != nil {
		doc.Sections = append(doc.Sections, r.Picture().Section(limits))
	}
	doc.Sections = append(doc.Sections, sections.RankSection(ranks, float64(makespan)))
	if p := r.Picture(); p != nil {
		doc.Sections = append(doc.Sections, p.Traffic.Section())
	}
	doc.Sections = append(doc.Sections,
		report.Section{Heading: "Parameters", Text: []string{"The schedule, and the parameters of LogGOPS: L, o and g in ns, G and O in ns per byte, S in bytes."},
			Blocks: []report.Block{page.ParameterTable(x.parameters(r.Parameters), nil)}},
		page.WarningSection(r.Warnings))
	return doc
}

func (x *goalReplay) parameters(loggops string) []input.Parameter {
	list := []input.Parameter{{Name: "schedule", Value: x.schedule, Note: "--goal"}}
	for _, p := range strings.Split(loggops, ",") {
		name, value, _ := strings.Cut(p, "=")
		list = append(list, input.Parameter{Name: name, Value: value, Note: "--loggops, or LogGOPSim's default"})
	}
	return list
}
