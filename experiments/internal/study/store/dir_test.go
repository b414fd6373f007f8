package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// A study is made only in a new or empty directory, and no error message mentions rows that never existed.
func TestCreateInAnOccupiedPlace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // in the directory; "" is a file in place of it
		want  string   // "": it is created
	}{
		{"new", nil, ""},
		{"killed while it was created", []string{"plan.json.host.1.abc.tmp"}, ""},
		{"other files", []string{"thesis.tex", ".git"}, "it has other files, such as thesis.tex"},
		{"rows without a plan", []string{"shard-00001.csv"}, "it has the rows of a study, but not its plan.json"},
		{"parts without a plan", []string{"part-00001.host.1.abc"}, "it has the rows of a study, but not its plan.json"},
		{"a file", []string{""}, "it is a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "study")
			for _, name := range tt.files {
				if name != "" {
					expect.Success(t, os.MkdirAll(dir, 0o777))
				}
				write(t, filepath.Join(dir, name), "x")
			}
			_, err := Create(dir, samplePlan(7, 2))
			if tt.want == "" {
				expect.Success(t, err)
				return
			}
			expect.Failure(t, expect.Kind[*OccupiedError](t, err), tt.want)
			expect.That(t, !strings.Contains(err.Error(), "rows are kept"), "the message speaks of rows: %v", err)
		})
	}
}

// A run that resumes removes the unfinished files of killed runs, and nothing else: neither the file of a living
// process or of another host, nor that of another program.
func TestResumeRemovesUnfinishedFilesOfKilledRuns(t *testing.T) {
	d := mustCreate(t, samplePlan(7, 2))
	killed := exec.Command(os.Args[0], "-test.run=^$") // has ended when Run returns
	expect.Success(t, killed.Run())
	of := func(file, host string, process int) string {
		return fmt.Sprintf("%s.%s.%d.abcdefghij.tmp", file, host, process)
	}
	host, gone, here := hostInName(), killed.Process.Pid, os.Getpid()
	stay := []string{of("results.csv", host, here), of("results.csv", "elsewhere", gone), of("thesis.tex", host, gone), "notes.tmp"}
	old := of("plan.json", "elsewhere", 1)
	for _, name := range append(stay, old, of("results.csv", host, gone), of("plan.json", host, gone), of("about.json", host, gone)) {
		write(t, filepath.Join(d.path, name), "x")
	}
	before := time.Now().Add(-25 * time.Hour)
	expect.Success(t, os.Chtimes(filepath.Join(d.path, old), before, before))
	expect.Value(Create(d.path, samplePlan(7, 2)))(t)
	want := append(stay, "plan.json")
	slices.Sort(want)
	expect.List(t, slices.Sorted(slices.Values(names(t, d))), want, "left")
}

// Something else in place of a file is refused at once: a reader of a pipe would wait for ever.
func TestNoFile(t *testing.T) {
	d := mustCreate(t, samplePlan(7, 2))
	name := planName(d.path)
	for _, tt := range []struct {
		put  func() error
		want string
	}{
		{func() error { return os.Mkdir(name, 0o777) }, "it is a directory, not a file"},
		{func() error { return makePipe(name) }, "it is a named pipe, not a file"},
		{func() error { return os.Symlink(os.DevNull, name) }, "it is a device, not a file"},
	} {
		expect.Success(t, os.Remove(name))
		if err := tt.put(); errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		expect.Refusal(Open(d.path))(t, tt.want)
	}
}

func TestShards(t *testing.T) {
	for _, tt := range []struct{ points, want int }{
		{0, 1}, {1, 1}, {2, 2}, {31, 31}, {32, 32}, {100, 32}, {1000, 32}, // root 31.6
		{1024, 32}, {1025, 33}, {10_000, 100}, {999_999, 1000}, {1_000_000, 1000}, {10_000_000, 1000},
	} {
		expect.Equal(t, Shards(tt.points), tt.want, "%d points: shards", tt.points)
	}
}

func TestPointsOf(t *testing.T) {
	for _, tt := range []struct {
		points, shards int
		want           []int
	}{
		{1, 1, []int{1}},
		{10, 3, []int{4, 3, 3}},
		{9, 3, []int{3, 3, 3}},
		{2, 4, []int{1, 1, 0, 0}},
	} {
		p := Plan{Points: tt.points, Shards: tt.shards}
		for shard, want := range tt.want {
			expect.Equal(t, p.PointsOf(shard), want, "%d points, %d shards: shard %d", tt.points, tt.shards, shard)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		numbers []int
		want    string
	}{
		{nil, ""},
		{[]int{0}, "0"},
		{[]int{7, 25, 38, 39}, "7,25,38-39"},
		{[]int{3, 1, 2, 2, 5}, "1-3,5"},
		{[]int{0, 1, 2, 3}, "0-3"},
	} {
		before := slices.Clone(tt.numbers)
		expect.Equal(t, Ranges(tt.numbers), tt.want, "%v", tt.numbers)
		expect.That(t, slices.Equal(before, tt.numbers), "Ranges has changed %v to %v", before, tt.numbers)
	}
}

func TestParseRanges(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []int
	}{
		{"", nil},
		{"7,25,38-39", []int{7, 25, 38, 39}},
		{"5,1-3,2", []int{1, 2, 3, 5}},
		{"4-4", []int{4}},
		{"99999", []int{99999}},
	} {
		expect.List(t, expect.Value(ParseRanges(tt.text))(t), tt.want, "%q", tt.text)
	}
	for _, text := range []string{
		",", "1,", "a", "-", "-1", "1-", "3-1", "1-2-3", " 1", "1:2", "1-9%2", "+1", "0x1", "1_0", "100000", "0-100000",
		"99999999999999999999", "0-99999,1", strings.Repeat("0-99999,", 1000) + "1",
	} {
		got, err := ParseRanges(text)
		expect.That(t, err != nil && (strings.Contains(err.Error(), "7,25,38-39") || strings.Contains(err.Error(), "at most once")),
			"%.20q: got %d numbers, %v", text, len(got), err)
	}
	expect.Equal(t, len(expect.Value(ParseRanges("0-99999"))(t)), 100_000, "numbers")
}

func TestRangesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfDistinct(rapid.IntRange(0, 40), rapid.ID[int]).Draw(t, "numbers")
		got := expect.Value(ParseRanges(Ranges(numbers)))(t)
		slices.Sort(numbers)
		expect.List(t, got, numbers, "numbers")
	})
}

// Once put, a value is available under its key in every process; a damaged file is replaced; and a directory of
// something else is left alone.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	open := func(text string) (*Cache, error) { return OpenCache(dir, "cache.json", text) }
	c := expect.Value(open("v1"))(t)
	a, b := KeyOf([]byte("a")), KeyOf([]byte("b"))
	expect.Need(t, a != b && len(a) == 40, "keys %s and %s", a, b)
	expect.Success(t, c.Put(a, []byte("damaged")))
	expect.Success(t, c.Put(a, []byte("value")))
	// What a process leaves when it is killed while writing.
	expect.Success(t, os.WriteFile(filepath.Join(dir, string(b)+".json.HOST.1.KILLED.tmp"), []byte("half"), 0o600))
	again := expect.Value(open("v1"))(t)
	has, err := again.Has(a)
	expect.That(t, has && err == nil && string(again.Get(a)) == "value", "%v, %v, %q", has, err, again.Get(a))
	has, err = again.Has(b)
	expect.That(t, !has && err == nil && again.Get(b) == nil, "a value that nobody put: %v, %v", has, err)
	// A cache in memory begins with the values of the directory, and does not change these.
	all := expect.Value(again.All())(t)
	memory := CacheOf(all)
	expect.Success(t, memory.Put(b, []byte("more")))
	has, err = memory.Has(b)
	expect.That(t, has && err == nil && len(all) == 1 && len(memory.Values()) == 2 && string(memory.Get(a)) == "value",
		"%v, %v, %d and %d values", has, err, len(all), len(memory.Values()))
	_, err = open("v2")
	expect.That(t, err != nil, "a cache of another version is opened")
	_, err = OpenCache(dir, "other.json", "v1")
	expect.Kind[*OccupiedError](t, err)
}
