package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/figure"
)

func newPlot() *cobra.Command {
	var (
		out, title string
		names      []string
		series     []string
		formats    = formatsFlag{"svg", "pdf"}
		width      = lengthFlag{84 * figure.Millimetre, "84mm", 100}
		size       = lengthFlag{8, "8pt", 4}
		theme      = choice("colour", "grey")
		x, y       choiceFlag
	)
	x, y = choice("", "log", "linear"), choice("", "log", "linear")
	cmd := &cobra.Command{
		Use:   "plot DIR|FILE.json",
		Short: "Draw the charts of stored results as figures for a paper",
		Long: `
Draw charts of the results directory of a study, or of a file that a command
has printed with --json --charts. Each becomes a file in the folder of --out,
with its name from the list that is printed.`,
		Example: `  isoscale plot jin
  isoscale plot jin --chart scaling-laws --width 84mm --font-size 8pt
  isoscale plot jin --theme grey --format svg,pdf,tex,csv --out figures`,
		Args: exactly(1, "one results directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			charts, err := storedCharts(args[0])
			if err != nil {
				return err
			}
			if charts, err = pickCharts(charts, names); err != nil {
				return &usageError{err, ""}
			}
			if title != "" && len(charts) > 1 {
				return &usageError{fmt.Errorf("--title: %d charts are drawn; expected one, named by --chart", len(charts)), ""}
			}
			change := figure.Change{X: x.value, Y: y.value, Series: series}
			for i := range charts {
				if charts[i], err = change.Apply(charts[i]); err != nil {
					return &usageError{err, ""}
				}
			}
			files, err := outputs(cmd, false, args)
			if err != nil {
				return err
			}
			style := figure.Style{Width: width.points, Size: size.points, Grey: theme.value == "grey", Title: title}
			if err := writeFigures(files, out, charts, formats, style); err != nil {
				return err
			}
			p := &printer{w: cmd.OutOrStdout()}
			for _, c := range charts {
				heading, _ := figure.Words(c.Block)
				p.wrapped("", c.Name+": "+heading)
			}
			return p.err
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", ".", "write the figures into `DIR`, which is created if needed")
	f.Var(&formats, "format", "write figures as `LIST`: some of "+strings.Join(figure.Formats, ","))
	f.StringArrayVar(&names, "chart", nil, "draw only the chart `NAME` (repeatable)")
	f.Var(&width, "width", "make figures `LENGTH` wide, in mm, cm, in or pt")
	f.Var(&size, "font-size", "set the size of all text to `LENGTH`")
	f.Var(&theme, "theme", "draw in `WORD`: "+theme.list())
	f.StringVar(&title, "title", "", "write `TEXT` above the chart")
	f.Var(&x, "x", "make the x axis `WORD`: log or linear (default as in the report)")
	f.Var(&y, "y", "make the y axis `WORD`: log or linear (default as in the report)")
	f.StringArrayVar(&series, "series", nil, "draw only the series `NAME` (repeatable)")
	return cmd
}

// storedCharts returns the charts of a results directory or of a file of JSON.
func storedCharts(path string) ([]figure.Chart, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		s, err := openStudy(path)
		if err != nil {
			return nil, err
		}
		r, err := s.Finish(nil, 0)
		if err != nil {
			return nil, err
		}
		d := r.Report()
		return figure.Charts(d), d.Check()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	charts, err := figure.Read(bytes.NewReader(text))
	if err != nil {
		return nil, &usageError{fmt.Errorf("%s: %w", path, err), ""}
	}
	return charts, nil
}

// pickCharts returns the charts with these names, or all.
func pickCharts(charts []figure.Chart, names []string) ([]figure.Chart, error) {
	if names == nil {
		return charts, nil
	}
	var found []figure.Chart
	for _, name := range names {
		i := slices.IndexFunc(charts, func(c figure.Chart) bool { return c.Name == name })
		if i < 0 {
			var known []string
			for _, c := range charts {
				known = append(known, c.Name)
			}
			return nil, fmt.Errorf("--chart %s: there is no such chart; expected one of %s", name, strings.Join(known, ", "))
		}
		found = append(found, charts[i])
	}
	return found, nil
}

// withCharts returns the JSON of an answer with the data of its charts as its last
// field.
func withCharts(r any, charts []figure.Chart) (json.RawMessage, error) {
	answer, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	drawn, err := json.Marshal(charts)
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutSuffix(answer, []byte("}"))
	if !ok {
		return nil, fmt.Errorf("the answer is no object")
	}
	return slices.Concat(body, []byte(`,"charts":`), drawn, []byte("}")), nil
}
