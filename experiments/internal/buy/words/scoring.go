package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/report"
)

// points prints points: "88.1".
func points(x float64) string { return fmt.Sprintf("%.1f", x) }

// pointsInWords says how many points the recommended machine has, and what the runner-up lacks.
func (r Answer) pointsInWords() string {
	first, order := r.Points[0], ""
	if r.Plan.Scoring.InOrder {
		order = r.orderInWords() + " "
	}
	text := order + fmt.Sprintf("It gets %s of at most %s points by the criteria of the plan", points(first.Points), model.Number(r.Plan.Scoring.Most()))
	if len(r.Points) == 1 {
		return text + "; no other design is within the budget and can run every workload."
	}
	next := r.Points[1]
	text += fmt.Sprintf(", the best machine of another design, %s, %s.", next.Name, points(next.Points))
	if even := r.evenInWords(next); even != "" {
		return text + " It would have as many with " + even + "."
	}
	return text + " No single criterion can make up for that."
}

// orderInWords names criteria that decide in their order: "performance within 5 % of the best, then price".
func (r Answer) orderInWords() string {
	var all []string
	for k, c := range r.Plan.Scoring.Criteria {
		name := strings.ReplaceAll(c.Of, "_", " ")
		if k < len(r.Plan.Scoring.Criteria)-1 {
			name += fmt.Sprintf(" within %g %% of %s", 100*c.Within, c.To)
		}
		all = append(all, name)
	}
	return "The criteria decide in their order: " + strings.Join(all, ", then ") + "."
}

// rivalsInWords names the other machines with the most points, and what each lacks.
func (r Answer) rivalsInWords() (text []string) {
	for _, x := range r.Points[1:min(len(r.Points), 1+decisionNames)] {
		line := fmt.Sprintf("%s gets %s points", x.Name, points(x.Points))
		if even := r.evenInWords(x); even != "" {
			line += ", as many as the first with " + even
		}
		text = append(text, line+".")
	}
	return text
}

// evenInWords says what value of single criteria would give a machine as many points as the first: "a price of 41 000
// EUR (-7.2 %) or a performance of ...".
func (r Answer) evenInWords(x model.PointsResult) string {
	var all []string
	for k, value := range x.BreakEven {
		if value == nil {
			continue
		}
		c := r.Plan.Scoring.Criteria[k]
		name, unit, _ := strings.Cut(strings.TrimSuffix(r.Plan.Heading(c), ")"), " (")
		change := ""
		if x.Value[k] > 0 {
			change = " (" + model.Signed(100*(*value/x.Value[k]-1), 1) + " %)"
		}
		all = append(all, fmt.Sprintf("%s %s %s%s", name, model.Number(*value), unit, change))
	}
	return strings.Join(all, ", or ")
}

// pointsBlocks show the points of the best machine of each design by criterion, if there is a scoring.
func (r Answer) pointsBlocks() []report.Block {
	if r.Plan.Scoring == nil {
		return nil
	}
	t := r.table("points")
	for _, c := range r.Plan.Scoring.Criteria {
		t.Columns = append(t.Columns, report.Column{Title: strings.ReplaceAll(c.Of, "_", " "), Numeric: true})
		if r.Plan.Scoring.InOrder {
			continue
		}
		t.Caption += fmt.Sprintf(" %s: %s points relative to %s, at most %s.", strings.ReplaceAll(c.Of, "_", " "), model.Number(c.Points),
			c.To, model.Number(c.Most))
	}
	if r.Plan.Scoring.InOrder {
		t.Caption += " " + r.orderInWords() + " Each criterion that is met gives a point; the first that is not, or else the last, gives the part of a point that a machine reaches; those after it give none."
	}
	t.Columns = append(t.Columns, report.Column{Title: "as many as the first with"})
	for _, x := range r.Points {
		row := []string{x.Name, points(x.Points)}
		for k, p := range x.Criteria {
			row = append(row, fmt.Sprintf("%s (%s)", points(p), model.Number(x.Value[k])))
		}
		add(t, append(row, r.evenInWords(x))...)
	}
	return []report.Block{t}
}
