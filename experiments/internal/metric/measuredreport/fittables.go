package measuredreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/page"
)

// Tables has the steps between systems, the fitted laws, the performance models and the
// energies, as far as there are any.
func (r Answer) Tables() []page.Table {
	tables := r.scalingTables()
	if len(r.Fits) > 0 {
		tables = append(tables, r.fitTable())
	}
	if len(r.Models) > 0 {
		tables = append(tables, r.modelTable())
	}
	if len(r.Energies) > 0 {
		tables = append(tables, r.energyTable())
	}
	return tables
}

// fitTable has the fitted laws.
func (r Answer) fitTable() page.Table {
	t := page.NewTable("Fitted laws", 2)
	t.Caption = "Serial fraction f by least squares of relative errors: of the times for Amdahl, of the speeds for Gustafson, those on one process included. Deviation: root mean square of these errors."
	t.Text("law", "of")
	t.Number("points", "f", "deviation", "limit 1/f")
	for i := range r.Fits {
		f := &r.Fits[i]
		law := strings.ToUpper(f.Law[:1]) + f.Law[1:] // named after who stated it
		of := cmp.Or(r.FitName(f), "all")
		deviation := input.None
		if f.RMS != nil {
			deviation = fmt.Sprintf("%.2g %%", 100**f.RMS)
		}
		t.Rows = append(t.Rows, []string{law, of, fmt.Sprint(f.Points), fmt.Sprintf("%.4g", f.SerialFraction), deviation, input.Optional(f.Limit, "%.4g")})
	}
	return t.Compact()
}

// performanceName tells a performance from the others.
func (r Answer) performanceName(p *laws.Performance) string {
	switch {
	case p.Grows():
		return strings.TrimPrefix(p.System+", all sizes", ", ")
	case p.N != nil:
		return r.ModelName(p.System, *p.N)
	}
	return r.ModelName(p.System, 0)
}

// modelTable has the best model of each system and size, with what it predicts.
func (r Answer) modelTable() page.Table {
	t := page.NewTable("Performance models", 1)
	t.RemarkTitle = "model"
	size := ""
	if r.grows() {
		size = " and size q = " + r.sizeTitle()
	}
	t.Caption = "Time T in s over p processes" + size + ", the law with the smallest error of cross-validation: the mean error (SMAPE) of predicting each point from the others. Interval: 95 %, for one more time. *: extrapolated beyond the measured range."
	t.Text("of", "law")
	t.Number("error")
	t.Number("p", r.sizeTitle(), "T", "interval")
	for i := range r.Models {
		p := &r.Models[i]
		name := r.performanceName(p)
		if name == "" {
			name = "all"
		}
		if len(p.Models) == 0 {
			t.Rows = append(t.Rows, []string{name, "none", input.None, input.None, input.None, input.None, input.None})
			t.Remarks = append(t.Remarks, page.Remark{Text: name + ": no law holds, see the warnings"})
			continue
		}
		best := p.Models[0]
		head := []string{name, best.Model, fmt.Sprintf("%.2g %%", best.CrossSMAPE)}
		remark := page.Remark{Text: name + ": T = " + best.Formula}
		for _, x := range p.Predictions {
			mark := ""
			if x.Extrapolates {
				mark = "*"
			}
			size := input.None
			if x.N != nil {
				size = strings.TrimPrefix(r.SizeName(*x.N), "n = ")
			}
			t.Rows = append(t.Rows, append(slices.Clone(head), fmt.Sprintf("%g", x.Processes), size, input.Rounded(x.Time).String()+mark,
				input.Rounded(x.Interval[0]).String()+" to "+input.Rounded(x.Interval[1]).String()))
			t.Remarks = append(t.Remarks, remark)
			head = []string{"", "", ""}
		}
		if len(p.Predictions) == 0 {
			t.Rows = append(t.Rows, append(head, input.None, input.None, input.None, input.None))
			t.Remarks = append(t.Remarks, remark)
		}
	}
	return t.Compact()
}

// grows reports whether there is a model over processes and size.
func (r Answer) grows() bool {
	return slices.ContainsFunc(r.Models, func(p laws.Performance) bool { return p.Grows() })
}

// energyTable returns the fitted powers with measured and fitted energies.
func (r Answer) energyTable() page.Table {
	t := page.NewTable("Energy by two powers of a process", 2)
	t.Caption = "One power while it computes, one in messages, fitted by least squares of relative errors. The runs on the fewest processes are taken to compute all the time, and work to be divided evenly. Constant: the error if every process drew at all times what it draws there."
	t.Text("of")
	t.Number("p", "computing", "in messages", "measured", "two powers", "error", "constant")
	for i := range r.Energies {
		f := &r.Energies[i]
		for _, x := range f.Points {
			measured, off, constantOff := input.None, input.None, input.None
			if x.Energy != nil {
				measured = energy.Joules(*x.Energy).Short()
				off = fmt.Sprintf("%+.1f %%", 100*(x.Fitted / *x.Energy - 1))
				constantOff = fmt.Sprintf("%+.1f %%", 100*(x.Constant / *x.Energy - 1))
			}
			t.Rows = append(t.Rows, []string{r.EnergyName(f), fmt.Sprint(x.Processes), fmt.Sprintf("%.4g W", f.Load), fmt.Sprintf("%.4g W", f.Wait),
				measured, energy.Joules(x.Fitted).Short(), off, constantOff})
		}
	}
	return t.Compact()
}
