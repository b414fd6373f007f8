package studies

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
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
