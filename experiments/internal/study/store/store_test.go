package store

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// samplePlan has two columns.
func samplePlan(points, shards int) Plan {
	return Plan{
		Version: "v1",
		Points:  points,
		Shards:  shards,
		Seed:    7,
		Columns: []Column{{"size", "MB", "factor"}, {"note", "", "response"}},
		Spec:    json.RawMessage(`{"scenario": "a.yaml", "factors": {"p": {"from": 1, "to": 64}}}`),
	}
}

// nasty are cells that a careless reader or writer of CSV would get wrong.
var nasty = []string{"", " ", "a,b", `"`, `""`, `say "hi", twice`, `\.`, "#", "é\u2028", "\x00\xff", "'", ",", "tab\t", "x "}

// sampleRow is the row of a point in all tests: a function of the point only.
func sampleRow(point int) []string {
	return []string{fmt.Sprint(point * 3), nasty[point%len(nasty)]}
}

func mustCreate(t testing.TB, p Plan) *Dir {
	t.Helper()
	d, err := Create(filepath.Join(t.TempDir(), "study"), p)
	must(t, err)
	return d
}

// rest puts the remaining rows and commits.
func rest(t testing.TB, a *Attempt) {
	t.Helper()
	must(t, finish(a))
}

func finish(a *Attempt) error {
	for {
		point, ok := a.Next()
		if !ok {
			return a.Commit()
		}
		if err := a.Put(sampleRow(point), time.Duration(point)); err != nil {
			return err
		}
	}
}

// compute computes all missing shards.
func compute(t testing.TB, d *Dir) {
	t.Helper()
	missing, err := d.Missing()
	must(t, err)
	for _, shard := range missing {
		a, err := d.Begin(shard)
		must(t, err)
		rest(t, a)
	}
}

func merged(t testing.TB, d *Dir) string {
	t.Helper()
	name, err := d.Merge()
	must(t, err)
	return read(t, name)
}

func read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	must(t, err)
	return string(content)
}

func write(t testing.TB, name, content string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(content), 0o666))
}

// names lists the directory, without the folder of times.
func names(t testing.TB, d *Dir) []string {
	t.Helper()
	entries, err := os.ReadDir(d.path)
	must(t, err)
	var found []string
	for _, e := range entries {
		if e.Name() != timesDir {
			found = append(found, e.Name())
		}
	}
	return found
}

func TestRowsComeBack(t *testing.T) {
	d := mustCreate(t, samplePlan(40, 7))
	compute(t, d)
	point := 0
	for row, err := range d.Rows() {
		must(t, err)
		if row.Point != point || !slices.Equal(row.Cells, sampleRow(point)) {
			t.Errorf("row %d: got %d %q, want %q", point, row.Point, row.Cells, sampleRow(point))
		}
		point++
	}
	if point != 40 {
		t.Errorf("%d rows, want 40", point)
	}
}

// The merge is CSV that others read, and has what was put in.
func TestMergeIsPlainCSV(t *testing.T) {
	d := mustCreate(t, samplePlan(40, 7))
	compute(t, d)
	records, err := csv.NewReader(strings.NewReader(merged(t, d))).ReadAll()
	must(t, err)
	want := [][]string{{"point", "size [MB]", "note"}}
	for point := range 40 {
		want = append(want, append([]string{fmt.Sprint(point)}, sampleRow(point)...))
	}
	if !reflect.DeepEqual(records, want) {
		t.Errorf("got %q, want %q", records, want)
	}
}

// The merge does not depend on the number of shards; 40 are more than points.
func TestMergeIsTheSameForAnyShards(t *testing.T) {
	var first string
	for _, shards := range []int{1, 7, 37, 40} {
		d := mustCreate(t, samplePlan(37, shards))
		compute(t, d)
		got := merged(t, d)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d shards: got %q, want %q", shards, got, first)
		}
	}
	if n := strings.Count(first, "\n"); n != 38 {
		t.Errorf("%d lines, want 38", n)
	}
}

// Files as doc.go describes them. The checksums are those of Python's
// zlib.crc32, of b'0,0,' and b'2,6,"a,b"'.
func TestFilesAsDocumented(t *testing.T) {
	d := mustCreate(t, samplePlan(3, 2))
	compute(t, d)
	got := read(t, filepath.Join(d.path, "shard-00000.csv"))
	want := "# isoscale shard format 1 plan " + d.plan.Hash + " shard 0 of 2\n" +
		"0,0,,0da6c229\n2,6,\"a,b\",78adc581\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := names(t, d); !slices.Equal(got, []string{"plan.json", "shard-00000.csv", "shard-00001.csv"}) {
		t.Errorf("files %q", got)
	}
}

func TestLineBreaksBecomeSpaces(t *testing.T) {
	d := mustCreate(t, samplePlan(1, 1))
	a, err := d.Begin(0)
	must(t, err)
	row := []string{"a\nb\r\nc\rd\n\n", "\r\n"}
	must(t, a.Put(row, 0))
	if row[1] != "\r\n" {
		t.Error("Put has changed the caller's row")
	}
	rest(t, a)
	for row, err := range d.Rows() {
		if err != nil || !slices.Equal(row.Cells, []string{"a b c d  ", " "}) {
			t.Errorf("got %q, %v", row.Cells, err)
		}
	}
}

// Any cells without line breaks come back as they were put in, for any number
// of shards and columns.
func TestAnyRowsComeBack(t *testing.T) {
	dir := t.TempDir()
	study := 0
	rapid.Check(t, func(t *rapid.T) {
		study++
		p := samplePlan(rapid.IntRange(1, 12).Draw(t, "points"), rapid.IntRange(1, 5).Draw(t, "shards"))
		p.Columns = nil
		for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
			p.Columns = append(p.Columns, Column{Name: fmt.Sprint("c", i)})
		}
		cell := rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringMatching(`[^\r\n]*`))
		table := rapid.SliceOfN(rapid.SliceOfN(cell, len(p.Columns), len(p.Columns)), p.Points, p.Points).Draw(t, "table")
		d, err := create(filepath.Join(dir, fmt.Sprint(study)), p, withoutSyncs(realSystem))
		must(t, err)
		for shard := range p.Shards {
			a, err := d.Begin(shard)
			must(t, err)
			for point, ok := a.Next(); ok; point, ok = a.Next() {
				must(t, a.Put(table[point], 0))
			}
			must(t, a.Commit())
		}
		var got [][]string
		for row, err := range d.Rows() {
			must(t, err)
			got = append(got, row.Cells)
		}
		if !reflect.DeepEqual(got, table) {
			t.Fatalf("got %q, want %q", got, table)
		}
	})
}

func TestIncomplete(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 6))
	for _, shard := range []int{0, 2} {
		a, err := d.Begin(shard)
		must(t, err)
		rest(t, a)
	}
	missing, err := d.Missing()
	if err != nil || !slices.Equal(missing, []int{1, 3, 4, 5}) {
		t.Errorf("missing %v, %v", missing, err)
	}
	check := func(err error) {
		t.Helper()
		var incomplete *IncompleteError
		if !errors.As(err, &incomplete) {
			t.Fatalf("got %v, want an IncompleteError", err)
		}
		if !slices.Equal(incomplete.Missing, missing) || !strings.Contains(err.Error(), "4 of 6 shards are missing: 1,3-5;") {
			t.Errorf("got %v", err)
		}
	}
	n := 0
	for _, err := range d.Rows() {
		n++
		check(err)
	}
	if n != 1 {
		t.Errorf("%d pairs, want 1", n)
	}
	_, err = d.Merge()
	check(err)
	if got := names(t, d); !slices.Equal(got, []string{"plan.json", "shard-00000.csv", "shard-00002.csv"}) {
		t.Errorf("files %q", got)
	}
}

func TestRowsCanBeLeft(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 3))
	compute(t, d)
	n := 0
	for range d.Rows() {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("%d rows, want 5", n)
	}
}

// A buffer that is smaller than a line, equal to it and larger.
func TestLineReaderChunks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	want := []string{"", "1", "22", strings.Repeat("3", 100), "", strings.Repeat("x", maxLine)}
	write(t, name, strings.Join(want, "\n")+"\n")
	for _, chunk := range []int{1, 2, 3, 7, 101, 4096, 1 << 20} {
		if chunk < 7 && testing.Short() {
			continue
		}
		r := lineReader{name: name, chunk: chunk}
		for i, w := range want {
			line, err := r.next()
			if err != nil || string(line) != w || r.line != i+1 {
				t.Fatalf("chunk %d: line %d is %d bytes, %v; want %d", chunk, i+1, len(line), err, len(w))
			}
			if i == 4 && chunk < 7 {
				break // the last is long, and opened for each chunk
			}
		}
	}
}

func TestLineReaderEnds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	for _, tt := range []struct {
		content string
		want    string
	}{
		{"", "EOF"},
		{"a", "unexpected EOF"},
		{strings.Repeat("x", maxLine+1) + "\n", errLongLine.Error()},
		{strings.Repeat("x", maxLine+1), errLongLine.Error()},
	} {
		write(t, name, tt.content)
		r := lineReader{name: name, chunk: 64 << 10}
		if _, err := r.next(); err == nil || err.Error() != tt.want {
			t.Errorf("%.5q: got %v, want %s", tt.content, err, tt.want)
		}
	}
	write(t, name, "a\n")
	r := lineReader{name: name, chunk: 64}
	must(t, os.Remove(name))
	if _, err := r.next(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestLog(t *testing.T) {
	d := mustCreate(t, samplePlan(10, 3))
	for range d.Log() {
		t.Error("an entry before the first point")
	}
	before := time.Now()
	compute(t, d)
	seen := make([]int, 10)
	check := func() {
		t.Helper()
		for e, err := range d.Log() {
			must(t, err)
			seen[e.Point]++
			if e.Took != time.Duration(e.Point) || e.PID != os.Getpid() || e.Host != host() {
				t.Errorf("got %+v", e)
			}
			if end := e.Start.Add(e.Took); end.Before(before) || end.After(time.Now()) {
				t.Errorf("end %v, want after %v", end, before)
			}
		}
	}
	check()
	if !slices.Equal(seen, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("entries of the points: %v", seen)
	}
	// Torn lines, other studies and rubbish are left out.
	logs, err := filepath.Glob(filepath.Join(d.path, timesDir, "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	for _, name := range logs {
		bad := strings.ReplaceAll("nonsense\n-1,T,5\n10,T,5\n3;T;4\n1,T,5,T,6\n1,2026,5\n,T,5\n1,T,\n2,T,5", "T", "2026-01-02T03:04:05Z")
		write(t, name, read(t, name)+bad)
	}
	write(t, filepath.Join(d.path, timesDir, "other"), `{"plan":"x"}`+"\n1,1\n")
	write(t, filepath.Join(d.path, timesDir, "rubbish"), "1,1\n2,2\n")
	write(t, filepath.Join(d.path, timesDir, "empty"), "")
	check()
	if !slices.Equal(seen, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}) {
		t.Errorf("entries of the points: %v", seen)
	}
	n := 0
	for range d.Log() {
		n++
		break
	}
	if n != 1 {
		t.Error("Log cannot be left")
	}
}

// Rows and the merge do not need the log.
func TestLogMayBeRemoved(t *testing.T) {
	d := mustCreate(t, samplePlan(10, 3))
	compute(t, d)
	want := merged(t, d)
	must(t, os.RemoveAll(filepath.Join(d.path, timesDir)))
	if got := merged(t, d); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// must ends a test that cannot go on.
func must(t interface {
	Helper()
	Fatal(...any)
}, err error) {
	if t.Helper(); err != nil {
		t.Fatal(err)
	}
}
