package measured

// The metrics of model/scalability as the catalogue shows them. In
// docs/validation/metrics.md they stand as tables; a test keeps the two alike and
// checks that no function is missing.

// MetricDoc is one metric.
type MetricDoc struct {
	Name      string
	Title     string // the formula in words
	Formula   string
	Symbols   string   // of this metric alone, or the condition under which it holds
	Source    string   // keys of docs/references.md
	Functions []string // of model/scalability
	Commands  []string // of isoscale that compute it; none: only Go programs can
	Advice    *metricAdvice
}

// metricAdvice is what a metric, or a few, is for.
type metricAdvice struct {
	metrics  string
	Question string
	Needs    string
	Misleads string // when
}

// MetricFamily is metrics that have symbols in common.
type MetricFamily struct {
	title   string
	Symbols string
	Metrics []MetricDoc
}

// What to take which metric for.
var (
	adviceSpeedup = metricAdvice{
		metrics:  "speedup S, efficiency E",
		Question: "how much faster than one processor, and for each processor",
		Needs:    "T_1, T_p of one problem, p equal processors",
		Misleads: "processors differ; one processor cannot hold the problem (T_1 swaps, S is flattered); the sequential program is a poor one",
	}
	adviceIdealRatio = metricAdvice{
		metrics:  "ideal ratio",
		Question: "what does the machine cost, as opposed to the algorithm's structure",
		Needs:    "S on the machine and on an ideal one",
		Misleads: "the ideal machine is not of the same p or size",
	}
	adviceKarpFlatt = metricAdvice{
		metrics:  "Karp-Flatt e",
		Question: "is it sequential work or overhead that limits S",
		Needs:    "S at several p",
		Misleads: "read at one p only: the growth with p is the message. Imbalance and communication count as sequential",
	}
	adviceAmdahl = metricAdvice{
		metrics:  "Amdahl",
		Question: "how far can S go with the work fixed",
		Needs:    "f of the run on one processor",
		Misleads: "the problem would grow with the machine; communication is not in it",
	}
	adviceGustafson = metricAdvice{
		metrics:  "Gustafson",
		Question: "how far can S go with the time fixed",
		Needs:    "f of the parallel run",
		Misleads: "its f is taken for Amdahl's; work cannot grow, or grows its sequential part too",
	}
	adviceSunNi = metricAdvice{
		metrics:  "Sun-Ni",
		Question: "how far can S go with memory filled",
		Needs:    "f, G(p)",
		Misleads: "memory is not what bounds the work; communication is not in it",
	}
	adviceIsoefficiency = metricAdvice{
		metrics:  "isoefficiency",
		Question: "how fast must W grow with p to hold E",
		Needs:    "T_o(W, p) as a function, equal processors",
		Misleads: "processors differ; the efficiency of the base is poor, since a constant poor one passes; read as an order of growth where constants decide",
	}
	adviceSpeedEfficiency = metricAdvice{
		metrics:  "achieved speed S, speed-efficiency E_s",
		Question: "how fast, and what share of what the machine can do",
		Needs:    "W, T, marked speed C",
		Misleads: "more work than needed makes the program look faster while it takes longer; low because the program suits the processor less than the benchmark, and nothing is lost in parallel",
	}
	adviceIsospeed = metricAdvice{
		metrics:  "isospeed psi",
		Question: "what share of growing p is not eaten by growing W",
		Needs:    "W, W' at equal W/(p T)",
		Misleads: "processors differ",
	}
	adviceIsospeedEfficiency = metricAdvice{
		metrics:  "isospeed-efficiency psi",
		Question: "what share of growing C is not eaten by growing W, for unequal nodes too",
		Needs:    "W, W' at equal E_s, marked speeds",
		Misleads: "the benchmark is unlike the program; one node's sequential part sets a limit to C' that psi between small systems does not show (ReachLimit)",
	}
	adviceHeterogeneous = metricAdvice{
		metrics:  "heterogeneous efficiency eps",
		Question: "what is lost in parallel, beside what the processors can do on this program",
		Needs:    "T_R, power of every processor on this program",
		Misleads: "power depends on the size (cache, memory) and was measured at another one",
	}
	adviceClassic = metricAdvice{
		metrics:  "classic efficiency E(q)",
		Question: "what would S/p have said of unequal processors",
		Needs:    "eps, P_T, P_q",
		Misleads: "always: it changes with the reference and passes 1",
	}
	adviceHIsoefficiency = metricAdvice{
		metrics:  "H-isoefficiency",
		Question: "which W holds eps on the grown system",
		Needs:    "T_o, P_T",
		Misleads: "work is not shared by power (whole rows); overhead has terms of different powers of n and one exponent is used for all",
	}
	adviceReferenceFactor = metricAdvice{
		metrics:  "reference factor rf",
		Question: "how many lone processors is this set worth, nodes and shared memory considered",
		Needs:    "T_ref of a reference program, on one and on the set",
		Misleads: "the reference program communicates or uses memory unlike the program",
	}
	adviceExtendedIsospeed = metricAdvice{
		metrics:  "extended isospeed psi",
		Question: "isospeed between sets of processors",
		Needs:    "rf, W at equal V",
		Misleads: "as the reference factor, much enlarged: in the published data 1 % of rf is 10-13 % of T",
	}
	adviceLatencyScale = metricAdvice{
		metrics:  "latency scale",
		Question: "does a held efficiency cost each processor more lost time",
		Needs:    "L_e, L_e' at equal E",
		Misleads: "the efficiency is not really equal; both latencies are near 0",
	}
	adviceTimeScale = metricAdvice{
		metrics:  "time scale",
		Question: "does a held efficiency cost more time",
		Needs:    "T_p, T_p' at equal E",
		Misleads: "the efficiency is not really equal. At one processor E is 1 for every W, so its time is not settled by the condition",
	}
	adviceRobust = metricAdvice{
		metrics:  "robust scalability Sc(V)",
		Question: "which way is it best to grow, from here",
		Needs:    "U(N): a model or runs around a point, a step",
		Misleads: "the step is large and read as a slope, or so small that noise or rounding rules (see Slope.Error); scales of the axes are arbitrary, so compare directions by cost",
	}
	adviceUpdate = metricAdvice{
		metrics:  "update efficiency, edge-scalability",
		Question: "which update pays best for its price",
		Needs:    "Sc_i, prices",
		Misleads: "the update is large: Sc_i falls as resources are added and the best path bends; prices are not proportional",
	}
	adviceLevels = metricAdvice{
		metrics:  "level scalability, multi-level model",
		Question: "which level of a hierarchical cluster to double",
		Needs:    "w_i, c_i, n_i",
		Misleads: "communication matters: only load imbalance is in it; w of few whole pieces, where the smooth formula hides steps",
	}
	adviceBounds = metricAdvice{
		metrics:  "bounds Sp_0^r",
		Question: "at least how fast will the cluster be",
		Needs:    "S of two nodes",
		Misleads: "returns diminish, as with fixed work they do; ask BoundsApply first",
	}
	adviceProductivity = metricAdvice{
		metrics:  "productivity psi",
		Question: "does growth return what it costs",
		Needs:    "throughput, value of a response, cost",
		Misleads: "the value is a guess; for batch jobs without a price of lateness",
	}
)

// MetricFamilies holds all metrics in the order of the documentation.
var MetricFamilies = []MetricFamily{
	{"Speedup and its laws", "T_1, T_p: sequential and parallel time, s. p: equal processors. f: sequential fraction.", []MetricDoc{
		{
			Name: "speedup", Title: "how much faster than one processor",
			Formula:   "S = T_1/T_p",
			Source:    "[Jin] Eq. 1",
			Functions: []string{"Speedup"},
			Commands:  []string{"metrics"},
			Advice:    &adviceSpeedup,
		},
		{
			Name: "efficiency", Title: "speedup for each processor",
			Formula:   "E = S/p",
			Source:    "[Grama1993]; [Jin] Eq. 2",
			Functions: []string{"Efficiency"},
			Commands:  []string{"metrics"},
			Advice:    &adviceSpeedup,
		},
		{
			Name: "time-at-efficiency", Title: "parallel time, or processors, that go with an efficiency",
			Formula:   "T_p = T_1/(E p), p = T_1/(E T_p)",
			Source:    "[Jin] Eq. 3, 4",
			Functions: []string{"TimeAtEfficiency", "ProcessorsAtEfficiency"},
			Advice:    &adviceSpeedup,
		},
		{
			Name: "ideal-ratio", Title: "speedup of a machine over that of an ideal one",
			Formula:   "Sc = S/S_I",
			Symbols:   "S_I: on an ideal machine",
			Source:    "[Jin] Eq. 5",
			Functions: []string{"IdealRatio"},
			Advice:    &adviceIdealRatio,
		},
		{
			Name: "karp-flatt", Title: "the fraction of the work that acts as if it were sequential",
			Formula:   "e = (1/S - 1/p)/(1 - 1/p)",
			Source:    "[KarpFlatt1990]",
			Functions: []string{"KarpFlatt"},
			Commands:  []string{"metrics"},
			Advice:    &adviceKarpFlatt,
		},
		{
			Name: "amdahl", Title: "speedup with the work fixed",
			Formula:   "S = 1/(f + (1 - f)/p)",
			Symbols:   "f of the time on one processor",
			Source:    "[Amdahl1967]",
			Functions: []string{"Amdahl"},
			Commands:  []string{"metrics"},
			Advice:    &adviceAmdahl,
		},
		{
			Name: "gustafson", Title: "speedup with the time fixed",
			Formula:   "S = f + (1 - f) p",
			Symbols:   "f of the parallel time",
			Source:    "[Gustafson1988]",
			Functions: []string{"Gustafson"},
			Commands:  []string{"metrics"},
			Advice:    &adviceGustafson,
		},
		{
			Name: "sun-ni", Title: "speedup with memory filled",
			Formula:   "S = (f + (1 - f) G)/(f + (1 - f) G/p)",
			Symbols:   "G(p): growth of the parallel work when memory grows p times",
			Source:    "[SunNi1993]",
			Functions: []string{"SunNi"},
			Advice:    &adviceSunNi,
		},
	}},
	{"Isoefficiency", "C_1: speed of one processor, flop/s. W: work, flop.", []MetricDoc{
		{
			Name: "total-overhead", Title: "process time that is not useful work: processors times parallel time, less the sequential time",
			Formula:   "T_o = p T_p - T_1",
			Symbols:   "s, over all processors",
			Source:    "[Grama1993]; [Jin] Eq. 6",
			Functions: []string{"TotalOverhead"},
			Commands:  []string{"metrics"},
			Advice:    &adviceIsoefficiency,
		},
		{
			Name: "overhead-efficiency", Title: "efficiency, from overhead over sequential time",
			Formula:   "E = 1/(1 + T_o/T_1)",
			Source:    "[Grama1993]; [He2004] 2",
			Functions: []string{"OverheadEfficiency"},
			Advice:    &adviceIsoefficiency,
		},
		{
			Name: "isoefficiency", Title: "work that holds an efficiency: a constant times the overhead",
			Formula:   "W = K T_o C_1, K = E/(1 - E)",
			Source:    "[Grama1993]",
			Functions: []string{"IsoefficiencyConstant", "IsoefficiencyWork"},
			Commands:  []string{"metrics"},
			Advice:    &adviceIsoefficiency,
		},
		{
			Name: "isoefficiency-size", Title: "problem size that holds an efficiency, where work and overhead are known functions of it",
			Formula:   "n with W(n) = K T_o(n) C",
			Symbols:   "C = C_1, or P_T with T_o on the clock",
			Source:    "[Grama1993], solved by halving",
			Functions: []string{"SizeModel.Size", "SizeModel.Efficiency"},
			Advice:    &adviceIsoefficiency,
		},
	}},
	{"Isospeed and isospeed-efficiency", "C: marked speed of the system, flop/s. Primes: the scaled system.", []MetricDoc{
		{
			Name: "marked-speed", Title: "what the processors of a system do in benchmarks, added up",
			Formula:   "C = sum C_i",
			Symbols:   "C_i: of processor i, by benchmarks",
			Source:    "[Sun2005] Def. 2, [Chen2008] Def. 1",
			Functions: []string{"SystemMarkedSpeed"},
			Commands:  []string{"run", "iso", "describe"},
			Advice:    &adviceSpeedEfficiency,
		},
		{
			Name: "achieved-speed", Title: "work over time",
			Formula:   "S = W/T",
			Source:    "[Sun2005] 3.2, [Chen2008] 3.2",
			Functions: []string{"AchievedSpeed"},
			Commands:  []string{"run", "metrics"},
			Advice:    &adviceSpeedEfficiency,
		},
		{
			Name: "isospeed", Title: "growth of the processors over growth of the work, at equal speed for each processor",
			Formula:   "psi = p' W/(p W')",
			Symbols:   "W/(p T) = W'/(p' T')",
			Source:    "[SunRover1994]",
			Functions: []string{"Isospeed"},
			Commands:  []string{"metrics"},
			Advice:    &adviceIsospeed,
		},
		{
			Name: "speed-efficiency", Title: "achieved speed over marked speed",
			Formula:   "E_s = W/(T C)",
			Source:    "[Sun2005] Def. 3",
			Functions: []string{"SpeedEfficiency"},
			Commands:  []string{"run", "iso", "metrics"},
			Advice:    &adviceSpeedEfficiency,
		},
		{
			Name: "required-time", Title: "time in which the work must be done to hold a speed-efficiency",
			Formula:   "T = W/(E_s C)",
			Source:    "[Chen2008] Def. 2, solved for T",
			Functions: []string{"RequiredTime"},
			Commands:  []string{"paper sun2005"},
			Advice:    &adviceSpeedEfficiency,
		},
		{
			Name: "isospeed-efficiency", Title: "growth of the marked speed over growth of the work, at equal speed-efficiency",
			Formula:   "psi = C' W/(C W')",
			Symbols:   "W/(T C) = W'/(T' C')",
			Source:    "[Sun2005] 3.3, [Chen2008] 3.3",
			Functions: []string{"IsospeedEfficiency", "Ladder.Psi"},
			Commands:  []string{"iso", "metrics", "paper sun2005"},
			Advice:    &adviceIsospeedEfficiency,
		},
		{
			Name: "theorem-1", Title: "psi as lost time before over lost time after, sequential part and overhead together",
			Formula:   "psi = (t_0 + T_o)/(t_0' + T_o')",
			Symbols:   "balance by marked speed; t_0: time of the sequential part; T_o: overhead on the clock",
			Source:    "[Chen2008] Theorem 1",
			Functions: []string{"Theorem1", "Corollary2"},
			Commands:  []string{"iso", "paper jpdc2008"},
			Advice:    &adviceIsospeedEfficiency,
		},
		{
			Name: "theorem-2", Title: "psi where the same node runs the sequential part before and after",
			Formula:   "psi = (C beta W - C' beta W + C T_o)/(C T_o')",
			Symbols:   "as Theorem 1; beta = alpha/C_j, alpha: sequential fraction of W, C_j: speed of the node that runs it",
			Source:    "[Chen2008] Theorem 2",
			Functions: []string{"Theorem2"},
			Commands:  []string{"paper jpdc2008"},
			Advice:    &adviceIsospeedEfficiency,
		},
		{
			Name: "reach-limit", Title: "marked speed beyond which no work holds the speed-efficiency",
			Formula:   "C' < C (1 + T_o/(beta W))",
			Symbols:   "as Theorem 2: a larger C' holds no E_s at any W",
			Source:    "derived from [Chen2008] Theorem 2",
			Functions: []string{"ReachLimit"},
			Commands:  []string{"paper jpdc2008"},
			Advice:    &adviceIsospeedEfficiency,
		},
	}},
	{"Heterogeneous systems", "P_i: power of processor i on this program, W/T_i alone. P_T = sum P_i. T_R: time of the slowest, s.", []MetricDoc{
		{
			Name: "heterogeneous-efficiency", Title: "work over what unequal processors could do alone in the time",
			Formula:   "eps = W/(T_R P_T)",
			Symbols:   "W in the operations that P_T counts",
			Source:    "[Bosque] Eq. 1-4",
			Functions: []string{"HeterogeneousEfficiency"},
			Commands:  []string{"metrics", "paper bosque"},
			Advice:    &adviceHeterogeneous,
		},
		{
			Name: "classic-efficiency", Title: "speedup against one of several unequal processors, over their number",
			Formula:   "E(q) = eps P_T/(P P_q)",
			Symbols:   "P processors, q the reference",
			Source:    "derived from [Bosque] Eq. 4",
			Functions: []string{"ClassicEfficiency"},
			Commands:  []string{"paper bosque"},
			Advice:    &adviceClassic,
		},
		{
			Name: "h-isoefficiency", Title: "work that holds the heterogeneous efficiency",
			Formula:   "W = K T_o P_T, K = eps/(1 - eps)",
			Symbols:   "T_R = W/P_T + T_o",
			Source:    "[Bosque] Eq. 5",
			Functions: []string{"HIsoefficiencyWork"},
			Commands:  []string{"metrics"},
			Advice:    &adviceHIsoefficiency,
		},
		{
			Name: "h-isoefficiency-size", Title: "problem size that holds it, where work and overhead are powers of the size",
			Formula:   "n = n_0 (P_T g/(P_T0 g_0))^(1/(a - b))",
			Symbols:   "W = k n^a, T_o = h n^b g; Floyd: a = 3, b = 1, g = log2 p",
			Source:    "[Bosque] Eq. 9, 10, generalized",
			Functions: []string{"HIsoefficiencySize"},
			Commands:  []string{"paper bosque"},
			Advice:    &adviceHIsoefficiency,
		},
	}},
	{"Processor sets", "A set says how many processors and where they are, such as 2x4: two in each of four nodes.", []MetricDoc{
		{
			Name: "reference-factor", Title: "how many lone processors a set is worth, by a reference program",
			Formula:   "rf = n T_ref(1)/T_ref(set)",
			Symbols:   "n times the work on n processors",
			Source:    "[He2004] 4",
			Functions: []string{"ReferenceFactor"},
			Commands:  []string{"metrics"},
			Advice:    &adviceReferenceFactor,
		},
		{
			Name: "extended-efficiency", Title: "useful time over the time of all that the set is worth",
			Formula:   "E = T_calc/(rf T_p), or T_p(W, 1)/(rf T_p)",
			Source:    "[He2004] 5",
			Functions: []string{"ExtendedEfficiency"},
			Commands:  []string{"metrics"},
			Advice:    &adviceReferenceFactor,
		},
		{
			Name: "extended-isospeed", Title: "growth of the reference factor over growth of the work, at equal speed for each unit of it",
			Formula:   "V = W/(rf T_p); psi = rf' W/(rf W') = T_p/T_p'",
			Symbols:   "equal V",
			Source:    "[He2004] 5",
			Functions: []string{"ExtendedSpeed", "ExtendedIsospeed"},
			Commands:  []string{"metrics"},
			Advice:    &adviceExtendedIsospeed,
		},
		{
			Name: "latency-scale", Title: "lost time of a processor before over after, at equal efficiency",
			Formula:   "L_e = T_p - T_calc/n; scale = L_e/L_e'",
			Symbols:   "equal E",
			Source:    "[Zhang1994], [He2004] 2 and 5",
			Functions: []string{"AverageLatency", "LatencyScale"},
			Commands:  []string{"metrics"},
			Advice:    &adviceLatencyScale,
		},
		{
			Name: "time-scale", Title: "time before over time after, at equal efficiency",
			Formula:   "T_p/T_p'",
			Symbols:   "equal E",
			Source:    "[He2004] 2 and 5",
			Functions: []string{"TimeScale"},
			Commands:  []string{"metrics"},
			Advice:    &adviceTimeScale,
		},
	}},
	{"Robust scalability", "N = (R, P): resources and problem sizes. U(N): satisfaction, such as log2 of the speedup. V: direction.", []MetricDoc{
		{
			Name: "robust-scalability", Title: "what a step of resources and problem in some direction gains, for each unit of its length",
			Formula:   "Sc = (U(N + delta V) - U(N))/delta, |V| = 1",
			Symbols:   "delta: step",
			Source:    "[Jin] Eq. 8",
			Functions: []string{"DirectionalScalability"},
			Advice:    &adviceRobust,
		},
		{
			Name: "dimension-scalability", Title: "what more of one resource gains, for each unit of it",
			Formula:   "Sc_i = (U(R + dr_i, P + dP) - U(R, P))/dr_i",
			Symbols:   "dP: how the problem changes along",
			Source:    "[Jin] Eq. 12, 13",
			Functions: []string{"Gradient", "DimensionScalability"},
			Advice:    &adviceRobust,
		},
		{
			Name: "update-cost", Title: "price of what is added",
			Formula:   "cost = sum Price_i dr_i",
			Symbols:   "money",
			Source:    "[Jin] Eq. 10",
			Functions: []string{"UpdateCost"},
			Advice:    &adviceUpdate,
		},
		{
			Name: "update-efficiency", Title: "gain of an update over its cost",
			Formula:   "E = dU/cost, dU = sum Sc_i dr_i while small",
			Source:    "[Jin] Eq. 11, 12, 14",
			Functions: []string{"UpdateEfficiency", "LinearGain"},
			Advice:    &adviceUpdate,
		},
		{
			Name: "edge-scalability", Title: "gain for the money of the resource that pays best",
			Formula:   "max over i of Sc_i/Price_i",
			Symbols:   "no mix is better",
			Source:    "[Jin] 3.3, appendix",
			Functions: []string{"EdgeScalability"},
			Commands:  []string{"paper jin"},
			Advice:    &adviceUpdate,
		},
	}},
	{"Hierarchical clusters", "n_i nodes, w_i super-instructions and imbalance c_i at level i; r = log2 of all computers.", []MetricDoc{
		{
			Name: "multilevel-time", Title: "time of a super-program: the complexities of its levels multiplied",
			Formula:   "C_i = (w_i + c_i (n_i - 1))/n_i; T = C_1 ... C_k t",
			Symbols:   "t of the lowest super-instruction, s",
			Source:    "[Jin] Eq. 16, 24-26",
			Functions: []string{"Level.Complexity", "MultilevelTime"},
			Commands:  []string{"run", "paper jin"},
			Advice:    &adviceLevels,
		},
		{
			Name: "multilevel-speedup", Title: "log2 of the speedup of a hierarchical cluster, a sum over its levels",
			Formula:   "log2 S = sum log2(w_i n_i/(w_i + c_i (n_i - 1)))",
			Symbols:   "over one computer with equal work",
			Source:    "[Jin] 5",
			Functions: []string{"MultilevelLog2Speedup"},
			Commands:  []string{"run", "paper jin"},
			Advice:    &adviceLevels,
		},
		{
			Name: "level-scalability", Title: "gain of doubling one level of a hierarchical cluster",
			Formula:   "Sc_i = log2(C_i/C_i')/log2(n_i'/n_i)",
			Source:    "[Jin] Eq. 17, 18",
			Functions: []string{"LevelScalability"},
			Advice:    &adviceLevels,
		},
		{
			Name: "speedup-bounds", Title: "least speedup and efficiency of a large cluster, from those of two nodes",
			Formula:   "S >= Sp_0^r, E >= (Sp_0/2)^r, if every doubling gains log2 Sp_0 or more",
			Symbols:   "Sp_0: speedup of two nodes",
			Source:    "[Jin] Eq. 20-23",
			Functions: []string{"BoundsApply", "SpeedupBound", "EfficiencyBound"},
			Advice:    &adviceBounds,
		},
	}},
	{"Productivity", "", []MetricDoc{
		{
			Name: "productivity", Title: "value delivered for the cost",
			Formula:   "F = lambda f/C",
			Symbols:   "lambda: throughput, 1/s; f: mean value of a response; C: cost, money/s",
			Source:    "[JogalekarWoodside2000]",
			Functions: []string{"Service.Productivity"},
			Commands:  []string{"metrics"},
			Advice:    &adviceProductivity,
		},
		{
			Name: "productivity-scalability", Title: "productivity after over before",
			Formula:   "psi = F'/F",
			Source:    "[JogalekarWoodside2000]",
			Functions: []string{"ProductivityScalability"},
			Commands:  []string{"metrics"},
			Advice:    &adviceProductivity,
		},
		{
			Name: "response-value", Title: "what an answer is worth when it comes late",
			Formula:   "f = 1/(1 + T/T_target)",
			Symbols:   "T: response time, s",
			Source:    "[JogalekarWoodside2000]",
			Functions: []string{"ResponseValue"},
			Commands:  []string{"metrics"},
			Advice:    &adviceProductivity,
		},
	}},
}
