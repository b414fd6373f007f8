package measured

var (
	robustAdvice = Advice{
		Question: "which way is it best to grow, from here",
		Needs:    "U(N): a model or runs around a point, a step",
		Misleads: "the step is large and read as a slope, or so small that noise or rounding rules (see Slope.Error); scales of the axes are arbitrary, so compare directions by cost",
	}
	updateAdvice = Advice{
		Question: "which update pays best for its price",
		Needs:    "Sc_i, prices",
		Misleads: "the update is large: Sc_i falls as resources are added and the best path bends; prices are not proportional",
	}
)

var robustFamily = Family{
	Title:   "Robust scalability",
	Symbols: "N = (R, P): resources and problem sizes. U(N): satisfaction, such as log2 of the speedup. V: direction.",
	Metrics: []*Metric{
		{
			Name: "robust_scalability", Title: "robust scalability", Symbol: "Sc(V)",
			Meaning: "what a step of resources and problem in some direction gains, for each unit of its length",
			Formula: "Sc = (U(N + delta V) - U(N))/delta, |V| = 1", Symbols: "delta: step",
			Source: "[Jin] Eq. 8", Functions: []string{"Satisfaction.Directional"},
			Advice: &robustAdvice,
		},
		{
			Name: "dimension_scalability", Title: "scalability in a dimension", Symbol: "Sc_i",
			Meaning: "what more of one resource gains, for each unit of it",
			Formula: "Sc_i = (U(R + dr_i, P + dP) - U(R, P))/dr_i", Symbols: "dP: how the problem changes along",
			Source: "[Jin] Eq. 12, 13", Functions: []string{"Satisfaction.Gradient", "Satisfaction.Dimension"},
			Advice: &robustAdvice,
		},
		{
			Name: "update_cost", Title: "cost of an update",
			Meaning: "price of what is added",
			Formula: "cost = sum Price_i dr_i", Symbols: "money",
			Source: "[Jin] Eq. 10", Functions: []string{"UpdateCost"},
			Advice: &updateAdvice,
		},
		{
			Name: "update_efficiency", Title: "efficiency of an update", Symbol: "E",
			Meaning: "gain of an update over its cost",
			Formula: "E = dU/cost, dU = sum Sc_i dr_i while small",
			Source:  "[Jin] Eq. 11, 12, 14", Functions: []string{"UpdateEfficiency", "LinearGain"},
			Advice: &updateAdvice,
		},
		{
			Name: "edge_scalability", Title: "edge-scalability",
			Meaning: "gain for the money of the resource that pays best",
			Formula: "max over i of Sc_i/Price_i", Symbols: "no mix is better",
			Source: "[Jin] 3.3, appendix", Functions: []string{"EdgeScalability"}, Commands: []string{"paper jin"},
			Advice: &updateAdvice,
		},
	},
}
