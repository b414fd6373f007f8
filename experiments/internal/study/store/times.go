package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// timesDir is the folder of the logs. It is separate from the rows so that listing
// parts remains fast.
const timesDir = "times"

// LogEntry records who computed a point. A point that was computed several times has
// several entries.
type LogEntry struct {
	Point int
	Start time.Time     // of the point, UTC
	Took  time.Duration // wall time
	Host  string
	PID   int
}

// processLine is the first line of a log.
type processLine struct {
	Plan string `json:"plan"`
	Host string `json:"host"`
	PID  int    `json:"pid"`
}

// times is the log of a process. All its attempts write the same file, because
// making a file costs as much as computing many small points.
type times struct {
	mu   sync.Mutex
	name string // empty until there is something to write
}

// appendTime appends the line of a point that has just been computed.
func appendTime(dst []byte, point int, end time.Time, took time.Duration) []byte {
	dst = strconv.AppendInt(dst, int64(point), 10)
	dst = end.Add(-took).UTC().AppendFormat(append(dst, ','), time.RFC3339Nano)
	dst = strconv.AppendInt(append(dst, ','), took.Nanoseconds(), 10)
	return append(dst, '\n')
}

// writeTimes adds lines to the log. It opens the file each time, because a process does
// not know which of its attempts is the last.
func (d *Dir) writeTimes(lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	d.times.mu.Lock()
	defer d.times.mu.Unlock()
	if d.times.name == "" {
		head, err := encode(processLine{d.plan.Hash, host(), os.Getpid()}, "")
		if err != nil {
			return err
		}
		folder := filepath.Join(d.path, timesDir)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return failed("make the folder", folder, err)
		}
		d.times.name = filepath.Join(folder, writer()+".log")
		lines = append(head, lines...)
	}
	f, err := d.sys.extend(d.times.name)
	if err != nil {
		return failed("open the file", d.times.name, err)
	}
	_, err = f.Write(lines)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return failed("write the file", d.times.name, err)
}

// Log returns the entries of the logs of all processes, in arbitrary order. Points that
// were computed twice have two entries, and some points may have none: no result
// depends on the log. Lines that cannot be read are omitted. An error, without an entry,
// means that a whole file could not be read.
func (d *Dir) Log() iter.Seq2[LogEntry, error] {
	return func(yield func(LogEntry, error) bool) {
		folder := filepath.Join(d.path, timesDir)
		files, err := namesIn(folder)
		if err != nil {
			yield(LogEntry{}, err)
			return
		}
		for _, name := range files {
			if !d.readTimes(filepath.Join(folder, name), yield) {
				return
			}
		}
	}
}

// readTimes yields the entries of one file. It returns false if yield did.
func (d *Dir) readTimes(name string, yield func(LogEntry, error) bool) bool {
	r := lineReader{name: name, chunk: adoptChunk}
	var head processLine
	line, err := r.next()
	if err == nil && (json.Unmarshal(line, &head) != nil || head.Plan != d.plan.Hash) {
		return true // not ours
	}
	for err == nil {
		if line, err = r.next(); err != nil {
			break
		}
		entry, errLine := parseTime(line)
		if errLine != nil || entry.Point < 0 || entry.Point >= d.plan.Points {
			continue
		}
		entry.Host, entry.PID = head.Host, head.PID
		if !yield(entry, nil) {
			return false
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF || err == errLongLine {
		return true
	}
	return yield(LogEntry{}, err)
}

// parseTime reads what appendTime wrote.
func parseTime(line []byte) (LogEntry, error) {
	fields := bytes.SplitN(line, []byte(","), 4)
	if len(fields) != 3 {
		return LogEntry{}, fmt.Errorf("%d fields; expected 3", len(fields))
	}
	point, errPoint := strconv.Atoi(string(fields[0]))
	start, errStart := time.Parse(time.RFC3339Nano, string(fields[1]))
	took, errTook := strconv.ParseInt(string(fields[2]), 10, 64)
	return LogEntry{Point: point, Start: start, Took: time.Duration(took)}, errors.Join(errPoint, errStart, errTook)
}
