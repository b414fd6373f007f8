package sweep

import "github.com/isoscale/isoscale/experiments/report"

// scalingSection shows the laws fitted to the best values over the sizes.
func (r *Result) scalingSection() *report.Section {
	switch {
	case r.lawless != "":
		return &report.Section{Heading: "Scalability", Text: []string{r.lawless}}
	case r.scaling == nil:
		return nil
	}
	labelled := *r.scaling
	labelled.Outcome, labelled.Size = r.label(labelled.Outcome), r.label(labelled.Size)
	return &report.Section{Heading: "Scalability", Text: r.scalingInWords(), Blocks: labelled.Blocks()}
}
