package command

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var answers = flag.String("answers", "", "a folder to write the data of all golden outputs to, to compare two versions of the program")

// A checksum stands for data that a command gave. Exact is of all digits, and rounded of
// seven of each number: where exact alone differs, only the last digits do.
type checksum struct{ exact, rounded string }

// checksums are those of all golden outputs that are data, by golden output and command
// line, in one file with a line each: a new outcome changes one file, whose difference
// names the answers that have it.
type checksums struct {
	mutex    sync.Mutex
	file     map[string]checksum
	now      map[string]checksum
	contract *jsonContract
}

// key names the checksum of a line. Of long lines, which validate all examples, it has only
// the beginning.
func (g golden) key(line string) string {
	if !strings.HasPrefix(line, "sum ") {
		line = "isoscale " + line
	}
	if len(line) > 240 {
		line = line[:200] + " ..."
	}
	return g.name + ": " + line
}

// readChecksums reads the file. After the test, with -update, it is written anew, in the
// order of the golden outputs; those that were not computed stay as they were.
func readChecksums(t *testing.T, path string, all []golden, contract *jsonContract) *checksums {
	t.Helper()
	c := &checksums{file: map[string]checksum{}, now: map[string]checksum{}, contract: contract}
	text, err := os.ReadFile(path)
	expect.Need(t, err == nil || *update, "%v", err)
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if exact, rest, ok := strings.Cut(line, " "); ok {
			rounded, of, _ := strings.Cut(rest, "  ")
			c.file[of] = checksum{exact, rounded}
		}
	}
	known := map[string]bool{}
	var keys []string
	for _, g := range all {
		for _, line := range g.lines {
			if !isData(line) {
				continue
			}
			known[g.key(line)] = true
			keys = append(keys, g.key(line))
		}
	}
	for of := range c.file {
		expect.That(t, known[of] || *update,
			"%s has a line that belongs to no golden output; -update removes it: %s", path, of)
	}
	t.Cleanup(func() {
		if !*update {
			return
		}
		var out strings.Builder
		for _, key := range keys {
			sum, ok := c.now[key]
			if !ok {
				sum, ok = c.file[key]
			}
			if ok {
				out.WriteString(sum.exact + " " + sum.rounded + "  " + key + "\n")
			}
		}
		expect.Success(t, os.WriteFile(path, []byte(out.String()), 0o644))
	})
	return c
}

// check compares the checksum of the data of a line with that of the file, or takes note of
// it, and reads JSON by its contract. Only the rounded checksum counts where the processor
// may give other last digits than those in the file.
func (c *checksums) check(t *testing.T, g golden, line, data string) {
	t.Helper()
	of, exact := g.key(line), g.exact()
	if *answers != "" {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(strings.TrimPrefix(of, "isoscale "))
		expect.Success(t, os.WriteFile(filepath.Join(*answers, name[:min(len(name), 200)]), []byte(data), 0o644))
	}
	now := checksum{sumOf(data, 16), sumOf(inSevenDigits(data), 8)}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now[of] = now
	if strings.Contains(line, "--json") {
		for _, broken := range c.contract.check(line, data) {
			t.Errorf("%s: %s", of, broken)
		}
	}
	if *update {
		expect.Need(t, written, "golden outputs are written on amd64 with GOAMD64=v1")
		return
	}
	was, ok := c.file[of]
	const how = " (-answers DIR writes the data, to compare; -update -full the checksums)"
	switch {
	case !ok:
		t.Errorf("there is no checksum of %s%s", of, how)
	case was.rounded != now.rounded:
		t.Errorf("the data of %s changed%s", of, how)
	case exact && was.exact != now.exact:
		t.Errorf("the data of %s changed, in digits behind the seventh%s", of, how)
	}
}

// sumOf returns the first digits of the SHA-256 of a text.
func sumOf(text string, digits int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}

// fraction matches the numbers that rounding may change.
var fraction = regexp.MustCompile(`-?\b\d+\.\d+([eE][-+]?\d+)?\b|-?\b\d+[eE]-\d+\b`)

// inSevenDigits rounds the numbers of a text, so that processors with a fused multiply-add
// give the same: their results differ by 1e-9 of their size, or by 1e-15 from 0.
func inSevenDigits(text string) string {
	return fraction.ReplaceAllStringFunc(text, func(word string) string {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return word
		}
		if x < 1e-14 && x > -1e-14 {
			return "0"
		}
		return strconv.FormatFloat(x, 'g', 7, 64)
	})
}

func TestInSevenDigits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"x": 0.1}`, `{"x": 0.10000000000000002}`, true},
		{`{"x": 1.0000000000000002}`, `{"x": 1}`, true},
		{`{"x": 0}`, `{"x": 1e-30}`, true},
		{`{"x": 0}`, `{"x": 1e-12}`, false},
		{`{"x": 0.1}`, `{"x": 0.100001}`, false},
		{`{"x": 0.1}`, `{"x": -0.1}`, false},
		{`{"x": 0.1}`, `{"y": 0.1}`, false},
		{`{"x": 123456789}`, `{"x": 123456780}`, false},
		{`"sha256": "00ff"`, `"sha256": "a1"`, false},
	} {
		same := inSevenDigits(c.a) == inSevenDigits(c.b)
		expect.That(t, same == c.same, "%s and %s: same is %v, want %v", c.a, c.b, same, c.same)
	}
}
