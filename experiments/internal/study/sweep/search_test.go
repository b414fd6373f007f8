package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// The rows of a search do not depend on how many points are simulated at a time, nor on
// where it was interrupted.
func TestSearchSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a search again and again")
	}
	for _, plan := range []string{
		sweeptest.Bowl + "search: {points: 14}\n",
		sweeptest.Bowl + "search: {points: 13, start: 5, batch: 3, noise: true}\nrepetitions: 2\n",
		strings.Replace(sweeptest.Bowl, "nodes}", "nodes}\ndesign: {latin_hypercube: 40}", 1) + "search: {points: 12, batch: 4, criterion: uncertainty}\n",
	} {
		reference := create(t, plan, 0)
		run(t, reference, 1)
		want := export(t, reference)
		task := create(t, plan, 0) // as on a cluster
		if err := task.Shard(t.Context(), 0, 3, nil); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(export(t, task), want) {
			t.Errorf("%s\nas a task the export differs", plan)
		}
		parallel := create(t, plan, 0)
		run(t, parallel, 8)
		if !bytes.Equal(export(t, parallel), want) {
			t.Errorf("%s\nwith 8 jobs the export differs", plan)
		}
		broken := create(t, plan, 1)
		for rows := 0; ; rows++ {
			ctx, cancel := context.WithCancel(t.Context())
			err := broken.Run(ctx, 2, func(done, _ int) {
				if done > rows {
					cancel()
				}
			})
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(export(t, broken), want) {
			t.Errorf("%s\ninterrupted after every row, the export differs", plan)
		}
	}
}

// Each row of a search is that of the full study, under the number of the candidate, and
// no configuration is simulated twice.
func TestSearchIsASubset(t *testing.T) {
	all := create(t, sweeptest.Bowl, 0)
	run(t, all, 2)
	some := create(t, sweeptest.Bowl+"search: {points: 20, start: 6, batch: 2}\n", 0)
	run(t, some, 2)
	read := func(s *Study) [][]string {
		rows, err := csv.NewReader(bytes.NewReader(export(t, s))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows[1:]
	}
	full := map[string][]string{}
	for _, row := range read(all) {
		full[row[0]] = row[1:]
	}
	rows := read(some)
	if len(rows) != 20 {
		t.Errorf("%d rows, want 20", len(rows))
	}
	for _, row := range rows {
		candidate := row[1]
		if !slices.Equal(row[2:], full[candidate]) {
			t.Errorf("candidate %s has %q, in the full study %q", candidate, row[2:], full[candidate])
		}
		delete(full, candidate)
	}
	if len(full) != 80 {
		t.Errorf("%d configurations are left, want 80", len(full))
	}
}

// Another search, or another objective, is another study; a search has one shard.
func TestSearchIsPartOfTheStudy(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, tt := range []struct {
		text, want string
		shards     int
	}{
		{sweeptest.Bowl + "search: {points: 12}\n", "expected 1", 7},
		{sweeptest.Bowl + "search: {points: 12}\n", "", 0},
		{sweeptest.Bowl + "search: {points: 12}\n", "", 1},
		{sweeptest.Bowl + "search: {points: 13}\n", "search.points is 12 there, but 13", 0},
		{strings.Replace(sweeptest.Bowl, "minimize: bowl", "maximize: bowl", 1) + "search: {points: 12}\n", "search.maximize is false", 0},
		{sweeptest.Bowl, "columns: [0] is", 0},
	} {
		p, err := Read(sweeptest.File(t, tt.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Create(out, tt.shards)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v\nwant %q", err, tt.want)
		}
	}
}
