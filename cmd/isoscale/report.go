package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newReport() *cobra.Command {
	var (
		file               string
		maximize, minimize string
		size               string
		only               []string
		over               string
		asJSON             bool
	)
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Analyse the results of a study and write an HTML report",
		Long: `Analyse the stored results of a study: the best configuration of every size and the
way to grow, main effects and interactions, what the result is sensitive to, and
how it scales. Prints the answer and writes the charts to an HTML file.`,
		Example: `  isoscale report jin
  isoscale report jin --out jin.html --maximize efficiency
  isoscale report jin --only r1=3 --json
  isoscale report jin --over r2,r1 --out turned.html
  isoscale report jin --json`,
		Args: exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			if file == "" && !asJSON {
				file = filepath.Join(args[0], "report.html")
			}
			if err := output(file).check(); err != nil {
				return err
			}
			err = errors.Join(s.Aim(maximize, minimize, size), s.Only(only))
			if over != "" {
				x, y, _ := strings.Cut(over, ",")
				err = errors.Join(err, s.Over(x, y))
			}
			if err != nil {
				return &usageError{err, ""}
			}
			r, err := s.Finish(nil, 0)
			if err != nil {
				return err
			}
			return emit(cmd, r, file, asJSON, printSweep)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "out", "o", "", "write the report to this `file` (default: DIR/report.html)")
	f.StringVar(&maximize, "maximize", "", "look for the largest value of this `outcome` instead of the plan's objective")
	f.StringVar(&minimize, "minimize", "", "look for the smallest value of this `outcome`")
	f.StringVar(&size, "size", "", "`outcome` or numeric factor that says how large a configuration is")
	f.StringVar(&over, "over", "", "the map shows these two `factors`, as in --over latency,bandwidth (default: the two strongest)")
	f.StringArrayVar(&only, "only", nil, "look at the points with one level of a factor only, as in --only `network=flow` (repeatable)")
	f.BoolVar(&asJSON, "json", false, "print one JSON document and nothing else")
	return cmd
}
