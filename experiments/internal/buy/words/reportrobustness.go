package words

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

func (r Answer) certaintySection() report.Section {
	x := r.Robustness
	percent := fmt.Sprintf("%g %%", 100*x.Change)
	section := report.Section{Heading: "Robustness of the recommendation", Text: r.Certainty(), Blocks: r.rangeBlocks()}
	if r.Lead == nil || len(x.Parameters) == 0 {
		section.Text = append(section.Text, "There is no other design to compare it with.")
		return section
	}
	tornado := &report.Tornado{
		Title:     "Lead of the recommended design",
		Caption:   fmt.Sprintf("Lead: how much longer the best other design takes. Each bar shows the lead with one figure %s lower and higher; where it crosses 0, another design is first. Figures that make one of the two designs unaffordable are listed in the table only.", percent),
		Value:     report.Axis{Title: "lead", Unit: "%"},
		Base:      tenth(100 * *r.Lead),
		BaseLabel: "as planned", Low: "-" + percent, High: "+" + percent,
	}
	t := &report.Table{
		Title: "Lead with one figure changed",
		Columns: []report.Column{
			{Title: "figure"}, {Title: "value"}, {Title: "lead if lower", Numeric: true}, {Title: "lead if higher", Numeric: true}, {Title: "first if lower"}, {Title: "first if higher"}, {Title: "estimate"},
		},
	}
	without, design := 0, r.Recommendation().Design
	for _, s := range x.Parameters {
		if !s.Matters() {
			without++
			continue
		}
		if len(tornado.Swings) < reportSwings && s.Low != nil && s.High != nil {
			tornado.Swings = append(tornado.Swings, report.Swing{Parameter: s.Parameter, Low: tenth(100 * *s.Low), High: tenth(100 * *s.High)})
		}
		estimate := ""
		if s.Estimate {
			estimate = "yes"
		}
		t.Rows = append(t.Rows, []string{s.Parameter, s.Value, LowText(&s, design), HighText(&s, design), s.FirstLow, s.FirstHigh, estimate})
	}
	if without > 0 {
		t.Caption = fmt.Sprintf("%d other figures change the lead by less than 0.05 percentage points.", without)
	}
	if len(tornado.Swings) > 0 {
		section.Blocks = append(section.Blocks, tornado)
	}
	if len(t.Rows) > 0 {
		section.Blocks = append(section.Blocks, t)
	}
	if len(x.JointFirst) > 1 {
		first := &report.Table{Title: "Designs in first place", Columns: []report.Column{{Title: "design"}, {Title: "cases", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}}}
		for _, f := range x.JointFirst {
			first.Rows = append(first.Rows, []string{f.Design, fmt.Sprint(f.Trials), fmt.Sprintf("%.1f", 100*float64(f.Trials)/float64(x.Joint.Trials))})
		}
		section.Blocks = append(section.Blocks, first)
	}
	return section
}

// tenth rounds to one place after the point.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }
