package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// An exampleReport is a command line with a report.
type exampleReport struct {
	name string
	line string // less --report
	page string // the file, once it is written
	// book: five papers with 150 charts make a page beyond the usual size.
	book bool
	axe  bool // where it is: two of each command
}

// exampleReports lists a report of each example that has one. Those that take minutes are
// left out, but for the plan, which is asked for fewer machines.
func exampleReports(t *testing.T) []exampleReport {
	all := []exampleReport{
		{name: "metrics", line: "metrics examples/measured-times.csv"},
		{name: "metrics-clusters", line: "metrics examples/measured-clusters.csv"},
		{name: "metrics-energy", line: "metrics examples/measured-energy.csv"},
		{name: "queue", line: "queue examples/queue-log.swf"},
		{name: "replay", line: "replay --ti examples/ring.ti --platform examples/cluster.xml"},
		{name: "plan", line: "plan examples/buy-a-cluster.yaml --set 'counts=[1, 2]' --quiet"},
		{name: "paper", line: "paper jpdc2008"},
		{name: "papers", line: "paper all", book: true},
	}
	for _, file := range examplesBelow(t, "examples") {
		if filepath.Ext(file) != ".yaml" || slices.Contains(longExamples, file) {
			continue
		}
		root, _, err := yamldoc.ReadFile(file)
		expect.Success(t, err)
		kind := input.KindOf(root)
		r := exampleReport{name: strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(file, "examples/"), ".yaml"), "/", "-")}
		r.line = input.CommandOf(kind) + " " + file + " --quiet --json"
		switch kind {
		case input.KindMachine, input.KindApplication, input.KindLesson, input.KindSuper:
			continue // these have no report
		case input.KindSweep:
			r.line += " --out results-" + r.name
		}
		all = append(all, r)
	}
	of := map[string]int{}
	for i := range all {
		command, _, _ := strings.Cut(all[i].line, " ")
		of[command]++
		all[i].axe = of[command] <= 2 && !all[i].book && os.Getenv("ISOSCALE_AXE") != ""
	}
	return all
}

// write runs the command and returns the page.
func (r exampleReport) write(t *testing.T, flags string) string {
	t.Helper()
	succeed(t, shellWords(t, r.line+" --report page.html "+flags)...)
	page := expect.Value(os.ReadFile("page.html"))(t)
	return string(page)
}

// Reports are small enough to be sent by mail, static ones to be many: sizes in bytes.
const (
	mostOfReport = 460_000 // search, folding and bands of timelines took 5 kB
	mostOfStatic = 220_000 // the best of each problem and intervals took 18 kB
	mostOfBook   = 1_050_000
	mostOfSpace  = 900_000 // with the library of charts in space
)

// TestReports writes the reports once and checks them in all ways.
func TestReports(t *testing.T) {
	expect.Long(t, "runs a simulation for each report")
	t.Chdir(copyOfExamples(t))
	reports, pages := exampleReports(t), t.TempDir()
	for i := range reports {
		r := &reports[i]
		r.page = filepath.Join(pages, r.name+".html")
		text, static := r.write(t, ""), r.write(t, "--static")
		expect.Success(t, os.WriteFile(r.page, []byte(text), 0o600))
		most, mostStatic := mostOfReport, mostOfStatic
		if strings.Contains(text, "echarts-gl") {
			most = mostOfSpace
		}
		if r.book {
			most, mostStatic = mostOfBook, mostOfBook
		}
		expect.That(t, len(text) <= most && len(static) <= mostStatic,
			"%s: %d bytes, and %d with --static; expected at most %d and %d", r.line, len(text), len(static), most, mostStatic)
	}
	t.Run("in a browser", func(t *testing.T) {
		browser := browsertest.Start(t)
		for _, r := range reports {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				tab := browser.NewTab(t)
				checkWithoutScripts(tab, r)
				checkScreens(tab, r)
			})
		}
	})
}

// copyOfExamples returns a folder with the examples, so that commands write nothing beside them.
func copyOfExamples(t *testing.T) string {
	t.Helper()
	examples, dir := os.DirFS(filepath.Join("..", "..", "examples")), t.TempDir()
	expect.Success(t, os.CopyFS(filepath.Join(dir, "examples"), examples))
	return dir
}

// BenchmarkReportReady measures how long the largest report, paper all, takes to be ready
// on a processor that is four times slower: from the start of its loading until it can be
// read, scrolled and used, with the charts that are on the screen started.
//
//	go test ./experiments/command -run '^$' -bench ReportReady -benchtime 5x
func BenchmarkReportReady(b *testing.B) {
	page := filepath.Join(b.TempDir(), "paper.html")
	root := newRoot()
	root.SetArgs([]string{"paper", "all", "--report", page})
	expect.Success(b, root.Execute())
	tab := browsertest.Start(b).NewTab(b)
	tab.Screen(1366, 768, "light")
	tab.Throttle(4)
	const ready = `(() => {
		const near = Array.from(document.querySelectorAll("figure")).filter((f) => f.checkVisibility({ contentVisibilityAuto: true }) && f.querySelector(".plot") && f.getBoundingClientRect().top < innerHeight && f.getBoundingClientRect().bottom > 0);
		const loaded = performance.getEntriesByType("navigation")[0].loadEventEnd;
		return loaded > 0 && near.every((f) => f.matches(".live, .dead")) ? Math.max(loaded, performance.now()) : 0;
	})()`
	total := 0.0
	for b.Loop() {
		tab.Open(page)
		total += browsertest.Await(tab, ready, func(ms float64) bool { return ms > 0 })
	}
	b.ReportMetric(total/float64(b.N), "ms-ready/op")
}
