package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// place is where an output goes.
type place struct {
	path    string      // at the end of all links; the name itself if inPlace
	info    fs.FileInfo // nil: there is no such file yet
	inPlace bool        // a device or a pipe, which is written to and not replaced
}

// same reports whether two outputs would be one.
func (p place) same(q place) bool {
	return p.path == q.path || p.info != nil && q.info != nil && os.SameFile(p.info, q.info)
}

// place finds out where an output goes, or why it must not; all are the places of the call. Its error is an *Error.
func (f *Files) place(name string, all []place) (place, error) {
	refuse := func(why error) (place, error) { return place{}, &Error{name, why} }
	p, err := locate(name)
	if err != nil {
		return refuse(input.Reason(err))
	}
	if err := p.writable(); err != nil {
		return refuse(err)
	}
	if p.inPlace {
		return p, nil
	}
	if err := f.spare(p); err != nil {
		return refuse(err)
	}
	uses := 0
	for _, other := range all {
		if p.same(other) {
			uses++
		}
	}
	if uses > 1 {
		return refuse(errors.New("another output of this call is the same file"))
	}
	return p, nil
}

// places finds out where all outputs go. Those that cannot be located are left out: they
// are the same as no other output.
func (f *Files) places() []place {
	var all []place
	for _, name := range f.names {
		if p, err := locate(name); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// maxLinks is how many symbolic links are followed, as on Linux.
const maxLinks = 40

// locate follows all links of a name. The file need not exist, its folder must.
func locate(name string) (place, error) {
	if name == Stdout {
		return place{path: Stdout}, nil
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return place{name, info, true}, nil // what /dev/fd/1 links to may have no name
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place{}, err
	}
	path := name
	for range maxLinks {
		link, err := os.Lstat(path)
		if err != nil || link.Mode()&fs.ModeSymlink == 0 {
			break
		}
		target, err := os.Readlink(path)
		if err != nil {
			return place{}, err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return place{}, err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return place{}, err
	}
	if about, err := os.Stat(folder); err != nil || !about.IsDir() {
		return place{}, fmt.Errorf("%s is not a directory", filepath.Dir(path))
	}
	return place{path: filepath.Join(folder, filepath.Base(path)), info: info}, nil
}

// writable reports why a place cannot be written to at all.
func (p place) writable() error {
	switch {
	case p.path == Stdout || p.info == nil:
		return nil
	case p.info.IsDir():
		return errors.New("it is a directory")
	case p.inPlace && p.info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return errors.New("it is neither a file nor a device nor a pipe to write to")
	case p.inPlace:
		return nil
	}
	// A file that may not be written must not be replaced either.
	w, err := os.OpenFile(p.path, os.O_WRONLY, 0)
	if err != nil {
		return input.Reason(err)
	}
	return w.Close()
}

// spare returns an error if the output would destroy a file that must stay.
func (f *Files) spare(p place) error {
	if p.path == Stdout {
		return nil
	}
	if f.ofStudy(p.path) {
		return errors.New("it is a file of a results directory")
	}
	if p.info == nil {
		return nil
	}
	if out, ok := f.stdout.(interface{ Stat() (fs.FileInfo, error) }); ok { // a file
		if info, err := out.Stat(); err == nil && os.SameFile(info, p.info) {
			return fmt.Errorf("standard output goes there; expected %s for standard output, or another file", Stdout)
		}
	}
	folder, err := os.Stat(filepath.Dir(p.path))
	if err != nil {
		return input.Reason(err)
	}
	for _, name := range f.read {
		in, err := os.Stat(name)
		switch {
		case err != nil: // not a file, or gone
		case os.SameFile(in, p.info):
			return errors.New("it is an input")
		case os.SameFile(in, folder):
			return fmt.Errorf("it is in %s, which is an input", name)
		}
	}
	return nil
}
