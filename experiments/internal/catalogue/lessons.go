package catalogue

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/examples/lessons"
	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// lessonFolder is where the lessons that the program has are in its source.
const lessonFolder = "examples/lessons"

// Lesson is a lesson that is in the program.
type Lesson struct {
	*lesson.Lesson
	Name   string // of the file without its ending, as "1-amdahl"
	File   string // in the source of the program
	Folder string // of that file, which has those of its runs
	// Documents are the texts of all files of the folder, by name.
	Documents scenario.Documents
}

// Lessons returns the lessons that are in the program, by their numbers. They are read
// once and must not be changed.
var Lessons = sync.OnceValues(readLessons)

func readLessons() ([]Lesson, error) {
	documents := scenario.Documents{}
	names, err := fs.Glob(lessons.Files, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if documents[name], err = lessons.Files.ReadFile(name); err != nil {
			return nil, err
		}
	}
	var all []Lesson
	for _, name := range names {
		file := lessonFolder + "/" + name
		root, err := yamldoc.Parse(file, documents[name])
		if err != nil {
			return nil, err
		}
		if input.KindOf(root) != input.KindLesson {
			continue
		}
		l, err := lesson.ReadRoot(root)
		if err != nil {
			return nil, err
		}
		all = append(all, Lesson{l, strings.TrimSuffix(name, ".yaml"), file, lessonFolder, documents})
	}
	slices.SortFunc(all, func(a, b Lesson) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// lessonEntries lists the lessons in one line each.
func lessonEntries() ([]Entry, error) {
	all, err := Lessons()
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, l := range all {
		entries = append(entries, Entry{Name: l.Name, Title: fmt.Sprintf("%s (%s)", l.Title, input.Plural(l.Minutes, "minute")), Commands: []string{fmt.Sprintf("lesson %d", l.Number)}})
	}
	return entries, nil
}

// describeLesson describes the lesson of that name, nil if there is none.
func describeLesson(name string) (*input.Description, error) {
	all, err := Lessons()
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.Name == name {
			return l.Describe(l.Name), nil
		}
	}
	return nil, nil
}
