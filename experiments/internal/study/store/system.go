package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// system has the operations of the operating system that the package uses to write.
// Tests replace it to simulate a full disk, a missing link(2) or another clock.
type system struct {
	create       func(name string) (file, error) // fails if the name exists
	extend       func(name string) (file, error) // makes it if it does not
	link, rename func(from, to string) error
	syncDir      func(dir string) error
	now          func() time.Time
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	Sync() error
}

var realSystem = system{
	create: func(name string) (file, error) {
		return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	},
	extend: func(name string) (file, error) {
		return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	},
	link:    os.Link,
	rename:  os.Rename,
	syncDir: syncDir,
	now:     time.Now,
}

// whole writes a complete, synced file under a temporary name, which the caller then renames to name.
func (sys system) whole(name string, write func(w io.Writer) error) (temporary string, err error) {
	temporary = name + "." + writer() + unfinished
	f, err := sys.create(temporary)
	if err != nil {
		return "", failed("make the file", temporary, err)
	}
	if err = write(namedWriter{f, temporary}); err == nil {
		err = failed("sync the file", temporary, f.Sync())
	}
	if closed := f.Close(); err == nil {
		err = failed("close the file", temporary, closed)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return temporary, err
}

// namedWriter adds the name of its file to errors.
type namedWriter struct {
	io.Writer
	name string
}

func (w namedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	return n, failed("write the file", w.name, err)
}

// replace replaces a file so that readers see either the old or the new one whole.
func (sys system) replace(name string, write func(w io.Writer) error) error {
	temporary, err := sys.whole(name, write)
	if err == nil {
		if err = sys.rename(temporary, name); err != nil {
			os.Remove(temporary)
			err = failed("rename it to "+filepath.Base(name), temporary, err)
		}
	}
	return err
}

// text returns a function that writes a text.
func text(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// Replace writes a file of a results directory; readers see either the old or the new text whole. If a power failure
// loses the name, the work is done again.
func Replace(name string, content []byte) error { return realSystem.replace(name, text(content)) }

// unfinished is the suffix of the names of files being written.
const unfinished = ".tmp"

// writer returns a suffix for the names of files that only this process writes: HOST.PID.RANDOM. The random part
// distinguishes containers that share a host name and all have process 1.
func writer() string {
	return fmt.Sprintf("%s.%d.%s", hostInName(), os.Getpid(), strings.ToLower(rand.Text()[:10]))
}

// hostInName is the host's name without characters that a file name, or a part of it, should not have.
var hostInName = sync.OnceValue(func() string {
	const longest = 63 // as in the DNS
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, host())
	return name[:min(len(name), longest)]
})

var host = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "unknown"
	}
	return name
})

// namesIn returns the names in a directory, in no order. A directory that does not exist
// has none.
func namesIn(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("open the directory", dir, err)
	}
	defer f.Close() // read only: nothing to lose
	names, err := f.Readdirnames(-1)
	return names, failed("list the directory", dir, err)
}

// exists reports whether there is a file of that name.
func exists(name string) (bool, error) {
	_, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, failed("look for the file", name, err)
}

// syncDir makes names in the directory survive a power failure. Windows cannot
// sync a directory, nor can some network file systems; they keep names in their
// own way.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return failed("open the directory", dir, err)
	}
	defer f.Close() // read only: nothing to lose
	if err = f.Sync(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return failed("sync the directory", dir, err)
}

// failed returns the error of an operation on a file, with advice; nil if there is no error.
func failed(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	advice := "put that right and start again: finished rows are kept"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		advice = "make room there or raise the quota, and start again: finished rows are kept"
	}
	return fmt.Errorf("%s: cannot %s: %w; %s", name, doing, input.Reason(err), advice)
}

// ReadFile reads a file of a results directory, at most most bytes.
func ReadFile(name string, most int) ([]byte, error) {
	f, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

// OpenFile opens a file of a results directory to read it. It refuses anything else in
// its place: opening a named pipe would wait for a writer, and a device may have no end.
func OpenFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return os.Open(name)
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "something else"
	}
	return nil, fmt.Errorf("it is %s, not a file", what)
}
