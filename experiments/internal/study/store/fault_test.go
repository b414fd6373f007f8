package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// disk makes files on a disk with little room, or on which an operation fails.
type disk struct {
	room    int    // bytes that can still be written
	failing string // "sync" or "close"; "write" fails when there is no room or always if failing
	err     error
	failed  bool
}

func (d *disk) extend(name string) (file, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	return &diskFile{d, name, f}, err
}

type diskFile struct {
	disk *disk
	name string
	file *os.File
}

func (d *disk) create(name string) (file, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return &diskFile{d, name, f}, err
}

func (f *diskFile) fail(op string) error {
	if f.disk.failing != op {
		return nil
	}
	f.disk.failed = true
	return &os.PathError{Op: op, Path: f.name, Err: f.disk.err}
}

func (f *diskFile) Write(p []byte) (int, error) {
	if err := f.fail("write"); err != nil {
		return 0, err
	}
	n, err := f.file.Write(p[:min(len(p), f.disk.room)])
	f.disk.room -= n
	if n < len(p) && err == nil {
		f.disk.failed = true
		err = &os.PathError{Op: "write", Path: f.name, Err: syscall.ENOSPC}
	}
	return n, err
}

func (f *diskFile) Sync() error {
	if err := f.fail("sync"); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f *diskFile) Close() error {
	return errors.Join(f.fail("close"), f.file.Close())
}

// A disk that is full after any even number of bytes: the error says where and what to do, and with more room the work
// continues.
func TestDiskFull(t *testing.T) {
	expect.Long(t, "takes seconds")
	t.Parallel()
	p := samplePlan(4, 2)
	p.Spec = nil
	clean, finals := undisturbed(t, p)
	table := merged(t, clean)
	errorsSeen := 0
	dir := t.TempDir()
	for room := 0; ; room += 2 {
		disk := &disk{room: room}
		sys := syncsAlways()
		sys.create, sys.extend = disk.create, disk.extend
		sys = withoutSyncs(sys)
		path := filepath.Join(dir, fmt.Sprint(room))
		got, err := study(path, p, sys)
		expect.Need(t, disk.failed == (err != nil), "room %d: full: %v, but %v", room, disk.failed, err)
		if err == nil {
			expect.That(t, got == table, "got %q, want %q", got, table)
			break
		}
		errorsSeen++
		expect.That(t, errors.Is(err, syscall.ENOSPC) && strings.HasPrefix(err.Error(), path) && strings.Contains(err.Error(), "make room") && strings.Count(err.Error(), path) == 1,
			"room %d: got %v", room, err)
		again, err := study(path, p, withoutSyncs(realSystem))
		expect.Need(t, err == nil && again == table, "room %d: then %v, %q; want %q", room, err, again, table)
		d := expect.Value(Open(path))(t)
		for shard, final := range finals {
			expect.Equal(t, read(t, d.shardName(shard)), final, "room %d: shard %d", room, shard)
		}
		expect.List(t, names(t, d), []string{"plan.json", "results.csv", "shard-00000.csv", "shard-00001.csv"}, "room %d: files", room)
	}
	want := (len(read(t, planName(clean.path))) + len(finals[0]) + len(finals[1]) + len(table)) / 2
	expect.That(t, errorsSeen >= want, "%d errors, want at least %d: one for every other byte", errorsSeen, want)
}

// study computes what is missing and returns the merge.
func study(path string, p Plan, sys system) (string, error) {
	d, err := create(path, p, sys)
	if err != nil {
		return "", err
	}
	missing, err := d.Missing()
	if err != nil {
		return "", err
	}
	for _, shard := range missing {
		a, err := d.Begin(shard, nil)
		if err != nil {
			return "", err
		}
		if err := finish(a); err != nil {
			// It remains failed, whatever is tried.
			if a.Put(sampleRow(0), 0) == nil || a.Commit() == nil || a.Close() == nil {
				err = errors.New("an attempt goes on after a failed write")
			}
			return "", err
		}
		if err := a.Close(); err != nil {
			return "", err
		}
	}
	name, err := d.Merge()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// A disk whose sync or close fails: nothing becomes final.
func TestDiskFails(t *testing.T) {
	for _, op := range []string{"sync", "close"} {
		disk := &disk{room: 1 << 30, failing: op, err: syscall.EIO}
		sys := realSystem
		sys.create = disk.create
		path := filepath.Join(t.TempDir(), "study")
		_, err := create(path, samplePlan(7, 2), sys)
		expect.That(t, errors.Is(err, syscall.EIO), "%s: Create gives %v", op, err)
		_, err = Open(path)
		expect.That(t, errors.Is(err, os.ErrNotExist), "%s: a plan is there: %v", op, err)
		d := expect.Value(Create(path, samplePlan(7, 2)))(t)
		d.sys = sys
		a := expect.Value(d.Begin(0, nil))(t)
		err = finish(a)
		expect.That(t, errors.Is(err, syscall.EIO) && strings.Contains(err.Error(), "put that right"), "%s: Commit gives %v", op, err)
		expect.That(t, errors.Is(a.Close(), syscall.EIO), "%s: Close succeeds", op)
		expect.List(t, expect.Value(d.Missing())(t), []int{0, 1}, "%s: missing", op)
		d.sys = realSystem
		compute(t, d)
		d.sys = sys
		_, err = d.Merge()
		expect.That(t, errors.Is(err, syscall.EIO), "%s: Merge gives %v", op, err)
		expect.That(t, !slices.Contains(names(t, d), "results.csv"), "%s: there is a results.csv", op)
	}
}

// The real thing, where the system has a device that is always full.
func TestFullDevice(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no " + full)
	}
	d := mustCreate(t, samplePlan(7, 2))
	d.sys.create = func(name string) (file, error) { return os.OpenFile(full, os.O_WRONLY, 0) }
	a := expect.Value(d.Begin(0, nil))(t)
	err := finish(a)
	expect.That(t, errors.Is(err, syscall.ENOSPC) && strings.Contains(err.Error(), "no space left on device; make room"), "got %v", err)
	expect.That(t, errors.Is(a.Close(), syscall.ENOSPC), "Close succeeds")
}

// Reading and listing errors are errors, not missing shards.
func TestDirectoryGone(t *testing.T) {
	d := mustCreate(t, samplePlan(7, 2))
	expect.Success(t, os.RemoveAll(d.path))
	_, err := d.Begin(0, nil)
	expect.That(t, errors.Is(err, os.ErrNotExist), "Begin gives %v", err)
	write(t, d.path, "a file in the place of the directory")
	_, err = d.Missing()
	expect.That(t, err != nil, "Missing succeeds")
	expect.Refusal(Create(d.path, samplePlan(7, 2)))(t, "it is a file")
	for _, err := range d.Log() {
		expect.That(t, err != nil, "Log gives an entry")
	}
}
