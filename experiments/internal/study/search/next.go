package search

import "math"

// A Criterion says which result is worth most.
type Criterion string

const (
	// Improvement is the expectation of how far a result is below the smallest one:
	//
	//	EI = (best - mean) Phi(u) + StdErr phi(u),  u = (best - mean)/StdErr
	Improvement Criterion = "expected_improvement"
	// Uncertainty is the standard error of the prediction.
	Uncertainty Criterion = "uncertainty"
)

// ExpectedImprovement at a point over the smallest result; with noise, over the smallest
// prediction at a point that has a result.
func (p *Process) ExpectedImprovement(x []float64) float64 {
	q := p.Predict(x)
	return improvement(p.smallest()-q.Mean, q.StdErr)
}

func (p *Process) smallest() float64 {
	least := math.Inf(1)
	for i, x := range p.x {
		if y := p.y[i]; p.Kernel.Nugget == 0 {
			least = min(least, y)
		} else {
			least = min(least, p.Predict(x).Mean)
		}
	}
	return least
}

// improvement is the expectation of max(0, N) for N normal.
func improvement(mean, stdErr float64) float64 {
	if stdErr <= 0 {
		return max(0, mean)
	}
	u := mean / stdErr
	density := math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
	return max(0, float64(mean*math.Erfc(-u/math.Sqrt2)/2)+float64(stdErr*density))
}

// Next chooses up to n of the candidates that are not taken, by their numbers and in the
// order of their choice. Criteria are compared in millionths of sigma: where they are as
// good, the larger standard error and then the lower number count.
func (p *Process) Next(candidates [][]float64, taken []bool, n int, by Criterion) []int {
	var chosen []int
	gone := append([]bool(nil), taken...)
	for len(chosen) < n {
		at := p.choose(candidates, gone, by)
		if at < 0 {
			break
		}
		chosen, gone[at] = append(chosen, at), true
		if len(chosen) < n {
			p = p.believe(candidates[at])
		}
	}
	return chosen
}

// choose returns the best candidate that is not taken; -1 if there is none.
func (p *Process) choose(candidates [][]float64, taken []bool, by Criterion) int {
	const digits = 1e6
	least := p.smallest()
	best, first, second := -1, 0.0, 0.0
	for i, x := range candidates {
		if taken[i] {
			continue
		}
		mean, share := p.predict(x)
		wide := math.Round(digits * math.Sqrt(share))
		score := wide
		if by == Improvement {
			score = 0
			if p.StdDev > 0 {
				score = math.Round(digits * improvement((least-mean)/p.StdDev, math.Sqrt(share)))
			}
		}
		if best < 0 || score > first || score == first && wide > second {
			best, first, second = i, score, wide
		}
	}
	return best
}

// believe returns the process with a further result that is its prediction. Length
// scales and sigma stay.
func (p *Process) believe(x []float64) *Process {
	q, err := New(append(p.x[:len(p.x):len(p.x)], x), append(p.y[:len(p.y):len(p.y)], p.Predict(x).Mean), p.Kernel)
	if err != nil {
		return p // the point is one of those that have a result, as far as can be told
	}
	q.StdDev = p.StdDev
	return q
}
