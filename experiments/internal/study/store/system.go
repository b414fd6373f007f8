package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
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

// whole writes a text under a temporary name, complete and synced, which is to become name.
func (sys system) whole(name string, text []byte) (temporary string, err error) {
	temporary = name + "." + writer() + unfinished
	f, err := sys.create(temporary)
	if err != nil {
		return "", failed("make the file", temporary, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(temporary)
		return "", failed("write the file", temporary, err)
	}
	return temporary, nil
}

// unfinished is how the names of files end that are being written.
const unfinished = ".tmp"

// writer is the end of the name of a file that only this process writes:
// HOST.PID.RANDOM. The random part keeps containers apart that share a host
// name and all have process 1.
func writer() string {
	return fmt.Sprintf("%s.%d.%s", hostInName(), os.Getpid(), strings.ToLower(rand.Text()[:10]))
}

// hostInName is the host's name without what a file name or a part of it
// should not have.
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

// exists reports whether there is a file of that name.
func exists(name string) (bool, error) {
	switch _, err := os.Stat(name); {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	default:
		return false, failed("look for the file", name, err)
	}
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
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return failed("sync the directory", dir, err)
	}
	return nil
}

// failed is the error of an operation on a file, with advice.
func failed(doing, name string, err error) error {
	advice := "put that right and start again: finished rows are kept"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		advice = "make room there or raise the quota, and start again: finished rows are kept"
	}
	return fmt.Errorf("%s: cannot %s: %w; %s", name, doing, input.Reason(err), advice)
}
