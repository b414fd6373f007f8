package search

import (
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// acceptance lists the runs of the recommended machine with the times to accept.
func (s *solver) acceptance() {
	c := s.result.Recommendation()
	s.result.Acceptance = []model.AcceptanceResult{}
	for w, x := range c.Workloads {
		for _, y := range x.Ways {
			if y.Share == 0 {
				continue
			}
			a := model.AcceptanceResult{Workload: x.Name, Node: y.Node, Nodes: y.Nodes, Time: y.Time, Tolerance: model.OtherTolerance, Source: y.Source}
			for _, k := range s.Commitments {
				if k.Workload == w && k.SourceText() == y.Source && k.Nodes == y.Nodes {
					a.Tolerance = k.Tolerance
				}
			}
			if a.Source == "" {
				a.Source = "simulated"
			}
			a.Most = a.Time * (1 + a.Tolerance)
			s.result.Acceptance = append(s.result.Acceptance, a)
		}
	}
}
