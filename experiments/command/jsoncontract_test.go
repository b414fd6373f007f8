package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A jsonContract is what docs/formats says of the JSON of all commands: the keys there are,
// and those that may be null. Every document of the golden outputs is read against it, so
// that no key comes, changes its type or becomes null without a word to those who read it.
type jsonContract struct {
	keys, null map[string]bool
	types      map[string]map[string]bool // JSON types by command and path of a key
}

// namedByUsers are the mappings whose keys are names from the input, such as factors of a plan.
var namedByUsers = []string{"levels", "outcomes", "at"}

// lists are keys that always have a list, which may be empty: readers need not ask.
var lists = []string{"warnings", "assumed"}

var (
	ticked    = regexp.MustCompile("`[^`]+`")
	fenced    = regexp.MustCompile("(?s)```.*?```")
	jsonBlock = regexp.MustCompile("(?s)```json(.*?)```")
	quotedKey = regexp.MustCompile(`"(\w+)":`)
	keyWord   = regexp.MustCompile(`[a-z][a-z0-9_]*`)
	keyForm   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	inUnits   = regexp.MustCompile(`_(s|j|w|flop|flops|mflops|bytes|percent)$`)
)

func readJSONContract(t *testing.T, folder string) *jsonContract {
	t.Helper()
	c := &jsonContract{map[string]bool{}, map[string]bool{}, map[string]map[string]bool{}}
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	expect.Need(t, err == nil && len(pages) != 0, "no pages of formats in %s: %v", folder, err)
	for _, page := range pages {
		content := expect.Value(os.ReadFile(page))(t)
		for _, block := range jsonBlock.FindAllStringSubmatch(string(content), -1) {
			for _, key := range quotedKey.FindAllStringSubmatch(block[1], -1) {
				c.keys[key[1]] = true
			}
		}
		for _, line := range strings.Split(fenced.ReplaceAllString(string(content), ""), "\n") {
			mayBeNull := strings.Contains(strings.ReplaceAll(line, "never null", ""), "null")
			for _, code := range ticked.FindAllString(line, -1) {
				for _, key := range keyWord.FindAllString(code, -1) {
					c.keys[key] = true
					c.null[key] = c.null[key] || mayBeNull
				}
			}
		}
	}
	return c
}

// check reads a document of a command line and returns what its contract does not allow.
func (c *jsonContract) check(line, data string) []string {
	var document any
	decoder := json.NewDecoder(strings.NewReader(data))
	if err := decoder.Decode(&document); err != nil {
		return []string{err.Error()}
	}
	command, _, _ := strings.Cut(line, " ")
	if _, list := document.([]any); list {
		command += " (list)" // of all there are, as without an argument
	}
	broken := map[string]bool{}
	c.walk(command, "", document, broken)
	if decoder.More() {
		broken["there is more than one document"] = true
	}
	var all []string
	for what := range broken {
		all = append(all, what)
	}
	slices.Sort(all)
	return all
}

func (c *jsonContract) walk(command, path string, value any, broken map[string]bool) {
	key := strings.TrimRight(path[strings.LastIndexByte(path, '.')+1:], "[]")
	var is string
	switch v := value.(type) {
	case nil:
		if !c.null[key] || slices.Contains(lists, key) {
			broken[path+" is null, and no page of docs/formats says so"] = true
		}
		return
	case map[string]any:
		is = "mapping"
		for name, part := range v {
			if !slices.Contains(namedByUsers, key) || c.keys[name] {
				if !keyForm.MatchString(name) {
					broken[path+"."+name+": expected a key in lower case with underscores"] = true
				}
				if !c.keys[name] {
					broken[path+"."+name+" is on no page of docs/formats"] = true
				}
			}
			c.walk(command, path+"."+name, part, broken)
		}
	case []any:
		is = "list"
		for _, part := range v {
			c.walk(command, path+"[]", part, broken)
		}
	case string:
		is = "text"
		if inUnits.MatchString(key) {
			broken[path+" is a text; expected a number in base units"] = true
		}
	case bool:
		is = "true or false"
	default:
		is = "number"
	}
	if slices.Contains(lists, key) && is != "list" && !strings.HasSuffix(path, "[]") {
		broken[path+" is no list"] = true
	}
	if strings.Contains(path, ".levels.") {
		return // the value of a factor, a number or a text
	}
	seen := c.types[command+path]
	if seen == nil {
		seen = map[string]bool{}
		c.types[command+path] = seen
	}
	seen[is] = true
	if len(seen) > 1 {
		broken[path+" has another type in other documents of this command"] = true
	}
}

// The contract finds what it is there for.
func TestJSONContract(t *testing.T) {
	folder := t.TempDir()
	page := "# Format\n\n| `time_s` | s | |\n| `noise` | null without noise |\n| `warnings`, `parts[].name` | never null |\n" +
		"| `levels` | by factor |\n\n```json\n{\"row\": 1}\n```\n"
	expect.Success(t, os.WriteFile(filepath.Join(folder, "format.md"), []byte(page), 0o644))
	for _, tt := range []struct{ before, document, want string }{
		{document: `{"time_s": 1, "noise": null, "warnings": [], "parts": [{"name": "a"}], "row": 2}`},
		{document: `{"levels": {"nodes.blade": 4}}`},
		{document: `{"other": 1}`, want: "other is on no page"},
		{document: `{"parts": [{"other": 1}]}`, want: ".parts[].other is on no page"},
		{document: `{"warnings": null}`, want: "warnings is null"},
		{document: `{"warnings": "x"}`, want: "warnings is no list"},
		{document: `{"time_s": "1 s"}`, want: "expected a number in base units"},
		{document: `{"row": 1} {"row": 1}`, want: "more than one document"},
		{document: `{"row": }`, want: "invalid character"},
		{before: `{"row": 1}`, document: `{"row": "(2,1)"}`, want: "row has another type"},
	} {
		c := readJSONContract(t, folder)
		if tt.before != "" {
			c.check("run x", tt.before)
		}
		got := strings.Join(c.check("run x", tt.document), "; ")
		expect.That(t, (tt.want != "" || got == "") && strings.Contains(got, tt.want),
			"%s: %q, want %q", tt.document, got, tt.want)
	}
}
