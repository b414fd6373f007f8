package laws

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// Section shows performance models: a table of all, and the charts of the first most.
func Section(models []Performance, table *report.Table, most int) report.Section {
	s := report.Section{
		Heading: "Performance models",
		Text:    []string{"Which formula predicts times that it was not fitted to with the least error: Amdahl's law, the Universal Scalability Law or the performance model normal form, a sum of terms p^i log2(p)^j. Beyond the measured range a formula is only continued: the true time may leave the interval."},
		Blocks:  []report.Block{table},
	}
	for i := range min(len(models), most) {
		s.Blocks = append(s.Blocks, models[i].Blocks()...)
	}
	if left := len(models) - most; left > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%d more are only in the table.", left))
	}
	return s
}
