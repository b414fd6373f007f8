package purchase

import "strings"

// A Figure is one number that the answer depends on, and where it is from.
type Figure struct {
	Of       string `json:"of"`       // name of the node type or network
	Quantity string `json:"quantity"` // what the number is
	Value    string `json:"value"`    // with its unit; - if it is not known
	Source   string `json:"source"`
	Estimate bool   `json:"estimate"` // neither measured nor quoted
}

// The quantities of figures and of the parameters that are varied.
const (
	quantityPrice           = "price"
	quantitySpeed           = "marked speed"
	quantityMemory          = "memory"
	quantityMemoryBandwidth = "memory bandwidth"
	quantityPower           = "power"
	quantityIdlePower       = "idle power"
	quantityWaitPower       = "power in messages"
	quantitySpace           = "rack units"
	quantityLatency         = "latency"
	quantityBandwidth       = "bandwidth"
	quantityPortPrice       = "price of a port"
	quantitySwitchPrice     = "price of a switch"
	quantityWeight          = "weight"
	quantityCablePrice      = "price of a cable"
	quantityPortPower       = "power of a port"
	quantitySwitchPower     = "power of a switch"
	quantityCards           = "network cards"
	quantityInsideLatency   = "latency within the node"
	quantityInsideBandwidth = "bandwidth within the node"
)

// isEstimate reports whether a source says that the figure was neither measured nor
// quoted.
func isEstimate(source string) bool {
	return strings.HasPrefix(strings.TrimPrefix(source, "catalogue: "), "estimate") || strings.Contains(source, "; latency: estimate")
}

// figure replaces the figure of that quantity, or adds it.
func (e *Entry) figure(quantity, value, source string) {
	f := Figure{e.Name, quantity, value, source, isEstimate(source)}
	if old := e.find(quantity); old != nil {
		*old = f
		return
	}
	e.Figures = append(e.Figures, f)
}

// find returns the figure of a quantity, nil if there is none.
func (e *Entry) find(quantity string) *Figure {
	for i := range e.Figures {
		if e.Figures[i].Quantity == quantity {
			return &e.Figures[i]
		}
	}
	return nil
}

// figures lists the figures of all candidates.
func (s *solver) figures() {
	r := s.result
	r.Figures = []Figure{}
	for _, n := range s.Nodes {
		r.Figures = append(r.Figures, n.Figures...)
	}
	for _, n := range s.Networks {
		r.Figures = append(r.Figures, n.Figures...)
	}
	r.Figures = append(r.Figures,
		Figure{kindOnNode, quantityLatency, s.OnNode.Latency.String(), s.OnNodeFrom, isEstimate(s.OnNodeFrom)},
		Figure{kindOnNode, quantityBandwidth, s.OnNode.Bandwidth.String(), s.OnNodeFrom, isEstimate(s.OnNodeFrom)})
}
