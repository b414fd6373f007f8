package studies

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// NewReport returns the command report, which analyses the results of a study.
func NewReport() *cobra.Command {
	var (
		asked              flags.Answer
		maximize, minimize string
		size, cost         string
		only               []string
		over               string
	)
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Analyse the results of a study and write an HTML report",
		Long: `
Analyse the stored results of a study: the best configuration of each size, the
order in which to raise the factors, which factors matter, interactions
and scalability. Print a summary and write an HTML report with charts.`,
		Example: `  isoscale report jin
  isoscale report jin --out jin.html --maximize efficiency
  isoscale report jin --only r1=3 --json
  isoscale report jin --over r2,r1 --out turned.html
  isoscale report jin --cost nodes
  isoscale report jin --json`,
		Args: flags.ExactArgs(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
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
			return flags.Emit(files, r, asked, printSweep)
		},
	}
	f := cmd.Flags()
	flags.AddOutput(cmd, &asked.Page, "out", "o", "write the report to `FILE` (default DIR/report.html, none with --json)")
	f.StringVar(&maximize, "maximize", "", "search for the largest value of `OUTCOME` (default the objective of the plan)")
	f.StringVar(&minimize, "minimize", "", "search for the smallest value of `OUTCOME` (default the objective of the plan)")
	f.StringVar(&size, "size", "", "use `NAME`, an outcome or numeric factor, as the size of a configuration (default as in the plan)")
	f.StringVar(&cost, "cost", "", "use `NAME`, an outcome or numeric factor, as the cost of a configuration, and follow growth by its cost (default as in the plan)")
	f.StringVar(&over, "over", "", "draw the map over the factors `X,Y`, as in latency,bandwidth (default the two with the largest effects)")
	f.StringArrayVar(&only, "only", nil, "analyse only the points with `FACTOR=LEVEL`, as in network=flow (repeatable)")
	asked.AddWithoutReportTo(cmd)
	return cmd
}

// NewExport returns the command export, which prints the results of a study.
func NewExport() *cobra.Command {
	var (
		format     = flags.OneOf(sweep.ExportFormats...)
		file       string
		provenance bool
		steps      bool
		predicted  bool
	)
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Print the results of a study as CSV or JSON lines",
		Long: `
Print the rows of a complete study in the order of its points, as CSV with units
in the header or as JSON lines. The rows do not depend on when, where and in how
many shards they were computed; --provenance adds columns that do.

With --steps, print what single steps of growth bring instead: one row for each
configuration of a full factorial and each factor that can be raised by a level,
with its gain, its scalability and, if the objective of the plan has a cost, its
efficiency.

With --predictions, print what a search predicts: one row for each configuration
of its design, simulated or not, with the prediction of the objective and its
standard error.`,
		Example: `  isoscale export jin --out jin.csv
  isoscale export jin --format jsonl --provenance
  isoscale export jin --steps
  isoscale export search --predictions`,
		Args: flags.ExactArgs(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
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
					return findings.ExportSteps(s, w, format.String())
				case predicted:
					return findings.ExportPredictions(s, w, format.String())
				}
				return s.Export(w, format.String(), provenance)
			})
		},
	}
	cmd.Flags().VarP(&format, "format", "f", "print in `FORMAT`: "+format.List())
	flags.AddOutput(cmd, &file, "out", "o", "write to `FILE` (default standard output)")
	cmd.Flags().BoolVar(&steps, "steps", false, "print the single steps of growth from each configuration")
	cmd.Flags().BoolVar(&predicted, "predictions", false, "print what a search predicts for each configuration")
	cmd.Flags().BoolVar(&provenance, "provenance", false, "add columns with the host, the start and the duration of each row")
	cmd.MarkFlagsMutuallyExclusive("steps", "predictions", "provenance")
	return cmd
}
