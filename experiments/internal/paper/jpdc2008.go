package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// JPDC2008 reproduces [Chen2008], the journal version of [Sun2005].
func JPDC2008(ctx context.Context) (*Paper, error) {
	sim, err := runSunwulf(ctx)
	if err != nil {
		return nil, err
	}
	constants := Load("jpdc2008_parameters")
	v, model := readSpeeds("jpdc2008_table2"), readPrediction(constants)
	l := readLadder("jpdc2008_table5")
	p := &Paper{
		Citation: "[Chen2008] Y. Chen, X.-H. Sun, M. Wu, J. Parallel Distrib. Comput. 68, 2008",
		Questions: "How does an algorithm scale on a cluster of unequal nodes, and can that be predicted? " +
			"The journal version of [Sun2005] adds a theorem for sequential parts, 2D convolution, and elimination on four nodes.",
	}
	measured := psiTable("jpdc2008_table6", "Table 6: psi of elimination", psiFormula, l, gaussWork)
	measured.simulatedPsi(sim.gauss, Simulated)
	measured.Parameters, measured.Notes = gaussFit, []string{zigzagNote}
	mm, convolution := readLadder("jpdc2008_table8"), readLadder("jpdc2008_table10")
	matMulPsi := psiTable("jpdc2008_table9", "Table 9: psi of multiplication", psiFormula, mm, matMulWork)
	matMulPsi.simulatedPsi(sim.matMul, Fitted)
	matMulPsi.Parameters, matMulPsi.Notes = matMulFit, []string{matMulPsiNote}
	configurations, counts := configurationTable("jpdc2008_table7", v)
	p.Tables = []Table{
		journalText(v, l),
		speedsTable("jpdc2008_table2", "Table 2: marked speeds"),
		runsTable("jpdc2008_table3", "Table 3: elimination on two nodes", 2, constants.Constant("C_2"), sim),
		runsTable("jpdc2008_table4", "Table 4: elimination on four nodes", 4, constants.Constant("C_4"), sim),
		requiredTable("jpdc2008_table5", "Table 5: size that holds E_s = 0.3, elimination", v, sim),
		measured,
		configurations,
		matMulTable("jpdc2008_table8", sim),
		matMulPsi,
		workTable("jpdc2008_table10", "Table 10: size that holds the efficiency, convolution", "W = 66 N^2 log2 N + 21 N^2 + 84 N log2 N", convolutionWork),
		psiTable("jpdc2008_table11", "Table 11: psi of convolution", psiFormula, convolution, convolutionWork),
		predictedTable("jpdc2008_table12", "Table 12: predicted size, elimination", model, l, sim),
		predictedPsiTable("jpdc2008_table13", "Table 13: predicted psi, elimination", model, l, sim),
	}
	if err := p.curves("jpdc2008_fig2", "Figure 2: speed-efficiency of elimination on two and four nodes", sim,
		elimination{2, "jpdc2008_table3", constants.Constant("C_2").Value, 310, constants.Constant("E_meas_2(310)")},
		elimination{4, "jpdc2008_table4", constants.Constant("C_4").Value, 480, constants.Constant("E_meas_4(480)")}); err != nil {
		return nil, err
	}
	p.multiplication("jpdc2008_fig3", "Figure 3: speed-efficiency of multiplication", sim)
	p.Claims = append(counts, workIdentity(), theoremsHold(), theoremTwoLimit())
	p.Misprints = slices.Concat(sharedMisprints("Table 3", "Table 5", "Table 12", "Table 13"), []Misprint{
		{"Table 4", "The check run on four nodes, E_s = 0.288 at N = 480, means 2490 ms, more than the printed 2399 ms at N = 500. N = 480 for E_s = 0.3 does not follow from the points either: trend lines give 457, straight lines 446. T(400) lies 7 % below and T(300) 6 % above a smooth curve."},
		{"section 4.4", "The target efficiency of multiplication, 0.2, is printed in [Sun2005] only; that of convolution nowhere."},
		{"section 4.5, Tables 4, 6, 9, 11", "The mean error of the predicted N is 2.88 %, printed 2.8. Cut instead of rounded: E_s = 0.39997 (Table 4, N = 600) to 0.399, psi = 0.2905 (Table 6) to 0.290, 0.4437 (Table 9) to 0.443. Table 11 was computed from the full W, not from its two printed digits."},
		{"Theorem 1, proof", "The bracket after \"Hence\" lacks + T_o on both sides, and t_0' = a W'/C' should have the speed of one node, C_j'."},
		{"section 4.1.3", "The image sizes 145, 270, 545, 1160 and 2030 are no powers of two, which the usual fast Fourier transform needs. After a distribution by rows the transform of columns needs a transpose, but the steps list no communication. The images are distributed before they are computed."},
	})
	p.NotReproduced = []string{
		"Times on 8 to 32 nodes, and all times of multiplication and convolution: they are not printed. The simulated N of Tables 5 and 8 stand for them.",
		"Convolution by simulation, Tables 10 and 11 and Figure 4: neither the target efficiency nor the communication is printed. W and psi are recomputed.",
		"The points of Figure 3: the text gives none. Its curves are simulated. Figure 1 is a sketch and Table 1 has formulas only.",
		"The zigzag of psi in Table 6: psi falls with the third power of N, and the printed N scatter around every smooth curve.",
	}
	return p, nil
}

// convolutionWork is W(N) of the 2D convolution in flop, section 4.1.3.
func convolutionWork(n float64) float64 {
	return float64(66*n*n*math.Log2(n)) + float64(21*n*n) + float64(84*n*math.Log2(n))
}

// journalText adds the mean error of prediction to the numbers in the text.
func journalText(v speeds, l *ladder) Table {
	t := textTable("jpdc2008_parameters", v)
	t.Formula += "; pred_err = mean of |N'/N - 1| over Tables 12 and 5, in %"
	predicted := Load("jpdc2008_table12")
	sum := 0.0
	for i := range predicted.Rows {
		sum += math.Abs(predicted.Value(i, "N_predicted")/l.n[i+1] - 1)
	}
	t.Cells = append(t.Cells, Compare("pred_err", "value", Load(t.ID).Constant("pred_err"), 100*sum/float64(len(predicted.Rows)), Recomputed))
	return t
}

// configurationTable has the systems of multiplication and convolution; the
// claims are that their nodes add up.
func configurationTable(id string, v speeds) (Table, []Claim) {
	s := Load(id)
	t := Table{ID: id, Title: "Table 7: systems of multiplication", Formula: "C = sum of the marked speeds of the nodes, one CPU each"}
	var claims []Claim
	for i := range s.Rows {
		nodes := whole(s, i, "nodes")
		servers, blades, v210s := whole(s, i, "server"), whole(s, i, "sunblade"), whole(s, i, "v210")
		t.Cells = append(t.Cells, v.cell(rowNodes(nodes), s.Header("C"), s.Printed(i, "C"), servers, blades, v210s))
		sum := servers + blades + v210s
		claims = append(claims, Claim{Where: id, What: fmt.Sprintf("the nodes of the system of %d nodes", nodes),
			Paper: fmt.Sprint(nodes), Ours: fmt.Sprint(sum), Holds: sum == nodes})
	}
	return t, claims
}

// workTable compares the work at printed sizes.
func workTable(id, title, formula string, work func(float64) float64) Table {
	s := Load(id)
	t := Table{ID: id, Title: title, Formula: formula}
	for i := range s.Rows {
		t.Cells = append(t.Cells, Compare(rowNodes(whole(s, i, "nodes")), s.Header("W"), s.Printed(i, "W"), work(s.Value(i, "N")), Recomputed))
	}
	return t
}

// matMulTable is the table of sizes at which the multiplication holds 0.2.
func matMulTable(id string, sim *sunwulf) Table {
	t := workTable(id, "Table 8: size that holds E_s = 0.2, multiplication", "W = 2 N^3 at the printed N; N by search on the engine for E_s = 0.2", matMulWork)
	t.Parameters = matMulFit
	t.Notes = append(t.Notes, "The target is printed in [Sun2005] only.")
	for _, w := range sim.matMul.Warnings {
		t.Notes = append(t.Notes, "The engine warns: "+w+".")
	}
	s := Load(id)
	for i := range s.Rows {
		t.Cells = append(t.Cells, Compare(rowNodes(whole(s, i, "nodes")), s.Header("N"), s.Printed(i, "N"), float64(sim.matMul.Systems[i].N), Fitted))
	}
	return t
}
