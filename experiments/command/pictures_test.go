package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The pictures of the documentation: the command that computes each, and the chart of
// its report that is drawn. To draw them anew: go test ./experiments/command -run DocPictures -update
var docPictures = []struct{ file, command, chart string }{
	{"docs/images/ge.svg", "iso examples/sunwulf-ge.yaml", "speed-efficiency-over-problem-size"},
	{"docs/images/sweep-map.svg", "sweep examples/hierarchy-sweep.yaml", "log2-speedup-over-r1-and-r2"},
	{"docs/tutorials/images/1-gauss-2.svg", "run examples/lessons/1-gauss.yaml --set nodes.node=2", timelineChart},
	{"docs/tutorials/images/1-gauss-8.svg", "run examples/lessons/1-gauss.yaml --set nodes.node=8", timelineChart},
	{"docs/tutorials/images/2-ring.svg", "run examples/lessons/2-ring.yaml", timelineChart},
	{"docs/tutorials/images/2-ring-latency.svg", "run examples/lessons/2-ring.yaml --set network.latency=5us", timelineChart},
	{"docs/tutorials/images/3-neighbours.svg", "run examples/lessons/3-imbalance.yaml", timelineChart},
	{"docs/tutorials/images/3-dissemination.svg", "run examples/lessons/3-imbalance.yaml --set workload.shape=dissemination", timelineChart},
}

// timelineChart is the name of the timeline in the report of a run.
const timelineChart = "what-the-ranks-do-when"

func TestDocPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("computes a study for each picture")
	}
	t.Chdir("../..")
	for k, p := range docPictures {
		t.Run(strconv.Itoa(k), func(t *testing.T) {
			dir := t.TempDir()
			words := strings.Fields(p.command)
			stored := filepath.Join(dir, "charts.json")
			if words[0] == "sweep" {
				stored = filepath.Join(dir, "study")
				succeed(t, append(words, "--out", stored, "--quiet")...)
			} else if err := os.WriteFile(stored, []byte(succeed(t, append(words, "--json", "--charts", "--quiet")...).stdout), 0o600); err != nil {
				t.Fatal(err)
			}
			succeed(t, "plot", stored, "--chart", p.chart, "--width", "170mm", "--font-size", "10pt", "--format", "svg", "--out", dir)
			got, err := os.ReadFile(filepath.Join(dir, p.chart+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(p.file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want, err := os.ReadFile(p.file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what %q draws (%v); look at the difference and run with -update", p.file, p.command, err)
			}
		})
	}
}

// No other picture is in the documentation, and all of these are shown.
func TestDocPicturesAreAllDrawn(t *testing.T) {
	shown := make(map[string]bool)
	image := regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`)
	pages := []string{"../../README.md"}
	for _, folder := range []string{"docs", "docs/*", "examples/*"} {
		found, err := filepath.Glob(filepath.Join("../..", folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range image.FindAllSubmatch(text, -1) {
			file, err := filepath.Rel("../..", filepath.Join(filepath.Dir(page), string(m[1])))
			if err != nil {
				t.Fatal(err)
			}
			shown[filepath.ToSlash(file)] = true
		}
	}
	for _, p := range docPictures {
		if !shown[p.file] {
			t.Errorf("%s is on no page", p.file)
		}
		delete(shown, p.file)
	}
	for file := range shown {
		if !slices.ContainsFunc(drawnElsewhere, func(folder string) bool { return strings.HasPrefix(file, folder) }) {
			t.Errorf("%s is drawn by no test", file)
		}
	}
}

// drawnElsewhere are folders whose pictures another test draws.
var drawnElsewhere = []string{"docs/gallery/"}
