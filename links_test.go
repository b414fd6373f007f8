package isoscale_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/isoscale/isoscale/internal/expect"
)

var (
	// markdownLink is an inline link or image; its first group is the target.
	markdownLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)

	// codeSpan is text in backquotes on one line.
	codeSpan = regexp.MustCompile("`[^`\n]*`")

	// namedFile is a code span that names a source file by its path from the root.
	namedFile = regexp.MustCompile("`([\\w.-]+/[\\w./-]+\\.(?:go|md|yaml))`")

	// namedPage is a page of the documentation named in a Go file.
	namedPage = regexp.MustCompile(`\bdocs/[\w./-]+\.md\b`)

	// notInAnchor is what GitHub drops from a heading to make its anchor.
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Relative links in Markdown lead to existing files and headings, and paths named in
// texts and comments exist.
func TestDocumentationLinks(t *testing.T) {
	broken, checked := brokenLinks(t, os.DirFS("."))
	for _, b := range broken {
		t.Error(b)
	}
	expect.That(t, checked != 0, "no link was checked")
	t.Logf("checked %d links", checked)
}

func TestDocumentationLinksCheckerFindsBrokenLinks(t *testing.T) {
	fsys := fstest.MapFS{
		"docs/b.md": {Data: []byte("# The *first* `run --ti`\n```\n# no heading\n```\n## Twice\n## Twice\n")},
		"sim/a.go":  {Data: []byte("// docs/b.md and docs/c.md\n")},
	}
	for link, want := range map[string]string{
		"[x](docs/b.md)":                     "",
		"[x](docs)":                          "",
		"![x](docs/b.md#the-first-run---ti)": "",
		"[x](docs/b.md#twice-1)":             "",
		"[x](#here)":                         "",
		"[x](https://example.org/no.md)":     "",
		"`[x](no.md)`":                       "",
		"`sim/a.go`":                         "",
		"[x](docs/no.md)":                    "a.md: no file docs/no.md",
		"[x](docs/b.md#no-heading)":          "a.md: no heading for docs/b.md#no-heading",
		"[x](#there)":                        "a.md: no heading for #there",
		"`sim/no.go`":                        "a.md: no file sim/no.go",
	} {
		fsys["a.md"] = &fstest.MapFile{Data: []byte("# Here\n" + link + "\n")}
		wantAll := []string{"sim/a.go: no file docs/c.md"}
		if want != "" {
			wantAll = slices.Insert(wantAll, 0, want)
		}
		got, _ := brokenLinks(t, fsys)
		expect.That(t, slices.Equal(got, wantAll), "%s: got %q, want %q", link, got, wantAll)
	}
}

// brokenLinks checks every Markdown and Go file, and counts the links it checked.
func brokenLinks(t *testing.T, fsys fs.FS) (broken []string, checked int) {
	t.Helper()
	missing := func(name string) bool {
		checked++
		_, err := fs.Stat(fsys, name)
		return err != nil
	}
	read := func(name string) string {
		text := expect.Value(fs.ReadFile(fsys, name))(t)
		return string(text)
	}
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		report := func(format string, a ...any) {
			broken = append(broken, file+": "+fmt.Sprintf(format, a...))
		}
		switch {
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
		case file == "links_test.go": // names pages that do not exist
		case path.Ext(file) == ".go":
			for _, page := range namedPage.FindAllString(read(file), -1) {
				if missing(page) {
					report("no file %s", page)
				}
			}
		case path.Ext(file) == ".md":
			prose, _ := splitMarkdown(read(file))
			for _, m := range namedFile.FindAllStringSubmatch(prose, -1) {
				if missing(m[1]) {
					report("no file %s", m[1])
				}
			}
			for _, m := range markdownLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(prose, ""), -1) {
				target, anchor, hasAnchor := strings.Cut(m[1], "#")
				name := path.Join(path.Dir(file), target)
				if target == "" {
					name = file
				}
				if strings.Contains(target, ":") {
					continue // a web address
				}
				if missing(name) {
					report("no file %s", m[1])
				} else if hasAnchor {
					if _, anchors := splitMarkdown(read(name)); !slices.Contains(anchors, anchor) {
						report("no heading for %s", m[1])
					}
				}
			}
		}
		return nil
	})
	expect.Success(t, err)
	return broken, checked
}

// splitMarkdown returns the text outside fenced code, and the anchors that
// GitHub gives its headings: a heading that occurs again gets a number.
func splitMarkdown(text string) (prose string, anchors []string) {
	var b strings.Builder
	seen := map[string]int{}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		b.WriteString(line)
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			anchor := strings.ToLower(notInAnchor.ReplaceAllString(strings.TrimSpace(title), ""))
			anchor = strings.ReplaceAll(anchor, " ", "-")
			n := seen[anchor]
			seen[anchor]++
			if n > 0 {
				anchor = fmt.Sprintf("%s-%d", anchor, n)
			}
			anchors = append(anchors, anchor)
		}
	}
	return b.String(), anchors
}
