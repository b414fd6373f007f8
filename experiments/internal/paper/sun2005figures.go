package paper

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/scalability"
)

// elimination is one half of a figure of E_s over N: the printed runs on some
// nodes of marked speed c (Mflop/s), the N that the paper reads off at E_s = 0.3,
// and the check run that it measured there.
type elimination struct {
	nodes   int
	runs    string // data file
	c       float64
	read    int
	checked Printed
}

const (
	gaussTarget = 0.3
	trendDegree = 3
)

// curves adds the figure with the speed-efficiency of the elimination, and a
// table of what the text says about it.
func (p *Paper) curves(id, title string, sim *sunwulf, parts ...elimination) error {
	t := Table{ID: id, Title: title, Parameters: gaussFit,
		Formula: "polynomial of least squares through the printed points, crossing computed",
		Notes: []string{"The figure has points that the text does not give. What the text says is compared here; the paper says neither degree nor method of its trend line.",
			"The paper's readings lie above every curve through its own points."}}
	chart := &report.LineChart{
		Title:   title,
		Caption: fmt.Sprintf("Points: printed runs. Dashed: polynomial of degree %d through them, with the N at which it reaches %g. Lines: the engine with the fitted parameters.", trendDegree, gaussTarget),
		X:       report.Axis{Title: "problem size N", Unit: report.Dimensionless},
		Y:       report.Axis{Title: "speed-efficiency E_s", Unit: report.Dimensionless},
		Targets: []report.Target{{Label: fmt.Sprintf("target %g", gaussTarget), Y: gaussTarget}},
	}
	for _, part := range parts {
		if err := part.draw(chart, sim); err != nil {
			return fmt.Errorf("paper: figure %s: %w", id, err)
		}
		cells, err := part.cells(sim)
		if err != nil {
			return fmt.Errorf("paper: figure %s: %w", id, err)
		}
		t.Cells = append(t.Cells, cells...)
	}
	p.Tables = append(p.Tables, t)
	p.Figures = append(p.Figures, Figure{ID: id, Title: title, Draw: []report.Block{chart}})
	return nil
}

// samples are the printed points.
func (x elimination) samples() []scalability.Sample {
	s := Load(x.runs)
	var all []scalability.Sample
	for i := range s.Rows {
		all = append(all, scalability.Sample{N: s.Value(i, "N"), Efficiency: s.Value(i, "E_s")})
	}
	return all
}

// cells compares the sizes that the paper reads off with our trend lines, and its
// check run with the trend line and the engine.
func (x elimination) cells(sim *sunwulf) ([]Cell, error) {
	const note = "does not follow from the printed points"
	row, n := fmt.Sprintf("%d nodes, E_s = %g", x.nodes, gaussTarget), Printed{Value: float64(x.read), Place: 10}
	var cells []Cell
	for degree := 2; degree <= trendDegree; degree++ {
		line, err := scalability.FitTrend(degree, x.samples())
		if err != nil {
			return nil, err
		}
		at, err := line.ReadOff(gaussTarget)
		if err != nil {
			return nil, err
		}
		cells = append(cells, Compare(row, "N [rank]", n, at.N, Recomputed).As(fmt.Sprintf("trend line of degree %d", degree)).Because(note))
	}
	samples := x.samples()
	for i, b := range samples[1:] {
		if a := samples[i]; a.Efficiency <= gaussTarget && gaussTarget < b.Efficiency {
			straight := a.N + float64((gaussTarget-a.Efficiency)/(b.Efficiency-a.Efficiency)*(b.N-a.N))
			cells = append(cells, Compare(row, "N [rank]", n, straight, Recomputed).As("straight lines between points").Because(note))
		}
	}
	simulated := gaussWork(float64(x.read)) / simulatedTime(sim.gauss, x.nodes, x.read) / x.c / 1e3
	return append(cells, Compare(fmt.Sprintf("%d nodes, N = %d", x.nodes, x.read), "E_s [1]", x.checked, simulated, Simulated)), nil
}

// draw adds the printed points, their trend line and the simulated curve.
func (x elimination) draw(chart *report.LineChart, sim *sunwulf) error {
	s := Load(x.runs)
	points := report.Series{Name: fmt.Sprintf("%d nodes, printed", x.nodes), Points: true}
	engine := report.Series{Name: fmt.Sprintf("%d nodes, simulated", x.nodes)}
	for i := range s.Rows {
		n := s.Value(i, "N")
		points.X, points.Y = append(points.X, n), append(points.Y, s.Value(i, "E_s"))
		engine.X, engine.Y = append(engine.X, n), append(engine.Y, gaussWork(n)/simulatedTime(sim.gauss, x.nodes, int(n))/x.c/1e3)
	}
	line, err := scalability.FitTrend(trendDegree, x.samples())
	if err != nil {
		return err
	}
	at, err := line.ReadOff(gaussTarget)
	if err != nil {
		return err
	}
	trend := report.Series{Name: fmt.Sprintf("%d nodes, trend line", x.nodes), Dashed: true}
	low, high := line.Range()
	const steps = 16
	for i := range steps + 1 {
		n := low + (high-low)*float64(i)/steps
		trend.X, trend.Y = append(trend.X, n), append(trend.Y, line.Eval(n))
	}
	chart.Points = append(chart.Points, report.MarkedPoint{Series: len(chart.Series), X: at.N, Y: gaussTarget, Label: fmt.Sprintf("N = %.0f", at.N)})
	chart.Series = append(chart.Series, trend, engine, points)
	return nil
}

// multiplication adds the figure of simulated efficiency curves and its values.
func (p *Paper) multiplication(id, title string, sim *sunwulf) {
	const target = 0.2
	t := Table{ID: id, Title: title, Formula: "E_s = W/(T C), T from the engine", Parameters: matMulFit, Cells: []Cell{},
		Notes: []string{"The text gives no point of this figure. The sizes that the paper read off at the target are compared in [Chen2008] Table 8."}}
	chart := &report.LineChart{
		Title: title,
		Caption: "Lines: the engine, one parameter fitted. Marks: the sizes that the paper read off at the target, [Chen2008] Table 8. " +
			"Where rows are few, whole rows per process make a curve uneven.",
		X:       report.Axis{Title: "problem size N", Unit: report.Dimensionless, Log: true},
		Y:       report.Axis{Title: "speed-efficiency E_s", Unit: report.Dimensionless},
		Targets: []report.Target{{Label: fmt.Sprintf("target %g", target), Y: target}},
	}
	sizes := readLadder("jpdc2008_table8")
	for i, c := range sim.curves {
		name := rowNodes(sizes.nodes[i])
		chart.Series = append(chart.Series, report.Series{Name: name, X: c.n, Y: c.e})
		chart.Points = append(chart.Points, report.MarkedPoint{Series: i, X: sizes.n[i], Y: target, Label: fmt.Sprintf("N = %.0f", sizes.n[i])})
		for k := range c.n {
			t.Values = append(t.Values, Value{Row: fmt.Sprintf("%s, N = %.0f", name, c.n[k]), Column: "E_s [1]", Ours: c.e[k], How: Fitted})
		}
	}
	p.Tables = append(p.Tables, t)
	p.Figures = append(p.Figures, Figure{ID: id, Title: title, Draw: []report.Block{chart}})
}
