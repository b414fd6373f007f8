package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// defaultFile is the name of the scenario that the page shows first.
const defaultFile = "explore.yaml"

// content is the page's content from files.
type content struct {
	Files   map[string]string // all of them by name
	Lessons []lessonEntry     // in their order
	Plans   []string          // the names of purchase plans, which are also among the runs
	runs    []runEntry
}

// lessonEntry is a lesson in the list of lessons.
type lessonEntry struct {
	File      string          `json:"file"`
	Number    int             `json:"lesson"`
	Title     string          `json:"title"`
	Minutes   int             `json:"minutes"`
	Questions []questionEntry `json:"questions"`
}

// questionEntry is a step with a question: for a number, one of some options, or the points of a curve.
type questionEntry struct {
	Step    int `json:"step"` // from 0
	Options int `json:"options,omitempty"`
	Points  int `json:"points,omitempty"`
}

// runEntry is a scenario or super-program in the list of files.
type runEntry struct{ Name, Title string }

// group is a folder in the list, with its files.
type group struct {
	Name  string
	Files []runEntry
}

// readContent reads the YAML files in a folder of examples and below it, and the data files
// that they name.
func readContent(folder string) (*content, error) {
	c := &content{Files: map[string]string{}, Lessons: []lessonEntry{}, Plans: []string{}}
	if err := c.add(defaultFile, asset("explore.yaml")); err != nil {
		return nil, err
	}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		data := filepath.Ext(name) == ".dat"
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".yaml" && !data {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		if data {
			c.Files[filepath.ToSlash(short)] = string(text)
			return nil
		}
		return c.add(filepath.ToSlash(short), string(text))
	})
	slices.SortFunc(c.Lessons, func(a, b lessonEntry) int { return cmp.Compare(a.Number, b.Number) })
	return c, err
}

func (c *content) add(name, text string) error {
	root, err := yamldoc.Parse(name, []byte(text))
	if err != nil {
		return err
	}
	c.Files[name] = text
	switch input.KindOf(root) {
	case input.KindScenario, input.KindSuper, input.KindPurchase:
		if input.KindOf(root) == input.KindPurchase {
			c.Plans = append(c.Plans, name)
		}
		var d yamldoc.Decoder
		title := d.String(d.Mapping(root, "").Take("title"), "a title")
		c.runs = append(c.runs, runEntry{name, cmp.Or(title, strings.TrimSuffix(path.Base(name), ".yaml"))})
	case input.KindLesson:
		l, err := lesson.ReadRoot(root)
		if err != nil {
			return err
		}
		entry := lessonEntry{File: name, Number: l.Number, Title: l.Title, Minutes: l.Minutes, Questions: []questionEntry{}}
		for i, s := range l.Steps {
			q := questionEntry{Step: i}
			if s.Choice != nil {
				q.Options = len(s.Choice.Options)
			}
			if s.Curve != nil {
				q.Points = len(s.Curve.Values)
			}
			if s.Question != "" {
				entry.Questions = append(entry.Questions, q)
			}
		}
		c.Lessons = append(c.Lessons, entry)
	}
	return nil
}

// keptAnswer is an answer that the page has without simulating.
type keptAnswer struct {
	JSON     string `json:"json"`
	Timeline []byte `json:"timeline,omitempty"`
}

// kept returns the answers for what the page shows first and for the texts of lessons, by question and file. If one
// fails, the page has to ask for it.
func (c *content) kept(ctx context.Context) map[string]keptAnswer {
	all := map[string]keptAnswer{}
	b := explorer.New(c.Files)
	ask := func(q explorer.Request) {
		request, _ := json.Marshal(q) // everything in it can be encoded
		r := b.Answer(ctx, request)
		if !bytes.HasPrefix(r.JSON, []byte(`{"error"`)) {
			all[q.Do+" "+q.File] = keptAnswer{string(r.JSON), r.Timeline}
		}
	}
	for _, do := range []string{"controls", "run", "shares"} {
		ask(explorer.Request{Do: do, File: defaultFile, Timeline: true})
	}
	for _, l := range c.Lessons {
		ask(explorer.Request{Do: "lesson", File: l.File})
	}
	return all
}

// groups lists the files that can be run, by folder.
func (c *content) groups() []group {
	var all []group
	names := map[string]string{".": "Examples"}
	for _, r := range c.runs {
		folder := path.Dir(r.Name)
		title := cmp.Or(names[folder], input.Capitalized(folder))
		if r.Name == defaultFile {
			title = "Begin here"
		}
		i := slices.IndexFunc(all, func(g group) bool { return g.Name == title })
		if i < 0 {
			i = len(all)
			all = append(all, group{Name: title})
		}
		all[i].Files = append(all[i].Files, runEntry{escape(r.Name), escape(r.Title)})
	}
	return all
}
