package output

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Stdout is the name that stands for standard output.
const Stdout = "-"

// Error reports why a file cannot be written, or must not be.
type Error struct {
	Name string // as the user gave it
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Name, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Files are the output files of one call. Calls of its methods must not overlap.
type Files struct {
	stdout  io.Writer
	ofStudy func(path string) bool
	names   []string
	read    []string
}

// New returns the outputs with these names; "" stands for none and [Stdout] for stdout.
// ofStudy reports whether a path is that of a file of a results directory, which is never
// written.
func New(stdout io.Writer, ofStudy func(path string) bool, names ...string) *Files {
	given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	return &Files{stdout: stdout, ofStudy: ofStudy, names: given}
}

// UseStdout reports whether an output is standard output.
func (f *Files) UseStdout() bool { return slices.Contains(f.names, Stdout) }

// Text returns where the text for the user goes: standard output, or nowhere if an
// output takes its place.
func (f *Files) Text() io.Writer {
	if f.UseStdout() {
		return io.Discard
	}
	return f.stdout
}

// Check reports why an output cannot or must not be written. read are files, or folders
// of files, that the call reads; they are remembered for all later checks.
func (f *Files) Check(read ...string) error {
	f.read = append(f.read, read...)
	return f.check(f.names)
}

// Add adds outputs whose names are known only when there is an answer, and checks them.
func (f *Files) Add(names ...string) error {
	f.names = append(f.names, names...)
	return f.check(names)
}

func (f *Files) check(names []string) error {
	all := f.places()
	for _, name := range names {
		if _, err := f.place(name, all); err != nil {
			return err
		}
	}
	return nil
}

// Write writes an output, unless its name is "". The name is one of those given to New.
// The error of content is returned as it is, and the file is then as it was.
func (f *Files) Write(name string, content func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	p, err := f.place(name, f.places())
	switch {
	case err != nil:
		return err
	case name == Stdout:
		return buffered(f.stdout, content)
	case p.inPlace:
		return writeInPlace(name, content)
	}
	return f.replace(name, p, content)
}

// replace writes a file under another name first, and renames it when it is complete.
func (f *Files) replace(name string, p place, content func(io.Writer) error) (err error) {
	failed := func(err error) error { return &Error{name, input.Reason(err)} }
	temporary := filepath.Join(filepath.Dir(p.path), ".isoscale-"+rand.Text()+".tmp")
	w, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return failed(err)
	}
	defer func() {
		if err == nil {
			return
		}
		if left := os.Remove(temporary); left != nil {
			err = errors.Join(err, left)
		}
	}()
	if p.info != nil {
		err = w.Chmod(p.info.Mode().Perm())
	}
	if err == nil {
		err = buffered(w, content)
	}
	if err == nil {
		err = w.Sync()
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return failedWrite(name, temporary, err)
	}
	// What the name stands for may have changed, and more files may have been read.
	if p, err = f.place(name, f.places()); err != nil {
		return err
	}
	if err = os.Rename(temporary, p.path); err != nil {
		return failed(err)
	}
	return nil
}

// writeInPlace writes to a device or a pipe.
func writeInPlace(name string, content func(io.Writer) error) error {
	w, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return &Error{name, input.Reason(err)}
	}
	err = buffered(w, content)
	if closed := w.Close(); err == nil {
		err = closed
	}
	return failedWrite(name, name, err)
}

// buffered calls content with a buffered writer to w.
func buffered(w io.Writer, content func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := content(b); err != nil {
		return err
	}
	return b.Flush()
}

// failedWrite returns an *Error for the output name if the operating system refused to
// write the file; other errors are those of the content and stay as they are.
func failedWrite(name, file string, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) && system.Path == file {
		return &Error{name, system.Err}
	}
	return err
}
