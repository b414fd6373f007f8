package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrComplete is returned by Begin for a complete shard.
var ErrComplete = errors.New("the shard is complete")

// commitEvery is the longest time that finished rows stay in memory. A killed attempt
// loses the rows of about this time.
const commitEvery = time.Second

// writeFrom is the number of bytes of rows at which they are written before that time,
// which bounds the memory.
const writeFrom = 64 << 10

// Attempt is one attempt to compute a shard. It is used by one goroutine:
//
//	for {
//		point, ok := attempt.Next()
//		if !ok {
//			break
//		}
//		... attempt.Put(row, took)
//	}
//	... attempt.Commit()
//
// with a deferred Close.
type Attempt struct {
	dir   *Dir
	shard int
	point int // the next one to put

	name    string // of the part
	file    file
	pending []byte // lines that are not yet written
	encoder lineEncoder
	times   []byte // lines of the log that are not yet written

	older     []string // parts of the shard that were there at the beginning
	adopted   int      // rows taken over from one of them
	put       int      // own rows
	committed time.Time
	taken     bool  // another attempt has finished the shard
	closed    bool  // the part is closed
	err       error // of the first failure; nothing is written after it
}

// Begin begins an attempt at the shard. It adopts the rows that an older attempt has left. adopted, if not nil, is
// called with each, in order, for a caller whose further rows depend on them; an error of adopted ends the attempt and
// is returned. For a complete shard the error is [ErrComplete].
func (d *Dir) Begin(shard int, adopted func(Row) error) (*Attempt, error) {
	if shard < 0 || shard >= d.plan.Shards {
		return nil, fmt.Errorf("%s: shard %d; expected 0 to %d", d.path, shard, d.plan.Shards-1)
	}
	older, err := d.parts(partPrefix(shard))
	if err != nil {
		return nil, err
	}
	// In this order: parts that disappear afterwards do so because the shard has
	// become complete.
	if done, err := exists(d.shardName(shard)); err != nil {
		return nil, err
	} else if done {
		return nil, ErrComplete
	}
	a := &Attempt{
		dir:       d,
		shard:     shard,
		point:     shard,
		name:      filepath.Join(d.path, partPrefix(shard)+writer()),
		older:     older,
		committed: d.sys.now(),
	}
	if a.file, err = d.sys.create(a.name); err != nil {
		return nil, failed("make the file", a.name, err)
	}
	a.pending = append(append(a.pending, d.plan.header(shard)...), '\n')
	if err := a.adopt(adopted); err != nil {
		_ = a.Close() // err again
		return nil, err
	}
	return a, nil
}

// Adopted returns how many rows the attempt has adopted from older ones.
func (a *Attempt) Adopted() int { return a.adopted }

// Next returns the point whose row Put expects next. It is false if there is
// none, or if another attempt has completed the shard in the meantime.
// The points of a shard are as far apart as there are shards.
func (a *Attempt) Next() (point int, ok bool) {
	if a.taken || a.point >= a.dir.plan.Points {
		return 0, false
	}
	return a.point, true
}

// Put adds the row of the point that Next returns: a cell for each column of
// the plan. A line break in a cell becomes a space. took is the wall time of the
// point, which is written to the log. Put does not keep the row.
//
// A row of another length than the plan's, or longer than [MaxRow], is refused
// and leaves the attempt as it was. After a failed write the attempt can only be
// closed.
func (a *Attempt) Put(row []string, took time.Duration) error {
	switch {
	case a.err != nil:
		return a.err
	case a.closed:
		return fmt.Errorf("%s: a row was put into an attempt that has ended", a.name)
	case a.taken:
		return nil
	case a.point >= a.dir.plan.Points:
		return fmt.Errorf("%s: a row was put after the last point", a.name)
	case len(row) != len(a.dir.plan.Columns):
		return fmt.Errorf("%s: a row of %d cells for point %d; expected %d", a.name, len(row), a.point, len(a.dir.plan.Columns))
	}
	line, err := a.encoder.append(a.pending, a.point, row)
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	a.pending = line
	now := a.dir.sys.now()
	a.times = appendTime(a.times, a.point, now, took)
	a.point += a.dir.plan.Shards
	a.put++
	if now.Sub(a.committed) >= commitEvery {
		err := a.sync()
		a.committed = a.dir.sys.now() // so that a slow disk is not synced all the time
		return err
	}
	if len(a.pending) >= writeFrom {
		return a.write()
	}
	return nil
}

// Commit makes the shard complete and ends the attempt. It must be called when Next has
// no more points. It also succeeds if another attempt has completed the shard.
func (a *Attempt) Commit() error {
	if a.err != nil {
		return a.err
	}
	if a.closed {
		return fmt.Errorf("%s: commit of an attempt that has ended", a.name)
	}
	if point, ok := a.Next(); ok && !a.dir.plan.mayEnd(point) {
		return fmt.Errorf("%s: commit before the row of point %d", a.name, point)
	}
	if err := a.flush(); err != nil {
		return err
	}
	if err := a.closePart(); err != nil {
		return err
	}
	// The first that finishes wins; its file is not replaced under a reader.
	final := a.dir.shardName(a.shard)
	done, err := exists(final)
	switch {
	case err != nil:
		return a.keep(err)
	case done:
		_ = os.Remove(a.name) // no longer needed; the merge tries once more
		return nil
	case a.taken: // rows are missing in the part
		return a.keep(fmt.Errorf("%s: the file has disappeared; rerun the command", final))
	}
	if err := a.dir.sys.rename(a.name, final); err != nil {
		return a.fail("rename it to "+filepath.Base(final), err)
	}
	if err := a.keep(a.dir.syncNames()); err != nil {
		return err
	}
	for _, name := range a.older {
		_ = os.Remove(name) // as above
	}
	return nil
}

// Close ends the attempt if Commit has not. It writes the rows that were put, for the
// next attempt. It returns the first error of the attempt.
func (a *Attempt) Close() error {
	if a.closed {
		return a.err
	}
	if a.err == nil && a.put > 0 {
		_ = a.sync() // its error is kept in a.err
	}
	_ = a.closePart() // as above
	if a.put == 0 || a.taken {
		_ = os.Remove(a.name) // all its rows are elsewhere, too
	}
	return a.err
}

// closePart closes the part. An earlier error is kept.
func (a *Attempt) closePart() error {
	a.closed = true
	if err := a.file.Close(); a.err == nil {
		return a.fail("close the file", err)
	}
	return a.err
}

// sync flushes the pending rows. It also checks whether another attempt has completed
// the shard.
func (a *Attempt) sync() error {
	if err := a.flush(); err != nil || a.taken {
		return err
	}
	if err := a.keep(a.dir.syncNames()); err != nil {
		return err
	}
	done, err := exists(a.dir.shardName(a.shard))
	a.taken = done
	return a.keep(err)
}

// flush writes the pending rows to the disk, so that they survive a power failure,
// unless another attempt has completed the shard.
func (a *Attempt) flush() error {
	if a.taken {
		return nil
	}
	if err := a.write(); err != nil || a.taken {
		return err
	}
	return a.fail("sync the file", a.file.Sync())
}

// write writes the pending rows. The times are written first, so that no row that is
// adopted later lacks its time.
func (a *Attempt) write() error {
	if err := a.keep(a.dir.writeTimes(a.times)); err != nil {
		return err
	}
	_, err := a.file.Write(a.pending)
	a.times, a.pending = a.times[:0], a.pending[:0]
	return a.fail("write the file", err)
}

// keep records an error, which ends the attempt, and returns it.
func (a *Attempt) keep(err error) error {
	if err != nil {
		a.err = err
	}
	return err
}

// fail ends an attempt that cannot write. It is not an error if the shard is complete:
// then another attempt has removed this part, and a network file system reports this as
// failed operations.
func (a *Attempt) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	if done, _ := exists(a.dir.shardName(a.shard)); done {
		a.taken = true
		_ = os.Remove(a.name) // no longer needed
		return nil
	}
	return a.keep(failed(doing, a.name, err))
}

// adoptChunk is how many bytes of an older part are read at once.
const adoptChunk = 64 << 10

// parts returns the files in the directory whose names begin with the prefix, in order.
func (d *Dir) parts(prefix string) ([]string, error) {
	names, err := namesIn(d.path)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) })
	for i, name := range names {
		names[i] = filepath.Join(d.path, name)
	}
	slices.Sort(names)
	return names, err
}

// adopt copies the valid rows of the older part that has most of them. It copies them
// because the attempt of that part may still be writing to it. Each is shown to adopted,
// if that is not nil.
func (a *Attempt) adopt(adopted func(Row) error) error {
	var longest string
	most := 0
	for _, name := range a.older {
		rows := 0
		a.dir.readPart(name, a.shard, func(_, _ []byte) error { rows++; return nil })
		if rows > most {
			longest, most = name, rows
		}
	}
	if most == 0 {
		return nil
	}
	var decoder lineDecoder
	return a.dir.readPart(longest, a.shard, func(line, body []byte) error {
		if adopted != nil {
			cells, err := decoder.cells(body)
			if err != nil {
				return err
			}
			if err := adopted(Row{a.point, cells}); err != nil {
				return err
			}
		}
		a.pending = append(append(a.pending, line...), '\n')
		a.point += a.dir.plan.Shards
		a.adopted++
		if len(a.pending) >= writeFrom {
			return a.write()
		}
		return nil
	})
}

// readPart calls visit with the valid lines of a part, and the rows in them. It ends
// without an error at the first invalid line, and where the part cannot be read: these
// rows are computed again. The error is that of visit.
func (d *Dir) readPart(name string, shard int, visit func(line, body []byte) error) error {
	r := d.reader(name, shard, adoptChunk)
	if r.begin() != nil {
		return nil
	}
	for r.point < d.plan.Points {
		line, body, err := r.row()
		if err != nil {
			return nil
		}
		if err := visit(line, body); err != nil {
			return err
		}
	}
	return nil
}
