package paper

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed data/*.csv
var data embed.FS

// Printed is a printed number and the unit of its last printed place.
type Printed struct {
	Text  string
	Value float64
	Place float64
}

// ParsePrinted reads a number as printed: "0.30", "1e-3", "110".
func ParsePrinted(text string) (Printed, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Printed{}, fmt.Errorf("paper: %q is no number", text)
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	digits, power := 0, 0
	if _, fraction, ok := strings.Cut(mantissa, "."); ok {
		digits = len(fraction)
	}
	if exponent != "" {
		if power, err = strconv.Atoi(exponent); err != nil {
			return Printed{}, fmt.Errorf("paper: %q is no number", text)
		}
	}
	return Printed{text, v, math.Pow(10, float64(power-digits))}, nil
}

// Sheet is a data file: a header and rows of text.
type Sheet struct {
	ID      string
	Columns []string
	Rows    [][]string
}

// Load returns the data file with the given name, without its extension. It panics
// if there is none: the files are part of the program.
func Load(id string) *Sheet {
	text, err := data.ReadFile("data/" + id + ".csv")
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err))
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.Comment = '#' // the source, in the first line
	records, err := in.ReadAll()
	if err != nil || len(records) == 0 {
		panic(fmt.Sprintf("paper: data/%s.csv: %v", id, err))
	}
	return &Sheet{ID: id, Columns: records[0], Rows: records[1:]}
}

// Column returns the number of the column whose name, without the unit in
// brackets, is as given. It panics if there is none.
func (s *Sheet) Column(name string) int {
	i := slices.IndexFunc(s.Columns, func(c string) bool { return c == name || strings.HasPrefix(c, name+" [") })
	if i < 0 {
		panic(fmt.Sprintf("paper: data/%s.csv has no column %q", s.ID, name))
	}
	return i
}

// Header returns the title of a column with its unit.
func (s *Sheet) Header(name string) string { return s.Columns[s.Column(name)] }

// Text returns a cell as text.
func (s *Sheet) Text(row int, column string) string { return s.Rows[row][s.Column(column)] }

// Printed returns a cell as a printed number. It panics if the cell is not one.
func (s *Sheet) Printed(row int, column string) Printed {
	p, err := ParsePrinted(s.Text(row, column))
	if err != nil {
		panic(fmt.Sprintf("%v: data/%s.csv, row %d, column %s", err, s.ID, row, column))
	}
	return p
}

// Value returns a cell as a number.
func (s *Sheet) Value(row int, column string) float64 { return s.Printed(row, column).Value }

// Constant returns the value of a symbol in a sheet of parameters.
func (s *Sheet) Constant(symbol string) Printed {
	for i := range s.Rows {
		if s.Text(i, "symbol") == symbol {
			return s.Printed(i, "value")
		}
	}
	panic(fmt.Sprintf("paper: data/%s.csv has no symbol %q", s.ID, symbol))
}
