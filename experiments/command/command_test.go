package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/explorer/page"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/expect"
)

// outcomes has an outcome for each command line that isoscaleOnce was asked for.
var outcomes sync.Map

// isoscaleOnce runs a command line. Commands that take seconds, and whose answer several
// tests need, run only once, unless they write a report or read a file that is no
// example. The folder of the process must have the examples in it.
func isoscaleOnce(args ...string) outcome {
	constant := slices.Contains(args[:min(1, len(args))], "paper") ||
		len(args) > 1 && slices.Contains([]string{"iso", "plan"}, args[0]) && strings.HasPrefix(args[1], "examples/")
	if !constant || slices.Contains(args, "--report") {
		return isoscale(args...)
	}
	once, _ := outcomes.LoadOrStore(strings.Join(args, "\x00"), sync.OnceValue(func() outcome { return isoscale(args...) }))
	return once.(func() outcome)()
}

// succeed runs a command line that must succeed.
func succeed(t *testing.T, args ...string) outcome {
	t.Helper()
	o := isoscaleOnce(args...)
	for _, b := range breaches(args, o) {
		t.Errorf("isoscale %s: %s", strings.Join(args, " "), b)
	}
	expect.Need(t, o.status == exitOK, "isoscale %s: exit status %d\n%s", strings.Join(args, " "), o.status, o.stderr)
	return o
}

// The command lines that help shows work, next to the examples and with a machine file of
// one's own: with -full all of them, else one of each command that TestGolden does not compare.
func TestCommandLinesInHelpWork(t *testing.T) {
	expect.Long(t, "simulates for seconds")
	root := newRoot()
	var lines []string
	collect := func(text string) {
		for _, line := range strings.Split(text, "\n") {
			if line, ok := strings.CutPrefix(line, "  isoscale "); ok {
				line, _, _ = strings.Cut(line, "   ") // what it does
				lines = append(lines, line)
			}
		}
	}
	collect(root.Long)
	expect.That(t, len(lines) == 5, "the start page shows %d command lines, want 5: %q", len(lines), lines)
	for _, cmd := range root.Commands() {
		if cmd.Hidden {
			continue
		}
		before := len(lines)
		collect(cmd.Example)
		expect.That(t, len(lines) != before, "%s has no example", cmd.Name())
		for _, line := range lines[before:] {
			expect.That(t, strings.HasPrefix(line+" ", cmd.Name()+" "),
				"%s has an example for something else: %s", cmd.Name(), line)
		}
	}

	dir := copyOfExamples(t)
	const machine = "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w}]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n"
	expect.Success(t, os.WriteFile(filepath.Join(dir, "my-machine.yaml"), []byte(machine), 0o644))
	t.Chdir(dir)
	succeed(t, "sweep", "examples/hierarchy-sweep.yaml", "--out", "jin", "--quiet") // what export and report take
	succeed(t, "sweep", "examples/search-sweep.yaml", "--out", "search", "--quiet")
	for _, file := range []string{"old.json", "new.json"} { // what plot compares
		charts := succeed(t, "metrics", "examples/measured-times.csv", "--json", "--charts").stdout
		expect.Success(t, os.WriteFile(file, []byte(charts), 0o644))
	}
	if len(explorerPage) == 0 { // built without it, as usual
		explorerPage = []byte("<!DOCTYPE html>")
		defer func() { explorerPage = nil }()
	}
	compared := map[string]bool{}
	for _, g := range goldens(t) {
		for _, line := range g.lines {
			compared[line] = !g.long
		}
	}
	slices.Sort(lines)
	tried := map[string]bool{} // commands
	for _, line := range slices.Compact(lines) {
		if strings.Contains(line, "--engine slurm") {
			continue // see sweep_test.go of experiments/internal/study/batch
		}
		if compared[line] {
			continue
		}
		command, _, _ := strings.Cut(line, " ")
		if tried[command] && !*full {
			continue
		}
		tried[command] = true
		t.Run(line, func(t *testing.T) {
			// This is not about the answer, so less is asked for.
			const fewSamples = " --set robustness.samples=10 --set ranges.samples=100"
			switch {
			case strings.Contains(line, "objective=cheapest"): // of machines that carry the mix
				line += " --set counts=[1,8]" + fewSamples
			case strings.HasPrefix(line, "plan "):
				line += " --set counts=[1,2]" + fewSamples
			case strings.HasPrefix(line, "iso ") && (strings.Contains(line, "--report") || strings.Contains(line, "--json")):
				line += " --set target_efficiency=0.02"
			case strings.HasPrefix(line, "sweep examples/sunwulf-sweep.yaml "):
				line = strings.Replace(line, "examples/sunwulf-sweep.yaml", smallSweep, 1)
			}
			succeed(t, shellWords(t, line)...)
		})
	}
}

// shellWords splits a line as a shell would: blanks, file patterns, and words with
// single quotes up to their end, which is all that the examples use.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	expect.Need(t, !strings.ContainsAny(singleQuoted.ReplaceAllString(line, ""), `"\$|<>;&`),
		"%q needs a real shell", line)
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		word, rest, _ := strings.Cut(line, " ")
		if before, _, quoted := strings.Cut(word, "'"); quoted {
			inside, behind, closed := strings.Cut(line[len(before)+1:], "'")
			expect.Need(t, closed && (behind == "" || behind[0] == ' '), "%q needs a real shell", line)
			words, line = append(words, before+inside), behind
			continue
		}
		line = rest
		if !strings.Contains(word, "*") {
			words = append(words, word)
			continue
		}
		files, err := filepath.Glob(word)
		expect.Need(t, err == nil && len(files) != 0, "no file matches %s (%v)", word, err)
		words = append(words, files...)
	}
	return words
}

// Every command that prints text has --json, or a choice of formats, and every flag says what it does.
func TestFlagsAreDocumented(t *testing.T) {
	checked := 0
	for _, cmd := range newRoot().Commands() {
		if cmd.Hidden {
			continue
		}
		checked++
		// What schema prints is JSON anyway, and explore writes a page.
		expect.That(t, cmd.Name() == "schema" || cmd.Name() == "explore" || cmd.Flags().Lookup("json") != nil ||
			cmd.Flags().Lookup("format") != nil,
			"%s has no --json", cmd.Name())
		expect.That(t, cmd.Short != "" && !strings.Contains(cmd.UsageString(), "value   \n"),
			"%s is not described", cmd.Name())
		for _, line := range strings.Split(cmd.LocalFlags().FlagUsages(), "\n") {
			fields := strings.Fields(line)
			expect.That(t, len(fields) != 1, "%s: flag %s says nothing", cmd.Name(), line)
		}
	}
	expect.That(t, checked >= 6, "%d commands checked", checked)
}

// The study of [Chen2008] Tables 3 to 6. Marked speeds follow from Table 2: two server CPUs of
// 20.88 Mflop/s and k-1 blades of 20.29. N is a whole number, so the target is met only nearly:
// from N to N+1 the work grows by a factor of about 1 + 3/N and the time does not fall, so E grows
// by at most 0.3 x 3/N, and the nearer neighbour is off by at most half of that: less than 0.002
// for N above 225. The paper's sizes begin at 310.
func TestGaussianEliminationStudy(t *testing.T) {
	type system struct {
		Name            string
		Processes, N    int
		MarkedSpeed     float64 `json:"marked_speed_mflops"`
		SpeedEfficiency float64 `json:"speed_efficiency"`
	}
	var r struct {
		Target  float64 `json:"target_efficiency"`
		Systems []system
		Psi     []struct{ Psi float64 }
	}
	t.Chdir(filepath.Join("..", ".."))
	o := succeed(t, "iso", "examples/sunwulf-ge.yaml", "--json")
	expect.Success(t, json.Unmarshal([]byte(o.stdout), &r))
	want := []float64{62.05, 102.63, 183.79, 346.11, 670.75}
	expect.Need(t, r.Target == 0.3 && len(r.Systems) == len(want) && len(r.Psi) == len(want)-1, "got %+v", r)
	for i, s := range r.Systems {
		expect.Near(t, s.MarkedSpeed, want[i], 1e-9, "%s: marked speed", s.Name)
		expect.Equal(t, s.Processes, 1<<(i+1)-1+2, "processes of %s, blades and 2 of the server", s.Name)
		expect.That(t, math.Abs(s.SpeedEfficiency-0.3) <= 0.002, "%s: speed-efficiency %v", s.Name, s.SpeedEfficiency)
		if i > 0 {
			expect.That(t, s.N > r.Systems[i-1].N, "%s needs n = %d, a smaller system %d", s.Name, s.N, r.Systems[i-1].N)
		}
	}
}

// Design 6.3: ranks are listed up to 4096 of them, or with --ranks.
func TestRanksAreLeftOutOfLargeRuns(t *testing.T) {
	for _, tt := range []struct {
		processes int
		flags     []string
		listed    int
	}{
		{4096, nil, 4096},
		{4097, nil, 0},
		{4097, []string{"--ranks"}, 4097},
	} {
		path := filepath.Join(t.TempDir(), "large.yaml")
		scenario := fmt.Sprintf(`
machine:
  node_types: {w: {marked_speed: 1 Mflop/s}}
  nodes: [{type: w, count: %d}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: hockney
workload: {name: matmul, n: 10}
`, tt.processes)
		expect.Success(t, os.WriteFile(path, []byte(scenario), 0o644))
		var r struct {
			Makespan float64           `json:"makespan_s"`
			Ranks    []json.RawMessage `json:"ranks"`
		}
		o := succeed(t, append([]string{"run", path, "--json"}, tt.flags...)...)
		expect.Success(t, json.Unmarshal([]byte(o.stdout), &r))
		expect.That(t, len(r.Ranks) == tt.listed && strings.Contains(o.stdout, `"ranks"`) == (tt.listed > 0),
			"%d processes, %v: %d ranks listed, want %d", tt.processes, tt.flags, len(r.Ranks), tt.listed)
	}
}

// An interrupted simulation fails; it does not print half a result.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	args := []string{"iso", filepath.Join("..", "..", "examples", "sunwulf-ge.yaml"), "--json", "--quiet"}
	var stdout, stderr bytes.Buffer
	o := outcome{execute(ctx, args, &stdout, &stderr), stdout.String(), stderr.String()}
	want := (outcome{exitFailed, "", "isoscale: interrupted\n"})
	expect.That(t, o == want, "got %+v, want %+v", o, want)
	b := breaches(args, o)
	expect.That(t, b == nil, "%v", b)
}

// The descriptions of sweeps keep to the width, of which TestGolden has data alone.
func TestDescribeKeepsToTheWidth(t *testing.T) {
	files := expect.Value(filepath.Glob(filepath.Join("..", "..", "examples", "*-sweep.yaml")))(t)
	expect.Need(t, len(files) > 3, "only %q", files)
	for _, name := range files {
		o := succeed(t, "describe", name)
		expect.That(t, strings.Contains(o.stdout, "\n"), "describe %s prints nothing", name)
	}
}

var singleQuoted = regexp.MustCompile(`'[^']*'`)

// What comments of examples say to set can be set.
func TestExamplesCanBeSetAsTheySay(t *testing.T) {
	setting, named, found := regexp.MustCompile(`--set (?:'([^']+)'|([^\s,;]+))`), regexp.MustCompile(`examples/\S+\.yaml`), 0
	for _, pattern := range []string{"*.yaml", "*/*.yaml"} {
		for _, name := range expect.Value(filepath.Glob(filepath.Join("..", "..", "examples", pattern)))(t) {
			for line := range strings.Lines(string(expect.Value(os.ReadFile(name))(t))) {
				args := []string{"validate", name}
				if other := named.FindString(line); other != "" {
					args[1] = filepath.Join("..", "..", other)
				}
				for _, x := range setting.FindAllStringSubmatch(line, -1) {
					args = append(args, "--set", x[1]+x[2])
				}
				if strings.HasPrefix(line, "#") && len(args) > 2 {
					succeed(t, args...)
					found++
				}
			}
		}
	}
	expect.Need(t, found > 60, "only %d", found)
}

// A program with the explorer in it writes it, and one without says where it can make it.
func TestExplore(t *testing.T) {
	before := explorerPage
	defer func() { explorerPage = before }()
	file := filepath.Join(t.TempDir(), "class.html")
	explorerPage = []byte("<!DOCTYPE html>")
	var stdout, stderr bytes.Buffer
	status := execute(context.Background(), []string{"explore", "-o", file}, &stdout, &stderr)
	expect.Need(t, status == exitOK, "status %d\n%s", status, stderr.String())
	got, err := os.ReadFile(file)
	expect.That(t, err == nil && bytes.Equal(got, explorerPage), "%q, %v; want the page", got, err)
	// With a plan the page has it, the files that it names and the simulations that were kept: two here.
	plan, kept := "../../examples/buy-a-cluster.yaml", filepath.Join(t.TempDir(), "kept")
	cache := expect.Value(search.OpenFolder(kept))(t)
	for _, text := range []string{"a", "b"} {
		expect.Success(t, cache.Put(store.KeyOf([]byte(text)), []byte(`"`+text+`"`)))
	}
	explorerPage = []byte(`<!DOCTYPE html><script type="application/octet-stream" id="own"></script>`)
	status = execute(context.Background(), []string{"explore", plan, "--times", kept, "-o", file}, &stdout, &stderr)
	expect.Need(t, status == exitOK, "status %d\n%s", status, stderr.String())
	own := regexp.MustCompile(`id="own">([^<]*)<`).FindSubmatch(expect.Value(os.ReadFile(file))(t))
	expect.Need(t, own != nil, "no plan in the page")
	unpacked := expect.Value(gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(own[1]))))(t)
	var has page.Own
	expect.Success(t, json.NewDecoder(unpacked).Decode(&has))
	expect.That(t, has.Plan == plan && len(has.Files) == 2 && has.Files[plan] != "" &&
		has.Files["../../examples/applications/training.yaml"] != "" && len(has.Times) == 2 &&
		has.Times[store.KeyOf([]byte("b"))] == `"b"`, "%s with %d files and %v", has.Plan, len(has.Files), has.Times)
	for _, wrong := range [][]string{{"--times", kept}, {plan, "--times", file + ".none"}} {
		expect.Equal(t, execute(context.Background(), append([]string{"explore", "-o", file}, wrong...), &stdout, &stderr), exitInput, "explore %v: status", wrong)
	}
	explorerPage = nil
	t.Chdir(t.TempDir()) // outside of the source
	status = execute(context.Background(), []string{"explore", "-o", file}, &stdout, &stderr)
	expect.That(t, status == exitInput && strings.Contains(stderr.String(), "source is not found"), "without the page: status %d\n%s", status, stderr.String())
}

// The text keeps to the width, whatever there is to show: tables are continued below.
func TestMetricsKeepToTheWidth(t *testing.T) {
	name := strings.Repeat("abcdefghij", 6)
	files := []string{ // all columns, unknown columns
		"system,processes,n,work [Gflop],time [s],marked_speed [Gflop/s],power [Gflop/s],reference_time [s],cost [EUR]\n" +
			name + ",1,100000,1000,123.456,7.7,6.6,1.5,0.1234567\n" + name + ",1,100000,1000,223.456,7.7,6.6,1.5,0.1234567\n" +
			name + ",100000000,100000,1000,3.456e-7,7.7e6,6.6e6,150,12345.67\n" + name[:59] + "2,16,123456789,1e12,3.456e9,77,66,150,12345.67\n",
		"processes,time [s]," + name + "," + name + "2\n1,1,,\n",
	}
	for _, content := range files {
		succeed(t, "metrics", expect.File(t, "x.csv", content)) // which looks at the width
	}
}

// fullDisk takes no byte.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A command whose output is lost has failed, also where it is only the help.
func TestLostOutputIsAFailure(t *testing.T) {
	for _, line := range []string{"--help", "help run", "run --help", "--version", "version", "version --json", "list", "schema scenario"} {
		var stderr bytes.Buffer
		status := execute(context.Background(), strings.Fields(line), fullDisk{}, &stderr)
		expect.That(t, status == exitFailed && strings.Contains(stderr.String(), "no space left on device"),
			"%s: exit status %d, %q", line, status, stderr.String())
	}
}

// A report to the file that standard output goes to would lose one of both.
func TestReportToTheFileOfStandardOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	stdout := expect.Value(os.Create(name))(t)
	defer stdout.Close()
	var stderr bytes.Buffer
	scenario := filepath.Join("..", "..", "examples", "sunwulf-run.yaml")
	status := execute(context.Background(), []string{"run", scenario, "--report", name}, stdout, &stderr)
	expect.That(t, status == exitInput && strings.Contains(stderr.String(), "standard output goes there"),
		"exit status %d, %q", status, stderr.String())
}

// Columns are left out, busy first, only as far as names need the room; no line
// is wider than the terminal.
func TestLinksKeepToTheWidth(t *testing.T) {
	short := watch.Link{Link: "up", Messages: 3, Bytes: 1e6, Busy: 1, Mean: 0.5, Peak: 1, Lost: 2}
	wide := watch.Link{Link: "up", Messages: 123456789, Bytes: 1.23456e8, Busy: 0.123456, Mean: 1, Peak: 1, Lost: 0.123456}
	named := func(l watch.Link, name string) watch.Link { l.Link = name; return l }
	long := strings.Repeat("ä", 100) + ".down"
	for _, tt := range []struct {
		name  string
		links []watch.Link
		want  string // titles
	}{
		{"short", []watch.Link{short}, "link messages bytes busy mean peak lost"},
		{"short names, wide figures", []watch.Link{wide}, "link messages bytes busy mean peak lost"},
		{"long names, short figures", []watch.Link{named(short, long)}, "link messages bytes busy mean peak lost"},
		{"long names, wide figures", []watch.Link{named(wide, long), short}, "link messages bytes mean peak lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := &printer{W: &out}
			printLinks(p, tt.links)
			lines := strings.Split(out.String(), "\n")
			expect.Equal(t, strings.Join(strings.Fields(lines[1]), " "), tt.want, "titles")
			for _, l := range lines {
				n := utf8.RuneCountInString(l)
				expect.That(t, n <= textWidth, "a line of %d columns: %q", n, l)
			}
			expect.That(t, !strings.Contains(tt.name, "long names") || strings.Contains(out.String(), "ä.down "),
				"the end of the name is lost:\n%s", out.String())
		})
	}
}

func TestShortenMiddle(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 5, "ab…ef"}, {"abcdef", 4, "ab…f"}, {"abcdef", 3, "a…f"}, {"äöüß", 3, "ä…ß"}, {"", 3, ""},
	} {
		expect.Equal(t, shortenMiddle(tt.s, tt.n), tt.want, "%q to %d", tt.s, tt.n)
	}
}

// The files and commands of the tutorial on applications work as they are printed.
func TestTutorialOnApplications(t *testing.T) {
	page := expect.Value(os.ReadFile(filepath.Join("..", "..", "docs", "tutorials", "describe-your-application.md")))(t)
	t.Chdir(t.TempDir())
	files := map[string]string{}
	var lines []string
	for _, block := range regexp.MustCompile("(?ms)^```(yaml|sh)\n(.*?)^```").FindAllStringSubmatch(string(page), -1) {
		switch text := block[2]; {
		case block[1] == "sh":
			lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
		case strings.HasPrefix(text, "application:"):
			files["smooth.yaml"] = text
		case strings.HasPrefix(text, "machine:"):
			files["smooth-run.yaml"] = text
		case strings.HasPrefix(text, "scenario:"):
			files["smooth-sweep.yaml"] = text
		}
	}
	expect.Need(t, len(files) == 3 && len(lines) >= 4, "found %d files and %d commands", len(files), len(lines))
	for name, text := range files {
		expect.Success(t, os.WriteFile(name, []byte(text), 0o644))
	}
	got := strings.Count(files["smooth.yaml"], "\n")
	expect.That(t, got <= 10, "the first file has %d lines", got)
	for _, line := range lines {
		words := shellWords(t, line)
		out := succeed(t, words[1:]...)
		expect.That(t, !strings.Contains(out.stdout+out.stderr, "warning"),
			"%s warns:\n%s%s", line, out.stdout, out.stderr)
	}
}
