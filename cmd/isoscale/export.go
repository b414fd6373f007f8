package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/sweep"
)

func newExport() *cobra.Command {
	var (
		format     string
		file       string
		provenance bool
	)
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Print the results of a study as CSV or JSON lines",
		Long: `Print the rows of a complete study in the order of its points, as CSV with units
in the header or as JSON lines. Nothing in them depends on when, where or in how
many parts they were computed, unless --provenance adds it.`,
		Example: `  isoscale export jin --out jin.csv
  isoscale export jin --format jsonl --provenance`,
		Args: exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(sweep.ExportFormats, format) {
				return &usageError{fmt.Errorf("unknown format %q; expected %s", format, strings.Join(sweep.ExportFormats, " or ")), ""}
			}
			if err := output(file).check(); err != nil {
				return err
			}
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			if file == "" {
				return s.Export(cmd.OutOrStdout(), format, provenance)
			}
			return output(file).stream(func(w io.Writer) error { return s.Export(w, format, provenance) })
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "csv", "`csv` or jsonl")
	cmd.Flags().StringVarP(&file, "out", "o", "", "write to this `file` instead of standard output")
	cmd.Flags().BoolVar(&provenance, "provenance", false, "add who computed each row, when, and how long it took")
	return cmd
}
