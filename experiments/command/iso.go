package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// newIso returns the command iso, which finds how a series of systems scales.
func newIso() *cobra.Command {
	var (
		overrides []input.Override
		asked     answerFlags
		explained system.Explained
	)
	cmd := newCommand("iso", exactArgs(1, "one study file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args)
		if err != nil {
			return err
		}
		s, err := scenario.Disk.ReadStudy(args[0], overrides)
		if err != nil {
			return err
		}
		if err := files.Check(input.Files(s.Inputs)...); err != nil {
			return err
		}
		return emitLong(cmd, files, asked,
			func(ctx context.Context, step input.Progress) (*iso.Result, error) {
				return iso.RunExplained(ctx, s, overrides, explained, asked.ReportWanted(), step)
			}, printIso)
	})
	addOverrides(cmd, &overrides, "target_efficiency=0.5")
	asked.AddLongTo(cmd)
	addExplained(cmd, &explained)
	return cmd
}

// addExplained adds the flags for what explains times besides efficiencies.
func addExplained(cmd *cobra.Command, e *system.Explained) {
	cmd.Flags().BoolVar(&e.Waits, "waits", false, "divide the waits of processes by cause")
	cmd.Flags().BoolVar(&e.Sensitivities, "sensitivities", false,
		"show what times are proportional to: latencies, bandwidths, speeds (not flow)")
}

func printIso(p *printer, r *iso.Result) {
	p.Title(r.Headline())
	table := page.NewTable("", 1, "system", "#p", "#Mflop/s", "#N", "#N trend", "#N pred", "#time", "#E_s", "#N*")
	for _, s := range r.Systems {
		table.Rows = append(table.Rows, []string{s.Name, fmt.Sprint(s.Processes), fmt.Sprintf("%.6g", s.MarkedSpeed), fmt.Sprint(s.N),
			input.Optional(s.NTrend, "%.0f"), input.Optional(s.NPredicted, "%d"),
			units.Seconds(s.Time).String(), efficiency(s.SpeedEfficiency), input.Optional(s.NCompared, "%d")})
	}
	printTable(p, table.Compact())
	printEfficiencies(p, r)
	for _, rows := range system.Tables(r.Explanations()) {
		p.Section("Shares of the time [%]")
		p.Table(rows, "."+strings.Repeat("r", len(r.Systems)))
	}
	if idle := r.Idle(); idle != "" {
		p.Section(idle)
	}
	if growing := r.Growing(); len(growing) > 0 {
		p.Line("")
		printTable(p, *r.PsiTable("", "", growing))
	}
	if apart := r.Apart(); len(apart) > 0 {
		p.Section("Listed apart, because the marked speed does not grow:")
		printTable(p, *r.PsiTable("", "", apart))
	}
	for i, text := range r.Function.Says() {
		if i == 0 {
			p.Line("")
		}
		p.Wrapped("", text)
	}
	if len(r.Psi) > 0 {
		p.Line("")
		p.Table(append([][]string{{"from", "to", "N", "time", "time'", "faster"}}, r.EqualSizeRows()...), "..rrrr")
	}
	p.Line("")
	note := "N: problem size that holds the target, by simulation"
	if slices.ContainsFunc(r.Systems, func(s iso.System) bool { return s.NTrend != nil }) {
		note += "; N trend: read off a polynomial"
	}
	if slices.ContainsFunc(r.Systems, func(s iso.System) bool { return s.NPredicted != nil }) {
		note += "; pred: from a formula for the overhead, without a simulation"
	}
	p.Wrapped("", note+".")
	if len(r.Psi) > 0 {
		p.Line("psi = C'W/(C W') for systems of speed C, C' and their work W, W'.")
		p.Line("time, time': for the same N on both systems; faster = time/time'.")
	}
	if c := r.Comparison; c != nil {
		p.Line("*: %s", c.Source)
		if len(c.Times) > 0 {
			p.Line("%d compared times: rms deviation %.1f %%, worst %.1f %%", len(c.Times), 100*c.RMS, 100*c.Worst)
		}
	}
	p.Warnings(r.Warnings)
}

// printEfficiencies prints where the time of each system goes at its problem size.
func printEfficiencies(p *printer, r *iso.Result) {
	rows := [][]string{{"system", "parallel", "load balance", "serialisation", "transfer", "computation"}}
	var memory []string
	costs := false
	for _, s := range r.Systems {
		if e := s.Efficiencies; e != nil {
			all := []float64{e.Parallel, e.LoadBalance, e.Serialisation, e.Transfer, e.Computation}
			if rows = append(rows, each.Append([]string{s.Name}, all, efficiency)); e.MemoryBandwidth > 0 {
				memory = append(memory, s.Name+" "+efficiency(e.MemoryBandwidth))
				costs = costs || e.MemoryBandwidth < 0.999
			}
		}
	}
	if len(rows) > 1 {
		p.Section("Where the time goes: E_s = parallel efficiency x computation, and parallel efficiency = load balance x serialisation x transfer.")
		p.Table(rows, ".rrrrr")
		if costs {
			p.Wrapped("", "Memory bandwidth, a factor of computation: "+input.List(memory)+".")
		}
	}
}

// efficiency prints a speed-efficiency with four digits after the point, or with
// three that matter if it is tiny.
func efficiency(e float64) string {
	if e < 0.001 {
		return fmt.Sprintf("%.3g", e)
	}
	return fmt.Sprintf("%.4f", e)
}
