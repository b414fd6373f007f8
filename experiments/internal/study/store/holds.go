package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// kept are the names of files in a results directory: those of this package, and
// about.json and slurm.json, which the callers of this package keep beside them.
var kept = regexp.MustCompile(`^(plan\.json|about\.json|slurm\.json|results\.csv|shard-[0-9]{5}\.csv|part-[0-9]{5}\..*)$`)

// rowFile are the names of files with rows.
var rowFile = regexp.MustCompile(`^(shard-[0-9]{5}\.csv|part-[0-9]{5}\..*)$`)

// Holds reports whether a path is that of a file of a results directory, which nothing
// else may write, whether or not the file exists. A path with links in it must have
// been resolved. Other files in the directory, such as reports, do not count.
func Holds(path string) bool {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path)) // some file systems ignore case
	switch strings.ToLower(filepath.Base(dir)) {
	case "times", "log":
		if isStudy(filepath.Dir(dir)) {
			return true
		}
	}
	return kept.MatchString(name) && isStudy(dir)
}

// isStudy reports whether a directory holds the plan of a study, of any version, or
// rows of one whose plan is lost.
func isStudy(dir string) bool {
	_, err := Open(dir)
	var other *PlanError
	if err == nil || errors.As(err, &other) {
		return true
	}
	rows, err := hasRows(dir)
	return err == nil && rows
}

// hasRows reports whether a directory has files with rows.
func hasRows(dir string) (bool, error) {
	found := false
	err := eachName(dir, func(name string) { found = found || rowFile.MatchString(name) })
	return found, err
}

// eachName calls visit with the names in a directory, in no order. A directory that
// does not exist has none.
func eachName(dir string, visit func(name string)) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("list the directory", dir, err)
	}
	for _, e := range entries {
		visit(e.Name())
	}
	return nil
}
