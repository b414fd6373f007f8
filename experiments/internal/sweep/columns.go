package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/design"
	"github.com/isoscale/isoscale/experiments/internal/store"
	"github.com/isoscale/isoscale/experiments/internal/system"
)

// Kinds of columns.
const (
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

// columns are those of a row.
func columns(d *design.Design, outcomes []system.Outcome) []store.Column {
	var all []store.Column
	for _, f := range d.Factors {
		all = append(all, store.Column{Name: f.Name, Unit: f.Unit, Kind: KindFactor})
	}
	add := func(name, unit, kind string) {
		all = append(all, store.Column{Name: name, Unit: unit, Kind: kind})
	}
	if d.Repetitions > 1 {
		add("repetition", "", KindRepetition)
	}
	add("seed", "", KindSeed)
	add("status", "", KindStatus)
	for _, o := range outcomes {
		add(o.Name, o.Unit, KindResponse)
	}
	add("error", "", KindError)
	return all
}

// row is the cells of a point. Values are nil if there is an error.
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
