package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Each command that a lesson shows works and gives the outcomes that its numbers are
// computed from. A run that ends in a deadlock fails, as the lesson says.
func TestCommandsOfLessons(t *testing.T) {
	expect.Long(t, "runs every command of twelve lessons; their answers are tested without commands too")
	inExamples(t)
	for _, l := range lessonViews(t) {
		for _, r := range l.Runs {
			if r.Command == "" {
				continue
			}
			words := shellWords(t, r.Command)
			if r.Outcomes["finishes"] == 0 {
				o := isoscaleOnce(words[1:]...)
				expect.That(t, o.status == exitFailed && strings.Contains(o.stderr, "deadlock"),
					"lesson %d: %s: status %d; want a deadlock\n%s", l.Lesson, r.Command, o.status, o.stderr)
				continue
			}
			var got struct {
				Makespan float64 `json:"makespan_s"`
				Time     float64 `json:"time_s"` // of a super-program
			}
			expect.Success(t, json.Unmarshal([]byte(succeed(t, append(words[1:], "--json")...).stdout), &got))
			takes := got.Makespan + got.Time
			expect.That(t, takes == r.Outcomes["time"] && takes != 0,
				"lesson %d: %s takes %v s; the lesson measures %v s", l.Lesson, r.Command, takes, r.Outcomes["time"])
		}
		for _, line := range commandsIn(l) {
			if slices.ContainsFunc(longExamples, func(file string) bool { return strings.Contains(line, file) }) {
				continue // among the golden outputs
			}
			words := shellWords(t, line)
			o := isoscaleOnce(words[1:]...)
			expect.That(t, o.status == exitOK || o.status == exitFailed && strings.Contains(o.stderr, "deadlock"),
				"lesson %d: %s: status %d\n%s", l.Lesson, line, o.status, o.stderr)
		}
	}
}

// The numbers in the prose of a lesson are measured, or stand in what it sets: in its
// runs and in the files that they name. Only small counts may stand by themselves.
func TestNumbersOfLessonsAreMeasuredOrSet(t *testing.T) {
	inExamples(t)
	all := expect.Value(lessonsOfProgram())(t)
	for _, l := range all {
		set := l.sets(t)
		for _, text := range l.prose(t) {
			for _, n := range numberInProse.FindAllStringSubmatch(takenOut.ReplaceAllString(text, " "), -1) {
				found, value, unit := strings.TrimSpace(n[1]), n[2], n[3]
				count, err := strconv.Atoi(value)
				small := err == nil && unit == "" && count <= 20
				expect.That(t, small || strings.Contains(set, " "+found+" "),
					"lesson %d: %s in %q is neither measured nor set; expected {{EXPRESSION}}", l.Number, found, text)
			}
		}
	}
}

var (
	// takenOut is what has no number to check: expressions, commands and names in code.
	takenOut = regexp.MustCompile("(?s)\\{\\{.*?\\}\\}|`[^`]*`")
	// numberInProse is a number that is no part of a name or a formula, with its unit.
	numberInProse = regexp.MustCompile(`(?:^|[\s(])(([0-9]+(?:\.[0-9]+)?)(?: (s|[munp]s|[kMGT]?B|[kMGT]?bit/s|[kMGT]?B/s|[kMGT]?flop(?:/s)?|%))?)(?:[\s.,:;?)]|$)`)
	separators    = regexp.MustCompile(`["'{}\[\],:#\n]+`)
)

// sets returns what a lesson sets, in one line: the values of its runs and curves and the
// texts of the files that they name.
func (l *openedLesson) sets(t *testing.T) string {
	var all strings.Builder
	for _, r := range l.Runs {
		for _, s := range r.Set {
			all.WriteString(" " + s.Value + " ,")
		}
	}
	for _, s := range l.Steps {
		if s.Curve != nil {
			all.WriteString(strings.Join(s.Curve.Values, " , ") + " ,")
		}
	}
	files := l.files()
	for i := 0; i < len(files); i++ {
		text := expect.Value(os.ReadFile(filepath.Join("examples/lessons", files[i])))(t)
		all.WriteString(string(text))
		for _, other := range regexp.MustCompile(`(?m)(?:application|machine): ([a-z-]+\.yaml)`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(files, other[1]) {
				files = append(files, other[1])
			}
		}
	}
	return separators.ReplaceAllString(all.String(), " ")
}

// files returns the files that the runs of a lesson name, each once.
func (l *openedLesson) files() []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, r := range l.Runs {
		add(r.File)
	}
	for _, s := range l.Steps {
		if s.Curve != nil {
			add(s.Curve.File)
		}
	}
	return names
}

// prose returns the texts of a lesson as they are written.
func (l *openedLesson) prose(t *testing.T) []string {
	data := expect.Value(json.Marshal(l.Lesson))(t)
	var document any
	expect.Success(t, json.Unmarshal(data, &document))
	var all []string
	var collect func(key string, v any)
	collect = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if k != "runs" && k != "set" && k != "values" && k != "reproduces" {
					collect(k, x)
				}
			}
		case []any:
			for _, x := range v {
				collect(key, x)
			}
		case string:
			all = append(all, v)
		}
	}
	collect("", document)
	return all
}

// lessonViews are the lessons with all that they measure.
func lessonViews(t *testing.T) []*lessonView {
	t.Helper()
	all := expect.Value(lessonsOfProgram())(t)
	var views []*lessonView
	for i := range all {
		v, err := all[i].view(t.Context(), lessonOptions{run: true, answers: true, instructor: true})
		expect.Need(t, err == nil, "lesson %d: %v", all[i].Number, err)
		views = append(views, v)
	}
	return views
}

// commandsIn are the commands in the prose of a lesson.
func commandsIn(v *lessonView) []string {
	texts := []string{v.Text, v.Insight, v.Instructor.Notes}
	for _, s := range v.Steps {
		texts = append(texts, s.Text, s.Reveal)
	}
	var all []string
	for _, text := range texts {
		for _, c := range regexp.MustCompile("`(isoscale [^`]*)`").FindAllStringSubmatch(text, -1) {
			all = append(all, c[1])
		}
	}
	return all
}

// inExamples goes to a new folder with the examples in it.
func inExamples(t *testing.T) {
	t.Helper()
	t.Chdir(copyOfExamples(t))
}
