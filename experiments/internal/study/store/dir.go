package store

import (
	"errors"
	"fmt"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Dir is the directory of a study. Its methods may be called from several
// goroutines at the same time.
type Dir struct {
	path  string
	plan  *Plan
	sys   system
	times times
	names struct { // of parts and shards
		mu     sync.Mutex
		synced time.Time
	}
}

// Create makes the directory of a study, with the folders above it, or opens it
// if it holds the same study already. Then the number of shards is the existing
// one, not that of p. Another study, another version of the tool or another format is
// a *[PlanError]; a directory of something else is an *[OccupiedError].
func Create(path string, p Plan) (*Dir, error) {
	return create(path, p, realSystem)
}

func create(path string, p Plan, sys system) (*Dir, error) {
	p.Format = Format
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", planName(path), err)
	}
	hash, err := p.hash()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", planName(path), err)
	}
	p.Hash = hash
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, &OccupiedError{path, "it is a file"}
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("%s: cannot make the directory: %w", path, input.Reason(err))
	}
	d, err := open(path, sys)
	if errors.Is(err, fs.ErrNotExist) {
		if err := checkEmpty(path, planFile); err != nil {
			return nil, err
		}
		if err := publish(path, &p, sys); err != nil {
			return nil, err
		}
		// Another process may have been faster: its plan is the one that counts.
		d, err = open(path, sys)
	}
	if err != nil {
		return nil, err
	}
	if err := difference(path, d.plan, &p); err != nil {
		return nil, err
	}
	return d, nil
}

// Open opens the directory of a study of any version of the tool. Rows must be added
// only if Resumable is nil.
func Open(path string) (*Dir, error) { return open(path, realSystem) }

func open(path string, sys system) (*Dir, error) {
	name := planName(path)
	f, err := OpenFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; expected the directory of a study", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, failed("open the file", name, err)
	}
	defer f.Close() // read only: nothing to lose
	text, err := io.ReadAll(io.LimitReader(f, maxPlan+1))
	if err != nil {
		return nil, failed("read the file", name, err)
	}
	if len(text) > maxPlan {
		return nil, fmt.Errorf("%s: longer than %d bytes; expected the plan of a study", name, maxPlan)
	}
	p, err := readPlan(path, text)
	if err != nil {
		return nil, err
	}
	return &Dir{path: path, plan: p, sys: sys}, nil
}

// publish creates plan.json in the directory. It is not an error if another process
// has created it in the meantime.
func publish(path string, p *Plan, sys system) (err error) {
	text, err := p.text()
	if err != nil {
		return err
	}
	if len(text) > maxPlan {
		return fmt.Errorf("%s: would have %d bytes; expected at most %d", planName(path), len(text), maxPlan)
	}
	name := planName(path)
	temporary, err := sys.whole(name, text)
	if err != nil {
		return err
	}
	// After a rename it no longer exists. If it cannot be removed, it does no harm.
	defer os.Remove(temporary)
	if err := sys.link(temporary, name); err != nil {
		// The name is taken, or this file system has no links. A link over NFS
		// may also have been made although it reports an error.
		if there, err := exists(name); there || err != nil {
			return err
		}
		if err := sys.rename(temporary, name); err != nil {
			return failed("rename it to plan.json", temporary, err)
		}
	}
	return sys.syncDir(path)
}

// Plan returns the plan in the directory. It is shared and must not be changed.
func (d *Dir) Plan() *Plan { return d.plan }

// Path returns the path that the directory was opened by.
func (d *Dir) Path() string { return d.path }

// Resumable returns nil if this version of the tool may add rows, and otherwise
// a *[PlanError] that names both versions.
func (d *Dir) Resumable(version string) error {
	return sameVersion(d.path, d.plan.Version, version)
}

// Missing returns the shards that are not complete, in ascending order.
func (d *Dir) Missing() ([]int, error) {
	var missing []int
	for shard := range d.plan.Shards {
		done, err := exists(d.shardName(shard))
		if err != nil {
			return nil, err
		}
		if !done {
			missing = append(missing, shard)
		}
	}
	return missing, nil
}

// syncNames makes the names of parts and shards survive a power failure, at most
// once a second: small shards would otherwise spend most of their time here. If
// the power fails before, the file that is complete has its old name, of a part,
// and is adopted as a whole.
func (d *Dir) syncNames() error {
	d.names.mu.Lock()
	defer d.names.mu.Unlock()
	if d.sys.now().Sub(d.names.synced) < commitEvery {
		return nil
	}
	if err := d.sys.syncDir(d.path); err != nil {
		return err
	}
	d.names.synced = d.sys.now()
	return nil
}

// planFile is the name of the plan in a directory.
const planFile = "plan.json"

func planName(dir string) string { return filepath.Join(dir, planFile) }

func (d *Dir) shardName(shard int) string {
	return filepath.Join(d.path, fmt.Sprintf("shard-%05d.csv", shard))
}

// partPrefix is the beginning of the names of all parts of a shard.
func partPrefix(shard int) string { return fmt.Sprintf("part-%05d.", shard) }

// header is the first line of the parts of a shard, without its end.
func (d *Dir) header(shard int) string {
	return fmt.Sprintf("# isoscale shard format %d plan %s shard %d of %d", d.plan.Format, d.plan.Hash, shard, d.plan.Shards)
}
