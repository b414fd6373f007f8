package store

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// withoutSyncs makes a system fast, for tests without power failures.
func withoutSyncs(sys system) system {
	create := sys.create
	sys.create = func(name string) (file, error) {
		f, err := create(name)
		return &watchedFile{file: f, syncs: new(int)}, err
	}
	sys.syncDir = func(string) error { return nil }
	return sys
}

// syncsAlways returns a system whose clock makes every Put commit.
func syncsAlways() system {
	now := time.Now()
	sys := realSystem
	sys.now = func() time.Time { now = now.Add(commitEvery); return now }
	return sys
}

// neverSyncs returns a system whose clock stands still.
func neverSyncs() system {
	now := time.Now()
	sys := realSystem
	sys.now = func() time.Time { return now }
	return sys
}

// undisturbed returns the final files of the shards of a plan.
func undisturbed(t testing.TB, p Plan) (d *Dir, finals []string) {
	t.Helper()
	d = mustCreate(t, p)
	compute(t, d)
	for shard := range p.Shards {
		finals = append(finals, read(t, d.shardName(shard)))
	}
	return d, finals
}

// completeLines returns how many rows the first n bytes of a part hold: line ends, except the header's.
func completeLines(content string, n int) int {
	return max(0, strings.Count(content[:n], "\n")-1)
}

// A part is cut after any byte, or a byte is changed: the lines before are adopted, and the shard becomes what it would
// have been.
func TestAdoptDamaged(t *testing.T) {
	expect.Long(t, "writes thousands of files")
	t.Parallel()
	_, finals := undisturbed(t, samplePlan(7, 2))
	d := mustCreate(t, samplePlan(7, 2))
	d.sys = withoutSyncs(d.sys)
	for shard, final := range finals {
		adopts := func(part string, n int) {
			write(t, filepath.Join(d.path, partPrefix(shard)+"old.1.x"), part)
			checkAdopts(t, d, shard, completeLines(final, n), final)
		}
		for n := range len(final) {
			adopts(final[:n], n)
			for _, c := range []byte{final[n] ^ 1, '\n', ','} {
				if c != final[n] {
					adopts(final[:n]+string([]byte{c})+final[n+1:], n)
				}
			}
		}
		adopts(final, len(final))
	}
}

// checkAdopts completes the shard, checks how many rows are adopted and what results, and makes it missing again.
func checkAdopts(t *testing.T, d *Dir, shard, want int, final string) {
	t.Helper()
	lines := strings.Split(final, "\n")[1:]
	shown := 0
	a, err := d.Begin(shard, func(r Row) error {
		cells, err := csv.NewReader(strings.NewReader(lines[shown])).Read()
		if err != nil {
			return err
		}
		// The point, the cells, the checksum.
		expect.List(t, append([]string{strconv.Itoa(r.Point)}, r.Cells...), cells[:len(cells)-1], "shard %d: shown", shard)
		shown++
		return nil
	})
	expect.Success(t, err)
	expect.That(t, a.Adopted() == want && shown == want,
		"shard %d: adopted %d rows, shown %d, want %d", shard, a.Adopted(), shown, want)
	rest(t, a)
	expect.Equal(t, read(t, d.shardName(shard)), final, "shard %d", shard)
	expect.Success(t, os.Remove(d.shardName(shard)))
	expect.List(t, names(t, d), []string{"plan.json"}, "files")
}

func TestAdoptChoosesLongest(t *testing.T) {
	_, finals := undisturbed(t, samplePlan(20, 2))
	final := finals[0]
	lines := strings.SplitAfter(final, "\n")
	first := func(n int) string { return strings.Join(lines[:1+n], "") }
	_, others := undisturbed(t, samplePlan(20, 3)) // same hash, other shards
	p := samplePlan(20, 2)
	p.Seed++
	_, strangers := undisturbed(t, p)
	for _, tt := range []struct {
		name  string
		parts []string
		want  int
	}{
		{"none", nil, 0},
		{"longest in the middle", []string{first(2), first(5), first(3)}, 5},
		{"long after damage", []string{first(2) + "x" + strings.Join(lines[3:], ""), first(3)}, 3},
		{"all rows", []string{final}, 10},
		{"more than all rows", []string{final + "x", final + lines[10]}, 10},
		{"a line twice", []string{first(4) + lines[4]}, 4},
		{"a line left out", []string{first(4) + lines[6]}, 4},
		{"other plan", []string{strangers[0], first(1)}, 1},
		{"other shard", []string{finals[1], first(1)}, 1},
		{"other number of shards", []string{others[0], first(1)}, 1},
		{"no header", []string{strings.Join(lines[1:], "")}, 0},
		{"endless line", []string{first(3) + strings.Repeat("x", 3*maxLine)}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := mustCreate(t, samplePlan(20, 2))
			for i, part := range tt.parts {
				write(t, filepath.Join(d.path, fmt.Sprintf("%sold.%d.x", partPrefix(0), i)), part)
			}
			checkAdopts(t, d, 0, tt.want, final)
		})
	}
}

// A part that cannot be read counts as none.
func TestAdoptUnreadable(t *testing.T) {
	_, finals := undisturbed(t, samplePlan(20, 2))
	d := mustCreate(t, samplePlan(20, 2))
	expect.Success(t, os.Mkdir(filepath.Join(d.path, partPrefix(0)+"old.1.x"), 0o777))
	checkAdopts(t, d, 0, 0, finals[0])
}

// Long shards are adopted and written in more than one chunk.
func TestAdoptLong(t *testing.T) {
	p := samplePlan(20_000, 1)
	_, finals := undisturbed(t, p)
	expect.Need(t, len(finals[0]) >= 4*max(writeFrom, adoptChunk), "%d bytes", len(finals[0]))
	d := mustCreate(t, p)
	n := len(finals[0]) - 3
	write(t, filepath.Join(d.path, partPrefix(0)+"old.1.x"), finals[0][:n])
	checkAdopts(t, d, 0, 19_999, finals[0])
}

// A complete shard that is damaged is found, with the line.
func TestDamagedShard(t *testing.T) {
	expect.Long(t, "writes thousands of files")
	t.Parallel()
	d, finals := undisturbed(t, samplePlan(7, 2))
	check := func(shard int, content string, line int) {
		t.Helper()
		write(t, d.shardName(shard), content)
		_, err := d.Merge()
		for _, err := range []error{lastError(d), err} {
			expect.Failure(t, err, fmt.Sprintf("%s:%d: ", d.shardName(shard), line))
			expect.Failure(t, err, fmt.Sprintf("; remove the file and rerun the sweep to compute shard %d again", shard))
		}
	}
	for shard, final := range finals {
		for n := range len(final) {
			line := strings.Count(final[:n], "\n") + 1
			check(shard, final[:n], line)
			check(shard, final[:n]+string(final[n]^1)+final[n+1:], line)
		}
		end := strings.Count(final, "\n") + 1
		for _, more := range []string{"\n", "x", "x\n", strings.Repeat("x", 2*maxLine)} {
			check(shard, final+more, end)
		}
		check(shard, final+final, end)
		write(t, d.shardName(shard), final)
	}
	check(0, finals[1], 1)
	expect.List(t, names(t, d), []string{"plan.json", "shard-00000.csv", "shard-00001.csv"}, "files")
	// The advice in the message works.
	expect.Success(t, os.Remove(d.shardName(0)))
	compute(t, d)
	expect.Equal(t, read(t, d.shardName(0)), finals[0], "shard 0")
}

// A row with the right checksum that is not CSV can only come from another program.
func TestNoCSV(t *testing.T) {
	d, finals := undisturbed(t, samplePlan(1, 1))
	header, _, _ := strings.Cut(finals[0], "\n")
	for _, body := range []string{`0,a"b,`, `0,"a"b,`, `0,a,"`, "0,a", "0,a,b,c", "0", "00,a,b", "", "1,a,b"} {
		write(t, d.shardName(0), header+"\n"+body+string(appendChecksum(nil, []byte(body)))+"\n")
		expect.Failure(t, lastError(d), d.shardName(0)+":2: ")
	}
}

// lastError returns the error with which the rows of a study end.
func lastError(d *Dir) (last error) {
	for _, err := range d.Rows() {
		last = err
	}
	return last
}

// Two attempts at one shard, with their steps in every order. Each begins, puts three rows and commits; or the second
// is closed or killed instead.
func TestTwins(t *testing.T) {
	expect.Long(t, "writes thousands of files")
	t.Parallel()
	p := samplePlan(5, 2)
	_, finals := undisturbed(t, p)
	const steps = 5 // begin, put, put, put, end
	orders := 0
	for _, tt := range []struct {
		sys system
		end string // of the second
	}{
		{neverSyncs(), "commit"},
		{syncsAlways(), "commit"},
		{syncsAlways(), "close"},
		{syncsAlways(), "kill"},
	} {
		d := expect.Value(create(filepath.Join(t.TempDir(), "study"), p, withoutSyncs(tt.sys)))(t)
		for order := range 1 << (2 * steps) {
			if bits.OnesCount(uint(order)) != steps {
				continue
			}
			orders++
			twins := [2]twin{{dir: d, end: "commit"}, {dir: d, end: tt.end}}
			for i := range 2 * steps {
				twins[order>>i&1].step(t)
			}
			expect.Equal(t, read(t, d.shardName(0)), finals[0], "%010b, %s", order, tt.end)
			// What the second leaves when it gives up serves others.
			rest := len(names(t, d)) - 2 // without plan and shard
			expect.That(t, (rest <= 0 || tt.end != "commit") && rest <= 1,
				"%010b, %s: files %q", order, tt.end, names(t, d))
			left, err := d.parts("part-")
			for _, part := range left {
				err = errors.Join(err, os.Remove(part))
			}
			expect.Success(t, err)
			expect.Success(t, os.Remove(d.shardName(0)))
		}
	}
	if orders != 4*252 { // 10 over 5
		t.Errorf("%d orders", orders)
	}
}

// twin is one of two attempts at shard 0.
type twin struct {
	dir  *Dir
	end  string
	done int // steps
	a    *Attempt
}

func (w *twin) step(t *testing.T) {
	t.Helper()
	var err error
	w.done++
	switch {
	case w.done == 1:
		if w.a, err = w.dir.Begin(0, nil); errors.Is(err, ErrComplete) {
			w.end, err = "nothing", nil
		}
	case w.end == "nothing":
	case w.done < 5:
		if point, ok := w.a.Next(); ok {
			err = w.a.Put(sampleRow(point), 0)
		}
	case w.end == "commit":
		err = errors.Join(w.a.Commit(), w.a.Close())
	case w.end == "close":
		err = errors.Join(w.a.Close(), w.a.Close())
	case w.end == "kill":
		err = w.a.file.Close() // only so that the test does not run out of files
	}
	expect.Success(t, err)
}

// The twin finishes between our check for the final file and our rename: our part is gone, and that is success.
func TestRenameRace(t *testing.T) {
	d := expect.Value(create(filepath.Join(t.TempDir(), "study"), samplePlan(5, 2), realSystem))(t)
	raced := false
	d.sys.rename = func(from, to string) error {
		if !raced {
			raced = true
			b := expect.Value(d.Begin(0, nil))(t)
			expect.That(t, b.Adopted() == 3, "adopted %d rows, want 3", b.Adopted())
			rest(t, b)
		}
		return os.Rename(from, to)
	}
	a := expect.Value(d.Begin(0, nil))(t)
	rest(t, a)
	expect.Success(t, a.Close())
	_, err := d.Begin(0, nil)
	expect.That(t, errors.Is(err, ErrComplete) && raced, "got %v", err)
	expect.List(t, names(t, d), []string{"plan.json", "shard-00000.csv"}, "files")
}

func TestRenameFails(t *testing.T) {
	d := mustCreate(t, samplePlan(5, 2))
	d.sys.rename = func(from, to string) error {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EACCES}
	}
	a := expect.Value(d.Begin(0, nil))(t)
	err := finish(a)
	expect.That(t, errors.Is(err, syscall.EACCES) && strings.Contains(err.Error(), a.name+": cannot rename it to shard-00000.csv"),
		"got %v", err)
	expect.Equal(t, a.Close(), err, "Close")
	d.sys.rename = os.Rename
	a, err = d.Begin(0, nil)
	expect.Need(t, err == nil && a.Adopted() == 3, "adopted %d rows, %v; want all 3", a.Adopted(), err)
	rest(t, a)
}

// Rows are on the disk a second after they were put.
func TestCommitsOnceASecond(t *testing.T) {
	now := time.Now()
	d := mustCreate(t, samplePlan(20, 2))
	syncs := 0
	d.sys.now = func() time.Time { return now }
	d.sys.create = func(name string) (file, error) {
		f, err := realSystem.create(name)
		return &watchedFile{file: f, syncs: &syncs}, err
	}
	a := expect.Value(d.Begin(0, nil))(t)
	for _, tt := range []struct {
		after time.Duration
		rows  int // on the disk
		syncs int
	}{
		{0, 0, 0},
		{commitEvery - 1, 0, 0},
		{1, 3, 1},
		{0, 3, 1},
		{commitEvery - 1, 3, 1},
		{time.Hour, 6, 2},
	} {
		now = now.Add(tt.after)
		point, _ := a.Next()
		expect.Success(t, a.Put(sampleRow(point), 0))
		content := read(t, a.name)
		rows := completeLines(content, len(content))
		expect.That(t, rows == tt.rows && syncs == tt.syncs,
			"after %v: %d rows on the disk and %d syncs, want %d and %d", tt.after, rows, syncs, tt.rows, tt.syncs)
	}
	expect.Success(t, a.Close())
}

// The directory is synced once for all names of a second, and after the merge.
func TestSyncsNames(t *testing.T) {
	now := time.Now()
	d := mustCreate(t, samplePlan(20, 4))
	syncs := 0
	d.sys.now = func() time.Time { return now }
	d.sys.syncDir = func(dir string) error {
		expect.That(t, dir == d.path, "synced %s", dir)
		syncs++
		return nil
	}
	for shard, want := range []int{1, 1, 2, 2} {
		if shard == 2 {
			now = now.Add(commitEvery)
		}
		a := expect.Value(d.Begin(shard, nil))(t)
		rest(t, a)
		expect.That(t, syncs == want, "shard %d: %d syncs, want %d", shard, syncs, want)
	}
	merged(t, d)
	expect.That(t, syncs == 3, "%d syncs after the merge, want 3", syncs)
	// A failure is reported, and the shard is complete all the same.
	d = mustCreate(t, samplePlan(20, 4))
	d.sys.syncDir = func(string) error { return syscall.EIO }
	a := expect.Value(d.Begin(0, nil))(t)
	err := finish(a)
	expect.That(t, errors.Is(err, syscall.EIO), "got %v", err)
	_, err = d.Begin(0, nil)
	expect.That(t, errors.Is(err, ErrComplete), "got %v", err)
}

// watchedFile counts syncs and does none.
type watchedFile struct {
	file
	syncs *int
}

func (f *watchedFile) Sync() error { *f.syncs++; return nil }

// An overtaken attempt has no more points, and ends successfully.
func TestOvertaken(t *testing.T) {
	d := expect.Value(create(filepath.Join(t.TempDir(), "study"), samplePlan(20, 2), syncsAlways()))(t)
	begin := func() *Attempt {
		return expect.Value(d.Begin(0, nil))(t)
	}
	a, b := begin(), begin()
	rest(t, b)
	for range 2 { // a caller may have computed ahead
		expect.Success(t, a.Put(sampleRow(0), 0))
		point, ok := a.Next()
		expect.That(t, !ok, "next is %d", point)
	}
	expect.Success(t, errors.Join(a.Commit(), a.Close()))
	// If the shard vanishes again, a must not put its few rows there.
	expect.Success(t, os.Remove(d.shardName(0)))
	a, b = begin(), begin()
	rest(t, b)
	expect.Success(t, a.Put(sampleRow(0), 0))
	expect.Success(t, os.Remove(d.shardName(0)))
	expect.Failure(t, a.Commit(), "has disappeared")
	missing := expect.Value(d.Missing())(t)
	expect.That(t, slices.Contains(missing, 0), "missing %v", missing)
}

// On a network file system, operations on a part that another machine has
// removed fail.
func TestPartRemovedByTwin(t *testing.T) {
	for _, op := range []string{"write", "sync", "close"} {
		d := expect.Value(create(filepath.Join(t.TempDir(), "study"), samplePlan(20, 2), syncsAlways()))(t)
		twin := expect.Value(Open(d.path))(t)
		disk := &disk{room: 1 << 30, failing: op, err: syscall.ESTALE}
		d.sys.create = disk.create
		a := expect.Value(d.Begin(0, nil))(t)
		b := expect.Value(twin.Begin(0, nil))(t)
		rest(t, b)
		expect.Success(t, errors.Join(finish(a), a.Close()))
	}
}

func TestMisuse(t *testing.T) {
	d := mustCreate(t, samplePlan(5, 2))
	for _, shard := range []int{-1, 2} {
		expect.Refusal(d.Begin(shard, nil))(t, fmt.Sprint(shard))
	}
	a := expect.Value(d.Begin(0, nil))(t)
	expect.Failure(t, a.Put([]string{"a"}, 0), "a row of 1 cells for point 0; expected 2")
	expect.Failure(t, a.Put([]string{strings.Repeat("x", MaxRow), ""}, 0), "expected at most 65536")
	expect.Failure(t, a.Commit(), "before the row of point 0")
	// The longest row: the point, two commas and a cell. It leaves nothing of
	// the refused ones.
	long := strings.Repeat("x", MaxRow-3)
	expect.Success(t, a.Put([]string{long, ""}, 0))
	rest(t, a)
	expect.Failure(t, a.Put(sampleRow(0), 0), "has ended")
	expect.Failure(t, a.Commit(), "has ended")
	expect.Success(t, a.Close())
	compute(t, d)
	for row, err := range d.Rows() {
		expect.That(t, err == nil && (row.Point != 0 || row.Cells[0] == long) && (row.Point <= 0 ||
			slices.Equal(row.Cells, sampleRow(row.Point))),
			"point %d: %d bytes, %v", row.Point, len(row.Cells[0]), err)
	}
	a = expect.Value(mustCreate(t, samplePlan(1, 1)).Begin(0, nil))(t)
	expect.Success(t, a.Put(sampleRow(0), 0))
	expect.Failure(t, a.Put(sampleRow(0), 0), "after the last point")
	expect.Success(t, a.Close())
	expect.Failure(t, a.Commit(), "has ended")
}

// An attempt that has put nothing leaves nothing; one that has put rows leaves all of them.
func TestCloseKeepsRows(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 2))
	for _, tt := range []struct{ put, adopted, parts int }{
		{0, 0, 0}, {3, 0, 1}, {0, 3, 1}, {1, 3, 2}, {0, 4, 2}, {6, 4, 3}, {0, 10, 3},
	} {
		a := expect.Value(d.Begin(0, nil))(t)
		expect.That(t, a.Adopted() == tt.adopted, "adopted %d rows, want %d", a.Adopted(), tt.adopted)
		for range tt.put {
			point, _ := a.Next()
			expect.Success(t, a.Put(sampleRow(point), 0))
		}
		expect.Success(t, a.Close())
		parts := len(names(t, d)) - 1
		expect.That(t, parts == tt.parts, "%d parts, want %d", parts, tt.parts)
	}
	compute(t, d)
	expect.List(t, names(t, d), []string{"plan.json", "shard-00000.csv", "shard-00001.csv"}, "files")
}
