package chart

import (
	"encoding/csv"
	"io"

	"github.com/isoscale/isoscale/experiments/report"
)

// A table is the data of a chart, a row for each point. Numbers are written such that
// reading them gives the same float64.
type table struct {
	columns []string
	numeric []bool
	rows    [][]string
}

func (t *table) column(name string, numeric bool) {
	t.columns, t.numeric = append(t.columns, name), append(t.numeric, numeric)
}

// unitName is the head of a column: the quantity with its unit.
func unitName(a report.Axis) string {
	if a.Unit == "" || a.Unit == report.Dimensionless {
		return Clean(a.Title)
	}
	return Clean(a.Title + " [" + a.Unit + "]")
}

// tableOf returns the data of a chart.
func tableOf(c data) *table {
	t := &table{}
	c.table(t)
	return t
}

// WriteCSV writes the data of a chart, a row for each point.
func WriteCSV(w io.Writer, b report.Block) error {
	t := tableOf(dataOf(b))
	c := csv.NewWriter(w)
	if err := c.Write(t.columns); err != nil {
		return err
	}
	if err := c.WriteAll(t.rows); err != nil {
		return err
	}
	return c.Error()
}
