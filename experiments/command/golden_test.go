package command

import (
	"compress/gzip"
	_ "embed" // the list
	"encoding/ascii85"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/spf13/cobra"
)

var (
	update = flag.Bool("update", false, "write the golden outputs anew")
	full   = flag.Bool("full", false, "compare the golden outputs of the examples that take long, too")
)

// golden is what some command lines print today. That is no proof that it is right, for
// which there are other tests: it shows that a change of the code changes no answer, or
// which ones. Texts are kept as they are, for a person to read. Data, which are long and
// repeat much, have a line each in the list of checksums.
type golden struct {
	name string
	long bool // skipped without -full
	// lines are command lines without the program's name, "cat FILE" for a text that a
	// command wrote, and "sum FILE" for data that it wrote.
	lines []string
}

// file names the golden file of the texts.
func (g golden) file() string { return g.name + ".txt" }

// isData reports whether a line gives data, which has a checksum, in place of a text.
func isData(line string) bool {
	return strings.Contains(line+" ", " --json ") || strings.HasPrefix(line, "export ") || strings.HasPrefix(line, "sum ")
}

// hasText reports whether there is a golden file.
func (g golden) hasText() bool {
	return slices.ContainsFunc(g.lines, func(line string) bool { return !isData(line) })
}

// longExamples take seconds to half a minute each, which the race detector makes minutes.
var longExamples = []string{
	"examples/barrier-1m.yaml", "examples/bosque-floyd.yaml", "examples/buy-a-cluster.yaml",
	"examples/compare-bids.yaml",
	"examples/lessons/1-gauss-study.yaml", "examples/sunwulf-sweep.yaml",
}

// fullExamples take half a second or more. Their golden outputs need -full; their reports are tested with those of the others.
var fullExamples = []string{"examples/applications/elimination-iso.yaml", "examples/cost-sweep.yaml", "examples/hierarchy-unequal.yaml",
	"examples/hierarchy-cost.yaml", "examples/hierarchy-sweep.yaml", "examples/hpl-dahu.yaml", "examples/layouts-sweep.yaml",
	"examples/levels-sweep.yaml", "examples/queue-mix.yaml", "examples/search-sweep.yaml", "examples/sunwulf-conv.yaml", "examples/sunwulf-ge.yaml"}

// equalRanks have a thousand ranks that do the same.
var equalRanks = []string{"examples/lessons/serial-part-run.yaml"}

// Variants of the long examples for every run of the tests, and their names in the list.
const (
	smallBosque = "examples/bosque-floyd.yaml --set 'systems=[{name: P2, nodes: {ns: 2}}, {name: P4, nodes: {ns: 2, nf: 2}}, {name: P8, nodes: {ns: 2, nf: 6}}]'" +
		" --set 'compare={source: a, label: b, n: {P2: 128, P4: 336, P8: 640}}'"
	smallGauss   = "examples/lessons/1-gauss-study.yaml --set 'systems=[{name: P2, nodes: {node: 2}}, {name: P4, nodes: {node: 4}}]'"
	smallBarrier = "examples/barrier-1m.yaml --set 'machine.nodes[0].count=16384' --set nodes.node=16384"
	smallSweep   = "examples/sunwulf-sweep.yaml --set 'factors.blades.values=[1, 4]' --set factors.n.to=175"
	smallLevels  = "examples/levels-sweep.yaml --set factors.r1.to=3 --set factors.r2.to=3"
)

var smallExamples = strings.NewReplacer("$smallBosque", smallBosque, "$smallGauss", smallGauss,
	"$smallBarrier", smallBarrier, "$smallSweep", smallSweep, "$smallLevels", smallLevels)

//go:embed testdata/golden.list
var goldenList string

// goldens lists all golden outputs. Those of unchanged examples, of the catalogue,
// of the help and of the network models are generated.
func goldens(t *testing.T) []golden {
	var all []golden
	for _, line := range strings.Split(strings.TrimSpace(goldenList), "\n") {
		if text, of := strings.CutPrefix(line, "  "); of {
			g := &all[len(all)-1]
			g.lines = append(g.lines, smallExamples.Replace(text))
		} else if line != "" && line[0] != '#' {
			name, when, _ := strings.Cut(line, " ")
			all = append(all, golden{name: name, long: when == "long"})
		}
	}
	all = append(all, exampleGoldens(t)...)

	files := examplesBelow(t, "examples")
	validate, described := "validate", golden{name: "catalogue/examples"}
	for _, file := range files {
		validate += " " + file
		if filepath.Ext(file) == ".yaml" || filepath.Ext(file) == ".xml" {
			described.lines = append(described.lines, describe(file, file != describedSweep && strings.HasSuffix(file, "-sweep.yaml"))...)
		}
	}
	all = append(all, described,
		golden{name: "catalogue/validate", lines: []string{validate + " --json", validate}})

	for _, network := range networks.Names() {
		all = append(all,
			golden{name: "run/network-" + network, lines: []string{
				"run examples/lessons/2-ring.yaml --set network=" + network + " --json",
				"run examples/lessons/3-imbalance.yaml --set network=" + network + " --json",
				"run examples/sunwulf-run.yaml --set workload.n=100 --set network=" + network + " --json",
				"run examples/topologies/bus.yaml --set network=" + network + " --json",
				"run examples/topologies/levels.yaml --set network=" + network + " --json",
			}},
			golden{name: "run/networks-" + network, lines: []string{"run examples/lessons/2-ring.yaml --set network=" + network}},
			golden{name: "iso/lesson-1-" + network, long: true, lines: []string{"iso " + smallGauss + " --set network=" + network + " --json"}})
	}

	sections := expect.Value(catalogue.List())(t)
	for _, s := range sections {
		g := golden{name: "catalogue/" + s.Kind}
		for _, e := range s.Entries {
			g.lines = append(g.lines, describe(e.Name, false)...)
		}
		all = append(all, g)
	}

	help := golden{name: "help", lines: []string{"--help"}}
	var collect func(prefix string, cmd *cobra.Command)
	collect = func(prefix string, cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			help.lines = append(help.lines, prefix+sub.Name()+" --help")
			collect(prefix+sub.Name()+" ", sub)
		}
	}
	collect("", newRoot())
	return append(all, help)
}

// describedSweep is the only sweep whose description is kept as a text: descriptions of
// sweeps list all outcomes, and a new outcome should change one text.
const describedSweep = "examples/hierarchy-sweep.yaml"

// describe has the command lines that describe something: data alone, or the text too.
func describe(what string, data bool) []string {
	if data {
		return []string{"describe " + what + " --json"}
	}
	return []string{"describe " + what, "describe " + what + " --json"}
}

// exampleGoldens has outputs for each example that has a command of its own: what the
// command prints of the file as it is. Of the examples that take longer, the text and the
// data need a run each, and only one of them is in the usual form of the tests.
func exampleGoldens(t *testing.T) []golden {
	var all []golden
	for _, file := range examplesBelow(t, "examples") {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		root, _, err := yamldoc.ReadFile(file)
		expect.Success(t, err)
		kind := input.KindOf(root)
		g := golden{name: strings.TrimSuffix(file, ".yaml"), long: slices.Contains(longExamples, file) || slices.Contains(fullExamples, file)}
		line := input.CommandOf(kind) + " " + file
		switch {
		case kind == input.KindMachine, kind == input.KindApplication:
			continue // for the scenarios beside it
		case kind == input.KindPurchase: // the JSON of some hundred machines takes megabytes
			g.lines = []string{line + " --quiet"}
		case slices.Contains(equalRanks, file): // the fingerprint stands for the JSON of all of them
			g.lines = []string{line + " --fingerprint"}
		case kind == input.KindLesson:
			line += " --answers --instructor --run"
			g.lines = []string{line, line + " --json"}
		case kind == input.KindSweep:
			results := "results-" + filepath.Base(g.name)
			g.lines = []string{line + " --json --quiet --out " + results, "report " + results, "export " + results}
		case strings.HasPrefix(file, "examples/topologies/"):
			g.lines = []string{line + " --links", line + " --links --json"}
		default:
			g.lines = []string{line, line + " --json"}
		}
		all = append(all, g)
	}
	return all
}

// examplesBelow lists the files of a folder and those inside it.
func examplesBelow(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) != ".go" {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	expect.Need(t, err == nil && len(files) != 0, "no examples in %s: %v", folder, err)
	return files
}

func TestGolden(t *testing.T) {
	here := expect.Value(os.Getwd())(t)
	dir, examples := filepath.Join(here, "testdata", "golden"), os.DirFS(filepath.Join(here, "..", "..", "examples"))
	t.Chdir(t.TempDir()) // so that inputs and outputs have the same names everywhere
	expect.Success(t, os.CopyFS("examples", examples))
	all := goldens(t)
	everyExampleIsUsed(t, all)
	noOtherFiles(t, dir, all)
	contract := readJSONContract(t, filepath.Join(here, "..", "..", "docs", "formats"))
	sums := readChecksums(t, filepath.Join(dir, "checksums.txt"), all, contract)
	for _, g := range all {
		t.Run(g.name, func(t *testing.T) {
			if g.long && !*full {
				t.Skip("takes long; -full compares it")
			}
			t.Parallel()
			text := g.output(t, sums)
			if g.hasText() {
				compare(t, filepath.Join(dir, filepath.FromSlash(g.file())), text, g.exact())
			}
		})
	}
}

// everyExampleIsUsed checks that commands other than describe and validate take
// each example that any takes, or a scenario beside it as an application or an HPL.dat.
func everyExampleIsUsed(t *testing.T, all []golden) {
	for _, file := range examplesBelow(t, "examples") {
		if input.FormOf(file) == input.FormHPL {
			continue
		}
		if filepath.Ext(file) == ".yaml" {
			root, _, err := yamldoc.ReadFile(file)
			expect.Success(t, err)
			if input.KindOf(root) == input.KindApplication {
				continue
			}
		}
		used := slices.ContainsFunc(all, func(g golden) bool {
			return slices.ContainsFunc(g.lines, func(line string) bool {
				return strings.Contains(line, file) && !strings.HasPrefix(line, "describe") && !strings.HasPrefix(line, "validate")
			})
		})
		expect.That(t, used, "no golden output uses %s: add a line with it to goldens", file)
	}
}

// noOtherFiles checks that each file belongs to a golden output and no two share
// one. With -update it removes those that are left over.
func noOtherFiles(t *testing.T, dir string, all []golden) {
	known := map[string]bool{filepath.Join(dir, "checksums.txt"): true}
	for _, g := range all {
		if !g.hasText() {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(g.file()))
		expect.That(t, !known[file], "two golden outputs have the name %s", g.name)
		known[file] = true
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() || known[path]:
			return err
		case *update:
			return os.Remove(path)
		}
		t.Errorf("%s belongs to no golden output; -update removes it", path)
		return nil
	})
	expect.That(t, err == nil || *update, "%v", err)
}

// output runs the command lines and returns the texts that they print, less what depends
// on the build, the computer or the time. Data goes to the checksums.
func (g golden) output(t *testing.T, sums *checksums) string {
	t.Helper()
	var out strings.Builder
	for _, line := range g.lines {
		text, shown := "", line
		action, file, _ := strings.Cut(line, " ")
		if action == "cat" || action == "sum" {
			content := expect.Value(os.ReadFile(file))(t)
			text = string(content)
			if filepath.Ext(file) == ".html" {
				text = withoutAssets(text)
			}
			text = constant(text)
			if filepath.Ext(file) == ".html" && action == "cat" {
				text = wordsOf(text)
			}
		} else {
			text = constant(succeed(t, shellWords(t, line)...).stdout)
			shown = "isoscale " + line
		}
		if isData(line) {
			sums.check(t, g, line, text)
			continue
		}
		fmt.Fprintf(&out, "$ %s\n%s", shown, text)
	}
	return out.String()
}

// variables match what is not the same for every build, computer and run. Each
// begins with a fixed text, which is much faster than one expression for all.
var variables = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`"wall_s": [^,\n]+`), `"wall_s": 0`},
	{regexp.MustCompile(`wall time</th><td>[^<]+`), `wall time</th><td>...`},
	{regexp.MustCompile(`"version": "` + regexp.QuoteMeta(input.Version)), `"version": "...`},
	{regexp.MustCompile(`isoscale</th><td>` + regexp.QuoteMeta(input.Version)), `isoscale</th><td>...`},
	{regexp.MustCompile(`"go": "` + regexp.QuoteMeta(runtime.Version())), `"go": "...`},
	{regexp.MustCompile(`"platform": "` + regexp.QuoteMeta(runtime.GOOS+"/"+runtime.GOARCH)), `"platform": "...`},
	{regexp.MustCompile(`\n *"revision": .*`), ``}, // builds by go test have none
}

// constant replaces what variables match.
func constant(s string) string {
	for _, v := range variables {
		s = v.pattern.ReplaceAllString(s, v.instead)
	}
	return s
}

// written reports whether the golden outputs are written on computers of this
// kind: amd64 without fused multiply-add (GOAMD64=v1 or v2).
var written = runtime.GOARCH == "amd64" && !fuses(1+0x1p-30, -1-0x1p-29)

// fuses reports whether x*x + y has one rounding for x = 1 + 2^-30 and
// y = -1 - 2^-29, which is -x*x rounded. It is not inlined, or the compiler would
// compute it exactly. (On amd64 only sums are fused, not differences.)
//
//go:noinline
func fuses(x, y float64) bool { return x*x+y != 0 }

// exact reports whether an output must be the same to the last digit on this
// computer. Everything that is simulated must be the same on all. Numbers that
// are fitted, and gains, which are logarithms, may differ by 1e-9 of their size where
// the processor has a fused multiply-add: gonum and package math use it.
func (g golden) exact() bool {
	fits := func(line string) bool {
		command, _, _ := strings.Cut(line, " ")
		return slices.Contains([]string{"iso", "metrics", "sweep", "report", "paper", "plan"}, command)
	}
	return written || !slices.ContainsFunc(g.lines, fits)
}

// compare compares an output with its file, or writes the file.
func compare(t *testing.T, file, got string, exact bool) {
	t.Helper()
	if *update {
		expect.Need(t, written, "golden outputs are written on amd64 with GOAMD64=v1")
		expect.Success(t, os.MkdirAll(filepath.Dir(file), 0o755))
		expect.Success(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	text := expect.Value(os.ReadFile(file))(t)
	want := string(text)
	if got == want || !exact && nearlyEqual(got, want) {
		return
	}
	t.Errorf("the output changed; if that is wanted, go test ./experiments/command -update -full writes it (-golden +output):\n%s", firstDifference(want, got))
}

var numeral = regexp.MustCompile(`-?\b\d+(\.\d+)?([eE][-+]?\d+)?\b`)

// nearlyEqual reports whether two outputs differ in the last bits of numbers only;
// what should be 0 may be off by 1e-15.
func nearlyEqual(a, b string) bool {
	if numeral.ReplaceAllString(a, "0") != numeral.ReplaceAllString(b, "0") {
		return false
	}
	inA, inB := numeral.FindAllString(a, -1), numeral.FindAllString(b, -1)
	for i := range inA {
		if inA[i] == inB[i] {
			continue
		}
		x, errX := strconv.ParseFloat(inA[i], 64)
		y, errY := strconv.ParseFloat(inB[i], 64)
		if errX != nil || errY != nil || math.Abs(x-y) > 1e-15+1e-9*max(math.Abs(x), math.Abs(y)) {
			return false
		}
	}
	return true
}

// firstDifference shows the surroundings of the first line that differs.
func firstDifference(want, got string) string {
	const before, after = 5, 20
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	part := func(lines []string) []string {
		return lines[max(0, first-before):min(len(lines), first+after)]
	}
	return fmt.Sprintf("from line %d:\n%s", first+1, cmp.Diff(part(a), part(b)))
}

func TestNearlyEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`{"x": 0.1}`, `{"x": 0.10000000000000002}`, true},
		{`{"x": 0.1}`, `{"x": 1.0000000001e-1}`, true},
		{`{"x": 0.1}`, `{"x": 0.1000001}`, false},
		{`{"x": 0.1}`, `{"y": 0.1}`, false},
		{`{"x": 0.1}`, `{"x": -0.1}`, false},
		{`{"x": [1]}`, `{"x": [1, 1]}`, false},
		{`{"x": 0}`, `{"x": 1e-30}`, true},
		{`{"x": 0}`, `{"x": 1e-12}`, false},
		{`"fingerprint": "00ff"`, `"fingerprint": "a1"`, false},
		{`"sha256": "00ff"`, `"sha256": "a1"`, false},
	} {
		expect.Equal(t, nearlyEqual(tt.a, tt.b), tt.want, "%s and %s are nearly equal", tt.a, tt.b)
	}
}

// withoutAssets leaves out of a page what package report adds to each and has tests
// for: styles, scripts, licences, the hashes of scripts, and timelines in their binary
// and still forms. The data of charts stay.
func withoutAssets(page string) string {
	for _, asset := range [][2]string{{"<style>", "</style>"}, {"<script>", "</script>"}, {"<pre>", "</pre>"}, {`Policy" content="`, `"`}, {`type="application/octet-stream">`, "</script>"},
		{`<svg `, "</svg>"}, {`id="library">`, "</script>"}, {`id="space-library">`, "</script>"}, {`id="script">`, "</script>"}, {`data-for=".picture">`, "</script>"}} {
		rest, found := page, true
		page = ""
		for found {
			var before string
			before, rest, found = strings.Cut(rest, asset[0])
			page += before
			if found {
				_, rest, _ = strings.Cut(rest, asset[1])
				page += asset[0] + "..." + asset[1]
			}
		}
	}
	for _, data := range []string{`class="machine-data">`, `id="charts">`} {
		if before, rest, found := strings.Cut(page, data); found {
			packed, after, _ := strings.Cut(rest, "</script>")
			page = before + data + unpack(packed) + "</script>" + after
		}
	}
	return page
}

// unpack returns packed data of a page, with a line for each chart.
func unpack(packed string) string {
	r, err := gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(packed, "v", "<"))))
	if err != nil {
		return err.Error()
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(text), `"block-`, "\n\"block-")
}

// tag matches what stands between words of a page, and the data of charts.
var tag = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)

// inSentence matches an element within a sentence.
var inSentence = regexp.MustCompile(`<span class="word">([^<]*)</span>`)

// wordsOf returns what a reader sees of a page, a line for each element.
func wordsOf(page string) string {
	page = inSentence.ReplaceAllString(page, "$1")
	var lines []string
	for _, line := range strings.Split(html.UnescapeString(tag.ReplaceAllString(page, "\n")), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
