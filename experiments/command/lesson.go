package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/examples/lessons"
	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

func newLesson() *cobra.Command {
	var (
		show       lessonOptions
		asJSON     bool
		step       int
		prediction string
		folder     string
	)
	cmd := newCommand("lesson", atMostOneArg("lesson"), func(cmd *cobra.Command, args []string) error {
		if folder != "" {
			if len(args) > 0 {
				return input.Errorf("--copy and the lesson %s; expected one of them: --copy writes all lessons", args[0])
			}
			return copyLessons(cmd.OutOrStdout(), folder)
		}
		if cmd.Flags().Changed("check") != cmd.Flags().Changed("step") {
			return input.Errorf("expected --step and --check together, as in --step 1 --check '2 ms'")
		}
		if len(args) == 0 {
			all, err := lessonsOfProgram()
			if err != nil {
				return err
			}
			return printLessons(cmd.OutOrStdout(), all, asJSON)
		}
		shown, err := openLesson(args[0])
		if err != nil {
			return err
		}
		if cmd.Flags().Changed("check") {
			c, err := shown.check(cmd.Context(), step, prediction)
			if err != nil {
				return err
			}
			return printAs(cmd.OutOrStdout(), asJSON, c, c.print)
		}
		v, err := shown.view(cmd.Context(), show)
		if err != nil {
			return err
		}
		return printAs(cmd.OutOrStdout(), asJSON, v, v.print)
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if all, err := lessonsOfProgram(); err == nil && len(args) == 0 {
			for _, l := range all {
				names = append(names, fmt.Sprintf("%d\t%s", l.Number, l.Title))
			}
		}
		return names, cobra.ShellCompDirectiveDefault
	}
	cmd.Flags().IntVar(&step, "step", 0, "`NUMBER`, from 1, of the step of the prediction")
	cmd.Flags().StringVar(&prediction, "check", "", "compare a `PREDICTION` with what the runs of the step give")
	cmd.Flags().BoolVar(&show.run, "run", false, "carry out the runs and show what they measure")
	cmd.Flags().BoolVar(&show.answers, "answers", false, "show all answers")
	cmd.Flags().BoolVar(&show.instructor, "instructor", false, "show the notes for instructors")
	cmd.Flags().StringVar(&folder, "copy", "", "write the lessons and the files of their runs to the new folder `DIR`")
	addJSON(cmd, &asJSON)
	return cmd
}

// lessonOptions say what of a lesson is shown besides its questions.
type lessonOptions struct{ run, answers, instructor bool }

// openedLesson is a lesson with the laboratory of its runs.
type openedLesson struct {
	*lesson.Lesson
	lab    *lesson.Lab
	name   string // in the catalogue; "" of a file
	file   string
	folder string // of its files, as commands name it
}

// lessonsOfProgram returns the lessons that are in the program, by their numbers.
func lessonsOfProgram() ([]openedLesson, error) {
	included, err := catalogue.Lessons()
	if err != nil {
		return nil, err
	}
	var all []openedLesson
	for _, l := range included {
		lab := lesson.NewLab(l.Lesson, lesson.Source{Documents: l.Documents})
		all = append(all, openedLesson{l.Lesson, lab, l.Name, l.File, l.Folder})
	}
	return all, nil
}

// openLesson finds a lesson by its number or its name, or reads its file.
func openLesson(name string) (*openedLesson, error) {
	if strings.ContainsAny(name, "./"+string(filepath.Separator)) {
		root, _, err := yamldoc.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := input.CheckKind(root, input.KindLesson); err != nil {
			return nil, err
		}
		l, err := lesson.ReadRoot(root)
		if err != nil {
			return nil, err
		}
		folder := filepath.ToSlash(filepath.Dir(name))
		return &openedLesson{l, lesson.NewLab(l, lesson.Source{Folder: folder}), "", name, folder}, nil
	}
	all, err := lessonsOfProgram()
	if err != nil {
		return nil, err
	}
	var known []string
	for i, l := range all {
		_, title, _ := strings.Cut(l.name, "-")
		if name == fmt.Sprint(l.Number) || name == l.name || name == title {
			return &all[i], nil
		}
		known = append(known, l.name, title)
	}
	return nil, input.Errorf("no lesson %q; expected a number from 1 to %d, a name from 'isoscale list lessons', or a file%s\nRun 'isoscale lesson' for the lessons.", name, all[len(all)-1].Number, input.Suggestion(name, known))
}

// copyLessons writes the files of the lessons to a new folder.
func copyLessons(w io.Writer, folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return input.Errorf("%s exists; expected the name of a new folder", folder)
	}
	if err := os.CopyFS(folder, lessons.Files); err != nil {
		return input.Errorf("cannot write the lessons: %v", err)
	}
	p := &printer{W: w}
	p.Line("lessons: %s", folder)
	return p.Err
}

// lessonEntry is a lesson in the list of all.
type lessonEntry struct {
	Lesson     int    `json:"lesson"`
	Title      string `json:"title"`
	Minutes    int    `json:"minutes"`
	File       string `json:"file"`
	Reproduces string `json:"reproduces,omitempty"`
}

func (l *openedLesson) entry() lessonEntry {
	return lessonEntry{l.Number, l.Title, l.Minutes, l.file, l.Reproduces}
}

func printLessons(w io.Writer, all []openedLesson, asJSON bool) error {
	var entries []lessonEntry
	rows := [][]string{{"lesson", "minutes", "title"}}
	for _, l := range all {
		entries = append(entries, l.entry())
		rows = append(rows, []string{fmt.Sprint(l.Number), fmt.Sprint(l.Minutes), l.Title})
	}
	return printAs(w, asJSON, entries, func(p *printer) {
		p.Table(rows, "rr.")
		p.Line("")
		p.Line("'isoscale lesson 1' shows the first one.")
	})
}
