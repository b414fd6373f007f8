package measured

var levelsAdvice = Advice{
	Question: "which level of a hierarchical cluster to double",
	Needs:    "w_i, c_i, n_i",
	Misleads: "communication matters: only load imbalance is in it; w is few whole pieces, where the smooth formula hides steps",
}

var hierarchyFamily = Family{
	Title:   "Hierarchical clusters",
	Symbols: "n_i nodes, w_i super-instructions and imbalance c_i at level i; r = log2 of all computers.",
	Metrics: []*Metric{
		{
			Name: "multilevel_time", Title: "time of a super-program", Symbol: "T",
			Meaning: "time of a super-program: the complexities of its levels multiplied",
			Formula: "C_i = (w_i + c_i (n_i - 1))/n_i; T = C_1 ... C_k t", Symbols: "t of the lowest super-instruction, s",
			Source: "[Jin] Eq. 16, 24-26", Functions: []string{"Level.Complexity", "Levels.Time"}, Commands: []string{"run", "paper jin"},
			Advice: &levelsAdvice,
		},
		{
			Name: "multilevel_speedup", Title: "speedup of a super-program", Symbol: "S",
			Meaning: "log2 of the speedup of a hierarchical cluster, a sum over its levels",
			Formula: "log2 S = sum log2(w_i n_i/(w_i + c_i (n_i - 1)))", Symbols: "over one computer with equal work",
			Source: "[Jin] 5", Functions: []string{"Levels.Log2Speedup"}, Commands: []string{"run", "paper jin"},
			Advice: &levelsAdvice,
		},
		{
			Name: "level_scalability", Title: "level scalability", Symbol: "Sc_i",
			Meaning: "gain of doubling one level of a hierarchical cluster",
			Formula: "Sc_i = log2(C_i/C_i')/log2(n_i'/n_i)",
			Source:  "[Jin] Eq. 17, 18", Functions: []string{"Level.Scalability"},
			Advice: &levelsAdvice,
		},
		{
			Name: "speedup_bounds", Title: "bounds of speedup and efficiency", Symbol: "Sp_0^r",
			Meaning: "least speedup and efficiency of a large cluster, from those of two nodes",
			Formula: "S >= Sp_0^r, E >= (Sp_0/2)^r, if every doubling gains log2 Sp_0 or more", Symbols: "Sp_0: speedup of two nodes",
			Source: "[Jin] Eq. 20-23", Functions: []string{"BoundsApply", "SpeedupBound", "EfficiencyBound"},
			Advice: &Advice{
				Question: "at least how fast will the cluster be",
				Needs:    "S of two nodes",
				Misleads: "returns diminish, as with fixed work they do; ask BoundsApply first",
			},
		},
	},
}
