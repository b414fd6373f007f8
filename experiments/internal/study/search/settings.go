package search

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Settings say how a search proceeds. Together with the objective they are part of what determines the rows.
type Settings struct {
	Points    int       `json:"points"` // configurations to simulate
	Start     int       `json:"start"`  // how many of them are the start
	Batch     int       `json:"batch"`  // how many are chosen together
	Criterion Criterion `json:"criterion"`
	Noise     bool      `json:"noise"`
	Response  string    `json:"response"` // of the objective
	Maximize  bool      `json:"maximize"`

	points, start *yamldoc.Node // of a plan
}

// Limits of a search, because each choice takes time proportional to the squared number of points for every
// configuration.
const (
	mostSearched = 500
	mostKnown    = 20_000
)

var keys = schema.Declare("a search, as in {points: 15, start: 8}", func(k *schema.Keys, s *Settings) {
	count := func(least int) schema.Integer {
		return schema.Integer{Min: least, Max: mostSearched, Want: fmt.Sprintf("an integer from %d to %d", least, mostSearched)}
	}
	points := schema.Func(count(2), func(n *yamldoc.Node) { s.Points = k.Int(n, 2, mostSearched, "") })
	k.Required("points", points.Wanted("a number of configurations to simulate"), "configurations to simulate, each with all its repetitions")
	s.Start = (s.Points + 1) / 2
	k.Optional("start", count(2).To(&s.Start).Else("half of the points"), "configurations of a Latin hypercube, which are simulated first")
	k.Optional("batch", count(1).To(&s.Batch).Or(1), "configurations that are chosen together after the start, and can be simulated at the same time")
	k.Optional("criterion", schema.Choice(&s.Criterion, "criterion", []string{string(Improvement), string(Uncertainty)}).Or(Improvement),
		"what the next configurations have most of: expected improvement of the objective, or uncertainty of its prediction")
	k.Optional("noise", schema.Boolean.To(&s.Noise).Or(false),
		"true: equal configurations would differ, as with other seeds, so that predictions do not go through the results")
	s.points, s.start = k.Node("points"), k.Node("start")
})

// Object is the key search of a plan.
var Object = keys.Object

// Read reads the value of the key search; nil for none. The objective is not
// known yet.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Settings {
	if n == nil || points == nil {
		return nil
	}
	s := new(Settings)
	if keys.Read(d, n, s); s.points == nil {
		return nil
	}
	switch all := points.Configurations(); {
	case s.Points > all:
		d.Fail(s.points, fmt.Sprintf("a search of %d points, but the design has %s", s.Points, input.Plural(all, "configuration")), fmt.Sprintf("at most %d", all))
	case all > mostKnown:
		d.Fail(n, fmt.Sprintf("a search among %d configurations", all), fmt.Sprintf("at most %d, as with design: {latin_hypercube: %d}", mostKnown, mostKnown))
	case s.Start > s.Points:
		d.Fail(s.start, fmt.Sprintf("a start of %d of %s", s.Start, input.Plural(s.Points, "point")), fmt.Sprintf("at most %d", s.Points))
	}
	return s
}

// ReadStored reads what a directory keeps of a search.
func ReadStored(text json.RawMessage, points *design.Design) (*Settings, error) {
	if text == nil {
		return nil, nil
	}
	s := new(Settings)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	if points != nil && (s.Start < 1 || s.Start > s.Points || s.Points > points.Configurations() || s.Batch < 1) {
		return nil, fmt.Errorf("a search of %d points, %d of them at the start, in batches of %d; expected such of a design of %s", s.Points, s.Start, s.Batch, input.Plural(points.Configurations(), "configuration"))
	}
	return s, nil
}

// Describe says how a search chooses.
func (s *Settings) Describe() string {
	text := fmt.Sprintf("%d of a Latin hypercube, then by %s", s.Start, strings.ReplaceAll(string(s.Criterion), "_", " "))
	if s.Batch > 1 {
		text += fmt.Sprintf(", %d at a time", s.Batch)
	}
	return text
}
