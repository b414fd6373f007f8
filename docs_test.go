package isoscale_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Limits of the documentation. A page that needs room takes it from another that repeats
// something.
const (
	maxPages       = 60
	maxWords       = 65_000
	maxWordsInCell = 25
	maxReadmeLines = 150
)

// cellEnd is the end of a cell of a table: a bar that is not escaped.
var cellEnd = regexp.MustCompile(`(^|[^\\])\|`)

// The documentation stays as short as it is. Links are checked beside.
func TestDocumentationStaysShort(t *testing.T) {
	pages, words := 0, 0
	expect.Success(t, filepath.WalkDir("docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages++
		words += len(strings.Fields(string(text)))
		for _, cell := range longCells(string(text)) {
			t.Errorf("%s: a cell of more than %d words; expected a sentence below the table: %s", name, maxWordsInCell, cell)
		}
		return nil
	}))
	expect.That(t, pages <= maxPages, "%d pages, expected at most %d", pages, maxPages)
	expect.That(t, words <= maxWords, "%d words, expected at most %d", words, maxWords)
	readme := expect.Value(os.ReadFile("README.md"))(t)
	n := strings.Count(string(readme), "\n")
	expect.That(t, n <= maxReadmeLines, "README.md has %d lines, expected at most %d", n, maxReadmeLines)
}

// longCells returns the cells of tables that have too many words.
func longCells(page string) []string {
	prose, _ := splitMarkdown(page)
	var long []string
	for _, line := range strings.Split(prose, "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, cell := range strings.Split(cellEnd.ReplaceAllString(line, "$1\n"), "\n") {
			if len(strings.Fields(cell)) > maxWordsInCell {
				long = append(long, strings.TrimSpace(cell))
			}
		}
	}
	return long
}

func TestLongCellsAreFound(t *testing.T) {
	words := strings.Repeat("word ", maxWordsInCell)
	for page, want := range map[string]int{
		"| " + words + "|":                      0,
		"| " + words + "more |":                 1,
		"| a \\| " + words + "| " + words + "|": 1, // an escaped bar ends no cell
		words + words:                           0,
		"```\n| " + words + "more |\n```\n":     0,
	} {
		got := longCells(page)
		expect.That(t, len(got) == want, "%q: %d long cells, want %d", page, len(got), want)
	}
}
