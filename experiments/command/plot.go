package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/each"
)

// plotFlags say which charts are drawn, and how.
type plotFlags struct {
	out     string // folder of the figures
	page    string // file that compares two results; "" for none
	title   string // above the only chart; "" for none
	names   []string
	series  []string
	labels  []string
	formats []string
	width   float64 // points
	size    float64 // of text, points
	theme   string
	x, y    string // axes: log or linear, "" as in the report
}

// newPlot returns the command plot, which draws the charts of stored results.
func newPlot() *cobra.Command {
	var f plotFlags
	cmd := newCommand("plot", oneOrTwoResults,
		func(cmd *cobra.Command, args []string) error { return f.plot(cmd, args) })
	f.addTo(cmd)
	return cmd
}

func (f *plotFlags) addTo(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVarP(&f.out, "out", "o", ".", "write the figures into `DIR`, which is created if needed")
	addFormats(cmd, &f.formats)
	set.StringArrayVar(&f.names, "chart", nil, "draw only the chart `NAME` (repeatable)")
	f.width, f.size = 84*chart.Millimetre, 8
	addLength(cmd, &f.width, "width", "84mm", 100, "make figures `LENGTH` wide, in mm, cm, in or pt")
	addLength(cmd, &f.size, "font-size", "8pt", 4, "set the size of all text to `LENGTH`")
	addChoice(cmd, &f.theme, "theme", "", "draw in `WORD`: WORDS", "colour", "grey")
	set.StringVar(&f.title, "title", "", "write `TEXT` above the chart")
	for name, to := range map[string]*string{"x": &f.x, "y": &f.y} {
		addChoice(cmd, to, name, "", "make the "+name+" axis `WORD`: log or linear (default as in the report)",
			"", "log", "linear")
	}
	set.StringArrayVar(&f.series, "series", nil, "draw only the series `NAME` (repeatable)")
	set.StringArrayVar(&f.labels, "label", nil, "call a result `NAME`: once for each (default the name of its file)")
	addOutput(cmd, &f.page, "report", "", "write a page that compares two results to `FILE`")
}

// plot draws the charts of one result, or those that two have in common.
func (f *plotFlags) plot(cmd *cobra.Command, args []string) error {
	results, err := f.results(args)
	if err != nil {
		return err
	}
	var both chart.Overlay
	charts, drawn := results[0].Charts, len(results[0].Charts)
	if len(results) == 2 {
		if both, err = chart.Overlaid(results[0], results[1]); err != nil {
			return input.Errorf("%v", err)
		}
		charts, drawn = both.Charts(), len(both.Pairs)
	} else if f.page != "" {
		return input.Errorf("--report: there is one result; expected two, to compare")
	}
	if f.title != "" && drawn > 1 {
		return input.Errorf("--title: %d charts are drawn; expected one, named by --chart", drawn)
	}
	files, err := outputsOf(cmd, false, args, f.page)
	if err != nil {
		return err
	}
	if f.page != "" {
		document := both.Document([2]string{results[0].Name, results[1].Name}, [2]string(args))
		if err := files.Write(f.page, func(w io.Writer) error { return html.Write(w, document) }); err != nil {
			return err
		}
	}
	if f.page == "" || cmd.Flags().Changed("out") || cmd.Flags().Changed("format") {
		style := chart.Style{Width: f.width, Size: f.size, Grey: f.theme == "grey", Title: f.title}
		if err := writeFigures(files, f.out, charts, f.formats, style); err != nil {
			return err
		}
	}
	p := &printer{W: cmd.OutOrStdout()}
	for _, c := range charts {
		p.Wrapped("", c.Name+": "+chart.Title(c.Block))
	}
	for _, note := range both.Notes {
		p.Wrapped("", note)
	}
	return p.Err
}

// results reads the results, with the charts that are to be drawn, changed as wanted.
func (f *plotFlags) results(args []string) ([]chart.Result, error) {
	results, err := namedResults(args, f.labels)
	if err != nil {
		return nil, err
	}
	change := chart.Change{X: f.x, Y: f.y, Series: f.series}
	for i := range results {
		if results[i].Charts, err = storedCharts(args[i]); err != nil {
			return nil, err
		}
		if err := choose(&results[i], f.names, change); err != nil {
			return nil, input.Errorf("%s: %v", args[i], err)
		}
	}
	return results, nil
}

func oneOrTwoResults(cmd *cobra.Command, args []string) error {
	if len(args) == 2 {
		return nil
	}
	return exactArgs(1, "one or two results directories or files")(cmd, args)
}

// namedResults returns results that are named by their labels or else their files. If two
// files have the same name, their paths are the names.
func namedResults(paths, labels []string) ([]chart.Result, error) {
	if labels != nil && len(labels) != len(paths) {
		return nil, input.Errorf("--label: %s for %s; expected one for each",
			input.Plural(len(labels), "label"), input.Plural(len(paths), "result"))
	}
	names := each.Of(paths, func(path string) string { return strings.TrimSuffix(filepath.Base(filepath.Clean(path)), ".json") })
	if len(paths) == 2 && names[0] == names[1] {
		names = slices.Clone(paths)
	}
	if labels != nil {
		names = labels
	}
	results := make([]chart.Result, len(paths))
	for i, name := range chart.Distinct(names, "result") {
		results[i].Name = name
	}
	return results, nil
}

// choose keeps the charts of a result with these names, or all, and changes them.
func choose(r *chart.Result, names []string, change chart.Change) error {
	charts, err := pickCharts(r.Charts, names)
	if err != nil {
		return err
	}
	for i := range charts {
		if charts[i], err = change.Apply(charts[i]); err != nil {
			return err
		}
	}
	r.Charts = charts
	return nil
}

// storedCharts returns the charts of a results directory or of a file of JSON.
func storedCharts(path string) ([]chart.Named, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, input.Unread(path, err, "a results directory of a study or a file of JSON")
	}
	if info.IsDir() {
		s, err := openStudy(path)
		if err != nil {
			return nil, err
		}
		r, err := findings.Of(s, nil, 0)
		if err != nil {
			return nil, err
		}
		d := r.Report()
		return chart.Of(d), d.Check()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	charts, err := chart.Read(bytes.NewReader(text))
	if err != nil {
		return nil, input.Errorf("%s: %v", path, err)
	}
	return charts, nil
}

// pickCharts returns the charts with these names, or all.
func pickCharts(charts []chart.Named, names []string) ([]chart.Named, error) {
	if names == nil {
		return charts, nil
	}
	var found []chart.Named
	for _, name := range names {
		i := slices.IndexFunc(charts, func(c chart.Named) bool { return c.Name == name })
		if i < 0 {
			known := each.Append(nil, charts, func(c chart.Named) string { return c.Name })
			return nil, fmt.Errorf("--chart %s: there is no such chart; expected one of %s", name, strings.Join(known, ", "))
		}
		found = append(found, charts[i])
	}
	return found, nil
}
