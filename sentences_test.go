package isoscale_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// joined is where a text in the code continues on the next line.
var joined = regexp.MustCompile(`" ?\+\s*"`)

// The table of headlines and verdicts names texts that are in the code, and tests that exist.
func TestTableOfSentences(t *testing.T) {
	f := expect.Value(os.Open("docs/validation/sentences.csv"))(t)
	defer f.Close()
	rows := expect.Value(csv.NewReader(f).ReadAll())(t)
	expect.Need(t, len(rows) > 30, "%d rows", len(rows))
	for _, row := range rows[1:] {
		sentence, condition, source := row[0], row[1], row[2]
		code := expect.Value(os.ReadFile(source))(t)
		expect.That(t, condition != "" && strings.Contains(joined.ReplaceAllString(string(code), ""), sentence),
			"%s does not say %q", source, sentence)
		file, name, _ := strings.Cut(row[3], ":")
		tests := expect.Value(os.ReadFile(file))(t)
		expect.That(t, strings.Contains(string(tests), "func "+name+"("), "%s has no %s, which is to check %q", file, name, sentence)
	}
	// Every sentence that begins in a function of words is in the table.
	words := regexp.MustCompile(`(?ms)^func [^\n]*([iI]nWords|Why|lead|leadOf|Summary)\(.*?^}`)
	begins := regexp.MustCompile(`"([A-Z][^"]* [^"]*)"`)
	for _, folder := range []string{"study/findings", "answer/system", "answer/queue", "answer/replay", "metric/laws", "buy/words"} {
		for _, source := range expect.Value(filepath.Glob("experiments/internal/" + folder + "/*.go"))(t) {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			code := joined.ReplaceAllString(string(expect.Value(os.ReadFile(source))(t)), "")
			for _, function := range words.FindAllString(code, -1) {
				for _, says := range begins.FindAllStringSubmatch(function, -1) {
					listed := slices.ContainsFunc(rows, func(row []string) bool {
						return row[2] == source && strings.Contains(says[1], row[0])
					})
					expect.That(t, listed, "docs/validation/sentences.csv lacks %q of %s", says[1], source)
				}
			}
		}
	}
	// Every sentence on what limits a run is in the table.
	for _, source := range []string{"limits.go", "losses.go"} {
		code := expect.Value(os.ReadFile("experiments/internal/answer/watch/" + source))(t)
		for _, says := range regexp.MustCompile(`"([A-Z][a-z ]+ limits? the run:)`).FindAllStringSubmatch(string(code), -1) {
			found := false
			for _, row := range rows {
				found = found || strings.HasPrefix(row[0], says[1])
			}
			expect.That(t, found, "docs/validation/sentences.csv lacks %q", says[1])
		}
	}
}
