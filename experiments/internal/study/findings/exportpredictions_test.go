package findings

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// The table of predictions has all configurations; those with a place were simulated,
// and are predicted as they are.
func TestExportPredictions(t *testing.T) {
	s := done(t, sweeptest.Bowl+"search: {points: 15}\n")
	var b bytes.Buffer
	if err := ExportPredictions(s, &b, "csv"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"point", "r1", "r2", "simulated", "predicted_bowl", "standard_error"}; !slices.Equal(rows[0], want) {
		t.Errorf("columns %q, want %q", rows[0], want)
	}
	var places []int
	for i, row := range rows[1:] {
		var cells [6]float64
		for k, text := range row {
			if text != "" {
				if cells[k], err = strconv.ParseFloat(text, 64); err != nil {
					t.Fatal(err)
				}
			}
		}
		value := (cells[1]-6)*(cells[1]-6) + 2*(cells[2]-3)*(cells[2]-3)
		if cells[0] != float64(i) {
			t.Errorf("row %d is of point %v", i, cells[0])
		}
		if row[3] != "" {
			places = append(places, int(cells[3]))
			if cells[4] != value || cells[5] != 0 {
				t.Errorf("point %d was simulated with %v, predicted %v and standard error %v", i, value, cells[4], cells[5])
			}
		}
	}
	slices.Sort(places)
	if len(rows) != 101 || len(places) != 15 || places[0] != 1 || places[14] != 15 {
		t.Errorf("%d rows, places %v; expected 100 and 1 to 15", len(rows)-1, places)
	}
	all := created(t, sweeptest.Bowl, 0)
	if err := ExportPredictions(all, &b, "csv"); err == nil || !strings.Contains(err.Error(), "no search") {
		t.Errorf("without a search: %v", err)
	}
}
