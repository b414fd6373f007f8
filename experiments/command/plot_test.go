package command

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
)

// storeCharts writes the charts of times on 1, 2 and 4 processes into a file.
func storeCharts(t *testing.T, file string, times ...string) {
	t.Helper()
	text := "problem,processes,time [s]\n"
	for i, p := range []string{"1", "2", "4"} {
		text += "case," + p + "," + times[i] + "\n"
	}
	if err := os.WriteFile("times.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	charts := succeed(t, "metrics", "times.csv", "--json", "--charts").stdout
	if err := os.WriteFile(file, []byte(charts), 0o644); err != nil {
		t.Fatal(err)
	}
}

// column returns a column of the rows of a figure whose kind is a series.
func column(t *testing.T, file string, at int) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range rows {
		if row[0] == "series" {
			all = append(all, row[at])
		}
	}
	return strings.Join(all, " ")
}

// The second result takes twice as long on 1 and 2 processes, and as long on 4: the ratio
// of times is 2, 2 and 1, and that of speed-ups 1, 1 and 2.
func TestPlotOfTwoResults(t *testing.T) {
	t.Chdir(t.TempDir())
	storeCharts(t, "a.json", "8", "4", "2")
	storeCharts(t, "b.json", "16", "8", "2")
	o := succeed(t, "plot", "a.json", "b.json", "--label", "first", "--label", "second", "--format", "csv,svg,pdf,tex,vega-lite", "--out", "figures", "--report", "both.html")
	if !strings.Contains(o.stdout, "time-over-processes-ratio: Time over processes: ratio") {
		t.Errorf("the list of charts is\n%s", o.stdout)
	}
	for chart, want := range map[string]string{"time-over-processes-ratio": "2 2 1", "speedup-over-processes-ratio": "1 1 2"} {
		if got := column(t, "figures/"+chart+".csv", 3); got != want {
			t.Errorf("%s: %q, want %q", chart, got, want)
		}
	}
	page, err := os.ReadFile("both.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>first and second</h1>", "Time over processes: ratio", "second / first"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	// A page alone leaves no other files; labels are the names of the files by default.
	t.Chdir(t.TempDir())
	storeCharts(t, "a.json", "8", "4", "2")
	storeCharts(t, "b.json", "8", "4", "2")
	succeed(t, "plot", "a.json", "b.json", "--chart", "time-over-processes", "--report", "both.html")
	if page, err = os.ReadFile("both.html"); err != nil || !strings.Contains(string(page), "<h1>a and b</h1>") {
		t.Errorf("%v, or the page is not of a and b", err)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) != 4 {
		t.Errorf("%v, %v; expected the two results, the times and the page", files, err)
	}
}

func TestPlotRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	storeCharts(t, "a.json", "8", "4", "2")
	other := `{"charts": [{"name": "time-over-processes", "kind": "lines", "chart": {"title": "Time over processes", "x": {"title": "processes", "unit": "1"}, "y": {"title": "price", "unit": "EUR"}, "series": [{"name": "case", "x": [1], "y": [2]}]}}]}`
	if err := os.WriteFile("b.json", []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"plot a.json b.json", `chart time-over-processes: the y axis is "time (s)" in a and "price (EUR)" in b; expected the same quantity`},
		{"plot a.json b.json --chart speedup-over-processes", "b.json: --chart speedup-over-processes: there is no such chart; expected one of time-over-processes"},
		{"plot a.json a.json --label x", "--label: 1 label for 2 results; expected one for each"},
		{"plot a.json a.json --title T", "charts are drawn; expected one, named by --chart"},
		{"plot a.json --report p.html", "--report: there is one result; expected two, to compare"},
		{"plot a.json a.json a.json", "plot takes one or two results directories or files, got 3 arguments"},
	} {
		o := isoscale(strings.Fields(c.line)...)
		if o.status != exitInput || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: exit status %d, %q; want %q", c.line, o.status, o.stderr, c.want)
		}
	}
}
