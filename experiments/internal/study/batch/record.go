package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

const (
	recordName    = "slurm.json"
	recordVersion = 1
	maxRecord     = 64 << 20 // 100,000 shards with some attempts each take less
)

// record is the content of slurm.json: the array in the queue.
type record struct {
	Version int    `json:"version"`
	Cluster string `json:"cluster"`
	Name    string `json:"name"`  // of the job; no other job has it
	Job     int    `json:"job"`   // its number; 0 until sbatch has said it
	Round   int    `json:"round"` // the first is 1

	// Ended is how the tasks of earlier rounds ended, by shard, of shards that
	// were missing after them.
	Ended map[int][]End `json:"ended"`
}

// readRecord reads slurm.json of a directory; nil if there is none.
func readRecord(dir string) (*record, error) {
	path := filepath.Join(dir, recordName)
	f, err := store.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err != nil {
		return nil, err
	}
	var r record
	d := json.NewDecoder(bytes.NewReader(content))
	err = d.Decode(&r)
	switch {
	case len(content) > maxRecord:
		err = fmt.Errorf("more than %d bytes", maxRecord)
	case err != nil:
	case r.Version != recordVersion:
		err = fmt.Errorf("version %d", r.Version)
	case r.Cluster == "" || r.Name == "" || r.Job < 0 || r.Round < 1:
		err = errors.New("not all of cluster, name, job and round")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; expected version %d of the record of an array in the queue; if there is none, remove the file", path, err, recordVersion)
	}
	return &r, nil
}

// write replaces slurm.json of a directory atomically.
func (r *record) write(dir string) error {
	content, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, recordName+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no effect once it has been renamed
	_, err = f.Write(append(content, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, recordName))
	}
	return err
}

// removeRecord removes slurm.json of a directory, if it is there.
func removeRecord(dir string) error {
	if err := os.Remove(filepath.Join(dir, recordName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
