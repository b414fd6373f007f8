package command

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// newReport returns the command report, which analyses the results of a study.
func newReport() *cobra.Command {
	var (
		asked              answerFlags
		maximize, minimize string
		size, cost         string
		only               []string
		over               string
		crossings          bool
	)
	cmd := newStudyCommand("report", oneStudy, func(cmd *cobra.Command, s *sweep.Study, args []string) error {
		if asked.Page == "" && !asked.JSON {
			asked.Page = filepath.Join(args[0], "report.html")
		}
		files, err := asked.Outputs(cmd, nil)
		if err != nil {
			return err
		}
		err = errors.Join(s.Aim(maximize, minimize, size, cost), s.Only(only))
		if over != "" {
			x, y, _ := strings.Cut(over, ",")
			err = errors.Join(err, s.Over(x, y))
		}
		if err != nil {
			return input.Errorf("%v", err)
		}
		r, err := findings.Of(s, nil, 0)
		if err != nil {
			return err
		}
		if crossings {
			if err := r.FindCrossings(cmd.Context()); err != nil {
				return input.Errorf("--crossings: %v", err)
			}
		}
		return emit(files, r, asked, printSweep)
	})
	f := cmd.Flags()
	f.BoolVar(&crossings, "crossings", false, "locate, by more simulations, where between the levels of a problem or condition another machine becomes the best")
	addOutput(cmd, &asked.Page, "out", "o", "write the report to `FILE` (default DIR/report.html, none with --json)")
	f.StringVar(&maximize, "maximize", "",
		"search for the largest value of `OUTCOME` (default the objective of the plan)")
	f.StringVar(&minimize, "minimize", "",
		"search for the smallest value of `OUTCOME` (default the objective of the plan)")
	f.StringVar(&size, "size", "",
		"use `NAME`, an outcome or numeric factor, as the size of a configuration (default as in the plan)")
	f.StringVar(&cost, "cost", "", "use `NAME`, an outcome or numeric factor, as the cost of a configuration, and "+
		"follow growth by its cost (default as in the plan)")
	f.StringVar(&over, "over", "",
		"draw the map over the factors `X,Y`, as in latency,bandwidth (default the two with the largest effects)")
	f.StringArrayVar(&only, "only", nil, "analyse only the points with `FACTOR=LEVEL`, as in network=flow (repeatable)")
	asked.AddWithoutReportTo(cmd)
	return cmd
}

// newExport returns the command export, which prints the results of a study.
func newExport() *cobra.Command {
	var (
		format     string
		file       string
		provenance bool
		steps      bool
		predicted  bool
	)
	cmd := newCommand("export", oneStudy, func(cmd *cobra.Command, args []string) error {
		if file == "" {
			file = output.Stdout
		}
		files := output.New(cmd.OutOrStdout(), store.Holds, file)
		if err := files.Check(); err != nil {
			return err
		}
		s, err := openStudy(args[0])
		if err != nil {
			return err
		}
		return files.Write(file, func(w io.Writer) error {
			switch {
			case steps:
				return findings.ExportSteps(s, w, format)
			case predicted:
				return findings.ExportPredictions(s, w, format)
			}
			return s.Export(w, format, provenance)
		})
	})
	addChoice(cmd, &format, "format", "f", "print in `FORMAT`: WORDS", sweep.ExportFormats...)
	addOutput(cmd, &file, "out", "o", "write to `FILE` (default standard output)")
	cmd.Flags().BoolVar(&steps, "steps", false, "print the single steps of growth from each configuration")
	cmd.Flags().BoolVar(&predicted, "predictions", false, "print what a search predicts for each configuration")
	cmd.Flags().BoolVar(&provenance, "provenance", false,
		"add columns with the host, the start and the duration of each row")
	cmd.MarkFlagsMutuallyExclusive("steps", "predictions", "provenance")
	return cmd
}
