package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A docPicture is a picture of the documentation: the command that computes it, and the
// chart of its report that is drawn. "A; B" are the commands of two results in one picture.
type docPicture struct{ file, command, chart string }

// docPictures are those of the pages. To draw them anew, and the gallery:
// go test ./experiments/command -run DocPictures -update
var docPictures = []docPicture{
	{"docs/images/ge.svg", "iso examples/sunwulf-ge.yaml", "speed-efficiency-over-problem-size"},
}

func TestDocPictures(t *testing.T) {
	if !*full && !*update {
		t.Skip("computes a study for each picture: -full compares them")
	}
	t.Chdir("../..")
	stored := make(map[string]string) // by command
	dir := t.TempDir()
	for k, p := range append(slices.Clone(docPictures), galleryPictures()...) {
		plot := []string{"plot"}
		for i, command := range strings.Split(p.command, "; ") {
			if _, ok := stored[command]; !ok {
				stored[command] = compute(t, command, filepath.Join(dir, strconv.Itoa(k)+"-"+strconv.Itoa(i)))
			}
			plot = append(plot, stored[command])
		}
		if len(plot) == 3 {
			plot = append(plot, "--label", "a", "--label", "b")
		}
		succeed(t, append(plot, "--chart", strings.TrimSuffix(p.chart, "-ratio"), "--width", "170mm", "--font-size", "10pt", "--format", "svg", "--out", dir)...)
		got := expect.Value(os.ReadFile(filepath.Join(dir, p.chart+".svg")))(t)
		checkDocument(t, p.file, got, p.command)
	}
	checkGallery(t, stored)
	checkDocument(t, galleryPage, []byte(galleryText()), "gallery.csv")
}

// compute runs a command and returns what it stores: the directory of a study, or a file
// with its charts.
func compute(t *testing.T, command, stored string) string {
	t.Helper()
	words := shellWords(t, command)
	if words[0] == "sweep" {
		succeed(t, append(words, "--out", stored, "--quiet")...)
		return stored
	}
	if words[0] != "metrics" {
		words = append(words, "--quiet")
	}
	stored += ".json"
	expect.Success(t, os.WriteFile(stored, []byte(succeed(t, append(words, "--json", "--charts")...).stdout), 0o600))
	return stored
}

// checkDocument compares a file of the documentation with what it should be, or writes it.
func checkDocument(t *testing.T, file string, want []byte, of string) {
	t.Helper()
	if *update {
		expect.Success(t, os.WriteFile(file, want, 0o644))
		return
	}
	got, err := os.ReadFile(file)
	expect.That(t, err == nil && bytes.Equal(got, want), "%s is not what %q makes (%v); look at the difference and run with -update", file, of, err)
}

// No other picture is in the documentation, and all of these are shown.
func TestDocPicturesAreAllDrawn(t *testing.T) {
	shown := make(map[string]bool)
	image := regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`)
	pages := []string{"../../README.md"}
	for _, folder := range []string{"docs", "docs/*", "examples/*"} {
		found := expect.Value(filepath.Glob(filepath.Join("../..", folder, "*.md")))(t)
		pages = append(pages, found...)
	}
	for _, page := range pages {
		text := expect.Value(os.ReadFile(page))(t)
		for _, m := range image.FindAllSubmatch(text, -1) {
			file := expect.Value(filepath.Rel("../..", filepath.Join(filepath.Dir(page), string(m[1]))))(t)
			shown[filepath.ToSlash(file)] = true
		}
	}
	for _, p := range append(slices.Clone(docPictures), galleryPictures()...) {
		expect.That(t, shown[p.file], "%s is on no page", p.file)
		delete(shown, p.file)
	}
	for file := range shown {
		t.Errorf("%s is drawn by no test", file)
	}
}
