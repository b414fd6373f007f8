package measured

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

func metricsOf(t *testing.T, text string, change ...func(*Options)) *Result {
	t.Helper()
	m := expect.Value(measurements.Parse("t.csv", []byte(text)))(t)
	o := DefaultOptions()
	for _, f := range change {
		f(&o)
	}
	return expect.Value(Compute(m, o))(t)
}

// publishedTable reads a table of a paper: one map per row, from the first word of a column's head to the number.
func publishedTable(t *testing.T, id string) []map[string]float64 {
	t.Helper()
	f := expect.Value(os.Open(filepath.Join("..", "..", "paper", "data", id+".csv")))(t)
	defer f.Close()
	in := csv.NewReader(f)
	in.Comment = '#'
	records, err := in.ReadAll()
	expect.Need(t, err == nil && len(records) >= 2, "%s: %d records, %v", id, len(records), err)
	var rows []map[string]float64
	for _, record := range records[1:] {
		row := make(map[string]float64)
		for i, field := range record {
			v := expect.Value(strconv.ParseFloat(field, 64))(t)
			name, _, _ := strings.Cut(records[0][i], " ")
			row[name] = v
		}
		rows = append(rows, row)
	}
	return rows
}

// scaling returns the steps of a metric.
func scaling(t *testing.T, r *Result, metric string) []Step {
	t.Helper()
	for _, s := range r.Scaling {
		if s.Metric == metric {
			return s.Steps
		}
	}
	t.Fatalf("no %s in %+v", metric, r.Scaling)
	return nil
}

// All by hand from T_1 = 100 s, T_4 = 40 s, W = 2 Gflop, C = 4 x 25 Mflop/s,
// P_T = 80 Mflop/s, reference times of 10 s on one and 16 s on four processes.
func TestMetricsOfOnePoint(t *testing.T) {
	const file = `processes,time [s],work [Gflop],marked_speed_per_process [Mflop/s],power [Mflop/s],reference_time [ms],cost [EUR]
1,100,2,25,20,10000,1
4,40,2,25,80,16000,2
`
	r := metricsOf(t, file)
	expect.Need(t, len(r.Systems) == 2 && len(r.Systems[1].Points) == 1, "got %+v", r.Systems)
	s := r.Systems[1]
	p := s.Points[0]
	expect.Close(t, p.Value("speedup"), 2.5, 1e-12, "speedup 100/40")
	expect.Close(t, p.Value("efficiency"), 0.625, 1e-12, "efficiency 2.5/4")
	expect.Close(t, p.Value("karp_flatt"), 0.2, 1e-12, "Karp-Flatt (4/2.5 - 1)/3")
	expect.Close(t, p.Value("total_overhead"), 60, 1e-12, "overhead 4 x 40 - 100")
	expect.Close(t, p.Value("achieved_speed"), 50e6, 1e-12, "speed 2e9/40")
	expect.Close(t, s.MarkedSpeed, 100e6, 1e-12, "marked speed")
	expect.Close(t, p.Value("speed_efficiency"), 0.5, 1e-12, "speed-efficiency 50/100")
	expect.Close(t, p.Value("heterogeneous_efficiency"), 0.625, 1e-12, "heterogeneous efficiency 50/80")
	expect.Close(t, s.ReferenceFactor, 2.5, 1e-12, "rf 4 x 10/16")
	expect.Close(t, p.Value("extended_efficiency"), 1, 1e-12, "extended efficiency 100/(2.5 x 40)")
	expect.Close(t, p.Value("productivity"), 0.5, 1e-12, "productivity 1/2")
	steps := scaling(t, r, "productivity")
	expect.Need(t, len(steps) == 1, "got %+v", steps)
	expect.Close(t, steps[0].Psi, 0.5, 1e-12, "productivity psi (1/2)/(1/1)")
	// A run of 40 s is worth 1/(1 + 40/40) for a target of 40 s.
	r = metricsOf(t, file, func(o *Options) { o.ResponseTarget = 40 })
	expect.Close(t, r.Systems[1].Points[0].Value("productivity"), 0.25, 1e-12, "productivity with a target")
	// 90 EUR an hour are 0.025 EUR a second: 40 s cost 1 EUR.
	r = metricsOf(t, "processes,time [s],cost [EUR/h]\n4,40,90\n")
	expect.Close(t, r.Systems[0].Points[0].Cost, 1, 1e-12, "cost of a run")
	// The sequential program takes precedence over the parallel one on one process.
	r = metricsOf(t, "processes,time [s],sequential\n1,100,no\n,80,yes\n4,40,\n")
	expect.Close(t, r.Systems[0].Points[0].Value("speedup"), 0.8, 1e-12, "speedup of the program against the sequential one")
	expect.Close(t, r.Systems[1].Points[0].Value("speedup"), 2, 1e-12, "speedup 80/40")
}

// Tables 3 and 4 of [Chen2008] as a file of measured times give the printed speed-efficiencies. W is printed with only
// three digits from N = 600 on, so it is computed as in section 4.1.1: 2/3 N^3 - N^2/2 - 19/6 N + 3. E_s is sometimes
// cut instead of rounded (0.39997 to 0.399), so it may be off by one in the last digit.
func TestMetricsOfPublishedTimes(t *testing.T) {
	var b strings.Builder
	b.WriteString("system,processes,n,work [flop],time [ms],marked_speed [Mflop/s]\n")
	want := map[string]float64{}
	for _, table := range []struct {
		id, system string
		processes  int
		c          float64
	}{{"jpdc2008_table3", "C2", 3, 62.05}, {"jpdc2008_table4", "C4", 5, 102.63}} {
		for _, row := range publishedTable(t, table.id) {
			n := row["N"]
			w := 2*n*n*n/3 - n*n/2 - 19*n/6 + 3
			fmt.Fprintf(&b, "%s,%d,%g,%.12g,%g,%g\n", table.system, table.processes, n, w, row["T"], table.c)
			want[fmt.Sprint(table.system, row["N"])] = row["E_s"]
		}
	}
	r := metricsOf(t, b.String(), func(o *Options) { o.Efficiency = 0.3 })
	checked := 0
	for _, s := range r.Systems {
		for _, p := range s.Points {
			printed := want[fmt.Sprint(s.System, p.N)]
			expect.Near(t, p.Value("speed_efficiency"), printed, 0.001, "%s, N = %g: E_s as printed", s.System, p.N)
			checked++
		}
	}
	expect.That(t, checked == 12, "%d points checked, want 5 and 7", checked)
	// Straight lines between the printed neighbours of 0.3: on two nodes
	// 200 + 100 (0.3 - 0.181)/(0.313 - 0.181) = 290, on four
	// 400 + 100 (0.3 - 0.267)/(0.338 - 0.267) = 446. A cubic through all points
	// need not pass these exactly: within 3 %.
	steps := scaling(t, r, "isospeed_efficiency")
	expect.Need(t, len(steps) == 1 && steps[0].Psi != 0, "got %+v", steps)
	expect.Close(t, steps[0].SizeFrom, 290, 0.03, "N at E_s = 0.3 on two nodes")
	expect.Close(t, steps[0].SizeTo, 446, 0.03, "N at E_s = 0.3 on four nodes")
	// While the speed-efficiency is held, psi = T/T'.
	expect.Close(t, steps[0].Psi, steps[0].TimeFrom/steps[0].TimeTo, 1e-12, "T/T'")
}

// Tables 5, 8 and 10 print N, W and C at a held efficiency, Tables 6, 9 and 11 the psi between them. T follows from W
// and C at the held value; any value gives the same psi. Some printed psi are cut (0.2905 to 0.290), and those of Table
// 11 were computed from a W with more digits: there the tolerance is 0.01.
func TestMetricsOfPublishedLadders(t *testing.T) {
	convolution := func(n float64) float64 { return 66*n*n*math.Log2(n) + 21*n*n + 84*n*math.Log2(n) }
	for _, tt := range []struct {
		ladder, psi string
		work        func(n float64) float64 // nil: as printed
	}{
		{"jpdc2008_table5", "jpdc2008_table6", nil},
		{"jpdc2008_table8", "jpdc2008_table9", nil},
		{"jpdc2008_table10", "jpdc2008_table11", convolution},
	} {
		var b strings.Builder
		b.WriteString("system,processes,n,work [flop],time [s],marked_speed [Mflop/s]\n")
		for _, row := range publishedTable(t, tt.ladder) {
			w, c := row["W"], row["C"]
			if tt.work != nil {
				w = tt.work(row["N"])
			}
			fmt.Fprintf(&b, "C%g,%g,%g,%.12g,%.17g,%g\n", row["nodes"], row["nodes"], row["N"], w, w/(0.3*c*1e6), c)
		}
		steps := scaling(t, metricsOf(t, b.String()), "isospeed_efficiency")
		printed := publishedTable(t, tt.psi)
		expect.Need(t, len(steps) == 4 && len(printed) == 4, "%s: got %+v", tt.ladder, steps)
		for i, x := range steps {
			expect.Near(t, x.Psi, printed[i]["psi"], 0.001, "%s: psi from %s to %s as printed", tt.ladder, x.From, x.To)
		}
	}
}

// With two sizes per system, trend lines are straight over the logarithm of the size. A rises from 0.2 at 100 to 0.6 at
// 400: 0.4 at the geometric mean, 200. B rises from 0.2 at 200 to 0.6 at 3200: 0.4 at 800. W = n^3 is a power, so W is
// 8e6 and 512e6, and with twice the speed psi = 2 x 8/512 = 1/32. The common range is 0.2 to 0.6.
func TestSizesAreReadOffTrendLines(t *testing.T) {
	var b strings.Builder
	b.WriteString("system,processes,n,work [flop],time [s],marked_speed [flop/s]\n")
	for _, p := range []struct {
		system  string
		n, e, c float64
	}{{"B", 200, 0.2, 2e3}, {"B", 3200, 0.6, 2e3}, {"A", 100, 0.2, 1e3}, {"A", 400, 0.6, 1e3}} { // in any order
		w := p.n * p.n * p.n
		fmt.Fprintf(&b, "%s,1,%g,%g,%.17g,%g\n", p.system, p.n, w, w/(p.e*p.c), p.c)
	}
	r := metricsOf(t, b.String())
	steps := scaling(t, r, "isospeed_efficiency")
	expect.Need(t, len(steps) == 1, "got %+v", steps)
	x := steps[0]
	for _, v := range []struct {
		what      string
		got, want float64
	}{
		{"held", x.Held, 0.4}, {"n", x.SizeFrom, 200}, {"n'", x.SizeTo, 800}, {"psi", x.Psi, 1. / 32},
		{"W", x.WorkFrom, 8e6}, {"W'", x.WorkTo, 512e6}, {"T", x.TimeFrom, 8e6 / (0.4 * 1e3)}, {"T'", x.TimeTo, 512e6 / (0.4 * 2e3)},
	} {
		expect.That(t, math.Abs(v.got/v.want-1) <= 1e-9, "%s is %.12g, want %g", v.what, v.got, v.want)
	}
	expect.That(t, len(r.Warnings) == 2 &&
		strings.Contains(strings.Join(r.Warnings, "\n"), "A has two sizes, 4 times apart"),
		"warnings %q", r.Warnings)
	// 0.5 is reached at 100 x 4^(3/4) = 282.8 and 200 x 16^(3/4) = 1600.
	x = scaling(t, metricsOf(t, b.String(), func(o *Options) { o.Efficiency = 0.5 }), "isospeed_efficiency")[0]
	expect.That(t, math.Abs(x.SizeFrom-282.842712) <= 1e-6 && math.Abs(x.SizeTo-1600) <= 1e-6, "got %+v", x)
	x = scaling(t, metricsOf(t, b.String(), func(o *Options) { o.Efficiency = 0.7 }), "isospeed_efficiency")[0]
	want := "the trend line of A does not reach 0.7: it goes from 0.2 to 0.6 for sizes from 100 to 400"
	expect.That(t, x.Psi == 0 && x.Reason == want, "got %+v, want the reason %q", x, want)
}

// Of 100 flop in 10 s at a marked speed of 20 flop/s a half is achieved, in 6 s at 40 flop/s 100/240: one process is the best,
// although its speed-up and efficiency say nothing.
func TestTheBestSpeedEfficiencyMayBeThatOfOneProcess(t *testing.T) {
	var facts []string
	for _, f := range metricsOf(t, "processes,time [s],work [flop],marked_speed [flop/s]\n1,10,100,20\n2,6,100,40\n").facts() {
		facts = append(facts, f.Label+" "+f.Value+" "+f.Note[:3])
	}
	expect.List(t, facts[:3], []string{"Largest speedup 1.67 p=2", "Best efficiency 0.833 p=2", "Best speed-efficiency 0.500 p=1"}, "facts")
}

// With one size per system two efficiencies must be equal within the tolerance: 0.50 and 0.495 differ by 1 %.
func TestPointsAreComparedWithinTheTolerance(t *testing.T) {
	const file = "system,processes,work [flop],time [s],marked_speed [flop/s]\nA,1,1000,1000,2\nB,1,4000,2020.20202020202,4\n"
	x := scaling(t, metricsOf(t, file), "isospeed_efficiency")[0]
	expect.Close(t, x.Psi, 0.5, 1e-12, "psi 4 x 1000/(2 x 4000)")
	expect.Equal(t, x.How, "measured points, E_s equal to 1 %", "how")
	x = scaling(t, metricsOf(t, file, func(o *Options) { o.Tolerance = 0.009 }), "isospeed_efficiency")[0]
	want := "no two points have an equal E_s within 0.9 %: A has 0.5, B has 0.495"
	expect.That(t, x.Psi == 0 && x.Reason == want, "got %+v, want the reason %q", x, want)
}

// E is 1.25/(4 x 0.4) = 0.781 and 10.2/(8 x 1.6) = 0.797, equal to 2 %: the latencies are those of the points,
// 0.4 - 1.25/4 = 0.0875 and 1.6 - 10.2/8 = 0.325.
func TestLatenciesAreThoseOfThePoints(t *testing.T) {
	x := scaling(t, metricsOf(t, "processes,n,work [Gflop],time [s]\n1,1,1,1.25\n1,2,8,10.2\n4,1,1,0.4\n8,2,8,1.6\n"), "isoefficiency")[1]
	expect.Close(t, x.TimeScale, 0.25, 1e-12, "time scale")
	expect.Close(t, x.LatencyScale, 0.0875/0.325, 1e-12, "latency scale")
}

// E = 100/(2 x 62.5) = 800/(4 x 250) = 0.8, so the time scale is 62.5/250; latencies are
// 62.5 - 100/2 = 12.5 and 250 - 800/4 = 50. rf is 2 x 10/12.5 = 1.6 and 4 x 10/20 = 2, so
// V = 1e9/(1.6 x 62.5) = 5e9/(2 x 250) = 10 Mflop/s and psi = 2 x 1/(1.6 x 5).
func TestEfficiencyAndExtendedSpeedAreHeld(t *testing.T) {
	r := metricsOf(t, `processes,n,work [Gflop],time [s],reference_time [s]
1,1,1,100,10
1,2,5,800,10
2,1,1,62.5,12.5
4,2,5,250,20
`)
	steps := scaling(t, r, "isoefficiency")
	expect.Need(t, len(steps) == 2 && steps[0].Reason != "", "got %+v", steps)
	x := steps[1]
	expect.Close(t, x.Held, 0.8, 1e-12, "efficiency held")
	expect.Close(t, x.TimeScale, 0.25, 1e-12, "time scale")
	expect.Close(t, x.LatencyScale, 0.25, 1e-12, "latency scale")
	steps = scaling(t, r, "extended_isospeed")
	x = steps[len(steps)-1]
	expect.Need(t, x.From == "p=2" && x.To == "p=4", "got %+v", x)
	expect.Close(t, x.Held, 1e7, 1e-12, "speed held")
	expect.Close(t, x.Psi, 0.25, 1e-12, "extended psi")
}

// An efficiency that is the same at all sizes but for noise determines no size.
func TestFlatEfficiencyTellsNoSize(t *testing.T) {
	const file = "processes,n,work [flop],time [s]\n1,10,100,100\n1,20,200,199\n2,10,100,60\n2,20,200,101\n"
	x := scaling(t, metricsOf(t, file), "isospeed")[0]
	expect.That(t, x.Psi == 0 && strings.Contains(x.Reason, "S/p of p=1 is the same at all sizes within 2 %"),
		"got %+v", x)
}

func TestLawsAreFitted(t *testing.T) {
	// Exactly Amdahl with f = 0.1 and T_1 = 100 s: T = 10 + 90/p.
	r := metricsOf(t, "processes,time [s]\n1,100\n2,55\n3,40\n9,20\n")
	expect.Need(t, len(r.Fits) == 1 && r.Fits[0].Points == 3 && r.Fits[0].RMS != nil, "got %+v", r.Fits)
	f := r.Fits[0]
	expect.That(t, math.Abs(f.SerialFraction-0.1) <= 1e-14 && *f.RMS <= 1e-14 && math.Abs(f.Limit-10) <= 1e-11,
		"got %+v, want f = 0.1 and a limit of 10", f)
	// Not exactly: T = 100, 50, 40 on 1, 2, 4 processes. With T(p) = 4 a/p + b the
	// relative errors are ((4 a/p) + b)/T - 1, and over 200/T = 2, 4, 5 the normal
	// equations 153 a + 73 b = 4200, 73 a + 45 b = 2200: a = 28400/1556, b =
	// 30000/1556, f = b/(4 a + b) = 75/359. The law gives 143600, 86800 and 58400 over
	// 1556, errors -0.07712, 0.11568, -0.06170, rms 0.08782.
	r = metricsOf(t, "processes,time [s]\n1,100\n2,50\n4,40\n")
	f = r.Fits[0]
	expect.That(t, math.Abs(f.SerialFraction-75.0/359) <= 1e-14 && math.Abs(*f.RMS-0.08782) <= 1e-5 && f.Points == 2,
		"got f = %v, rms %v of %d points, want 0.20891 and 0.08782 of 2", f.SerialFraction, *f.RMS, f.Points)
	// Five times, by the closed form of weighted least squares over x = 1/p with the
	// weights 1/T^2.
	p, times := []float64{1, 2, 4, 8, 16}, []float64{100, 58, 33, 24, 17}
	text := "processes,time [s]\n"
	var ww, wx, wxx, wt, wxt float64
	for i, v := range times {
		text += fmt.Sprintf("%g,%g\n", p[i], v)
		x, w := 1/p[i], 1/(v*v)
		ww, wx, wxx, wt, wxt = ww+w, wx+w*x, wxx+w*x*x, wt+w*v, wxt+w*x*v
	}
	slope := (ww*wxt - wx*wt) / (ww*wxx - wx*wx)
	constant := (wt - slope*wx) / ww
	f = metricsOf(t, text).Fits[0]
	expect.Near(t, f.SerialFraction, constant/(constant+slope), 1e-13, "serial fraction")
	// Gustafson with f = 0.25: S = 0.25 + 0.75 p, 1.75 and 3.25. The work is p
	// times that of one process, so T = p 100/S.
	r = metricsOf(t, "processes,work [flop],time [s]\n1,1000,100\n2,2000,114.285714285714286\n4,4000,123.076923076923077\n")
	expect.Need(t, len(r.Fits) == 1 && r.Fits[0].Law == "gustafson" && r.Fits[0].Points == 2, "got %+v", r.Fits)
	f = r.Fits[0]
	expect.That(t, math.Abs(f.SerialFraction-0.25) <= 1e-12 && *f.RMS <= 1e-12, "got %+v, want f = 0.25", f)
}

func TestRepetitionsAreAveraged(t *testing.T) {
	const file = "processes,time [s],repetition\n2,9,a\n2,14,b\n2,10,c\n"
	for _, tt := range []struct {
		average Average
		want    float64
	}{{AverageMean, 11}, {AverageMedian, 10}, {AverageMin, 9}} {
		r := metricsOf(t, file, func(o *Options) { o.Average = tt.average })
		p := r.Systems[0].Points[0]
		expect.That(t, p.Time == tt.want && p.Min == 9 && p.Max == 14 && p.Runs == 3,
			"%s: got %+v, want %g from 9 to 14", tt.average, p, tt.want)
		expect.That(t, len(r.Warnings) == 1 &&
			strings.HasPrefix(r.Warnings[0], "2 processes: the 3 runs are from 9 s to 14 s"),
			"%s: warnings %q", tt.average, r.Warnings)
	}
	// 10.5 is 10 % above the fastest run but less from the mean.
	r := metricsOf(t, "processes,time [s]\n2,9.6\n2,10.4\n")
	expect.That(t, len(r.Warnings) == 0, "8 %% apart: warnings %q", r.Warnings)
}

// What a metric lacks is named; every metric is either there or says what it lacks.
func TestMissingColumnsAreNamed(t *testing.T) {
	r := metricsOf(t, "processes,time [s]\n2,10\n4,6\n")
	var inTimes, reported []string
	for _, m := range Metrics() {
		if m.InTimes != "" {
			inTimes = append(inTimes, m.Name)
		}
	}
	reported = each.Append(reported, r.Metrics, func(m Summary) string { return m.Metric })
	diff := cmp.Diff(inTimes, reported)
	expect.That(t, diff == "" && len(reported) != 0, "in the registry -, in the result +\n%s", diff)
	for _, m := range r.Metrics {
		expect.That(t, !m.Computed && m.Needs != "" && m.Says == "", "two times alone give %+v", m)
	}
	r = metricsOf(t, "processes,time [s],work [flop],marked_speed [flop/s]\n1,10,100,20\n2,6,100,40\n")
	for _, m := range r.Metrics {
		expect.That(t, m.Computed != (m.Needs != "") && m.Computed != (m.Says == "") && m.Misleads != "", "got %+v", m)
	}
}

func TestUnknownColumnsAreNoted(t *testing.T) {
	r := metricsOf(t, "Processes,TIME [ms],job,wrok [flop]\n1,2000,77,5\n")
	expect.Equal(t, fmt.Sprint(r.Notes),
		`[column "job" is ignored column "wrok [flop]" is ignored; did you mean work?]`, "notes")
	expect.That(t, r.Systems[0].Points[0].Time == 2, "got %+v", r.Systems[0].Points[0])
}

// The order of rows does not matter, and the example gives every metric for which it has the columns.
func TestMeasuredExample(t *testing.T) {
	data := expect.Value(os.ReadFile("../../../../examples/measured-times.csv"))(t)
	var head, rows []string
	for _, line := range strings.SplitAfter(string(data), "\n") {
		if line != "" && strings.ContainsAny(line[:1], "0123456789") {
			rows = append(rows, line)
		} else {
			head = append(head, line)
		}
	}
	expect.Need(t, len(rows) == 45, "%d rows, want 5 numbers of processes, 3 sizes, 3 repetitions", len(rows))
	content := func(rows []string) string {
		r := metricsOf(t, strings.Join(head, "")+strings.Join(rows, ""))
		r.Provenance = input.Provenance{}
		var missing []string
		for _, m := range r.Metrics {
			if !m.Computed {
				missing = append(missing, m.Metric)
			}
		}
		// The file has no columns power and reference_time.
		needThem := []string{"heterogeneous_efficiency", "h_isoefficiency", "extended_efficiency", "extended_isospeed", "extended_isoefficiency"}
		expect.List(t, missing, needThem, "not to be computed")
		doc := expect.Value(json.Marshal(r))(t)
		return string(doc)
	}
	want := content(rows)
	random := rand.New(rand.NewSource(1))
	for range 5 {
		random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
		expect.Equal(t, content(rows), want, "another order of rows")
	}
}

// Two numbers of processes determine two powers: the mean runs on one node only compute,
// so P_load = E_1/T_1, and those on eight compute for T_1/8 of their time.
func TestPowersOfMeasuredEnergies(t *testing.T) {
	m := expect.Value(measurements.Read("../../../../examples/measured-energy.csv"))(t)
	r := expect.Value(Compute(m, DefaultOptions()))(t)
	const kWh = 3.6e6
	t1, e1 := (1694.5+1686.2+1685.9+1693.4+1687.0)/5, kWh*(3.3629+3.3555+3.3508+3.3552+3.3549)/5
	t8, e8 := (318.9+318.7+318.9+318.6+317.6)/5, kWh*(4.118+4.1067+4.1097+4.1061+4.1034)/5
	load := e1 / t1
	wait := (e8/8 - load*t1/8) / (t8 - t1/8)
	expect.Need(t, len(r.Energies) == 1, "%d fits, want one", len(r.Energies))
	f := r.Energies[0]
	expect.That(t, math.Abs(f.Load-load) <= 1e-9*load && math.Abs(f.Wait-wait) <= 1e-9*wait,
		"powers of %v and %v W, want %v and %v", f.Load, f.Wait, load, wait)
	constant := f.Points[1].Constant
	expect.That(t, math.Abs(constant-8*load*t8) <= 1e-9*constant,
		"%v J at constant power on 8 nodes, want %v", constant, 8*load*t8)
}

// Runs made from powers of 300 and 120 W: 1 process computes 100 s; 4 processes compute 25 s each and wait 5 s; 10
// compute 10 s and wait 20 s. So 20 processes draw 46.8 kJ in 12 s, and 200 that are faster than evenly divided work
// draw 15 kJ in 0.25 s.
func TestEnergiesOfKnownPowers(t *testing.T) {
	r := metricsOf(t, "processes,time [s],energy [J]\n1,100,30000\n4,30,32400\n10,30,54000\n20,12,\n200,0.25,\n")
	expect.Need(t, len(r.Energies) == 1, "notes %q", r.Notes)
	f := r.Energies[0]
	expect.Close(t, f.Load, 300, 1e-12, "load")
	expect.Close(t, f.Wait, 120, 1e-12, "wait")
	for i, want := range []float64{30000, 32400, 54000, 46800, 15000} {
		expect.Close(t, f.Points[i].Fitted, want, 1e-12, "energy")
	}
	for file, want := range map[string]string{
		"2,10,100\n2,11,100\n":  "one number of processes",
		"1,10,100\n2,5,100\n":   "no run spends time in messages",
		"1,10,1000\n2,10,900\n": "would need powers",
	} {
		r := metricsOf(t, "processes,time [s],energy [J]\n"+file)
		notes := strings.Join(r.Notes, "\n")
		expect.That(t, len(r.Energies) == 0 && strings.Contains(notes, "no powers for all: ") &&
			strings.Contains(notes, want),
			"%q: notes %q, want %s", file, notes, want)
	}
}

// In 400 tables whose energies are off by 1 % at random, 95 of 100 intervals hold the powers of 300 and 120 W; where
// messages take little time, the interval of the power in them is wide.
func TestIntervalsHoldPowers(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	fit := func(slow float64) (f EnergyFit, err error) { // s of messages for each doubling of processes
		var given []EnergyPoint
		for _, p := range []int{1, 2, 4, 8, 16} {
			compute, wait := 100/float64(p), slow*math.Log2(float64(p))
			given = append(given, EnergyPoint{Processes: p, Time: compute + wait, Energy: float64(p) * (300*compute + 120*wait) * (1 + 0.01*random.NormFloat64())})
		}
		return f, f.fit(given)
	}
	held, width := 0, 0.0
	for range 400 {
		f := expect.Value(fit(2))(t)
		if x := f.LoadInterval; x[0] <= 300 && 300 <= x[1] {
			held++
		}
		if x := f.WaitInterval; x[0] <= 120 && 120 <= x[1] {
			held++
		}
		width += (f.WaitInterval[1] - f.WaitInterval[0]) / 400
	}
	expect.That(t, held > 740 && held < 780, "%d of 800 intervals hold their power", held)
	for range 20 {
		if f, err := fit(0.05); err == nil { // otherwise a power would be below 0
			expect.That(t, f.WaitInterval[1]-f.WaitInterval[0] > 3*width, "%v is as sure as where messages take more time, %v W wide", f.WaitInterval, width)
		}
	}
}
