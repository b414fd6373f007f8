package command

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// galleryPage shows each kind of chart once. It and its pictures are written by TestDocPictures.
const galleryPage = "docs/gallery.md"

// A galleryChart is a chart of the gallery: what the picture shows, the command whose report
// has it, and its name there. Of two results, "A; B" are the commands of both.
type galleryChart struct{ heading, title, shows, command, chart string }

// twoResults are those of the pictures of two results in one.
const twoResults = "iso examples/sunwulf-ge.yaml; iso examples/sunwulf-ge.yaml --set network.latency=1ms"

// galleryCharts are the charts of the gallery, in its order. A new kind of chart is one row.
var galleryCharts = []galleryChart{
	{"Scaling", "Time over processes", "Measured times of three problem sizes, each beside its ideal line.", "metrics examples/measured-times.csv", "time-over-processes"},
	{"", "Speed-up", "Both axes have one scale, so that the ideal line rises by 45 degrees.", "metrics examples/measured-times.csv", "speedup-over-processes"},
	{"", "Efficiency", "The part of the processors that computes.", "metrics examples/measured-times.csv", "efficiency-over-processes"},
	{"", "Serial fraction", "Karp and Flatt: constant where work is serial, rising where overhead grows.", "metrics examples/measured-times.csv", "serial-fraction-over-processes"},
	{"", "Scaling laws", "Laws fitted to points with ranges, within the bands of their error.", "metrics examples/strong-scaling.csv", "21-6-tflop-scaling-laws"},
	{"", "Weak scaling", "Time for work in proportion to the processes.", "metrics examples/weak-scaling.csv", "time-over-processes-work-proportional-to-them"},
	{"", "Weak-scaling efficiency", "The time of one process over that of many, for work in proportion to them.", "metrics examples/weak-scaling.csv", "weak-scaling-efficiency"},
	{"", "Scaled speed-up", "Gustafson: the speed-up of work that grows.", "metrics examples/weak-scaling.csv", "scaled-speedup"},
	{"", "Time by what ranks do", "Where the time goes as the machine grows.", "sweep examples/levels-sweep.yaml", "time-over-processes-by-what-ranks-do"},
	{"", "Shares of the time", "The same as shares, where times are far apart.", "iso examples/sunwulf-ge.yaml", "mean-time-per-rank-at-the-target"},
	{"", "Money over processes", "What a run costs, and where it is cheapest.", "metrics examples/measured-times.csv", "money-over-processes"},
	{"", "Energy over processes", "The energy of a run.", "metrics examples/measured-energy.csv", "energy-over-processes"},
	{"", "Energy-delay product", "Energy times time: least where both are low.", "metrics examples/measured-energy.csv", "energy-delay-product-over-processes"},
	{"", "Distribution of repeated times", "How far repetitions are from their median.", "metrics examples/measured-energy.csv", "distribution-of-repeated-times"},
	{"Isoefficiency and validation", "Isoefficiency", "The work that holds a speed-efficiency, simulated, predicted and published.", "iso examples/sunwulf-ge.yaml", "isoefficiency-work-over-marked-speed"},
	{"", "Isospeed-efficiency scalability", "One bar for each step between systems.", "iso examples/sunwulf-ge.yaml", "isospeed-efficiency-scalability"},
	{"", "Speed-efficiency over problem size", "A curve for each system, and where it crosses the target.", "iso examples/sunwulf-ge.yaml", "speed-efficiency-over-problem-size"},
	{"", "Simulated and published times", "Both over the problem size.", "iso examples/sunwulf-ge.yaml", "simulated-and-published-times"},
	{"", "Simulated over published times", "A parity plot: points on the dashed line agree.", "iso examples/sunwulf-ge.yaml", "simulated-over-published-time"},
	{"Two results", "Two results in one picture", "Curves of the second are dashed.", twoResults, "speed-efficiency-over-problem-size"},
	{"", "Ratio of two results", "The second divided by the first, at each point that both have.", twoResults, "speed-efficiency-over-problem-size-ratio"},
	{"One run", "Timeline", "What the ranks do when, with messages and the critical path.", "run examples/lessons/3-imbalance.yaml", timelineChart},
	{"", "Timeline of a replay", "Replays have the charts of runs.", "replay --goal examples/ring.goal", timelineChart},
	{"", "Critical path", "What limits the run.", "run examples/sunwulf-run.yaml", "the-critical-path-by-cause"},
	{"", "Time of each rank", "Computation, overhead and wait.", "run examples/sunwulf-run.yaml", "time-of-each-rank"},
	{"", "Time of neighbouring ranks", "The same for many ranks, each bar the mean of neighbours.", "run examples/topologies/dragonfly.yaml", "mean-time-of-neighbouring-ranks"},
	{"", "Roofline", "The speed that a process can attain over its arithmetic intensity, and what its computations achieved.", "run examples/applications/heat3d-run.yaml", "roofline"},
	{"", "Distribution of the times of ranks", "Of many ranks, which part has at most a time.", "run examples/topologies/dragonfly.yaml", "distribution-of-the-times-of-ranks"},
	{"", "Messages between ranks", "Who sends to whom, and how many bytes.", "run examples/topologies/dragonfly.yaml", "bytes-between-ranks"},
	{"", "Number of messages", "How many, where their sizes differ.", "run examples/sunwulf-run.yaml", "messages-between-ranks"},
	{"", "Utilisation of links", "A row for each of the busiest links, over time.", "run examples/topologies/dragonfly.yaml", "utilisation-of-links-over-time"},
	{"Studies", "Map of two factors", "Contours, the best configuration of each size, greedy growth and gradients over cells.", "sweep examples/hierarchy-sweep.yaml", "log2-speedup-over-r1-and-r2"},
	{"", "Surface in space", "Reports let a browser turn it; figures and paper have it from above.", "sweep examples/hierarchy-sweep.yaml", "log2-speedup-over-r1-and-r2-in-three-dimensions"},
	{"", "Best of each size", "The growth path, and what greedy growth reaches.", "sweep examples/hierarchy-sweep.yaml", "best-log2-speedup-of-each-size"},
	{"", "Curves of a factor", "The outcome over one factor, the others as at the best point.", "sweep examples/hierarchy-sweep.yaml", "log2-speedup-over-r1"},
	{"", "Single steps", "Where one step of growth gains most.", "sweep examples/hierarchy-sweep.yaml", "best-single-step-by-scalability"},
	{"", "What a budget buys", "The best outcome for each budget, and growth by gain for cost.", "sweep examples/hierarchy-cost.yaml", "log2-speedup-over-cost"},
	{"", "What limits", "The cause of most of the critical path at each configuration.", "sweep examples/levels-sweep.yaml", "what-limits-over-r1-and-r2-network-flow"},
	{"", "Levels of a word", "A bar for each level of a factor that is no number.", "sweep examples/levels-sweep.yaml", "time-by-network"},
	{"", "Parallel axes", "A line for each configuration of many factors.", "sweep examples/levels-sweep.yaml", "time-over-all-factors"},
	{"", "Main effects", "The mean outcome at each level of each factor.", "sweep examples/hierarchy-sweep.yaml", "main-effects-on-log2-speedup"},
	{"", "Prediction", "What a search predicts from the points that it has simulated.", "sweep examples/search-sweep.yaml", "predicted-time-over-r1-and-r2"},
	{"", "Course of a search", "The results in the order of simulation, and the best so far.", "sweep examples/search-sweep.yaml", "results-in-the-order-of-simulation"},
	{"", "Prediction over result", "Each result and its prediction from the others.", "sweep examples/search-sweep.yaml", "each-result-and-its-prediction-from-the-others"},
	{"Queues", "Jobs over time", "Jobs that run and wait.", "queue examples/queue-log.swf", "jobs-over-time"},
	{"", "Waits", "Mean and 95 % of the waits of jobs by their size.", "queue examples/queue-log.swf", "waits-by-number-of-nodes"},
	{"", "Use of a machine", "The nodes in use over time, for a mix of jobs.", "queue examples/queue-mix.yaml", "use-of-the-machine"},
	{"", "Length of a queue", "The jobs that wait over time.", "queue examples/queue-mix.yaml", "length-of-the-queue"},
	{"Purchases", "Time and price", "Every machine, and the Pareto front of time and price.", "plan examples/buy-a-cluster.yaml", "time-and-price"},
	{"", "Lead of a design", "How figures that change by 10 % move the lead of the recommended design.", "plan examples/buy-a-cluster.yaml", "lead-of-the-recommended-design"},
	{"Papers", "Cells of a table", "A published metric over two systems.", "paper he2004", "surface-of-psi-between-sets-1xb"},
}

// galleryLikes are the names of further charts that are of the kind of a row, by its title:
// the same chart of other quantities.
var galleryLikes = map[string]string{
	"Scaling laws":                   `(.*-)?scaling-laws`,
	"Time by what ranks do":          `time-.*-by-what-ranks-do`,
	"Simulated over published times": `.*-over-published-.*`,
	"Map of two factors":             `.*-over-r1-and-r2`,
	"Surface in space":               `.*-in-three-dimensions`,
	"Best of each size":              `best-.*-of-each-size`,
	"Curves of a factor":             `.*-over-r[12]|psi-between-.*|time-scale-between-.*`,
	"Single steps":                   `best-single-step-by-.*`,
	"What limits":                    `what-limits-.*`,
	"Main effects":                   `main-effects-on-.*`,
	"Waits":                          `waits-by-.*`,
	"Time and price":                 `time-and-.*`,
	"Cells of a table":               `surface-of-.*`,
}

// checkGallery checks that the gallery has a row for each kind of chart that the program has
// a type for, for each command that draws charts, and for each chart of these results, which are all
// or lack those that take long.
func checkGallery(t *testing.T, stored map[string]string, all bool) {
	t.Helper()
	rows, titles, kinds, commands := make(map[string]bool), make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for _, c := range galleryCharts {
		rows[c.chart], titles[c.title] = true, true
		commands[strings.Fields(c.command)[0]] = true
	}
	var likes []string
	for title, like := range galleryLikes {
		if !titles[title] {
			t.Errorf("galleryLikes: the gallery has no %q", title)
		}
		likes = append(likes, like)
	}
	alike := regexp.MustCompile("^(?:" + strings.Join(likes, "|") + ")$")
	for command, file := range stored {
		text, err := os.ReadFile(file)
		if strings.HasPrefix(command, "sweep ") { // has a directory
			text, err = []byte(succeed(t, "report", file, "--json", "--charts").stdout), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		charts, err := chart.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range charts {
			if rows[c.Name] {
				kinds[c.Kind()] = true
			} else if !alike.MatchString(c.Name) {
				t.Errorf("%s has the chart %s, which is no row of the gallery and like none", command, c.Name)
			}
		}
	}
	for _, kind := range chart.Kinds() {
		if all && !kinds[kind] {
			t.Errorf("the gallery has no chart of the kind %q", kind)
		}
	}
	commands["report"] = commands["sweep"] // draws what a sweep has stored
	for _, c := range newRoot().Commands() {
		if c.Flags().Lookup("figures") != nil && !commands[c.Name()] {
			t.Errorf("the gallery has no chart of the command %q", c.Name())
		}
	}
}

// galleryPictures are the pictures of the gallery.
func galleryPictures() []docPicture {
	var out []docPicture
	for _, c := range galleryCharts {
		out = append(out, docPicture{"docs/gallery/" + galleryFile(c.title), c.command, c.chart})
	}
	return out
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

func galleryFile(title string) string {
	return notInNames.ReplaceAllString(strings.ToLower(title), "-") + ".svg"
}

// galleryText is the page of the gallery.
func galleryText() string {
	var page strings.Builder
	page.WriteString(`# Gallery

One chart of each kind, with the command that draws it. ` + "`--figures DIR`" + ` writes all charts of a command for a paper, one column wide; [figures](formats/figures.md) says how to choose width, text size, greys, format and series.

Written by ` + "`go test ./experiments/command -run DocPictures -update`" + ` from the list in [gallery_test.go](../experiments/command/gallery_test.go).
`)
	for _, c := range galleryCharts {
		if c.heading != "" {
			page.WriteString("\n## " + c.heading + "\n")
		}
		commands := "`isoscale " + c.command + " --figures DIR`"
		if first, second, two := strings.Cut(c.command, "; "); two {
			commands = "`isoscale " + first + " --json --charts > a.json`; the same of `" + second + "` for b.json; `isoscale plot a.json b.json --out DIR`"
		}
		fmt.Fprintf(&page, "\n### %s\n\n%s\n\n![%s](gallery/%s)\n\n%s: `%s`\n", c.title, c.shows, c.title, galleryFile(c.title), commands, c.chart)
	}
	return page.String()
}
