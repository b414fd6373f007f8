package model

import (
	"math"
)

// Costs are what a machine costs beside its nodes, network and energy.
type Costs struct {
	RackPrice   float64 // of a rack, with its installation
	RackUnits   float64 // of a rack
	Maintenance float64 // a year, as a fraction of the price of nodes and network
	Staff       float64 // a year
	Fixed       []FixedCost
	VAT         float64 // on all but staff
	Discount    float64 // rate a year
}

// Any reports whether there are any.
func (c *Costs) Any() bool {
	return c.RackPrice > 0 || c.Maintenance > 0 || c.Staff > 0 || len(c.Fixed) > 0 || c.VAT > 0 || c.Discount > 0
}

// FixedCost is a cost that does not depend on the machine.
type FixedCost struct {
	Name   string
	Once   float64 // with the purchase
	Yearly float64
}

// YearCost is the cash flow of a year, in the currency of the budget, with value added tax. A
// credit is negative.
type YearCost struct {
	Year        int     `json:"year"` // 0: the purchase; the others are paid at their end
	Purchase    float64 `json:"purchase"`
	Energy      float64 `json:"energy"`
	Maintenance float64 `json:"maintenance"`
	Staff       float64 `json:"staff"`
	Fixed       float64 `json:"fixed"`
	Total       float64 `json:"total"`
	Present     float64 `json:"present_value"`
}

// CashFlow returns what a machine costs by year. Its energy is the same each year; the last
// year may be a part of one.
func (p *Plan) CashFlow(b Bill, l life) []YearCost {
	k := &p.Costs
	flow := []YearCost{{Purchase: b.Total()}}
	tax := 1 + k.VAT
	kWh := l.KWh() / p.Energy.Years
	hardware := b.Nodes + b.Ports + b.Switches + b.Cables
	yearly := 0.0
	for _, x := range k.Fixed {
		yearly += x.Yearly
	}
	for y := 1; float64(y-1) < p.Energy.Years; y++ {
		part := min(1, p.Energy.Years-float64(y-1))
		flow = append(flow, YearCost{
			Year:        y,
			Energy:      kWh * p.Energy.priceIn(y) * tax * part,
			Maintenance: (float64(hardware*k.Maintenance) + l.kept) * tax * part,
			Staff:       k.Staff * part,
			Fixed:       yearly * tax * part,
		})
	}
	for i := range flow {
		x := &flow[i]
		x.Total = x.Purchase + x.Energy + x.Maintenance + x.Staff + x.Fixed
		x.Present = presentValue(x.Total, k.Discount, x.Year)
	}
	return flow
}

// presentValue returns what an amount that is paid at the end of a year is worth now,
//
//	amount/(1 + rate)^year
func presentValue(amount, rate float64, year int) float64 {
	for range year { // math.Pow rounds differently on some processors
		amount /= 1 + rate
	}
	return amount
}

// NetPresent returns the net present value of a cash flow.
func NetPresent(flow []YearCost) float64 {
	sum := 0.0
	for _, x := range flow {
		sum += x.Present
	}
	return sum
}

// Annuity returns the equal amount that, paid at the end of each year, is worth as much as an
// amount now: PMT of spreadsheets,
//
//	amount/sum_y (1 + rate)^-y,   y = 1 ... years, a part of a year in proportion
func Annuity(amount, rate, years float64) float64 {
	sum := 0.0
	for y := 1; float64(y-1) < years; y++ {
		sum += presentValue(min(1, years-float64(y-1)), rate, y)
	}
	return amount / sum
}

// LifeCost returns the net present value of a machine over its years of operation.
func (p *Plan) LifeCost(b Bill, l life) float64 { return NetPresent(p.CashFlow(b, l)) }

// priceIn returns the price of a kilowatt hour in a year, from 1.
func (e Energy) priceIn(year int) float64 {
	if n := len(e.Path); n > 0 {
		return e.Price * e.Path[min(year, n)-1]
	}
	price := e.Price
	for range year - 1 {
		price *= 1 + e.Growth
	}
	return price
}

// addOverheads adds to a bill what is bought beside nodes and network. Nothing is added to
// the bill of an existing machine that stays as it is.
func (p *Plan) addOverheads(b *Bill, c Choice) {
	if p.BuysNothing(c) {
		return
	}
	k := &p.Costs
	if k.RackPrice > 0 {
		units := p.RackUnits(c)
		racks := math.Ceil(units/k.RackUnits - 1e-9)
		if p.Existing != nil {
			racks -= math.Ceil(p.RackUnits(Choice{Network: p.Existing.Network})/k.RackUnits - 1e-9)
		}
		b.Racks = max(0, racks) * k.RackPrice
	}
	for _, x := range k.Fixed {
		b.Fixed += x.Once
	}
	b.VAT = float64(k.VAT * (b.Nodes + b.Ports + b.Switches + b.Cables + b.Racks + b.Fixed))
}
