package store

import (
	"fmt"
	"path/filepath"
	"strings"
)

// OccupiedError reports that no study can be made at a path, because something else is
// there.
type OccupiedError struct {
	Path string
	What string // is there
}

func (e *OccupiedError) Error() string {
	return fmt.Sprintf("%s: %s; expected the directory of the study, or a new or empty one", e.Path, e.What)
}

// checkEmpty returns an *[OccupiedError] if a directory without the file that marks what is
// to be made there has others: they would be mixed. Rows without their plan cannot be told from those of
// another study, so they are refused too.
func checkEmpty(dir, mark string) error {
	rows, other := false, ""
	err := eachName(dir, func(name string) {
		switch {
		case rowFile.MatchString(name):
			rows = true
		case strings.HasPrefix(name, mark+".") && strings.HasSuffix(name, unfinished):
			// Another process is creating the same study, or was killed then.
		default:
			other = max(other, name)
		}
	})
	if err != nil {
		return err
	}
	// A process that creates the same study may have come first.
	if there, err := exists(filepath.Join(dir, mark)); there || err != nil {
		return err
	}
	switch {
	case rows:
		return &OccupiedError{dir, "it has the rows of a study, but not its " + planFile}
	case other != "":
		return &OccupiedError{dir, "it has other files, such as " + other}
	}
	return nil
}
