package command

import (
	"regexp"
	"strings"
)

// galleryPage shows each kind of chart once. It and its pictures are written by
// TestDocPictures.
const galleryPage = "docs/gallery.md"

// galleryCharts are the charts of the gallery, in its order. A new kind of chart is one row:
// what the picture shows, the command whose report has it, and its name there.
var galleryCharts = []struct{ heading, title, shows, command, chart string }{
	{"Scaling", "Time over processes", "Measured times of three problem sizes, each beside its ideal line.", "metrics examples/measured-times.csv", "time-over-processes"},
	{"", "Speed-up", "Both axes have one scale, so that the ideal line rises by 45 degrees.", "metrics examples/measured-times.csv", "speedup-over-processes"},
	{"", "Efficiency", "The part of the processors that computes.", "metrics examples/measured-times.csv", "efficiency-over-processes"},
	{"", "Serial fraction", "Karp and Flatt: constant where work is serial, rising where overhead grows.", "metrics examples/measured-times.csv", "serial-fraction-over-processes"},
	{"", "Scaling laws", "Laws fitted to points with ranges, within the bands of their error.", "metrics examples/strong-scaling.csv", "21-6-tflop-scaling-laws"},
	{"", "Weak scaling", "Time for work in proportion to the processes.", "metrics examples/weak-scaling.csv", "time-over-processes-work-proportional-to-them"},
	{"", "Scaled speed-up", "Gustafson: the speed-up of work that grows.", "metrics examples/weak-scaling.csv", "scaled-speedup"},
	{"", "Time by what ranks do", "Where the time goes as the machine grows.", "sweep examples/levels-sweep.yaml", "time-over-processes-by-what-ranks-do"},
	{"", "Money over processes", "What a run costs, and where it is cheapest.", "metrics examples/measured-times.csv", "money-over-processes"},
	{"", "Energy over processes", "The energy of a run.", "metrics examples/measured-energy.csv", "energy-over-processes"},
	{"", "Distribution of repeated times", "How far repetitions are from their median.", "metrics examples/measured-energy.csv", "distribution-of-repeated-times"},
	{"Isoefficiency and validation", "Isoefficiency", "The work that holds a speed-efficiency, simulated, predicted and published.", "iso examples/sunwulf-ge.yaml", "isoefficiency-work-over-marked-speed"},
	{"", "Isospeed-efficiency scalability", "One bar for each step between systems.", "iso examples/sunwulf-ge.yaml", "isospeed-efficiency-scalability"},
	{"", "Simulated over published times", "A parity plot: points on the dashed line agree.", "iso examples/sunwulf-ge.yaml", "simulated-over-published-time"},
	{"One run", "Timeline", "What the ranks do when, with messages and the critical path.", "run examples/lessons/3-imbalance.yaml", timelineChart},
	{"", "Critical path", "What limits the run.", "run examples/sunwulf-run.yaml", "the-critical-path-by-cause"},
	{"", "Time of each rank", "Computation, overhead and wait.", "run examples/sunwulf-run.yaml", "time-of-each-rank"},
	{"", "Distribution of the times of ranks", "Of many ranks, which part has at most a time.", "run examples/topologies/dragonfly.yaml", "distribution-of-the-times-of-ranks"},
	{"", "Messages between ranks", "Who sends to whom, and how many bytes.", "run examples/topologies/dragonfly.yaml", "bytes-between-ranks"},
	{"", "Utilisation of links", "A row for each of the busiest links, over time.", "run examples/topologies/dragonfly.yaml", "utilisation-of-links-over-time"},
	{"Studies", "Map of two factors", "Contours, the best configuration of each size, greedy growth and gradients over cells.", "sweep examples/hierarchy-sweep.yaml", "log2-speedup-over-r1-and-r2"},
	{"", "Single steps", "Where one step of growth gains most.", "sweep examples/hierarchy-sweep.yaml", "best-single-step-by-scalability"},
	{"", "Parallel axes", "A line for each configuration of many factors.", "sweep examples/levels-sweep.yaml", "time-over-all-factors"},
	{"", "Main effects", "The mean outcome at each level of each factor.", "sweep examples/hierarchy-sweep.yaml", "main-effects-on-log2-speedup"},
	{"Queues", "Jobs over time", "Jobs that run and wait.", "queue examples/queue-log.swf", "jobs-over-time"},
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
		page.WriteString("\n### " + c.title + "\n\n" + c.shows + "\n\n![" + strings.TrimRight(c.shows, ".") + "](gallery/" + galleryFile(c.title) + ")\n\n```sh\nisoscale " + c.command + " --figures figures\n```\n\nChart `" + c.chart + "`.\n")
	}
	return page.String()
}
