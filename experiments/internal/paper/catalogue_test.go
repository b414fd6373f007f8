package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

func ExampleReproduce() {
	sources, err := Find([]string{"bosque"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := Reproduce(context.Background(), sources, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range r.Papers[0].Tables {
		if t.ID == "bosque_table1" {
			n := t.Tally(Recomputed)
			fmt.Printf("%s: %d of %d recomputed cells are exact\n", t.Title, n.Exact, n.Cells)
		}
	}
	// Output: Table 1: parameters of the cluster: 2 of 2 recomputed cells are exact
}

func TestFind(t *testing.T) {
	all := len(Sources())
	for _, tt := range []struct {
		names []string
		want  int
	}{
		{nil, all},
		{[]string{"all"}, all},
		{[]string{"sun2005", "all"}, all},
		{[]string{"jpdc2008", "sun2005", "jpdc2008"}, 2},
		{[]string{"jpdc2008"}, 1},
	} {
		got, err := Find(tt.names)
		expect.That(t, err == nil && len(got) == tt.want,
			"%v: %d papers (%v), want %d", tt.names, len(got), err, tt.want)
	}
	var unknown *UnknownNameError
	_, err := Find([]string{"all", "sun"})
	expect.That(t, errors.As(err, &unknown) && strings.Contains(err.Error(), `"sun"; expected sun2005, `), "%v", err)
}

// In the JSON form of all papers the fields that others rely on are there, table IDs are those of data files or
// figures, each occurring once, every paper's data files have a table, and a second run gives the same bytes.
func TestJSON(t *testing.T) {
	expect.Long(t, "takes seconds")
	r := expect.Value(Reproduce(t.Context(), papers(), nil))(t)
	text := expect.Value(json.Marshal(r))(t)
	var got struct {
		Papers []struct {
			Name   string
			Tables []struct {
				ID, Title string
				Cells     []map[string]any
			}
		}
	}
	expect.Success(t, json.Unmarshal(text, &got))
	expect.Equal(t, len(got.Papers), len(Sources()), "papers")
	sheets := expect.Value(files.ReadDir("data"))(t)
	seen := map[string]bool{}
	for _, p := range got.Papers {
		for _, x := range p.Tables {
			expect.That(t, !seen[x.ID] && x.Title != "" && x.Cells != nil && strings.HasPrefix(x.ID, p.Name+"_"),
				"table %q, %q of %s with %d cells", x.ID, x.Title, p.Name, len(x.Cells))
			seen[x.ID] = true
			for _, c := range x.Cells {
				for _, field := range []string{"row", "column", "paper", "ours", "relative_deviation", "how", "verdict"} {
					_, ok := c[field]
					expect.That(t, ok, "%s: a cell without %s", x.ID, field)
				}
				paper, ours := c["paper"].(float64), c["ours"].(float64)
				expect.That(t, paper == 0 || math.Abs(ours/paper-1-c["relative_deviation"].(float64)) <= 1e-12, "%s: %v", x.ID, c)
			}
			// A further view of a printed table has that table's ID and another word.
			isFile := slices.ContainsFunc(sheets, func(f fs.DirEntry) bool {
				id := strings.TrimSuffix(f.Name(), ".csv")
				return x.ID == id || strings.HasPrefix(x.ID, id+"_")
			})
			expect.That(t, isFile || strings.Contains(x.ID, "_fig"),
				"%s is neither of a data file nor of a figure", x.ID)
		}
		for _, f := range sheets {
			id := strings.TrimSuffix(f.Name(), ".csv")
			expect.That(t, !strings.HasPrefix(id, p.Name+"_table") || seen[id], "no table %s", id)
		}
	}
	if !expect.IsLong() {
		return
	}
	sunwulfDone.outcome = nil // simulate again
	again := expect.Value(Reproduce(t.Context(), Sources(), nil))(t)
	second, err := json.Marshal(again)
	expect.That(t, err == nil && string(second) == string(text), "a second time differs (%v)", err)
}

func TestReproduceFails(t *testing.T) {
	boom := errors.New("boom")
	fails := Source{Name: "x", Make: func(context.Context) (*Paper, error) { return nil, boom }}
	_, err := Reproduce(t.Context(), []Source{fails}, nil)
	expect.That(t, errors.Is(err, boom) && strings.HasPrefix(err.Error(), "x: "), "%v", err)
	nan := Source{Name: "x", Make: func(context.Context) (*Paper, error) {
		return &Paper{Tables: []Table{{ID: "t", Cells: []Cell{{Ours: math.NaN()}}}}}, nil
	}}
	_, err = Reproduce(t.Context(), []Source{nan}, nil)
	expect.That(t, err != nil, "a NaN was accepted")
	done := 0
	empty := Source{Name: "x", Make: func(context.Context) (*Paper, error) { return &Paper{Tables: []Table{{ID: "t"}}}, nil }}
	r, err := Reproduce(t.Context(), []Source{empty}, func(s input.Step) { done = s.Done })
	expect.That(t, err == nil && done == 1 && r.Papers[0].Tables[0].Cells != nil && r.Papers[0].Misprints != nil,
		"%+v, %v, %d", r, err, done)
}

func TestTallyAndDifferences(t *testing.T) {
	x := Table{Cells: []Cell{
		{Verdict: Exact, How: Recomputed, Paper: 1},
		{Verdict: Exact, How: Recomputed, Deviation: 7, Note: "no difference, and no share of 0"},
		{Verdict: Rounding, How: Recomputed, Paper: 1, Deviation: 0.03},
		{Row: "a", Verdict: Differs, How: Recomputed, Paper: 1, Deviation: -0.04, Note: "p"},
		{Row: "b", Verdict: Differs, How: Simulated, Paper: 1, Deviation: 0.5, Note: "q"},
		{Row: "c", Verdict: Differs, How: Simulated, Note: "p"},
	}}
	n := x.Tally(Recomputed)
	// rms of 0, 0.03 and -0.04 is sqrt(0.0025/3).
	expect.That(t, n.Cells == 4 && n.Exact == 2 && n.Rounding == 1 && n.Differ == 1 && n.Worst == 0.04 &&
		math.Abs(n.RMS-0.05/math.Sqrt(3)) <= 1e-15,
		"%+v", n)
	n = x.Tally("")
	expect.That(t, n.Cells == 6 && n.Differ == 3 && n.Worst == 0.5, "%+v", n)
	d := x.Differences()
	expect.That(t, len(d) == 2 && d[0].Reason == "p" && len(d[0].Cells) == 2 && d[1].Cells[0].Row == "b", "%+v", d)
}
