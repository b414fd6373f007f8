package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/internal/expect"
)

// folderOf has a few examples: a scenario, a lesson with its files and a data file.
func folderOf(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"hierarchy.yaml", "HPL.dat", "buy-a-cluster.yaml", "lessons/1-amdahl.yaml", "lessons/1-gauss.yaml",
		"lessons/serial-part-run.yaml", "lessons/serial-part.yaml", "lessons/lab.yaml", "applications/heat3d.yaml"} {
		text := expect.Value(os.ReadFile(filepath.Join(root, "examples", filepath.FromSlash(name))))(t)
		file := filepath.Join(folder, filepath.FromSlash(name))
		expect.Success(t, os.MkdirAll(filepath.Dir(file), 0o777))
		expect.Success(t, os.WriteFile(file, text, 0o666))
	}
	return folder
}

// What can be run is listed by folder, with its title; applications and data are there for files that name them.
func TestFilesAreListed(t *testing.T) {
	c := expect.Value(readContent(folderOf(t)))(t)
	expect.Equal(t, len(c.Files), 10, "files, that which the page begins with among them")
	expect.List(t, c.Plans, []string{"buy-a-cluster.yaml"}, "plans")
	expect.That(t, len(c.Lessons) == 1 && c.Lessons[0].Number == 1 && len(c.Lessons[0].Questions) > 0, "lessons %+v", c.Lessons)
	var names []string
	for _, g := range c.groups() {
		for _, f := range g.Files {
			names = append(names, g.Name+": "+f.Name)
		}
	}
	expect.List(t, names, []string{"Begin here: explore.yaml", "Examples: buy-a-cluster.yaml", "Examples: hierarchy.yaml",
		"Lessons: lessons/1-gauss.yaml", "Lessons: lessons/serial-part-run.yaml"}, "groups")
	_, err := readContent(filepath.Join(t.TempDir(), "none"))
	expect.That(t, err != nil, "a folder that is not there has no error")
}

// The page has its files, the answers with which it opens as the simulator gives them, and the program, unchanged after
// it is put together and unpacked; and what a reader adds.
func TestPageHasWhatItIsMadeOf(t *testing.T) {
	c := expect.Value(readContent(folderOf(t)))(t)
	wasm := make([]byte, 2*partBytes) // of more than one part, as it cannot be compressed
	_, err := rand.NewChaCha8([32]byte{}).Read(wasm)
	expect.Success(t, err)
	page := expect.Value(assemble(t.Context(), pictures.Packed(wasm), "// starter\n", c))(t)
	var parts []byte
	for _, m := range regexp.MustCompile(`<script type="application/octet-stream">([^<]+)</script><script>`).FindAllSubmatch(page, -1) {
		parts = append(parts, expect.Value(base64.StdEncoding.DecodeString(string(m[1])))(t)...)
	}
	expect.That(t, string(unpacked(t, parts)) == string(wasm), "the program is not what was put in")
	request := expect.Value(json.Marshal(explorer.Request{Do: "run", File: defaultFile, Timeline: true}))(t)
	answer := explorer.New(c.Files).Answer(t.Context(), request)
	kept := c.kept(t.Context())
	withoutTime := regexp.MustCompile(`"wall_s":[^,}]*`)
	expect.Equal(t, withoutTime.ReplaceAllString(kept["run "+defaultFile].JSON, ""), withoutTime.ReplaceAllString(string(answer.JSON), ""), "answer")
	expect.That(t, kept["lesson lessons/1-amdahl.yaml"].JSON != "", "the lesson has no answer")

	own := Own{Files: map[string]string{"a.yaml": "title: <b>"}, Plan: "a.yaml"}
	more := string(expect.Value(With(page, own))(t))
	_, element, found := strings.Cut(more, ownElement)
	expect.Need(t, found && len(more) > len(page), "nothing was added")
	element, _, _ = strings.Cut(element, "<")
	var got Own
	expect.Success(t, json.Unmarshal(unpacked(t, expect.Value(base64.StdEncoding.DecodeString(element))(t)), &got))
	expect.Equal(t, got.Files["a.yaml"]+" of "+got.Plan, "title: <b> of a.yaml", "what was added")
}

// No text of a file ends the script in which it stands, and a page that is too large is refused.
func TestPagesThatAreRefused(t *testing.T) {
	c := expect.Value(readContent(folderOf(t)))(t)
	_, err := assemble(t.Context(), make([]byte, 4), "</SCRIPT>", c)
	expect.Failure(t, err, "the worker has a text that ends a script")
	_, err = assemble(t.Context(), make([]byte, MostBytes), "", c)
	expect.Failure(t, err, "expected at most 7500000")
}

func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	return expect.Value(io.ReadAll(expect.Value(gzip.NewReader(bytes.NewReader(data)))(t)))(t)
}
