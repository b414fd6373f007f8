package model

import (
	"strings"
)

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
	QuantityPrice           = "price"
	QuantitySpeed           = "marked speed"
	quantityMemory          = "memory"
	QuantityMemoryBandwidth = "memory bandwidth"
	QuantityPower           = "power"
	quantityIdlePower       = "idle power"
	quantityWaitPower       = "power in messages"
	quantitySpace           = "rack units"
	QuantityLatency         = "latency"
	QuantityBandwidth       = "bandwidth"
	quantityPortPrice       = "price of a port"
	quantitySwitchPrice     = "price of a switch"
	QuantityWeight          = "weight"
	quantityCablePrice      = "price of a cable"
	quantityPortPower       = "power of a port"
	quantitySwitchPower     = "power of a switch"
	quantityCards           = "network cards"
	QuantityInsideLatency   = "latency within the node"
	QuantityInsideBandwidth = "bandwidth within the node"
)

// IsEstimate reports whether a source says that the figure was neither measured nor
// quoted.
func IsEstimate(source string) bool {
	return strings.HasPrefix(strings.TrimPrefix(source, "catalogue: "), "estimate") || strings.Contains(source, "; latency: estimate")
}

// figure replaces the figure of that quantity, or adds it.
func (e *Entry) figure(quantity, value, source string) {
	f := Figure{e.Name, quantity, value, source, IsEstimate(source)}
	if old := e.Find(quantity); old != nil {
		*old = f
		return
	}
	e.Figures = append(e.Figures, f)
}

// Find returns the figure of a quantity, nil if there is none.
func (e *Entry) Find(quantity string) *Figure {
	for i := range e.Figures {
		if e.Figures[i].Quantity == quantity {
			return &e.Figures[i]
		}
	}
	return nil
}
