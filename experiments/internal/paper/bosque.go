package paper

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Bosque reproduces [Bosque], the paper on H-isoefficiency.
func Bosque(ctx context.Context) (*Paper, error) {
	b := readBosque()
	rows := b.wholeRows()
	if err := b.simulated(ctx, &rows); err != nil {
		return nil, err
	}
	p := &Paper{
		Citation: "[Bosque] Bosque et al.",
		Questions: "Which size of a problem keeps the efficiency when a cluster of fast and slow processors grows? " +
			"The paper defines efficiency and isoefficiency by total power instead of by number of processors, and tries them on Floyd's algorithm.",
		Tables:  []Table{b.text(), b.powers(), b.scaled(), b.mixed(), rows, b.figureTable()},
		Figures: []Figure{b.figure()},
	}
	for i := range b.mixes.Rows {
		nf, ns := b.mixes.Value(i, "NF"), b.mixes.Value(i, "NS")
		p.Claims = append(p.Claims, Claim{Where: "Table 3", What: fmt.Sprintf("%v NF and %v NS are the 128 processors of the caption", nf, ns), Paper: "128",
			Ours: fmt.Sprint(nf + ns), Holds: nf+ns == 128, Note: fewerNote(nf + ns)})
	}
	p.Misprints = []Misprint{
		{"section 4.1", "The time of a message is printed lambda * m/beta, twice; all later formulas have lambda + m/beta."},
		{"Table 1", "lambda = 25 and beta = 2e9 have no units. Microseconds fit the order of lambda; 2e9 is above Gigabit Ethernet as byte/s and as bit/s, unless both directions are counted."},
		{"Table 2", fmt.Sprintf("lambda = 25 us gives an efficiency of 0.905 in every row instead of 0.842. With %.2f us a broadcast step and no term for bandwidth all 21 efficiencies come out to the last digit, and those of Table 3. The other 20 us are unexplained.", 1e6*b.step)},
		{"Eq. 6, 7, 10", "Eq. 6 has an unbalanced bracket; read n ceil(log p) lambda + ceil(log p) 4n/beta. Eq. 7 has 4n/beta inside the factor n. Only with Eq. 6 does Eq. 10 hold for each term; with Eq. 7 the one of bandwidth asks for W ~ (P_T log p)^3."},
		{"section 4.2", "n >= K (p log p)^(3/2) should read n >= (K p log p)^(1/2): it is W = n^3 that grows like (p log p)^(3/2). The overhead is n^2 log p in section 4.1 and n log p in 4.2."},
		{"sections 3.1, 3.2", "T_p in the derivation of Eq. 5 is T_o. \"Former\" and \"latter\" for physical and power scalability are swapped against their later use."},
		{"Table 2", "The headings E(NF) and E(NS) are exchanged; Table 3 has them right. For two slow processors the column headed NF equals eps."},
		{"Table 3", "The row of 114 NF and 16 NS has 130 processors: P_T, and so N, count 130; log2 P and the columns E count 128. With 112 NF, P_T would be 9954364496 and N 3541.70."},
		{"section 5", "P is \"the number of nodes\", but P_T counts processors. The machines listed have 280 cores in 90 sockets in 45 nodes; none is the 142 of the text."},
		{"Table 1", "P_i is printed once as 83.988.126 and once as 34230899."},
	}
	p.NotReproduced = []string{
		"The measured N of Table 2: it is where a measurement met the efficiency. The fitted cost of a step gives the efficiency at it.",
		"Where the 45 us of a broadcast step come from: the protocol, the implementation of the broadcast and the ranks of a node are not described.",
		"The points of Figure 1: the text has none. It is drawn from the fitted model.",
	}
	return p, nil
}

func fewerNote(processors float64) string {
	if processors == 128 {
		return ""
	}
	return "P_T counts all 130 processors; log2 P and the columns E count 128"
}

// bosqueData are the tables of the paper, with the cost of a broadcast step that
// is fitted to Table 2.
type bosqueData struct {
	constants, types, sizes, mixes *Sheet
	fast, slow                     float64 // P_NF and P_NS, cells/s
	step                           float64 // s
}

func readBosque() *bosqueData {
	b := &bosqueData{constants: Load("bosque_parameters"), types: Load("bosque_table1"), sizes: Load("bosque_table2"), mixes: Load("bosque_table3")}
	b.fast, b.slow = b.types.Value(0, "P_i"), b.types.Value(1, "P_i")
	for i := range b.sizes.Rows {
		n := b.sizes.Value(i, "N")
		b.step += (1/b.sizes.Value(i, "eps") - 1) * n * n / (b.sizes.Value(i, "P_T") * math.Log2(b.sizes.Value(i, "P")))
	}
	b.step /= float64(len(b.sizes.Rows))
	return b
}

// mustBe returns a value of a formula whose arguments are embedded data.
func mustBe[T any](v T, err error) T {
	if err != nil {
		panic("paper: " + err.Error())
	}
	return v
}

// efficiency of n^3 cell updates on a power with an overhead in seconds.
func bosqueEfficiency(n, power, overhead float64) float64 {
	w := n * n * n
	return mustBe(scalability.HeterogeneousEfficiency(units.Flops(w), units.Seconds(w/power+overhead), units.FlopsPerSecond(power)))
}

// fitted is the efficiency if the fitted cost of a step is the only overhead.
func (b *bosqueData) fitted(n, power, processors float64) float64 {
	return bosqueEfficiency(n, power, n*math.Log2(processors)*b.step)
}

// classic is the efficiency over a reference processor.
func classic(eps, power, processors, reference float64) float64 {
	return mustBe(scalability.ClassicEfficiency(eps, int(processors), units.FlopsPerSecond(power), units.FlopsPerSecond(reference)))
}

// size is the problem size that holds the efficiency of a base: Eq. 10.
func (b *bosqueData) size(n0, power0, processors0, power, processors float64) float64 {
	point := func(power, p float64) scalability.OverheadPoint {
		return scalability.OverheadPoint{Power: units.FlopsPerSecond(power), Factor: math.Log2(p)}
	}
	return mustBe(scalability.HIsoefficiencySize(n0, point(power0, processors0), point(power, processors), 3, 1))
}

func (b *bosqueData) fit() []Parameter {
	return []Parameter{{"cost of a broadcast step", 1e6 * b.step, "us", "mean over the rows of Table 2 of (1/eps - 1) N^2/(P_T log2 P); the paper prints lambda = 25"}}
}

func (b *bosqueData) text() Table {
	get := func(symbol string) float64 { return b.constants.Constant(symbol).Value }
	cores := float64(get("nodes_NS")*get("sockets_NS")*get("cores_NS")) + float64(get("nodes_NF")*get("sockets_NF")*get("cores_NF"))
	return Table{ID: "bosque_parameters", Title: "Numbers in the text", Formula: "cores = 20 nodes of 2 x 2 + 25 nodes of 2 x 4",
		Cells: []Cell{Compare("P_max", "processors", b.constants.Constant("P_max"), cores, Recomputed).
			Because("The nodes listed have 280 cores, 90 sockets, 45 nodes: 142 is none of them.")}}
}

func (b *bosqueData) powers() Table {
	t := Table{ID: "bosque_table1", Title: "Table 1: parameters of the cluster", Formula: "t_c = 1/P_i"}
	for i := range b.types.Rows {
		t.Cells = append(t.Cells, Compare(b.types.Text(i, "node_type"), b.types.Header("t_ci"), b.types.Printed(i, "t_ci"), 1/b.types.Value(i, "P_i"), Recomputed))
	}
	return t
}

// scaled is Table 2: 2 NS and the rest NF, at the size that holds eps.
func (b *bosqueData) scaled() Table {
	s := b.sizes
	t := Table{ID: s.ID, Title: "Table 2: size that holds eps = 0.842 on 2 NS and P - 2 NF", Parameters: b.fit(),
		Formula: "P_T = 2 P_NS + (P-2) P_NF; N = N_0 sqrt(P_T log2 P/(P_T0 log2 2)); E over a reference q = eps P_T/(P P_q); fitted eps = 1/(1 + step log2 P P_T/N^2)"}
	const (
		exchanged = "headings exchanged"
		asHeaded  = "headings as printed"
		why       = "The headings E(NF) and E(NS) are exchanged."
	)
	lambda, beta := b.constants.Constant("lambda").Value*1e-6, b.constants.Constant("beta").Value
	for i := range s.Rows {
		p, power, n := s.Value(i, "P"), s.Value(i, "P_T"), s.Value(i, "N")
		row := fmt.Sprintf("P=%v", p)
		cell := func(column string, ours float64, how How) Cell {
			return Compare(row, s.Header(column), s.Printed(i, column), ours, how)
		}
		over := func(column string, reference float64) Cell {
			return Compute(row, s.Header(column), s.Printed(i, column), func(x []float64) float64 { return classic(x[0], power, p, reference) }, s.Printed(i, "eps"))
		}
		steps := math.Ceil(math.Log2(p))
		fitted := b.fitted(n, power, p)
		t.Cells = append(t.Cells,
			cell("P_T", float64(2*b.slow)+float64((p-2)*b.fast), Recomputed),
			cell("N_Hisoeff", b.size(s.Value(0, "N"), s.Value(0, "P_T"), s.Value(0, "P"), power, p), Recomputed),
			over("E(NF)", b.slow).As(exchanged), over("E(NS)", b.fast).As(exchanged),
			over("E(NF)", b.fast).As(asHeaded).Because(why), over("E(NS)", b.slow).As(asHeaded).Because(why),
			cell("eps", bosqueEfficiency(n, power, n*steps*(lambda+float64(4*n/beta))), Recomputed).As("Eq. 7, lambda = 25 us, beta = 2e9 byte/s").
				Because("lambda = 25 us is too small, and the term of beta does not vanish."),
			cell("eps", bosqueEfficiency(n, power, float64(n*steps*lambda)+steps*4*n/beta), Recomputed).As("Eq. 6, lambda = 25 us, beta = 2e9 byte/s").
				Because("lambda = 25 us is too small."),
			cell("eps", fitted, Fitted),
			cell("E(NF)", classic(fitted, power, p, b.slow), Fitted).As(exchanged),
			cell("E(NS)", classic(fitted, power, p, b.fast), Fitted).As(exchanged),
		)
	}
	return t
}

// mixed is Table 3: 128 processors of two kinds.
func (b *bosqueData) mixed() Table {
	s := b.mixes
	t := Table{ID: s.ID, Title: "Table 3: size that holds eps = 0.80 on 128 processors", Parameters: b.fit(),
		Formula: "P_T = NF P_NF + NS P_NS; N = N(128 NF) sqrt(P_T/P_T(128 NF)), log2 P = 7; E over a reference q = eps P_T/(128 P_q); fitted eps as in Table 2"}
	n1, power1 := s.Value(0, "N_Hisoeff"), s.Value(0, "P_T")
	for i := range s.Rows {
		nf, ns, power, eps := s.Value(i, "NF"), s.Value(i, "NS"), s.Value(i, "P_T"), s.Printed(i, "eps")
		row := fmt.Sprintf("%v NF, %v NS", nf, ns)
		over := func(column string, p, reference float64) Cell {
			return Compute(row, s.Header(column), s.Printed(i, column), func(x []float64) float64 { return classic(x[0], power, p, reference) }, eps)
		}
		t.Cells = append(t.Cells,
			Compare(row, s.Header("P_T"), s.Printed(i, "P_T"), float64(nf*b.fast)+float64(ns*b.slow), Recomputed),
			Compare(row, s.Header("N_Hisoeff"), s.Printed(i, "N_Hisoeff"), b.size(n1, power1, 128, power, 128), Recomputed),
			over("E(NF)", 128, b.fast), over("E(NS)", 128, b.slow))
		if nf+ns != 128 {
			const why = "The paper divides by 128 although the row has 130 processors."
			t.Cells = append(t.Cells, over("E(NF)", nf+ns, b.fast).As("130 processors").Because(why), over("E(NS)", nf+ns, b.slow).As("130 processors").Because(why))
		}
		fitted := Compute(row, s.Header("eps"), eps, func(x []float64) float64 { return b.fitted(x[0], power, 128) }, s.Printed(i, "N_Hisoeff"))
		fitted.How = Fitted
		t.Cells = append(t.Cells, fitted)
		if i == 0 {
			n0, power0 := b.sizes.Value(0, "N"), b.sizes.Value(0, "P_T")
			target := mustBe(scalability.IsoefficiencyConstant(b.constants.Constant("eps_table3").Value))
			t.Cells = append(t.Cells, Compute(row, s.Header("N_Hisoeff"), s.Printed(0, "N_Hisoeff"), func(x []float64) float64 {
				k0 := mustBe(scalability.IsoefficiencyConstant(x[0]))
				return b.size(n0, power0, 2, power, 128) * math.Sqrt(target/k0)
			}, b.sizes.Printed(0, "eps")).As("from the base of Table 2, with K of 0.80 over K of 0.842"))
		}
	}
	return t
}

// slowestRows returns the time of an iteration, in cell updates of n columns over
// power: n whole rows, dealt out so that the slowest process ends as early as possible.
func (b *bosqueData) slowestRows(n, slow, fast float64) float64 {
	best := math.Inf(1)
	for _, speed := range []float64{b.slow, b.fast} {
		for rows := 1.0; rows <= n; rows++ {
			// The number of rows that a process of this speed updates in the time.
			// The margin absorbs the rounding of the two divisions.
			t := rows * n / speed
			done := func(p float64) float64 { return math.Floor(t*p/n + 1e-9) }
			if float64(slow*done(b.slow))+float64(fast*done(b.fast)) >= n {
				best = min(best, t)
				break
			}
		}
	}
	return best
}

// wholeRows is the efficiency of Table 2 if rows are not divided.
func (b *bosqueData) wholeRows() Table {
	s := b.sizes
	t := Table{ID: "bosque_table2_rows", Title: "Table 2 with whole rows", Parameters: b.fit(),
		Formula: "fitted eps with n times the iteration of the slowest process in place of n^3/P_T, at the best distribution of n whole rows; and Floyd's algorithm on the engine",
		Notes: []string{
			"P_i/P_T of the rows is no whole number: at P = 128 a fast process should have 33.25 rows and a slow one 13.55. If all processes wait for each other in every iteration, the slowest delays all, and eps would be up to 2.3 % lower in time. The printed eps does not show it.",
			"By the engine, with the same step as what each message of a binomial broadcast costs its sender: only the owner of a row pays all log2 P steps. Others have time left for a row more, and eps is as printed. So timed efficiencies may well look like the formula.",
		}}
	for i := range s.Rows {
		p, power, n := s.Value(i, "P"), s.Value(i, "P_T"), s.Value(i, "N")
		iteration := b.slowestRows(n, 2, p-2)
		extra := iteration*power/(n*n) - 1
		ours := bosqueEfficiency(n, power, float64(n*iteration)-n*n*n/power+float64(n*math.Log2(p)*b.step))
		t.Cells = append(t.Cells, Compare(fmt.Sprintf("P=%v", p), s.Header("eps"), s.Printed(i, "eps"), ours, Fitted).
			Because(fmt.Sprintf("Whole rows make an iteration %.2f %% longer.", 100*extra)))
	}
	return t
}
