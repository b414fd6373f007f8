package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Kinds of columns.
const (
	KindCandidate  = "candidate" // of a search: the number of the point in the design
	KindFactor     = "factor"
	KindRepetition = "repetition"
	KindSeed       = "seed"
	KindStatus     = "status" // ok or error
	KindResponse   = "response"
	KindError      = "error" // why there are no responses
)

// The status of a point.
const (
	statusOK    = "ok"
	statusError = "error"
)

// candidateColumn is the name of the column of kind KindCandidate.
const candidateColumn = "candidate"

// columns are those of a row.
func (s *Study) columns() []store.Column {
	var all []store.Column
	add := func(name, unit, kind string) {
		all = append(all, store.Column{Name: name, Unit: unit, Kind: kind})
	}
	if s.Search != nil {
		add(candidateColumn, "", KindCandidate)
	}
	for _, f := range s.Design.Factors {
		add(f.Name, f.Unit, KindFactor)
	}
	if s.Design.Repetitions > 1 {
		add("repetition", "", KindRepetition)
	}
	add("seed", "", KindSeed)
	add("status", "", KindStatus)
	for _, o := range s.outcomes {
		add(o.Name, o.Unit, KindResponse)
	}
	add("error", "", KindError)
	return all
}

// PointOf returns the point of the design that a row is of.
func (s *Study) PointOf(row store.Row) (design.Point, error) {
	at := row.Point
	if s.Search != nil {
		var err error
		if at, err = strconv.Atoi(row.Cells[0]); err != nil || at < 0 || at >= s.Design.Points() {
			return design.Point{}, fmt.Errorf("%s: row %d is of candidate %q; expected a number from 0 to %d", s.Dir.Path(), row.Point, row.Cells[0], s.Design.Points()-1)
		}
	}
	return s.Design.Point(at), nil
}

// row appends the cells of a point. Values are nil if there is an error.
func row(cells []string, p design.Point, repetitions int, values []float64, outcomes int, failure error) []string {
	for i := range p.Levels {
		cells = append(cells, p.Level(i).Text)
	}
	if repetitions > 1 {
		cells = append(cells, strconv.Itoa(p.Repetition))
	}
	cells = append(cells, strconv.FormatInt(p.Seed, 10))
	if failure != nil {
		cells = append(cells, statusError)
		for range outcomes {
			cells = append(cells, "")
		}
		return append(cells, oneLine(failure.Error()))
	}
	cells = append(cells, statusOK)
	for _, v := range values {
		cell := ""
		if v == v { // an outcome that the point has
			cell = strconv.FormatFloat(v, 'g', -1, 64)
		}
		cells = append(cells, cell)
	}
	return append(cells, "")
}

// maxError is the longest error in a row, in bytes.
const maxError = 2000

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + "..."
	}
	return text
}

// parse reads a cell with a number.
func parse(cell string) (float64, error) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return 0, fmt.Errorf("%q; expected a number", cell)
	}
	return v, nil
}
