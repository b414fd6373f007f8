package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// adoptChunk is how many bytes of an older part are read at once.
const adoptChunk = 64 << 10

// parts returns the files in the directory whose names begin with the prefix, in order.
func (d *Dir) parts(prefix string) ([]string, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, failed("open the directory", d.path, err)
	}
	defer f.Close() // read only: nothing to lose
	var found []string
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			if strings.HasPrefix(name, prefix) {
				found = append(found, filepath.Join(d.path, name))
			}
		}
		if errors.Is(err, io.EOF) {
			slices.Sort(found)
			return found, nil
		}
		if err != nil {
			return nil, failed("list the directory", d.path, err)
		}
	}
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

// readPart calls visit with the valid lines of a part, and the rows in them. It ends without an error at the
// first invalid line, and where the part cannot be read: these rows are computed again.
// The error is that of visit.
func (d *Dir) readPart(name string, shard int, visit func(line, body []byte) error) error {
	r := lineReader{name: name, chunk: adoptChunk}
	header, err := r.next()
	if err != nil || string(header) != d.header(shard) {
		return nil
	}
	for point := shard; point < d.plan.Points; point += d.plan.Shards {
		line, err := r.next()
		if err != nil {
			return nil
		}
		body, err := checkLine(line, point, len(d.plan.Columns))
		if err != nil {
			return nil
		}
		if err := visit(line, body); err != nil {
			return err
		}
	}
	return nil
}
