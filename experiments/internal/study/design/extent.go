package design

import (
	"fmt"
	"strconv"
	"strings"
)

// Extent says in one line how large the design is:
//
//	60 configurations (4 x 5 x 3) x 5 repetitions = 300 points
//	96 of 120 configurations (4 x 5 x 6), 24 excluded
//	4 pairs
//	200 samples of 5 factors (Latin hypercube)
func (s *Design) Extent() string {
	noun, detail := "configuration", ""
	switch {
	case s.Kind == LatinHypercube:
		noun, detail = "sample", " of "+count(len(s.Factors), "factor")+" (Latin hypercube)"
	case s.Kind == Paired && len(s.Factors) == 2:
		noun = "pair"
	case s.Kind == Paired:
		noun, detail = "combination", " of "+count(len(s.Factors), "factor")+" (paired)"
	case len(s.axes) > 1:
		detail = " (" + s.sizes() + ")"
	}
	left := s.Points() / s.Repetitions
	text := count(s.product, noun) + detail
	repeated := ""
	if s.Repetitions > 1 {
		repeated = fmt.Sprintf(" x %d repetitions = %d points", s.Repetitions, s.Points())
	}
	if left == s.product {
		return text + repeated
	}
	text = fmt.Sprintf("%d of %s, %d excluded", left, text, s.product-left)
	if repeated != "" {
		text += fmt.Sprintf("; %d%s", left, repeated)
	}
	return text
}

// sizes writes the numbers of levels that multiply, as in 4 x 5 x 3.
func (s *Design) sizes() string {
	sizes := make([]string, len(s.axes))
	for i, a := range s.axes {
		sizes[i] = strconv.Itoa(a.size)
	}
	return strings.Join(sizes, " x ")
}
