package replay

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Report returns the answer as a report. It has a section on links if the options ask
// for links.
func (r *TIResult) Report() *report.Document {
	trace, machine, ranks := filepath.Base(r.on.name()), filepath.Base(r.on.Platform), r.ranks()
	doc := &report.Document{
		Title: fmt.Sprintf("Replay of %s on %s", trace, machine),
		Subtitle: fmt.Sprintf("%d ranks on %d of %d hosts, network model %s", len(ranks), r.hostsUsed(),
			len(r.on.platform.Hosts), r.model()),
		Lead: leadOf(units.Seconds(r.Makespan), ranks),
		Facts: []report.Fact{
			{Label: "Makespan", Value: input.Rounded(r.Makespan).String()},
			{Label: "Messages", Value: fmt.Sprint(r.Messages), Note: units.Bytes(r.Bytes).String()},
		},
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	doc.Facts = append(doc.Facts, r.Efficiencies.Facts()...)
	efficiencies.Show(doc, r.WhatIf, r.Efficiencies, nil, r.Makespan)
	r.Show(doc, ranks, watch.CauseTable(r.sim))
	if r.on.Links || r.on.Picture {
		r.ShowLinks(doc, nil)
	}
	doc.Sections = append(doc.Sections,
		page.ParameterSection(r.parameters(), nil,
			"The inputs, and SimGrid's settings as far as given. All others are the defaults of smpirun."),
		page.WarningSection(r.Warnings))
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Ignored or assumed",
			Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	efficiencies.Lead(doc, r.WhatIf, r.Efficiencies)
	return doc
}

// leadOf gives the makespan and its parts.
func leadOf(makespan units.Seconds, ranks []watch.Rank) []string {
	lead := []string{fmt.Sprintf("The replay takes %v.", input.Rounded(float64(makespan)))}
	if len(ranks) == 0 || makespan == 0 {
		return lead
	}
	compute := each.Sum(ranks, func(x watch.Rank) float64 { return x.Compute })
	overhead := each.Sum(ranks, func(x watch.Rank) float64 { return x.Overhead })
	byFinish := func(a, b watch.Rank) int { return cmp.Compare(a.Finish, b.Finish) }
	first, last := slices.MinFunc(ranks, byFinish), slices.MaxFunc(ranks, byFinish)
	all := float64(makespan) * float64(len(ranks))
	lead[0] += fmt.Sprintf(" Of the time of all ranks, %s is computation, %s overhead and %s waiting.",
		watch.Percent(compute/all), watch.Percent(overhead/all), watch.Percent(max(0, 1-(compute+overhead)/all)))
	if first.Finish < last.Finish {
		named := func(x watch.Rank) string {
			text := fmt.Sprintf("ank %d on %s", x.Rank, x.Node)
			same := each.Where(nil, ranks, func(y watch.Rank) bool { return y.Finish == x.Finish })
			if others := len(same) - 1; others > 0 {
				text += fmt.Sprintf(", with %s,", input.Plural(others, "other"))
			}
			return text
		}
		lead = append(lead, fmt.Sprintf("R%s finishes first, after %v; r%s last.", named(first),
			units.Seconds(first.Finish), named(last)))
	}
	return lead
}

// ranks returns how each rank spent its time.
func (r *TIResult) ranks() []watch.Rank {
	return watch.RanksOf(r.sim, func(rank int) string { return r.on.platform.Hosts[r.on.place[rank]].Name })
}

func (r *TIResult) hostsUsed() int {
	return len(slices.Compact(slices.Sorted(slices.Values(r.on.place))))
}

// model returns the network model in SimGrid's terms: the last one that was set.
func (r *TIResult) model() string {
	model := "SMPI"
	for _, s := range r.on.Settings {
		if v, ok := strings.CutPrefix(s, "network/model:"); ok {
			model = v
		}
	}
	return model
}

func (r *TIResult) parameters() []input.Parameter {
	placement, from := "one rank per core, in the order of the hosts", "default"
	if r.on.Hostfile != "" {
		placement, from = r.on.Hostfile, "--hostfile"
	}
	if order := r.on.Order; order != rankorder.Names[0] {
		placement, from = placement+"; ranks "+order, from+", --rank-order"
	}
	list := []input.Parameter{
		{Name: "trace", Value: r.on.name(), Note: r.on.flag()},
		{Name: "platform", Value: fmt.Sprintf("%s: %d hosts, %d links", r.on.Platform, len(r.on.platform.Hosts),
			len(r.on.platform.Links)), Note: "--platform"},
		{Name: "placement", Value: placement, Note: from},
	}
	if idle := r.IdleCores(); idle != "" {
		list = append(list, input.Parameter{Name: "cores of the hosts that have ranks", Value: idle})
	}
	if r.on.Recorded != "" {
		list = append(list, input.Parameter{Name: "speed of the cores recorded", Value: r.on.speed.String(),
			Note: cmp.Or(r.on.Speed, "default: that of the first host")})
	}
	named := false
	for _, s := range r.on.Settings {
		key, value, _ := strings.Cut(s, ":")
		named = named || key == "network/model"
		list = append(list, input.Parameter{Name: key, Value: value, Note: "--cfg"})
	}
	if !named {
		list = append(list, input.Parameter{Name: "network/model", Value: "SMPI", Note: "default"})
	}
	return list
}
