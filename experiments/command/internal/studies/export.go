package studies

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

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
