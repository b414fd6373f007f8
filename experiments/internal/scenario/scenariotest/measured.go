package scenariotest

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Record is a row of a file of measured steps, by column.
type Record map[string]string

// Number returns a number, NaN if the row has none.
func (r Record) Number(column string) float64 {
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Count returns a whole number, 1 if the row has none.
func (r Record) Count(column string) int {
	n, err := strconv.Atoi(r[column])
	if err != nil {
		return 1
	}
	return n
}

// Measured reads a file of the folder named by ISOSCALE_TRAINING; a relative name starts at the root.
func Measured(t testing.TB, name string) []Record {
	t.Helper()
	folder := os.Getenv("ISOSCALE_TRAINING")
	if folder == "" {
		t.Skip("ISOSCALE_TRAINING is not set")
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join("..", "..", "..", "..", folder)
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment, r.FieldsPerRecord, r.LazyQuotes = '#', -1, true
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []Record
	for _, line := range lines[1:] {
		x := Record{}
		for i, v := range line {
			x[lines[0][i]] = v
		}
		all = append(all, x)
	}
	return all
}
