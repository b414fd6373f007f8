package search

import (
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// figures lists the figures of all candidates.
func (s *solver) figures() {
	r := s.result
	r.Figures = []model.Figure{}
	for _, n := range s.Nodes {
		r.Figures = append(r.Figures, n.Figures...)
	}
	for _, n := range s.Networks {
		r.Figures = append(r.Figures, n.Figures...)
	}
	r.Figures = append(r.Figures,
		model.Figure{Of: model.KindOnNode, Quantity: model.QuantityLatency, Value: s.OnNode.Latency.String(), Source: s.OnNodeFrom, Estimate: model.IsEstimate(s.OnNodeFrom)},
		model.Figure{Of: model.KindOnNode, Quantity: model.QuantityBandwidth, Value: s.OnNode.Bandwidth.String(), Source: s.OnNodeFrom, Estimate: model.IsEstimate(s.OnNodeFrom)})
}
