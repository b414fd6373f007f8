package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// This file identifies things of a plan by their content, whatever their names and places in the file: of machines with
// two equal node types one is listed, and what is drawn at random for a figure depends on the content.

// content describes a thing by its values, without names. Rounding is removed from numbers.
func content(of ...any) string {
	text, err := json.Marshal(of)
	var read any
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if read, _ = said(read); err == nil {
		text, err = json.Marshal(read)
	}
	if err != nil {
		panic("buy: " + err.Error()) // only numbers, texts and lists of them
	}
	return string(text)
}

// said returns what a value of JSON says; false for one that says nothing, such as 0.
func said(x any) (any, bool) {
	switch x := x.(type) {
	case nil:
		return nil, false
	case bool:
		return x, x
	case string:
		return x, x != ""
	case float64:
		return fmt.Sprintf("%.9g", x), x != 0
	case []any:
		for i := range x {
			x[i], _ = said(x[i])
		}
		return x, len(x) > 0
	case map[string]any:
		for key, value := range x {
			if y, says := said(value); says {
				x[key] = y
			} else {
				delete(x, key)
			}
		}
		return x, len(x) > 0
	}
	panic("buy: no value of JSON")
}

// part is an amount without its unit, as a fraction of the budget if that is limited.
func (p *Plan) part(amount float64) float64 {
	if most := p.Budget.Money.Amount; most > 0 {
		return amount / most
	}
	return amount
}

// Identity describes what a parameter belongs to, equally for parameters of equal things.
func (p *Plan) Identity(x Parameter) string {
	of := ""
	switch x.Kind {
	case KindNode, KindModel:
		of = p.nodeContent(x.Index)
	case KindNetwork:
		of = p.networkContent(x.Index)
	case KindWorkload:
		of = p.workloadContent(x.Index)
	case KindCommitment:
		of = p.commitmentContent(x.Index)
	case KindBid:
		of = p.bidContent(x.Index)
	}
	return content(x.Kind, x.Quantity, of)
}

// bareNode is a node type without its name, with prices as fractions of the budget.
func (p *Plan) bareNode(i int) Node {
	n := p.Nodes[i]
	n.Entry, n.Discounts = Entry{}, slices.Clone(n.Discounts)
	n.Price = units.Money{Amount: p.part(n.Price.Amount)}
	for k := range n.Discounts {
		n.Discounts[k].Price = p.part(n.Discounts[k].Price)
	}
	return n
}

// bareNetwork is a network without its name and node types, with prices as fractions of the budget.
func (p *Plan) bareNetwork(i int) Network {
	n := p.Networks[i]
	n.Entry, n.Nodes = Entry{}, nil
	for _, price := range []*units.Money{&n.PortPrice, &n.Switch.Price, &n.CablePrice} {
		*price = units.Money{Amount: p.part(price.Amount)}
	}
	return n
}

func (p *Plan) nodeContent(i int) string {
	of := []any{p.bareNode(i), p.halves(KindNode, i), p.committed(func(k Commitment) bool { return k.Node == i })}
	for k, x := range p.Require {
		if x.counts(i) {
			of = append(of, k)
		}
	}
	return content(of...)
}

func (p *Plan) networkContent(i int) string {
	connected := each.Append(nil, p.Networks[i].Nodes, p.nodeContent)
	slices.Sort(connected)
	return content(p.bareNetwork(i), connected, p.halves(KindNetwork, i), p.committed(func(k Commitment) bool { return k.Network == i }))
}

func (p *Plan) workloadContent(i int) string {
	w := p.Workloads[i]
	either := each.Append(nil, w.Either, func(x Workload) string {
		return content(x.ordered(), x.On, x.Partition, x.Memory, x.Devices)
	})
	of := []any{w.ordered(), w.Weight, w.On, w.Partition, w.Memory, w.Devices, either, w.Deadline, w.Batch, w.Within,
		w.Estimate.From, w.Estimate.To, w.Target, w.Sizes, p.halves(KindWorkload, i)}
	if w.Impossible > 0 {
		of = append(of, w.Impossible)
	}
	return content(of...)
}

// ordered is what is run, with the order of the ranks.
func (w *Workload) ordered() string {
	return content(w.Content, w.RankOrder.Name, textOf(w.RankOrder.Ranks))
}

func (p *Plan) commitmentContent(i int) string {
	k := p.Commitments[i]
	network := Network{}
	if k.Network >= 0 {
		network = p.bareNetwork(k.Network)
	}
	return content(p.workloadContent(k.Workload), p.bareNode(k.Node), network, k.Nodes, k.Time, k.Tolerance, p.halves(KindCommitment, i))
}

// bidContent describes the bid at a place of the file with its options.
func (p *Plan) bidContent(place int) string {
	var all []string
	for _, b := range p.Bids {
		if b.Place != place {
			continue
		}
		var nodes []string
		for t, count := range b.Counts {
			if count > 0 {
				nodes = append(nodes, content(p.nodeContent(t), count))
			}
		}
		slices.Sort(nodes)
		all = append(all, content(nodes, p.networkContent(b.Network), p.part(b.Price), p.part(b.Yearly)))
	}
	slices.Sort(all)
	return content(all, p.halves(KindBid, place))
}

func (p *Plan) committed(on func(Commitment) bool) (all []string) {
	for i, k := range p.Commitments {
		if on(k) {
			all = append(all, p.commitmentContent(i))
		}
	}
	slices.Sort(all)
	return all
}

// halves are the ranges of the figures of a thing.
func (p *Plan) halves(kind string, i int) (all []string) {
	if p.Ranges == nil {
		return nil
	}
	for _, x := range p.Ranges.Figures {
		if x.Parameter.Kind == kind && x.Parameter.Index == i {
			all = append(all, content(x.Parameter.Quantity, x.Half, p.together(x.Group)))
		}
	}
	slices.Sort(all)
	return all
}

// together describes the figures of a group, whatever its name; "" for none.
func (p *Plan) together(group string) string {
	var all []string
	for _, x := range p.Ranges.Figures {
		if group != "" && x.Group == group {
			all = append(all, content(x.Parameter.Kind, x.Parameter.Quantity, x.Half))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// first returns, for each of n things, the index of the first equal one.
func first(n int, content func(int) string) []int {
	all, seen := make([]int, n), map[string]int{}
	for i := range all {
		text := content(i)
		if _, known := seen[text]; !known {
			seen[text] = i
		}
		all[i] = seen[text]
	}
	return all
}

// Firsts returns, for each node type and each network, the index of the first that is equal except for the name.
func (p *Plan) Firsts() (nodes, networks []int) {
	return first(len(p.Nodes), p.nodeContent), first(len(p.Networks), p.networkContent)
}

// Twins names the node types and networks that differ from an earlier one only in their names.
func (p *Plan) Twins() (all []string) {
	note := func(what string, names []string, firsts []int) {
		for i, k := range firsts {
			if i != k {
				all = append(all, fmt.Sprintf("%s %s differs from %s", what, names[i], names[k]))
			}
		}
	}
	nodes, networks := p.Firsts()
	note("node type", names(p.Nodes), nodes)
	note("network", names(p.Networks), networks)
	return all
}
