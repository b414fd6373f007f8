package store

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
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
	return expect.Value(Create(filepath.Join(t.TempDir(), "study"), p))(t)
}

// rest puts the remaining rows and commits.
func rest(t testing.TB, a *Attempt) {
	t.Helper()
	expect.Success(t, finish(a))
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
	missing := expect.Value(d.Missing())(t)
	for _, shard := range missing {
		a := expect.Value(d.Begin(shard, nil))(t)
		rest(t, a)
	}
}

func merged(t testing.TB, d *Dir) string {
	t.Helper()
	name := expect.Value(d.Merge())(t)
	return read(t, name)
}

func read(t testing.TB, name string) string {
	t.Helper()
	content := expect.Value(os.ReadFile(name))(t)
	return string(content)
}

func write(t testing.TB, name, content string) {
	t.Helper()
	expect.Success(t, os.WriteFile(name, []byte(content), 0o666))
}

// names lists the directory, without the folder of times.
func names(t testing.TB, d *Dir) []string {
	t.Helper()
	entries := expect.Value(os.ReadDir(d.path))(t)
	var found []string
	for _, e := range entries {
		if e.Name() != timesDir {
			found = append(found, e.Name())
		}
	}
	return found
}

// The merge is CSV that others read, has what was put in, and does not depend on the number of shards; 40 are more than
// points.
func TestMergeIsPlainCSV(t *testing.T) {
	want := [][]string{{"point", "size [MB]", "note"}}
	for point := range 37 {
		want = append(want, append([]string{fmt.Sprint(point)}, sampleRow(point)...))
	}
	var first string
	for _, shards := range []int{1, 7, 37, 40} {
		d := mustCreate(t, samplePlan(37, shards))
		compute(t, d)
		got := merged(t, d)
		expect.Same(t, expect.Value(csv.NewReader(strings.NewReader(got)).ReadAll())(t), want, "%d shards", shards)
		first = cmp.Or(first, got)
		expect.Equal(t, got, first, "%d shards", shards)
	}
}

// Files as doc.go describes them. The checksums are those of Python's
// zlib.crc32, of b'0,0,' and b'2,6,"a,b"'.
func TestFilesAsDocumented(t *testing.T) {
	d := mustCreate(t, samplePlan(3, 2))
	compute(t, d)
	expect.Equal(t, read(t, filepath.Join(d.path, "shard-00000.csv")), "# isoscale shard format 1 plan "+d.plan.Hash+" shard 0 of 2\n"+
		"0,0,,0da6c229\n2,6,\"a,b\",78adc581\n", "shard 0")
	expect.List(t, names(t, d), []string{"plan.json", "shard-00000.csv", "shard-00001.csv"}, "files")
}

func TestLineBreaksBecomeSpaces(t *testing.T) {
	d := mustCreate(t, samplePlan(1, 1))
	a := expect.Value(d.Begin(0, nil))(t)
	row := []string{"a\nb\r\nc\rd\n\n", "\r\n"}
	expect.Success(t, a.Put(row, 0))
	expect.That(t, row[1] == "\r\n", "Put has changed the caller's row")
	rest(t, a)
	for row, err := range d.Rows() {
		expect.That(t, err == nil && slices.Equal(row.Cells, []string{"a b c d  ", " "}),
			"got %q, %v", row.Cells, err)
	}
}

// Any cells without line breaks come back as they were put in, for any number of shards and columns, in the order of
// the points.
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
		d := expect.Value(create(filepath.Join(dir, fmt.Sprint(study)), p, withoutSyncs(realSystem)))(t)
		for shard := range p.Shards {
			a := expect.Value(d.Begin(shard, nil))(t)
			for point, ok := a.Next(); ok; point, ok = a.Next() {
				expect.Success(t, a.Put(table[point], 0))
			}
			expect.Success(t, a.Commit())
		}
		var got [][]string
		for row, err := range d.Rows() {
			expect.Success(t, err)
			expect.Equal(t, row.Point, len(got), "point")
			got = append(got, row.Cells)
		}
		expect.Same(t, got, table, "rows")
	})
}

func TestIncomplete(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 6))
	for _, shard := range []int{0, 2} {
		a := expect.Value(d.Begin(shard, nil))(t)
		rest(t, a)
	}
	expect.List(t, expect.Value(d.Missing())(t), []int{1, 3, 4, 5}, "missing")
	const want = "4 of 6 shards are missing: 1,3-5;"
	n := 0
	for _, err := range d.Rows() {
		n++
		expect.Failure(t, err, want)
	}
	expect.Equal(t, n, 1, "pairs")
	expect.Refusal(d.Merge())(t, want)
	expect.List(t, names(t, d), []string{"plan.json", "shard-00000.csv", "shard-00002.csv"}, "files")
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
	expect.That(t, n == 5, "%d rows, want 5", n)
}

// A buffer that is smaller than a line, equal to it and larger.
func TestLineReaderChunks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	want := []string{"", "1", "22", strings.Repeat("3", 100), "", strings.Repeat("x", maxLine)}
	write(t, name, strings.Join(want, "\n")+"\n")
	for _, chunk := range []int{1, 2, 3, 7, 101, 4096, 1 << 20} {
		r := lineReader{name: name, chunk: chunk}
		for i, w := range want {
			line, err := r.next()
			expect.Need(t, err == nil && string(line) == w && r.line == i+1,
				"chunk %d: line %d is %d bytes, %v; want %d", chunk, i+1, len(line), err, len(w))
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
		_, err := r.next()
		expect.That(t, err != nil && err.Error() == tt.want, "%.5q: got %v, want %s", tt.content, err, tt.want)
	}
	write(t, name, "a\n")
	r := lineReader{name: name, chunk: 64}
	expect.Success(t, os.Remove(name))
	_, err := r.next()
	expect.That(t, errors.Is(err, fs.ErrNotExist), "got %v", err)
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
			expect.Success(t, err)
			seen[e.Point]++
			expect.That(t, e.Took == time.Duration(e.Point) && e.PID == os.Getpid() && e.Host == host(), "got %+v", e)
			end := e.Start.Add(e.Took)
			expect.That(t, !end.Before(before) && !end.After(time.Now()), "end %v, want after %v", end, before)
		}
	}
	check()
	expect.List(t, seen, slices.Repeat([]int{1}, 10), "entries of the points")
	// Torn lines, other studies and rubbish are left out.
	logs, err := filepath.Glob(filepath.Join(d.path, timesDir, "*.log"))
	expect.Need(t, err == nil && len(logs) == 1, "%v %v", logs, err)
	for _, name := range logs {
		bad := strings.ReplaceAll("nonsense\n-1,T,5\n10,T,5\n3;T;4\n1,T,5,T,6\n1,2026,5\n,T,5\n1,T,\n2,T,5", "T", "2026-01-02T03:04:05Z")
		write(t, name, read(t, name)+bad)
	}
	write(t, filepath.Join(d.path, timesDir, "other"), `{"plan":"x"}`+"\n1,1\n")
	write(t, filepath.Join(d.path, timesDir, "rubbish"), "1,1\n2,2\n")
	write(t, filepath.Join(d.path, timesDir, "empty"), "")
	check()
	expect.List(t, seen, slices.Repeat([]int{2}, 10), "entries of the points")
	n := 0
	for range d.Log() {
		n++
		break
	}
	expect.That(t, n == 1, "Log cannot be left")
}

// Rows and the merge do not need the log.
func TestLogMayBeRemoved(t *testing.T) {
	d := mustCreate(t, samplePlan(10, 3))
	compute(t, d)
	want := merged(t, d)
	expect.Success(t, os.RemoveAll(filepath.Join(d.path, timesDir)))
	expect.Equal(t, merged(t, d), want, "merged(t, d)")
}

// A shard of 6 points that may end after 4 is complete with 4 or 5 rows, not with 3; one
// that has no row of its fourth point is damaged.
func TestShardThatMayEnd(t *testing.T) {
	p := samplePlan(6, 1)
	p.Least = 4
	for rows := range 7 {
		d := mustCreate(t, p)
		a := expect.Value(d.Begin(0, nil))(t)
		for point := range rows {
			expect.Success(t, a.Put(sampleRow(point), 0))
		}
		if rows < 4 {
			expect.Failure(t, a.Commit(), fmt.Sprintf("commit before the row of point %d", rows))
			continue
		}
		expect.Success(t, a.Commit())
		expect.Equal(t, strings.Count(merged(t, d), "\n"), rows+1, "lines of the merged file")
		lines := strings.SplitAfter(read(t, d.shardName(0)), "\n")
		write(t, d.shardName(0), strings.Join(lines[:4], "")) // the header and three rows
		expect.Refusal(d.Merge())(t, d.shardName(0)+":")
	}
	for _, bad := range []Plan{{Least: 7}, {Least: -1}, {Least: 4, Shards: 2}} {
		q := p
		q.Least, q.Shards = bad.Least, max(bad.Shards, 1)
		expect.Refusal(Create(filepath.Join(t.TempDir(), "study"), q))(t, fmt.Sprintf("least: %d; expected 0, or up to 6 in one shard", q.Least))
	}
}

// benchPlan has as many columns as a study with many metrics.
func benchPlan(points int) (Plan, []string) {
	p := samplePlan(points, Shards(points))
	p.Columns = nil
	var row []string
	for i := range 20 {
		p.Columns = append(p.Columns, Column{Name: fmt.Sprint("column", i)})
		row = append(row, fmt.Sprint(float64(i)/7))
	}
	return p, row
}

// A whole study without the computing: plan, all shards, merge.
func BenchmarkStudy(b *testing.B) {
	for _, points := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			p, row := benchPlan(points)
			dir := b.TempDir()
			b.ReportAllocs()
			study := 0
			for b.Loop() {
				study++
				d := expect.Value(Create(filepath.Join(dir, fmt.Sprint(study)), p))(b)
				for shard := range p.Shards {
					a := expect.Value(d.Begin(shard, nil))(b)
					for _, ok := a.Next(); ok; _, ok = a.Next() {
						expect.Success(b, a.Put(row, 0))
					}
					expect.Success(b, a.Commit())
				}
				expect.Value(d.Merge())(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(points), "ns/point")
		})
	}
}

func BenchmarkPut(b *testing.B) {
	p, row := benchPlan(1 << 40)
	p.Shards = 1
	d := mustCreate(b, p)
	a := expect.Value(d.Begin(0, nil))(b)
	b.ReportAllocs()
	for b.Loop() {
		expect.Success(b, a.Put(row, 0))
	}
	expect.Success(b, a.Close())
}

func BenchmarkRows(b *testing.B) {
	const points = 100_000
	p, row := benchPlan(points)
	d := mustCreate(b, p)
	for shard := range p.Shards {
		a := expect.Value(d.Begin(shard, nil))(b)
		for _, ok := a.Next(); ok; _, ok = a.Next() {
			expect.Success(b, a.Put(row, 0))
		}
		expect.Success(b, a.Commit())
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range d.Rows() {
			expect.Success(b, err)
			n++
		}
		expect.Need(b, n == points, "%d rows", n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/points, "ns/point")
}
