package experiments

// The metrics of model/scalability as the catalogue shows them. In
// docs/validation/metrics.md they stand as tables; a test keeps the two alike and
// checks that no function is missing.

// metricDoc is one metric.
type metricDoc struct {
	name      string
	title     string // the formula in words
	formula   string
	symbols   string   // of this metric alone, or the condition under which it holds
	source    string   // keys of docs/references.md
	functions []string // of model/scalability
	commands  []string // of isoscale that compute it; none: only Go programs can
	advice    *metricAdvice
}

// metricAdvice is what a metric, or a few, is for.
type metricAdvice struct {
	metrics  string
	question string
	needs    string
	misleads string // when
}

// metricFamily is metrics that have symbols in common.
type metricFamily struct {
	title   string
	symbols string
	metrics []metricDoc
}

// What to take which metric for.
var (
	adviceSpeedup = metricAdvice{
		metrics:  "speedup S, efficiency E",
		question: "how much faster than one processor, and for each processor",
		needs:    "T_1, T_p of one problem, p equal processors",
		misleads: "processors differ; one processor cannot hold the problem (T_1 swaps, S is flattered); the sequential program is a poor one",
	}
	adviceIdealRatio = metricAdvice{
		metrics:  "ideal ratio",
		question: "what does the machine cost, as opposed to the algorithm's structure",
		needs:    "S on the machine and on an ideal one",
		misleads: "the ideal machine is not of the same p or size",
	}
	adviceKarpFlatt = metricAdvice{
		metrics:  "Karp-Flatt e",
		question: "is it sequential work or overhead that limits S",
		needs:    "S at several p",
		misleads: "read at one p only: the growth with p is the message. Imbalance and communication count as sequential",
	}
	adviceAmdahl = metricAdvice{
		metrics:  "Amdahl",
		question: "how far can S go with the work fixed",
		needs:    "f of the run on one processor",
		misleads: "the problem would grow with the machine; communication is not in it",
	}
	adviceGustafson = metricAdvice{
		metrics:  "Gustafson",
		question: "how far can S go with the time fixed",
		needs:    "f of the parallel run",
		misleads: "its f is taken for Amdahl's; work cannot grow, or grows its sequential part too",
	}
	adviceSunNi = metricAdvice{
		metrics:  "Sun-Ni",
		question: "how far can S go with memory filled",
		needs:    "f, G(p)",
		misleads: "memory is not what bounds the work; communication is not in it",
	}
	adviceIsoefficiency = metricAdvice{
		metrics:  "isoefficiency",
		question: "how fast must W grow with p to hold E",
		needs:    "T_o(W, p) as a function, equal processors",
		misleads: "processors differ; the efficiency of the base is poor, since a constant poor one passes; read as an order of growth where constants decide",
	}
	adviceSpeedEfficiency = metricAdvice{
		metrics:  "achieved speed S, speed-efficiency E_s",
		question: "how fast, and what share of what the machine can do",
		needs:    "W, T, marked speed C",
		misleads: "more work than needed makes the program look faster while it takes longer; low because the program suits the processor less than the benchmark, and nothing is lost in parallel",
	}
	adviceIsospeed = metricAdvice{
		metrics:  "isospeed psi",
		question: "what share of growing p is not eaten by growing W",
		needs:    "W, W' at equal W/(p T)",
		misleads: "processors differ",
	}
	adviceIsospeedEfficiency = metricAdvice{
		metrics:  "isospeed-efficiency psi",
		question: "what share of growing C is not eaten by growing W, for unequal nodes too",
		needs:    "W, W' at equal E_s, marked speeds",
		misleads: "the benchmark is unlike the program; one node's sequential part sets a limit to C' that psi between small systems does not show (ReachLimit)",
	}
	adviceHeterogeneous = metricAdvice{
		metrics:  "heterogeneous efficiency eps",
		question: "what is lost in parallel, beside what the processors can do on this program",
		needs:    "T_R, power of every processor on this program",
		misleads: "power depends on the size (cache, memory) and was measured at another one",
	}
	adviceClassic = metricAdvice{
		metrics:  "classic efficiency E(q)",
		question: "what would S/p have said of unequal processors",
		needs:    "eps, P_T, P_q",
		misleads: "always: it changes with the reference and passes 1",
	}
	adviceHIsoefficiency = metricAdvice{
		metrics:  "H-isoefficiency",
		question: "which W holds eps on the grown system",
		needs:    "T_o, P_T",
		misleads: "work is not shared by power (whole rows); overhead has terms of different powers of n and one exponent is used for all",
	}
	adviceReferenceFactor = metricAdvice{
		metrics:  "reference factor rf",
		question: "how many lone processors is this set worth, nodes and shared memory considered",
		needs:    "T_ref of a reference program, on one and on the set",
		misleads: "the reference program communicates or uses memory unlike the program",
	}
	adviceExtendedIsospeed = metricAdvice{
		metrics:  "extended isospeed psi",
		question: "isospeed between sets of processors",
		needs:    "rf, W at equal V",
		misleads: "as the reference factor, much enlarged: in the published data 1 % of rf is 10-13 % of T",
	}
	adviceLatencyScale = metricAdvice{
		metrics:  "latency scale",
		question: "does a held efficiency cost each processor more lost time",
		needs:    "L_e, L_e' at equal E",
		misleads: "the efficiency is not really equal; both latencies are near 0",
	}
	adviceTimeScale = metricAdvice{
		metrics:  "time scale",
		question: "does a held efficiency cost more time",
		needs:    "T_p, T_p' at equal E",
		misleads: "the efficiency is not really equal. At one processor E is 1 for every W, so its time is not settled by the condition",
	}
	adviceRobust = metricAdvice{
		metrics:  "robust scalability Sc(V)",
		question: "which way is it best to grow, from here",
		needs:    "U(N): a model or runs around a point, a step",
		misleads: "the step is large and read as a slope, or so small that noise or rounding rules (see Slope.Error); scales of the axes are arbitrary, so compare directions by cost",
	}
	adviceUpdate = metricAdvice{
		metrics:  "update efficiency, edge-scalability",
		question: "which update pays best for its price",
		needs:    "Sc_i, prices",
		misleads: "the update is large: Sc_i falls as resources are added and the best path bends; prices are not proportional",
	}
	adviceLevels = metricAdvice{
		metrics:  "level scalability, multi-level model",
		question: "which level of a hierarchical cluster to double",
		needs:    "w_i, c_i, n_i",
		misleads: "communication matters: only load imbalance is in it; w of few whole pieces, where the smooth formula hides steps",
	}
	adviceBounds = metricAdvice{
		metrics:  "bounds Sp_0^r",
		question: "at least how fast will the cluster be",
		needs:    "S of two nodes",
		misleads: "returns diminish, as with fixed work they do; ask BoundsApply first",
	}
	adviceProductivity = metricAdvice{
		metrics:  "productivity psi",
		question: "does growth return what it costs",
		needs:    "throughput, value of a response, cost",
		misleads: "the value is a guess; for batch jobs without a price of lateness",
	}
)

// metricFamilies holds all metrics in the order of the documentation.
var metricFamilies = []metricFamily{
	{"Speedup and its laws", "T_1, T_p: sequential and parallel time, s. p: equal processors. f: sequential fraction.", []metricDoc{
		{
			name: "speedup", title: "how much faster than one processor",
			formula:   "S = T_1/T_p",
			source:    "[Jin] Eq. 1",
			functions: []string{"Speedup"},
			commands:  []string{"metrics"},
			advice:    &adviceSpeedup,
		},
		{
			name: "efficiency", title: "speedup for each processor",
			formula:   "E = S/p",
			source:    "[Grama1993]; [Jin] Eq. 2",
			functions: []string{"Efficiency"},
			commands:  []string{"metrics"},
			advice:    &adviceSpeedup,
		},
		{
			name: "time-at-efficiency", title: "parallel time, or processors, that go with an efficiency",
			formula:   "T_p = T_1/(E p), p = T_1/(E T_p)",
			source:    "[Jin] Eq. 3, 4",
			functions: []string{"TimeAtEfficiency", "ProcessorsAtEfficiency"},
			advice:    &adviceSpeedup,
		},
		{
			name: "ideal-ratio", title: "speedup of a machine over that of an ideal one",
			formula:   "Sc = S/S_I",
			symbols:   "S_I: on an ideal machine",
			source:    "[Jin] Eq. 5",
			functions: []string{"IdealRatio"},
			advice:    &adviceIdealRatio,
		},
		{
			name: "karp-flatt", title: "the fraction of the work that acts as if it were sequential",
			formula:   "e = (1/S - 1/p)/(1 - 1/p)",
			source:    "[KarpFlatt1990]",
			functions: []string{"KarpFlatt"},
			commands:  []string{"metrics"},
			advice:    &adviceKarpFlatt,
		},
		{
			name: "amdahl", title: "speedup with the work fixed",
			formula:   "S = 1/(f + (1 - f)/p)",
			symbols:   "f of the time on one processor",
			source:    "[Amdahl1967]",
			functions: []string{"Amdahl"},
			commands:  []string{"metrics"},
			advice:    &adviceAmdahl,
		},
		{
			name: "gustafson", title: "speedup with the time fixed",
			formula:   "S = f + (1 - f) p",
			symbols:   "f of the parallel time",
			source:    "[Gustafson1988]",
			functions: []string{"Gustafson"},
			commands:  []string{"metrics"},
			advice:    &adviceGustafson,
		},
		{
			name: "sun-ni", title: "speedup with memory filled",
			formula:   "S = (f + (1 - f) G)/(f + (1 - f) G/p)",
			symbols:   "G(p): growth of the parallel work when memory grows p times",
			source:    "[SunNi1993]",
			functions: []string{"SunNi"},
			advice:    &adviceSunNi,
		},
	}},
	{"Isoefficiency", "C_1: speed of one processor, flop/s. W: work, flop.", []metricDoc{
		{
			name: "total-overhead", title: "process time that is not useful work: processors times parallel time, less the sequential time",
			formula:   "T_o = p T_p - T_1",
			symbols:   "s, over all processors",
			source:    "[Grama1993]; [Jin] Eq. 6",
			functions: []string{"TotalOverhead"},
			commands:  []string{"metrics"},
			advice:    &adviceIsoefficiency,
		},
		{
			name: "overhead-efficiency", title: "efficiency, from overhead over sequential time",
			formula:   "E = 1/(1 + T_o/T_1)",
			source:    "[Grama1993]; [He2004] 2",
			functions: []string{"OverheadEfficiency"},
			advice:    &adviceIsoefficiency,
		},
		{
			name: "isoefficiency", title: "work that holds an efficiency: a constant times the overhead",
			formula:   "W = K T_o C_1, K = E/(1 - E)",
			source:    "[Grama1993]",
			functions: []string{"IsoefficiencyConstant", "IsoefficiencyWork"},
			commands:  []string{"metrics"},
			advice:    &adviceIsoefficiency,
		},
		{
			name: "isoefficiency-size", title: "problem size that holds an efficiency, where work and overhead are known functions of it",
			formula:   "n with W(n) = K T_o(n) C",
			symbols:   "C = C_1, or P_T with T_o on the clock",
			source:    "[Grama1993], solved by halving",
			functions: []string{"SizeModel.Size", "SizeModel.Efficiency"},
			advice:    &adviceIsoefficiency,
		},
	}},
	{"Isospeed and isospeed-efficiency", "C: marked speed of the system, flop/s. Primes: the scaled system.", []metricDoc{
		{
			name: "marked-speed", title: "what the processors of a system do in benchmarks, added up",
			formula:   "C = sum C_i",
			symbols:   "C_i: of processor i, by benchmarks",
			source:    "[Sun2005] Def. 2, [Chen2008] Def. 1",
			functions: []string{"SystemMarkedSpeed"},
			commands:  []string{"run", "iso", "describe"},
			advice:    &adviceSpeedEfficiency,
		},
		{
			name: "achieved-speed", title: "work over time",
			formula:   "S = W/T",
			source:    "[Sun2005] 3.2, [Chen2008] 3.2",
			functions: []string{"AchievedSpeed"},
			commands:  []string{"run", "metrics"},
			advice:    &adviceSpeedEfficiency,
		},
		{
			name: "isospeed", title: "growth of the processors over growth of the work, at equal speed for each processor",
			formula:   "psi = p' W/(p W')",
			symbols:   "W/(p T) = W'/(p' T')",
			source:    "[SunRover1994]",
			functions: []string{"Isospeed"},
			commands:  []string{"metrics"},
			advice:    &adviceIsospeed,
		},
		{
			name: "speed-efficiency", title: "achieved speed over marked speed",
			formula:   "E_s = W/(T C)",
			source:    "[Sun2005] Def. 3",
			functions: []string{"SpeedEfficiency"},
			commands:  []string{"run", "iso", "metrics"},
			advice:    &adviceSpeedEfficiency,
		},
		{
			name: "required-time", title: "time in which the work must be done to hold a speed-efficiency",
			formula:   "T = W/(E_s C)",
			source:    "[Chen2008] Def. 2, solved for T",
			functions: []string{"RequiredTime"},
			commands:  []string{"paper sun2005"},
			advice:    &adviceSpeedEfficiency,
		},
		{
			name: "isospeed-efficiency", title: "growth of the marked speed over growth of the work, at equal speed-efficiency",
			formula:   "psi = C' W/(C W')",
			symbols:   "W/(T C) = W'/(T' C')",
			source:    "[Sun2005] 3.3, [Chen2008] 3.3",
			functions: []string{"IsospeedEfficiency", "Ladder.Psi"},
			commands:  []string{"iso", "metrics", "paper sun2005"},
			advice:    &adviceIsospeedEfficiency,
		},
		{
			name: "theorem-1", title: "psi as lost time before over lost time after, sequential part and overhead together",
			formula:   "psi = (t_0 + T_o)/(t_0' + T_o')",
			symbols:   "balance by marked speed; t_0: time of the sequential part; T_o: overhead on the clock",
			source:    "[Chen2008] Theorem 1",
			functions: []string{"Theorem1", "Corollary2"},
			commands:  []string{"iso", "paper jpdc2008"},
			advice:    &adviceIsospeedEfficiency,
		},
		{
			name: "theorem-2", title: "psi where the same node runs the sequential part before and after",
			formula:   "psi = (C beta W - C' beta W + C T_o)/(C T_o')",
			symbols:   "as Theorem 1; beta = alpha/C_j, alpha: sequential fraction of W, C_j: speed of the node that runs it",
			source:    "[Chen2008] Theorem 2",
			functions: []string{"Theorem2"},
			commands:  []string{"paper jpdc2008"},
			advice:    &adviceIsospeedEfficiency,
		},
		{
			name: "reach-limit", title: "marked speed beyond which no work holds the speed-efficiency",
			formula:   "C' < C (1 + T_o/(beta W))",
			symbols:   "as Theorem 2: a larger C' holds no E_s at any W",
			source:    "derived from [Chen2008] Theorem 2",
			functions: []string{"ReachLimit"},
			commands:  []string{"paper jpdc2008"},
			advice:    &adviceIsospeedEfficiency,
		},
	}},
	{"Heterogeneous systems", "P_i: power of processor i on this program, W/T_i alone. P_T = sum P_i. T_R: time of the slowest, s.", []metricDoc{
		{
			name: "heterogeneous-efficiency", title: "work over what unequal processors could do alone in the time",
			formula:   "eps = W/(T_R P_T)",
			symbols:   "W in the operations that P_T counts",
			source:    "[Bosque] Eq. 1-4",
			functions: []string{"HeterogeneousEfficiency"},
			commands:  []string{"metrics", "paper bosque"},
			advice:    &adviceHeterogeneous,
		},
		{
			name: "classic-efficiency", title: "speedup against one of several unequal processors, over their number",
			formula:   "E(q) = eps P_T/(P P_q)",
			symbols:   "P processors, q the reference",
			source:    "derived from [Bosque] Eq. 4",
			functions: []string{"ClassicEfficiency"},
			commands:  []string{"paper bosque"},
			advice:    &adviceClassic,
		},
		{
			name: "h-isoefficiency", title: "work that holds the heterogeneous efficiency",
			formula:   "W = K T_o P_T, K = eps/(1 - eps)",
			symbols:   "T_R = W/P_T + T_o",
			source:    "[Bosque] Eq. 5",
			functions: []string{"HIsoefficiencyWork"},
			commands:  []string{"metrics"},
			advice:    &adviceHIsoefficiency,
		},
		{
			name: "h-isoefficiency-size", title: "problem size that holds it, where work and overhead are powers of the size",
			formula:   "n = n_0 (P_T g/(P_T0 g_0))^(1/(a - b))",
			symbols:   "W = k n^a, T_o = h n^b g; Floyd: a = 3, b = 1, g = log2 p",
			source:    "[Bosque] Eq. 9, 10, generalized",
			functions: []string{"HIsoefficiencySize"},
			commands:  []string{"paper bosque"},
			advice:    &adviceHIsoefficiency,
		},
	}},
	{"Processor sets", "A set says how many processors and where they are, such as 2x4: two in each of four nodes.", []metricDoc{
		{
			name: "reference-factor", title: "how many lone processors a set is worth, by a reference program",
			formula:   "rf = n T_ref(1)/T_ref(set)",
			symbols:   "n times the work on n processors",
			source:    "[He2004] 4",
			functions: []string{"ReferenceFactor"},
			commands:  []string{"metrics"},
			advice:    &adviceReferenceFactor,
		},
		{
			name: "extended-efficiency", title: "useful time over the time of all that the set is worth",
			formula:   "E = T_calc/(rf T_p), or T_p(W, 1)/(rf T_p)",
			source:    "[He2004] 5",
			functions: []string{"ExtendedEfficiency"},
			commands:  []string{"metrics"},
			advice:    &adviceReferenceFactor,
		},
		{
			name: "extended-isospeed", title: "growth of the reference factor over growth of the work, at equal speed for each unit of it",
			formula:   "V = W/(rf T_p); psi = rf' W/(rf W') = T_p/T_p'",
			symbols:   "equal V",
			source:    "[He2004] 5",
			functions: []string{"ExtendedSpeed", "ExtendedIsospeed"},
			commands:  []string{"metrics"},
			advice:    &adviceExtendedIsospeed,
		},
		{
			name: "latency-scale", title: "lost time of a processor before over after, at equal efficiency",
			formula:   "L_e = T_p - T_calc/n; scale = L_e/L_e'",
			symbols:   "equal E",
			source:    "[Zhang1994], [He2004] 2 and 5",
			functions: []string{"AverageLatency", "LatencyScale"},
			commands:  []string{"metrics"},
			advice:    &adviceLatencyScale,
		},
		{
			name: "time-scale", title: "time before over time after, at equal efficiency",
			formula:   "T_p/T_p'",
			symbols:   "equal E",
			source:    "[He2004] 2 and 5",
			functions: []string{"TimeScale"},
			commands:  []string{"metrics"},
			advice:    &adviceTimeScale,
		},
	}},
	{"Robust scalability", "N = (R, P): resources and problem sizes. U(N): satisfaction, such as log2 of the speedup. V: direction.", []metricDoc{
		{
			name: "robust-scalability", title: "what a step of resources and problem in some direction gains, for each unit of its length",
			formula:   "Sc = (U(N + delta V) - U(N))/delta, |V| = 1",
			symbols:   "delta: step",
			source:    "[Jin] Eq. 8",
			functions: []string{"DirectionalScalability"},
			advice:    &adviceRobust,
		},
		{
			name: "dimension-scalability", title: "what more of one resource gains, for each unit of it",
			formula:   "Sc_i = (U(R + dr_i, P + dP) - U(R, P))/dr_i",
			symbols:   "dP: how the problem changes along",
			source:    "[Jin] Eq. 12, 13",
			functions: []string{"Gradient", "DimensionScalability"},
			advice:    &adviceRobust,
		},
		{
			name: "update-cost", title: "price of what is added",
			formula:   "cost = sum Price_i dr_i",
			symbols:   "money",
			source:    "[Jin] Eq. 10",
			functions: []string{"UpdateCost"},
			advice:    &adviceUpdate,
		},
		{
			name: "update-efficiency", title: "gain of an update over its cost",
			formula:   "E = dU/cost, dU = sum Sc_i dr_i while small",
			source:    "[Jin] Eq. 11, 12, 14",
			functions: []string{"UpdateEfficiency", "LinearGain"},
			advice:    &adviceUpdate,
		},
		{
			name: "edge-scalability", title: "gain for the money of the resource that pays best",
			formula:   "max over i of Sc_i/Price_i",
			symbols:   "no mix is better",
			source:    "[Jin] 3.3, appendix",
			functions: []string{"EdgeScalability"},
			commands:  []string{"paper jin"},
			advice:    &adviceUpdate,
		},
	}},
	{"Hierarchical clusters", "n_i nodes, w_i super-instructions and imbalance c_i at level i; r = log2 of all computers.", []metricDoc{
		{
			name: "multilevel-time", title: "time of a super-program: the complexities of its levels multiplied",
			formula:   "C_i = (w_i + c_i (n_i - 1))/n_i; T = C_1 ... C_k t",
			symbols:   "t of the lowest super-instruction, s",
			source:    "[Jin] Eq. 16, 24-26",
			functions: []string{"Level.Complexity", "MultilevelTime"},
			commands:  []string{"run", "paper jin"},
			advice:    &adviceLevels,
		},
		{
			name: "multilevel-speedup", title: "log2 of the speedup of a hierarchical cluster, a sum over its levels",
			formula:   "log2 S = sum log2(w_i n_i/(w_i + c_i (n_i - 1)))",
			symbols:   "over one computer with equal work",
			source:    "[Jin] 5",
			functions: []string{"MultilevelLog2Speedup"},
			commands:  []string{"run", "paper jin"},
			advice:    &adviceLevels,
		},
		{
			name: "level-scalability", title: "gain of doubling one level of a hierarchical cluster",
			formula:   "Sc_i = log2(C_i/C_i')/log2(n_i'/n_i)",
			source:    "[Jin] Eq. 17, 18",
			functions: []string{"LevelScalability"},
			advice:    &adviceLevels,
		},
		{
			name: "speedup-bounds", title: "least speedup and efficiency of a large cluster, from those of two nodes",
			formula:   "S >= Sp_0^r, E >= (Sp_0/2)^r, if every doubling gains log2 Sp_0 or more",
			symbols:   "Sp_0: speedup of two nodes",
			source:    "[Jin] Eq. 20-23",
			functions: []string{"BoundsApply", "SpeedupBound", "EfficiencyBound"},
			advice:    &adviceBounds,
		},
	}},
	{"Productivity", "", []metricDoc{
		{
			name: "productivity", title: "value delivered for the cost",
			formula:   "F = lambda f/C",
			symbols:   "lambda: throughput, 1/s; f: mean value of a response; C: cost, money/s",
			source:    "[JogalekarWoodside2000]",
			functions: []string{"Service.Productivity"},
			commands:  []string{"metrics"},
			advice:    &adviceProductivity,
		},
		{
			name: "productivity-scalability", title: "productivity after over before",
			formula:   "psi = F'/F",
			source:    "[JogalekarWoodside2000]",
			functions: []string{"ProductivityScalability"},
			commands:  []string{"metrics"},
			advice:    &adviceProductivity,
		},
		{
			name: "response-value", title: "what an answer is worth when it comes late",
			formula:   "f = 1/(1 + T/T_target)",
			symbols:   "T: response time, s",
			source:    "[JogalekarWoodside2000]",
			functions: []string{"ResponseValue"},
			commands:  []string{"metrics"},
			advice:    &adviceProductivity,
		},
	}},
}
