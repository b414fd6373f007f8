package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// aboutName is a file beside the plan of a results directory. It may be missing.
const aboutName = "about.json"

// write puts the text where readers see the old one or the new one whole.
func (a About) write(dir string) error {
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(dir, aboutName)
	if old, err := readAboutText(name); err == nil && bytes.Equal(old, append(text, '\n')) {
		return nil
	}
	temporary := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return os.Rename(temporary, name)
}

// maxAbout is the largest text of a study about itself, in bytes.
const maxAbout = 64 << 20

// readAboutText reads the file. What is too large for it is cut, and so no JSON.
func readAboutText(name string) ([]byte, error) {
	f, err := store.OpenFile(name)
	if err != nil {
		return nil, err
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxAbout))
}

// readAbout returns what the file says. It decides no row, so without it, or with
// one that is no use, a study is what it is without a title.
func readAbout(dir string, outcomes []system.Outcome) About {
	a := About{Objective: defaultObjective(outcomes)}
	text, err := readAboutText(filepath.Join(dir, aboutName))
	if err != nil {
		return a
	}
	var read About
	if err := json.Unmarshal(text, &read); err != nil || read.Objective.Response == "" {
		return a
	}
	return read
}
