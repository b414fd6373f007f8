package store

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// Row is the row of a point.
type Row struct {
	Point int
	Cells []string // one for each column of the plan
}

// errStop ends a walk whose caller wants no more rows.
var errStop = errors.New("no more rows are wanted")

// Rows returns all rows, ordered by point. The last pair may have an error and
// no row: before the first row if shards are missing, or where a file is damaged.
// The cells belong to the caller.
func (d *Dir) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var decoder lineDecoder
		err := d.walk(func(point int, body []byte) error {
			cells, err := decoder.cells(body)
			if err != nil {
				return err
			}
			if !yield(Row{point, cells}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Row{}, err)
		}
	}
}

// Merge writes all rows into results.csv and returns its path. The errors are those of Rows. An existing results.csv is
// replaced when the new one is complete.
func (d *Dir) Merge() (string, error) {
	name := filepath.Join(d.path, "results.csv")
	if err := d.sys.replace(name, d.write); err != nil {
		return "", err
	}
	if err := d.sys.syncDir(d.path); err != nil {
		return "", err
	}
	// These parts were left by attempts; an attempt still running will find its shard complete.
	parts, _ := d.parts("part-") // an error does no harm
	for _, part := range parts {
		_ = os.Remove(part)
	}
	return name, nil
}

// write writes header and rows. Rows are copied as they stand in the files of
// the shards, without the checksums.
func (d *Dir) write(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	// The writers remember their first error: Flush returns it.
	head := csv.NewWriter(w)
	_ = head.Write(Header(d.plan.Columns))
	head.Flush()
	err := d.walk(func(_ int, body []byte) error {
		_, _ = w.Write(body)
		return w.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// walk calls visit with the row of each point in turn, as it stands in the file
// of its shard: the rows of consecutive points are in consecutive shards. An
// error of visit ends it and is returned; if it is about CSV, the file is damaged.
func (d *Dir) walk(visit func(point int, body []byte) error) error {
	missing, err := d.Missing()
	if err != nil {
		return err
	}
	shards := d.plan.Shards
	if len(missing) > 0 {
		return fmt.Errorf("%s: %d of %d shards are missing: %s; rerun the sweep to compute them", d.path, len(missing), shards, Ranges(missing))
	}
	readers := make([]shardReader, shards)
	for shard := range readers {
		readers[shard] = d.reader(d.shardName(shard), shard, min(max(walkBuffers/shards, 1<<10), 256<<10))
		if err := readers[shard].begin(); err != nil {
			return err
		}
	}
	for point := range d.plan.Points {
		r := &readers[point%shards]
		_, body, err := r.row()
		if d.plan.mayEnd(point) && r.ended {
			return nil
		}
		if err == nil {
			err = visit(point, body)
		}
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			err = r.corrupt(parse.Err.Error())
		}
		if err != nil {
			return err
		}
	}
	for shard := range readers {
		if err := readers[shard].end(); err != nil {
			return err
		}
	}
	return nil
}

// walkBuffers is the size in bytes of all buffers of walk together.
const walkBuffers = 32 << 20
