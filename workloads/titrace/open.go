package titrace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// maxLine is the longest line of a trace, in bytes: an alltoallv of some
// hundred thousand ranks.
const maxLine = 4 << 20

const (
	// maxRank is the largest rank that a trace may name.
	maxRank = 1<<24 - 1
	// If each rank has its own file, their buffers share readMemory bytes, within the
	// bounds for one buffer.
	readMemory            = 16 << 20
	minBuffer, fileBuffer = 4 << 10, 64 << 10
	// bufferSize is the buffer for a file that is read from beginning to end.
	bufferSize = 16 << 10
)

// Open opens a trace with the given number of ranks; 0 stands for as many as are found.
// The path may be
//
//   - a merged trace: one file with the actions of all ranks, recognized by a number
//     and a word on the first line that is not blank or a comment;
//   - a list: a file with the names of other files, one on each line, relative to
//     the folder of the list. If it has one line, or if all lines are the same,
//     it names a merged trace, else line i (from 0) names the file of rank i;
//   - a folder that contains only files of one rank each, with any names: the first
//     action of each tells the rank. Names that begin with a point are ignored. A
//     single file is a merged trace.
//
// Any of them may be compressed by gzip, which is told by the first two bytes.
//
// Files of one rank are read while the program runs and must not change. A
// merged or compressed trace is sorted by rank before Open returns, in memory
// up to about 16 MB and in the system's folder for temporary files beyond. The
// temporary file has at most about the size of the (uncompressed) trace and goes
// away with Close.
//
// Mistakes in the files are a *[SyntaxError]; other errors come from the file system.
// Only Next checks the actions themselves.
func Open(path string, ranks int) (*Program, error) {
	if err := checkRanks(ranks); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(path, ranks)
	}
	first, err := firstLine(path)
	if err != nil {
		return nil, err
	}
	if first.isAction() {
		return openMerged(path, ranks)
	}
	return openList(path, ranks)
}

// Read reads a merged trace to its end, like Open. The name is for errors. Another
// goroutine reads from r, but no longer when Read returns.
func Read(name string, r io.Reader, ranks int) (*Program, error) {
	if err := checkRanks(ranks); err != nil {
		return nil, err
	}
	return readMerged(name, r, ranks, spoolMemory)
}

func checkRanks(ranks int) error {
	if ranks < 0 || ranks > maxRank+1 {
		return fmt.Errorf("titrace: %d ranks; expected 1 to %d, or 0 for as many as are found", ranks, maxRank+1)
	}
	return nil
}

func newProgram(ranks int) *Program { return &Program{ranks: make([]rank, ranks), recorded: ranks} }

func (r *rank) readSpool(s *spool, number int32, file *string) {
	r.chain, r.file, r.spooled = s.reader(number), file, true
}

// eachLine calls do with each line and its number, until the end or an error.
func eachLine(name string, r io.Reader, do func(n int, b []byte) error) error {
	plain, err := lines.Decompress(r, bufferSize)
	if err != nil {
		return readError(name, 1, err)
	}
	in := lines.NewReader(plain, bufferSize, maxLine)
	for n := 1; ; n++ {
		b, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return readError(name, n, err)
		}
		if err := do(n, b); err != nil {
			return err
		}
	}
}

func isCompressed(path string) (bool, error) {
	f, err := openFile(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [2]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return false, err
	}
	return head == lines.GzipMagic, nil
}

// opening describes the first line of a file that is not blank or a comment.
type opening struct {
	rank  int32 // if the line begins with one, otherwise -1
	words int   // at most 2
}

func (o opening) isAction() bool { return o.rank >= 0 && o.words > 1 }

var errFound = errors.New("found")

func firstLine(path string) (opening, error) {
	o := opening{rank: -1}
	file, err := openFile(path)
	if err != nil {
		return o, err
	}
	defer file.Close()
	err = eachLine(path, file, func(_ int, b []byte) error {
		f := fields{b: b}
		if !f.more() || b[f.i] == '#' {
			return nil
		}
		if n, ok := f.integer(0, maxRank); ok {
			o.rank = n
		}
		o.words = 1
		if f.more() {
			o.words = 2
		}
		return errFound
	})
	if err == errFound {
		err = nil
	}
	return o, err
}

func openList(path string, ranks int) (*Program, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var files []string
	same := true
	err = eachLine(path, f, func(n int, b []byte) error {
		name := strings.Trim(string(b), " \t\r")
		if name == "" || name[0] == '#' {
			return nil
		}
		column := skipBlanks(b, 0) + 1
		if len(files) > maxRank {
			return &SyntaxError{File: path, Line: n, Column: column, What: "one file too many",
				Expected: fmt.Sprintf("at most %d", maxRank+1)}
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			return &SyntaxError{File: path, Line: n, Column: column,
				What:     fmt.Sprintf("there is no file %q", lines.Clip([]byte(name))),
				Expected: "the name of a trace, relative to this file, or an action of a merged trace: a rank and a word"}
		}
		files = append(files, name)
		same = same && name == files[0]
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
		return nil, wholeFile(path, "a trace, or the names of some", "empty")
	case len(files) == 1:
		return openMerged(files[0], ranks)
	case ranks > 0 && ranks != len(files):
		return nil, wholeFile(path, "one for each rank", "%d files for %d ranks", len(files), ranks)
	case same:
		return openMerged(files[0], len(files))
	}
	return openFiles(files)
}

func openFolder(path string, ranks int) (*Program, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
			found = append(found, filepath.Join(path, e.Name()))
		}
	}
	switch {
	case len(found) == 0:
		return nil, wholeFile(path, "those of a trace", "no files")
	case len(found) == 1:
		return openMerged(found[0], ranks)
	case ranks > 0 && ranks != len(found):
		return nil, wholeFile(path, "one for each rank", "%d files for %d ranks", len(found), ranks)
	}
	files := make([]string, len(found))
	for _, name := range found {
		first, err := firstLine(name)
		switch {
		case err != nil:
			return nil, err
		case !first.isAction():
			return nil, wholeFile(name, "only traces in the folder", "does not begin with an action")
		case int(first.rank) >= len(files):
			return nil, wholeFile(name,
				fmt.Sprintf("one from 0 to %d, as there are %d files", len(files)-1, len(files)), "is of rank %d", first.rank)
		case files[first.rank] != "":
			return nil, wholeFile(name, "a file for each rank", "is of rank %d like %s", first.rank, files[first.rank])
		}
		files[first.rank] = name
	}
	return openFiles(files)
}

// openFiles opens one file for each rank.
func openFiles(files []string) (p *Program, err error) {
	p = newProgram(len(files))
	p.files = files
	buffer := min(max(readMemory/len(files), minBuffer), fileBuffer)
	for i := range files {
		name, r := &files[i], &p.ranks[i]
		compressed, err := isCompressed(*name)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		if !compressed {
			r.lines, r.file = lines.NewReader(&fileText{path: *name}, buffer, maxLine), name
			continue
		}
		if p.spool == nil {
			p.spool = newSpool(spoolMemory)
		}
		if err := p.spool.addFile(*name, int32(i)); err != nil {
			return nil, errors.Join(err, p.Close())
		}
		r.spooled = true
	}
	for i := range files {
		if r := &p.ranks[i]; r.spooled {
			r.readSpool(p.spool, int32(i), &files[i])
		}
	}
	return p, nil
}

// addFile adds the lines of a file to a rank.
func (s *spool) addFile(name string, rank int32) error {
	f, err := openFile(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var record []byte
	return eachLine(name, f, func(n int, b []byte) error {
		if i := skipBlanks(b, 0); i == len(b) || b[i] == '#' {
			return nil
		}
		var a action
		if named, plain := a.scan(b); plain && named == rank {
			record = a.appendRecord(record[:0])
		} else {
			record = appendText(record[:0], b)
		}
		return s.add(rank, n, record)
	})
}

// errNoFile is the error for a pipe or a device.
var errNoFile = errors.New("it is not a regular file, and a trace is read more than once")

// openFile opens a file of a trace. It refuses pipes and devices before they are opened:
// opening a named pipe would wait for a writer.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	return os.Open(path)
}

// fileText is a file that is open only during a read, so that a program may have more
// ranks than a process may have open files.
type fileText struct {
	path string
	at   int64
}

func (t *fileText) Read(p []byte) (int, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.ReadAt(p, t.at)
	t.at += int64(n)
	return n, err // io.EOF comes with the last bytes, which saves another opening
}
