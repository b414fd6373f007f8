package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// aboutName is a file beside the plan of a results directory. It may be missing.
const aboutName = "about.json"

// write puts the text where readers see the old one or the new one whole.
func (a About) write(dir string) error {
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, aboutName+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), filepath.Join(dir, aboutName))
}

func readAbout(dir string, names []string) (About, error) {
	name := filepath.Join(dir, aboutName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return About{Objective: defaultObjective(names)}, nil
	}
	if err != nil {
		return About{}, err
	}
	var a About
	if err := json.Unmarshal(text, &a); err != nil {
		return About{}, fmt.Errorf("%s: %w; expected what sweep wrote; it may be removed", name, err)
	}
	return a, nil
}
