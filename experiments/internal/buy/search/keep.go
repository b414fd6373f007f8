package search

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// A folder keeps what simulations gave, a file for each, so that a plan that was
// interrupted, or whose prices have changed, simulates only what is missing.
//
// The name of a file is the SHA-256 sum of everything that its outcome depends on, and of
// the version of the program. A file gets its name when it is complete, and is never
// changed: processes may be killed at any time, and several may use a folder at once. A
// file that cannot be read as an outcome is written again.
type folder struct{ path string }

// folderMark is the file by which a folder is known to be one.
const (
	folderMark = "plan-simulations.json"
	folderText = `{"format": "isoscale simulations of purchase plans", "version": 1}` + "\n"
)

// openFolder makes a folder, or opens one that is there. Other files are not mixed with
// simulations: that is an error.
func openFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the directory: %w", err)
	}
	f := &folder{path}
	if marked, err := f.marked(); marked || err != nil {
		return f, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	other := slices.IndexFunc(entries, func(x fs.DirEntry) bool { return !strings.HasSuffix(x.Name(), unfinished) })
	// Another process may have begun between both looks.
	if marked, err := f.marked(); marked || err != nil {
		return f, err
	}
	if other >= 0 {
		return nil, fmt.Errorf("%s: it has other files, such as %s; expected the directory of a plan, or a new or empty one", path, entries[other].Name())
	}
	return f, f.write(folderMark, []byte(folderText))
}

// marked reports whether the folder is known to be one.
func (f *folder) marked() (bool, error) {
	mark := filepath.Join(f.path, folderMark)
	text, err := os.ReadFile(mark)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && string(text) != folderText:
		return false, fmt.Errorf("%s: not of this version of the program; expected a new directory", mark)
	}
	return err == nil, err
}

// unfinished is how the names of files end that are being written.
const unfinished = ".tmp"

// kept is an outcome as a file has it.
type kept struct {
	Run          model.Simulated
	Unattainable string
}

// load returns what a simulation gave, if it is kept.
func (f *folder) load(x simulation) (model.Outcome, bool) {
	text, err := os.ReadFile(filepath.Join(f.path, x.file()))
	if err != nil {
		return model.Outcome{}, false
	}
	var k kept
	if json.Unmarshal(text, &k) != nil {
		return model.Outcome{}, false
	}
	return model.Outcome{Run: k.Run, Unattainable: k.Unattainable}, true
}

// save keeps what a simulation gave.
func (f *folder) save(x simulation, o model.Outcome) error {
	text, err := json.Marshal(kept{o.Run, o.Unattainable})
	if err != nil {
		return err
	}
	return f.write(x.file(), append(text, '\n'))
}

// write makes a file, whole or not at all.
func (f *folder) write(name string, text []byte) (err error) {
	name = filepath.Join(f.path, name)
	temporary := name + "." + rand.Text()[:10] + unfinished
	defer func() {
		if err != nil {
			_ = os.Remove(temporary)
			err = fmt.Errorf("cannot keep a simulation: %w", err)
		}
	}()
	out, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if err == nil {
		err = out.Sync()
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

// file returns the name of the file of a simulation. The key of a simulation tells it from
// the others of its plan; other plans may have other workloads, network models and node
// types under the same names.
func (x simulation) file() string {
	p := x.plan
	m, use := x.machine()
	w := &p.Workloads[x.workload]
	sum := sha256.New()
	err := json.NewEncoder(sum).Encode([]any{
		input.Version, w.Text, w.Target, w.Sizes, p.Seed, p.ModelText, p.ReadFiles, x.key(), m.Types, use,
	})
	if err != nil {
		panic("buy: " + err.Error()) // numbers, texts and lists of them
	}
	return hex.EncodeToString(sum.Sum(nil)[:20]) + ".json"
}
