package findings

import "github.com/isoscale/isoscale/experiments/report"

// scalingSection shows the laws fitted to the best values over the sizes.
func (r *sections) scalingSection() *report.Section {
	switch {
	case r.Lawless != "":
		return &report.Section{Heading: "Scalability", Text: []string{r.Lawless}}
	case r.Laws == nil:
		return nil
	}
	labelled := *r.Laws
	labelled.Outcome, labelled.Size = r.label(labelled.Outcome), r.label(labelled.Size)
	return &report.Section{Heading: "Scalability", Text: r.ScalingInWords(), Blocks: labelled.Blocks()}
}
