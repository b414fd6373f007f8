package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// moves is how often a slider is moved for a percentile: two moves may take longer than the 95th.
const moves = 40

// sliders are runs whose message size is moved: 64 ranks and 10 240 messages.
var sliders = map[string]string{
	"hockney": "v=1&set=machine.nodes[0].count%3D64&set=workload.n%3D80",
	"flow":    "v=1&set=machine.nodes[0].count%3D64&set=workload.n%3D80&set=network%3Dflow",
}

// BenchmarkSlider moves a slider and waits for the picture, including its pixels. It reports the smallest time, the
// median and the 95th percentile of the moves, and how long the page took to be ready. The smallest time depends least
// on what else the machine does.
func BenchmarkSlider(b *testing.B) {
	browser := browsertest.Start(b)
	file := built(b)
	for name, fragment := range sliders {
		b.Run(name, func(b *testing.B) {
			tab := browser.NewTab(b)
			tab.Screen(1366, 900, "light")
			tab.OpenAt(file, fragment)
			shown(b, tab)
			const figures = `[...document.querySelectorAll("#figures div")].map((x) => x.textContent).join(" ")`
			// Each of 64 ranks sends to two neighbours in a ring, in each of 80 rounds.
			if text := browsertest.Eval[string](tab, figures); !strings.Contains(text, "Processes64 Messages10\u00a0240 ") {
				b.Fatalf("the page shows %q; want 64 processes and 10 240 messages", text)
			}
			var times []float64
			for b.Loop() {
				for range moves {
					times = append(times, browsertest.Eval[float64](tab, fmt.Sprintf("moveSlider(%d)", 300+7*(len(times)%50))))
				}
			}
			report(b, times)
			b.ReportMetric(browsertest.Eval[float64](tab, "+document.documentElement.dataset.ready"), "ms-to-ready")
		})
	}
}

// BenchmarkSummary asks for the summary of a run of 1024 ranks, without its timeline: five
// rounds of messages to the next ranks, and a barrier by dissemination.
func BenchmarkSummary(b *testing.B) {
	browser := browsertest.Start(b)
	tab := browser.NewTab(b)
	tab.OpenAt(built(b), "")
	shown(b, tab)
	for name, workload := range map[string]string{
		"neighbours": "{name: pattern, shape: neighbours-1d, n: 5, size: 20 kB, compute: 1 Mflop}",
		"barrier":    "{name: collective, op: barrier, n: 1}",
	} {
		b.Run(name, func(b *testing.B) {
			var times []float64
			for b.Loop() {
				times = append(times, browsertest.Eval[float64](tab, fmt.Sprintf(`isoscaleExplorer.ask({do: "run", file: "explore.yaml", set: [
					{path: "machine.nodes[0].count", value: "1024"}, {path: "workload", value: %q}]}).then((r) => r.took)`, workload)))
			}
			report(b, times)
		})
	}
}

func report(b *testing.B, times []float64) {
	slices.Sort(times)
	at := func(share float64) float64 { return times[int(math.Ceil(share*float64(len(times))))-1] }
	b.ReportMetric(times[0], "ms-min")
	b.ReportMetric(at(0.5), "ms-median")
	b.ReportMetric(at(0.95), "ms-p95")
}
