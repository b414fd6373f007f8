package command

import (
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// BenchmarkReportReady measures how long the largest report, paper all, takes to be ready
// on a processor that is four times slower: from the start of its loading until it can be
// read, scrolled and used, with the charts that are on the screen started.
//
//	go test ./experiments/command -run '^$' -bench ReportReady -benchtime 5x
func BenchmarkReportReady(b *testing.B) {
	page := filepath.Join(b.TempDir(), "paper.html")
	root := newRoot()
	root.SetArgs([]string{"paper", "all", "--report", page})
	if err := root.Execute(); err != nil {
		b.Fatal(err)
	}
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
