package yamldoc

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Rows are mappings, with the places of their cells in the file.
func TestParseCSV(t *testing.T) {
	root := expect.Value(ParseCSV("a.csv", []byte("# offers\nnode, price,time\nfat,\"9,000 EUR\", 3 s\nthin,,4 s\n")))(t)
	expect.Equal(t, string(root.JSON()), `[{"node":"fat","price":"9,000 EUR","time":"3 s"},{"node":"thin","time":"4 s"}]`, "rows")
	expect.Equal(t, root.Item(1).Value("time").Pos(), (Position{"a.csv", 4, 7}), "the time of thin is at")
}

func TestParseCSVErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":              "a.csv:1:1: the file is empty; expected a first line",
		"a,a\n":         "a.csv:1:3: duplicate column \"a\"",
		"a,,b\n":        "a.csv:1:3: a column has no name",
		"a\n1,2\n":      "a.csv:2:1: 2 cells; expected at most 1",
		"a\n\"1\n":      "a.csv:2:4: extraneous or missing",
		"a\n\xff\n":     "a.csv: is not valid UTF-8",
		"a,b\n1,2\"3\n": "a.csv:2:4: bare \" in non-quoted",
	} {
		_, err := ParseCSV("a.csv", []byte(text))
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%q: %v, want %s", text, err, want)
	}
}

func FuzzParseCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("# c\n\"a\",b\n,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := ParseCSV("f.csv", data)
		expect.That(t, err != nil || root.IsSequence(), "no sequence")
	})
}
