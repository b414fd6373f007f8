package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
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

// Create makes the directory of a study, with the folders above it, or opens it if it holds the same study already. In
// that case the existing number of shards counts, not that of p. Another study, another version of the tool or another
// format is a *[PlanError]; a directory of something else is an *[OccupiedError].
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
	return d, d.sweepUp()
}

// Open opens the directory of a study of any version of the tool. Rows must be added
// only if Resumable is nil.
func Open(path string) (*Dir, error) { return open(path, realSystem) }

func open(path string, sys system) (*Dir, error) {
	name := planName(path)
	text, err := ReadFile(name, maxPlan+1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w; expected the directory of a study", name, fs.ErrNotExist)
	case err != nil:
		return nil, failed("read the file", name, err)
	case len(text) > maxPlan:
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
	name := planName(path)
	content, err := encode(p, "  ")
	if err != nil {
		return err
	}
	if len(content) > maxPlan {
		return fmt.Errorf("%s: would have %d bytes; expected at most %d", name, len(content), maxPlan)
	}
	temporary, err := sys.whole(name, text(content))
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

// Path returns the path by which the directory was opened.
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

// syncNames makes the names of parts and shards survive a power failure, at most once a second: small shards would
// otherwise spend most of their time here. If the power fails earlier, a complete file may still have its old name,
// that of a part, and is adopted as a whole.
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

// OccupiedError reports that no study can be made at a path because something else is there.
type OccupiedError struct {
	Path string
	What string // is there
}

func (e *OccupiedError) Error() string {
	return fmt.Sprintf("%s: %s; expected the directory of the study, or a new or empty one", e.Path, e.What)
}

// checkEmpty returns an *[OccupiedError] if a directory has files but not the one that marks what is to be made there:
// they would be mixed. Rows without their plan could belong to another study, so they are refused, too.
func checkEmpty(dir, mark string) error {
	names, err := namesIn(dir)
	if err != nil {
		return err
	}
	// A process that creates the same study may have come first.
	if there, err := exists(filepath.Join(dir, mark)); there || err != nil {
		return err
	}
	// Another process is creating the same study, or was killed while doing so.
	names = slices.DeleteFunc(names, func(name string) bool {
		return strings.HasPrefix(name, mark+".") && strings.HasSuffix(name, unfinished)
	})
	switch {
	case slices.ContainsFunc(names, rowFile().MatchString):
		return &OccupiedError{dir, "it has the rows of a study, but not its " + planFile}
	case len(names) > 0:
		return &OccupiedError{dir, "it has other files, such as " + slices.Max(names)}
	}
	return nil
}

// left matches the names of files that are being written, or were when their process was killed: the file's name, and
// the writer's host and process.
var left = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:plan\.json|about\.json|slurm\.json|results\.csv)\.([A-Za-z0-9_-]+)\.([0-9]+)\.[a-z0-9]+\` +
		unfinished + `$`)
})

// abandoned is the age beyond which nobody is still writing a file, whatever its name says: the process may have been
// on another host, or its number may have been reused.
const abandoned = 24 * time.Hour

// sweepUp removes the unfinished files of processes that were killed. It keeps what another process of the study is
// writing.
func (d *Dir) sweepUp() error {
	names, err := namesIn(d.path)
	if err != nil {
		return err
	}
	for _, name := range names {
		m := left().FindStringSubmatch(name)
		if m == nil {
			continue
		}
		name = filepath.Join(d.path, name)
		info, err := os.Stat(name)
		if err != nil {
			continue // its writer has renamed it
		}
		process, err := strconv.Atoi(m[2])
		gone := m[1] == hostInName() && (err != nil || !lives(process))
		if gone || d.sys.now().Sub(info.ModTime()) > abandoned {
			os.Remove(name) // if it cannot be removed, it does no harm
		}
	}
	return nil
}

// lives reports whether a process of this host may still be running.
func lives(process int) bool {
	p, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // otherwise it would not have been found
	}
	err = p.Signal(syscall.Signal(0)) // only asks, sends nothing
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// kept matches the names of files in a results directory: those of this package, and about.json and slurm.json, which
// callers of this package keep there.
var kept = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(plan\.json|about\.json|slurm\.json|results\.csv)$|` + rowFile().String())
})

// rowFile matches the names of files with rows.
var rowFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(shard-[0-9]{5}\.csv|part-[0-9]{5}\..*)$`) })

// Holds reports whether a path is that of a file of a results directory, existing or not, which nothing else may write.
// Links in the path must have been resolved. Other files in the directory, such as reports, do not count.
func Holds(path string) bool {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path)) // some file systems ignore case
	switch strings.ToLower(filepath.Base(dir)) {
	case "times", "log":
		if isStudy(filepath.Dir(dir)) {
			return true
		}
	}
	return kept().MatchString(name) && isStudy(dir)
}

// isStudy reports whether a directory holds the plan of a study, of any version, or
// rows of one whose plan is lost.
func isStudy(dir string) bool {
	_, err := Open(dir)
	var other *PlanError
	if err == nil || errors.As(err, &other) {
		return true
	}
	names, err := namesIn(dir)
	return err == nil && slices.ContainsFunc(names, rowFile().MatchString)
}

// Shards proposes a number of shards for a study of so many points: the square
// root, at least 32 and at most 1000, but no more than there are points.
//
// Each shard costs a few file operations and, as an array task, a start by the
// scheduler of about a second. So there should not be many more shards than points per
// shard. But workers are given whole shards and wait for the last one at the end, so
// there should be many shards. At the square root both numbers are equal: 32 for 1000
// points, 1000 for a million. With 32 shards even a small study keeps the cores of a
// computer busy. More than 1000 do not fit into a job array of Slurm with its default
// limit, and are slow as files of one directory on network file systems.
func Shards(points int) int {
	root := int(math.Ceil(math.Sqrt(float64(points))))
	return max(1, min(points, max(root, 32), 1000))
}

// Ranges writes numbers in the notation of sbatch --array, sorted and without
// repetition: "7,25,38-39".
func Ranges(numbers []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(numbers)))
	var parts []string
	for i := 0; i < len(sorted); i++ {
		first := sorted[i]
		for i+1 < len(sorted) && sorted[i+1] == sorted[i]+1 {
			i++
		}
		text := strconv.Itoa(first)
		if sorted[i] > first {
			text += "-" + strconv.Itoa(sorted[i])
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// ParseRanges reads what Ranges wrote, in any order. Numbers are at most 99999; each is returned once, in ascending
// order. An empty text has none.
func ParseRanges(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var numbers []int
	for item := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(item, "-")
		first, err := parseShard(from)
		last := first
		if err == nil && isRange {
			last, err = parseShard(to)
		}
		if err != nil || last < first {
			return nil, fmt.Errorf("shards %q: %q; expected numbers below %d and ranges of them, as in 7,25,38-39", text, item, maxShards)
		}
		if len(numbers)+last-first >= maxShards {
			return nil, fmt.Errorf("shards %q: more than %d; expected each at most once", text, maxShards)
		}
		for n := first; n <= last; n++ {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// parseShard reads the number of a shard: digits only.
func parseShard(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err == nil && n >= maxShards {
		err = strconv.ErrRange
	}
	return int(n), err
}
