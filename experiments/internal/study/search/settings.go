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

// Settings say how a search goes. They are part of what decides the rows, and so is the
// objective.
type Settings struct {
	Points    int       `json:"points"` // configurations that are simulated
	Start     int       `json:"start"`  // of them, those of the start
	Batch     int       `json:"batch"`  // that are chosen together
	Criterion Criterion `json:"criterion"`
	Noise     bool      `json:"noise"`
	Response  string    `json:"response"` // of the objective
	Maximize  bool      `json:"maximize"`
}

// Limits of a search: choosing takes time with the square of the points for each
// configuration.
const (
	mostSearched = 500
	mostKnown    = 20_000
)

const want = "a search, as in {points: 15, start: 8}"

var criteria = schema.OneOf{string(Improvement), string(Uncertainty)}

// Object is the key search of a plan.
var Object = &schema.Object{What: want, Fields: []schema.Field{
	{Key: "points", Type: schema.Integer{Min: 2, Max: mostSearched}, Required: true, Meaning: "configurations to simulate, each with all its repetitions"},
	{Key: "start", Type: schema.Integer{Min: 2, Max: mostSearched}, Default: "half of the points", Meaning: "configurations of a Latin hypercube, which are simulated first"},
	{Key: "batch", Type: schema.Integer{Min: 1, Max: mostSearched}, Default: "1", Meaning: "configurations that are chosen together after the start, and can be simulated at the same time"},
	{Key: "criterion", Type: criteria, Default: string(Improvement), Meaning: "what the next configurations have most of: expected improvement of the objective, or uncertainty of its prediction"},
	{Key: "noise", Type: schema.Boolean, Default: "false", Meaning: "true: equal configurations would differ, as with other seeds, so that predictions do not go through the results"},
}}

// Read reads the value of the key search; nil for none. The objective is not
// known yet.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Settings {
	if n == nil || points == nil {
		return nil
	}
	m := Object.Open(d, n)
	number := func(n *yamldoc.Node, least, otherwise int) int {
		if n == nil {
			return otherwise
		}
		return d.Int(n, least, mostSearched, "")
	}
	total := m.Require("points", "a number of configurations to simulate")
	start, batch, criterion, noise := m.Take("start"), m.Take("batch"), m.Take("criterion"), m.Take("noise")
	m.Done()
	s := &Settings{Criterion: Improvement}
	if total == nil {
		return nil
	}
	s.Points = d.Int(total, 2, mostSearched, "")
	s.Start = number(start, 2, (s.Points+1)/2)
	s.Batch = number(batch, 1, 1)
	if criterion != nil {
		s.Criterion = Criterion(d.OneOf(criterion, criteria, "criterion"))
	}
	if noise != nil {
		s.Noise = d.Bool(noise)
	}
	switch all := points.Configurations(); {
	case s.Points > all:
		d.Fail(total, fmt.Sprintf("a search of %d points, but the design has %s", s.Points, input.Plural(all, "configuration")), fmt.Sprintf("at most %d", all))
	case all > mostKnown:
		d.Fail(n, fmt.Sprintf("a search among %d configurations", all), fmt.Sprintf("at most %d, as with design: {latin_hypercube: %d}", mostKnown, mostKnown))
	case s.Start > s.Points:
		d.Fail(start, fmt.Sprintf("a start of %d of %s", s.Start, input.Plural(s.Points, "point")), fmt.Sprintf("at most %d", s.Points))
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
