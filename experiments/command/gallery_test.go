package command

import (
	"bytes"
	_ "embed" // the list
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/internal/expect"
)

// galleryPage shows each kind of chart once. It and its pictures are written by TestDocPictures.
const galleryPage = "docs/gallery.md"

// A galleryChart is a chart of the gallery: what the picture shows where its title does not say it, the command whose report
// has it, and its name there. Of two results, "A; B" are the commands of both.
type galleryChart struct {
	heading, title, shows, command, chart string
	like                                  string // names of further charts that are the same of other quantities
}

//go:embed testdata/gallery.csv
var galleryRows string

// galleryCharts are the charts of the gallery, in its order.
var galleryCharts = func() (all []galleryChart) {
	rows, err := csv.NewReader(strings.NewReader(galleryRows)).ReadAll()
	if err != nil {
		panic(err)
	}
	for _, r := range rows[1:] {
		all = append(all, galleryChart{r[0], r[1], r[2], r[3], r[4], r[5]})
	}
	return all
}()

// checkGallery checks that the gallery has a row for each kind of chart that is made somewhere, for each command
// that draws charts, and for each chart of these results, which are all or lack those that take long.
func checkGallery(t *testing.T, stored map[string]string) {
	t.Helper()
	rows, kinds, commands := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	var likes []string
	for _, c := range galleryCharts {
		rows[c.chart], commands[strings.Fields(c.command)[0]] = true, true
		if c.like != "" {
			likes = append(likes, c.like)
		}
	}
	alike := regexp.MustCompile("^(?:" + strings.Join(likes, "|") + ")$")
	for command, file := range stored {
		text, err := os.ReadFile(file)
		if strings.HasPrefix(command, "sweep ") { // has a directory
			text, err = []byte(succeed(t, "report", file, "--json", "--charts").stdout), nil
		}
		expect.Success(t, err)
		charts := expect.Value(chart.Read(bytes.NewReader(text)))(t)
		for _, c := range charts {
			if rows[c.Name] {
				kinds[c.Kind()] = true
			} else if !alike.MatchString(c.Name) {
				t.Errorf("%s has the chart %s, which is no row of the gallery and like none", command, c.Name)
			}
		}
	}
	var sources strings.Builder
	expect.Success(t, filepath.WalkDir("experiments", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			text, failure := os.ReadFile(name)
			sources.Write(text)
			err = errors.Join(err, failure)
		}
		return err
	}))
	for _, kind := range chart.Kinds() {
		var one chart.Named
		expect.Success(t, json.Unmarshal(fmt.Appendf(nil, `{"kind": %q, "chart": {}}`, kind), &one))
		_, name, _ := strings.Cut(fmt.Sprintf("%T", one.Block), ".")
		made := regexp.MustCompile(`\breport\.` + name + `\b`).MatchString(sources.String())
		expect.That(t, kinds[kind] || !made, "the gallery has no chart of the kind %q", kind)
	}
	commands["report"] = commands["sweep"] // draws what a sweep has stored
	for _, c := range newRoot().Commands() {
		expect.That(t, c.Flags().Lookup("figures") == nil || commands[c.Name()],
			"the gallery has no chart of the command %q", c.Name())
	}
}

// galleryPictures are the pictures of the gallery.
func galleryPictures() []docPicture {
	var out []docPicture
	for _, c := range galleryCharts {
		out = append(out, docPicture{"docs/gallery/" + galleryFile(c.title), c.command, c.chart})
	}
	return out
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

func galleryFile(title string) string {
	return notInNames.ReplaceAllString(strings.ToLower(title), "-") + ".svg"
}

// galleryText is the page of the gallery.
func galleryText() string {
	var page strings.Builder
	page.WriteString(`# Gallery

One chart of each kind, with the command that draws it and its name there. ` + "`isoscale COMMAND --figures DIR`" + ` writes all charts of a command for a paper; [figures](formats/figures.md) says how to choose width, text size, greys, format and series, and how to draw two results.
`)
	for _, c := range galleryCharts {
		if c.heading != "" {
			page.WriteString("\n## " + c.heading + "\n")
		}
		shows := ""
		if c.shows != "" {
			shows = c.shows + "\n\n"
		}
		fmt.Fprintf(&page, "\n### %s\n\n%s![%s](gallery/%s)\n\n`%s`: `%s`\n",
			c.title, shows, c.title, galleryFile(c.title), c.command, c.chart)
	}
	return page.String()
}
