package purchase

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Bounds of what a plan may hold: a message instead of a week of work.
const (
	maxNodes    = 1 << 20 // nodes of a configuration, and cores of a node
	maxChoices  = 20000   // configurations
	maxSamples  = 100000  // joint changes
	maxTypes    = 200     // node types or networks
	maxCounts   = 4096    // numbers of nodes to consider
	maxQuantity = 1e18    // any price
)

// Read reads a plan. Its errors are yamldoc's, with the place of every problem.
func Read(path string, overrides []input.Override) (*Plan, error) {
	r := &reader{plan: &Plan{}}
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	r.read(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.plan.Inputs = r.Inputs()
	return r.plan, nil
}

type reader struct {
	scenario.Reader
	plan *Plan
}

func (r *reader) read(root *yamldoc.Node) {
	p := r.plan
	d := r.Mapping(root, "a purchase plan, with budget, nodes, networks and workloads")
	p.Title = r.String(d.Take("title"), "a title")
	p.Description = r.String(d.Take("description"), "a description")
	p.Seed = r.Seed(d.Take("seed"))
	r.budget(d.Require("budget", "what may be spent, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}"))
	r.exchange(d.Take("exchange"))
	r.energy(d.Take("energy"))
	r.nodes(d.Require("nodes", "the node types by name, as in {fast: {catalogue: genoa, price: 14000 EUR}}"))
	r.networks(d.Require("networks", "the networks by name, as in {gige: {catalogue: gigabit-ethernet}}"))
	r.counts(d.Take("counts"))
	r.mixes(d.Take("mixes"))
	r.existing(d.Take("existing"))
	p.Model = r.NetworkModel(d.Take("model"))
	r.onNode(d.Take("on_node"))
	r.workloads(d.Require("workloads", "a list of workloads, as in [{name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}]"))
	r.robustness(d.Take("robustness"))
	d.Done()
}

const (
	wantMoney     = "an amount with its currency, such as 12000 EUR"
	wantPower     = "a power of at least 0, such as 350 W"
	wantTime      = "a time of at least 0, such as 50 us"
	wantBandwidth = "a bandwidth above 0, such as 100 Mbit/s or 12.5 MB/s"
	wantSpeed     = "a speed above 0, such as 36.45 Gflop/s"
	wantSize      = "a size above 0, such as 256 GB"
)

// amount reads money in any currency.
func (r *reader) amount(n *yamldoc.Node) units.Money {
	if n == nil {
		return units.Money{}
	}
	m, err := units.ParseMoney(r.String(n, wantMoney))
	switch {
	case !n.IsScalar(): // said already
	case err != nil:
		r.Fail(n, err.Error(), "") // it says what was expected
	case m.Amount < 0:
		r.Fail(n, m.String()+" is negative", wantMoney)
	case m.Amount > maxQuantity:
		r.Fail(n, m.String()+" is too much", fmt.Sprintf("at most %g", maxQuantity))
	}
	return m
}

// price reads money and converts it to the currency of the budget.
func (r *reader) price(n *yamldoc.Node) units.Money { return r.convert(n, r.amount(n)) }

// convert returns an amount in the currency of the budget; at is where a missing
// rate is reported.
func (r *reader) convert(at *yamldoc.Node, m units.Money) units.Money {
	currency := r.plan.Budget.Money.Currency
	if m.Currency == "" || m.Currency == currency || currency == "" {
		return units.Money{Amount: m.Amount, Currency: currency}
	}
	for _, rate := range r.plan.Exchange {
		if rate.Currency == m.Currency {
			return units.Money{Amount: m.Amount * rate.Worth, Currency: currency}
		}
	}
	r.Fail(at, fmt.Sprintf("the price %v is not in the currency of the budget and there is no rate for it", m),
		fmt.Sprintf("exchange: {%s: 0.9 %s} with the rate, or a price in %s", m.Currency, currency, currency))
	return units.Money{}
}

func (r *reader) budget(n *yamldoc.Node) {
	d := r.Mapping(n, "a budget, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}")
	b := &r.plan.Budget
	money := d.Require("money", wantMoney)
	b.Money = r.amount(money)
	if money != nil && b.Money.Amount == 0 && r.Err() == nil {
		r.Fail(money, "no money", "an amount above 0 with its currency, such as 400000 EUR")
	}
	r.plan.budgetNode = money
	b.Power = yamldoc.Quantity(&r.Decoder, d.Take("power"), units.ParseWatts, yamldoc.Positive, "a power above 0, such as 40 kW")
	b.RackUnits = r.positive(d.Take("rack_units"), "a number of rack units above 0")
	if v := d.Take("racks"); v != nil {
		if b.RackUnits > 0 {
			r.Fail(v, "the space is given twice", "rack_units or racks")
		}
		b.RackUnits = 42 * r.positive(v, "a number of racks of 42 units, above 0")
	}
	if v := d.Take("covers"); v != nil {
		b.Life = r.OneOf(v, []string{"purchase", "life"}, "thing that the money is for") == "life"
	}
	d.Done()
}

func (r *reader) positive(n *yamldoc.Node, want string) float64 {
	return r.Float(n, want, func(x float64) bool { return x > 0 && x <= maxQuantity })
}

func (r *reader) exchange(n *yamldoc.Node) {
	d := r.Mapping(n, "exchange rates, as in {USD: 0.92 EUR}")
	for _, key := range d.Keys() {
		v := d.Take(key)
		worth := r.amount(v)
		if _, err := units.ParseMoney("1 " + key); err != nil {
			r.Fail(v, fmt.Sprintf("%q is not a currency of three upper case letters", key), "a rate such as USD: 0.92 EUR")
		}
		if c := r.plan.Budget.Money.Currency; r.Err() == nil && (worth.Currency != c || worth.Amount == 0) {
			r.Fail(v, fmt.Sprintf("%v is not an amount above 0 in the currency of the budget", worth), fmt.Sprintf("what 1 %s is worth in %s", key, c))
		}
		r.plan.Exchange = append(r.plan.Exchange, Rate{key, worth.Amount})
	}
	d.Done()
}

func (r *reader) energy(n *yamldoc.Node) {
	e := Energy{Years: 5, Utilisation: 0.8, Overhead: 1}
	d := r.Mapping(n, "the cost of energy, as in {price_per_kwh: 0.25 EUR, years: 5, utilisation: 0.8}")
	e.Price = r.price(d.Take("price_per_kwh")).Amount
	if v := d.Take("years"); v != nil {
		e.Years = r.Float(v, "years of operation, above 0 and at most 100", func(x float64) bool { return x > 0 && x <= 100 })
	}
	if v := d.Take("utilisation"); v != nil {
		e.Utilisation = r.Float(v, "the fraction of the time in which the machine computes, above 0 and at most 1", func(x float64) bool { return x > 0 && x <= 1 })
	}
	if v := d.Take("overhead"); v != nil {
		e.Overhead = r.Float(v, "power drawn over power of the machine, 1 to 10", func(x float64) bool { return x >= 1 && x <= 10 })
	}
	d.Done()
	r.plan.Energy = e
}

// names returns the names of named things.
func names[T any](all []T, name func(T) string) []string {
	list := make([]string, len(all))
	for i, x := range all {
		list[i] = name(x)
	}
	return list
}

func nodeName(n Node) string       { return n.Name }
func networkName(n Network) string { return n.Name }

// count checks how many entries a mapping of candidates has.
func (r *reader) count(n *yamldoc.Node, keys int, what string) bool {
	if n == nil || !n.IsMapping() {
		return false
	}
	if keys == 0 || keys > maxTypes {
		r.Fail(n, fmt.Sprintf("%d %s", keys, what), fmt.Sprintf("1 to %d", maxTypes))
		return false
	}
	return true
}

func (r *reader) nodes(n *yamldoc.Node) {
	d := r.Mapping(n, "node types by name")
	if !r.count(n, len(d.Keys()), "node types") {
		return
	}
	catalogue := CatalogueNodes()
	for _, key := range d.Keys() {
		v := d.Take(key)
		r.plan.Nodes = append(r.plan.Nodes, r.node(v, r.Name(v, key), catalogue))
	}
}

func (r *reader) node(at *yamldoc.Node, name string, catalogue []Node) Node {
	d := r.Mapping(at, "a node type, as in {catalogue: genoa, price: 14000 EUR} or {cores: 64, marked_speed: 30 Gflop/s, power: 700 W, price: 9000 EUR}")
	n := Node{Name: name, Cores: 1, RackUnits: 1}
	inCatalogue := false
	if v := d.Take("catalogue"); v != nil {
		i := slices.Index(names(catalogue, nodeName), r.OneOf(v, names(catalogue, nodeName), "node type in the catalogue"))
		if i >= 0 {
			n, inCatalogue = catalogue[i], true
			n.Name, n.Figures = name, slices.Clone(n.Figures)
			for j := range n.Figures {
				n.Figures[j].Of = name
			}
		}
	}
	source := sourceOr(r.String(d.Take("source"), "where the figures of this entry come from"))
	if v := d.Take("title"); v != nil {
		n.Title = r.String(v, "a title")
	}
	before := n.Cores
	if v := d.Take("cores"); v != nil {
		n.Cores = r.Int(v, 1, maxNodes, "the number of cores of a node, at least 1")
		n.Speed *= units.FlopsPerSecond(n.Cores) / units.FlopsPerSecond(before)
		if i := slices.IndexFunc(n.Figures, func(f Figure) bool { return f.Quantity == quantitySpeed }); i >= 0 && n.Cores != before {
			n.Figures[i].Value = n.Speed.String()
			n.Figures[i].Source += fmt.Sprintf("; scaled from %d to %d cores", before, n.Cores)
		}
	}
	n.Processes = n.Cores
	if v := d.Take("processes_per_node"); v != nil {
		n.Processes = r.Int(v, 1, n.Cores, fmt.Sprintf("the number of processes of a node, 1 to its %d cores", n.Cores))
	}
	core, node := d.Take("marked_speed"), d.Take("node_speed")
	switch {
	case core != nil && node != nil:
		r.Fail(node, "the speed is given twice", "marked_speed of a core or node_speed of the node")
	case core == nil && node == nil && !inCatalogue:
		d.Require("marked_speed", "the speed that a core sustains in a benchmark, such as 30 Gflop/s; or node_speed, that of the node")
	case core != nil:
		n.Speed = units.FlopsPerSecond(n.Cores) * yamldoc.Quantity(&r.Decoder, core, units.ParseFlopsPerSecond, yamldoc.Positive, wantSpeed)
	case node != nil:
		n.Speed = yamldoc.Quantity(&r.Decoder, node, units.ParseFlopsPerSecond, yamldoc.Positive, wantSpeed)
	}
	if core != nil || node != nil {
		n.figure(quantitySpeed, n.Speed.String(), source)
	}
	if v := d.Take("memory"); v != nil {
		n.Memory = yamldoc.Quantity(&r.Decoder, v, units.ParseBytes, yamldoc.Positive, wantSize)
		n.figure(quantityMemory, n.Memory.String(), source)
	}
	if v := d.Take("memory_bandwidth"); v != nil {
		n.MemoryBandwidth = yamldoc.Quantity(&r.Decoder, v, units.ParseBytesPerSecond, yamldoc.Positive, wantBandwidth)
		n.figure(quantityMemoryBandwidth, n.MemoryBandwidth.String(), source)
	}
	power := d.Take("power")
	if power == nil && !inCatalogue {
		d.Require("power", wantPower)
	}
	if power != nil {
		n.Power = yamldoc.Quantity(&r.Decoder, power, units.ParseWatts, yamldoc.NonNegative, wantPower)
		n.figure(quantityPower, n.Power.String(), source)
	}
	if v := d.Take("rack_units"); v != nil {
		n.RackUnits = r.Float(v, "the height of a node in rack units, at least 0", func(x float64) bool { return x >= 0 && x <= 1000 })
		n.figure(quantitySpace, number(n.RackUnits), source)
	} else if !inCatalogue {
		n.figure(quantitySpace, number(n.RackUnits), "estimate: default")
	}
	price := d.Take("price")
	switch {
	case price != nil:
		given := r.amount(price)
		n.Price = r.convert(price, given)
		n.figure(quantityPrice, r.priceText(given, n.Price), source)
	case inCatalogue:
		given := n.Price
		n.Price = r.convert(at, given)
		f := n.Figures[0] // the price
		n.figure(quantityPrice, r.priceText(given, n.Price), f.Source)
	default:
		d.Require("price", wantMoney)
	}
	d.Done()
	return n
}

// sourceOr returns where figures are from that the file gives.
func sourceOr(source string) string {
	if source == "" {
		return "plan file"
	}
	return source
}

// priceText prints a price as given and as converted.
func (r *reader) priceText(given, converted units.Money) string {
	if given.Currency == converted.Currency || given.Currency == "" {
		return converted.String()
	}
	return fmt.Sprintf("%v = %.6g %s", given, converted.Amount, converted.Currency)
}

func (r *reader) networks(n *yamldoc.Node) {
	d := r.Mapping(n, "networks by name")
	if !r.count(n, len(d.Keys()), "networks") {
		return
	}
	catalogue := CatalogueNetworks()
	for _, key := range d.Keys() {
		v := d.Take(key)
		r.plan.Networks = append(r.plan.Networks, r.network(v, r.Name(v, key), catalogue))
	}
}

func (r *reader) network(at *yamldoc.Node, name string, catalogue []Network) Network {
	d := r.Mapping(at, "a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}")
	n := Network{Name: name, FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}
	inCatalogue := false
	if v := d.Take("catalogue"); v != nil {
		i := slices.Index(names(catalogue, networkName), r.OneOf(v, names(catalogue, networkName), "network in the catalogue"))
		if i >= 0 {
			n, inCatalogue = catalogue[i], true
			n.Name, n.Figures = name, slices.Clone(n.Figures)
			for j := range n.Figures {
				n.Figures[j].Of = name
			}
		}
	}
	source := sourceOr(r.String(d.Take("source"), "where the figures of this entry come from"))
	if v := d.Take("title"); v != nil {
		n.Title = r.String(v, "a title")
	}
	// need is Require for what the catalogue does not know.
	need := func(m *yamldoc.Mapping, key, want string) *yamldoc.Node {
		if inCatalogue {
			return m.Take(key)
		}
		return m.Require(key, want)
	}
	if v := need(d, "latency", wantTime); v != nil {
		n.Latency = yamldoc.Quantity(&r.Decoder, v, units.ParseSeconds, yamldoc.NonNegative, wantTime)
		n.figure(quantityLatency, n.Latency.String(), source)
	}
	n.HopLatency = yamldoc.Quantity(&r.Decoder, d.Take("hop_latency"), units.ParseSeconds, yamldoc.NonNegative, wantTime)
	if v := need(d, "bandwidth", wantBandwidth); v != nil {
		n.Bandwidth = yamldoc.Quantity(&r.Decoder, v, units.ParseBytesPerSecond, yamldoc.Positive, wantBandwidth)
		n.figure(quantityBandwidth, n.Bandwidth.String(), source)
	}
	n.PortPrice = r.networkPrice(&n, need(d, "price_per_port", wantMoney+", for the adapter and cable of a node"), at, quantityPortPrice, n.PortPrice, source)
	n.CablePrice = r.price(d.Take("price_per_cable"))
	s := r.Mapping(need(d, "switch", "a switch, as in {price: 9000 EUR, ports: 48}"), "a switch, as in {price: 9000 EUR, ports: 48}")
	if !inCatalogue || len(s.Keys()) > 0 {
		if v := need(s, "ports", "the number of ports of a switch, at least 2"); v != nil {
			n.Switch.Ports = r.Int(v, 2, maxNodes, "the number of ports of a switch, at least 2")
		}
	}
	n.Switch.Price = r.networkPrice(&n, need(s, "price", wantMoney), at, quantitySwitchPrice, n.Switch.Price, source)
	power, port := s.Take("power"), d.Take("power_per_port")
	n.Switch.Power = quantityOr(r, power, n.Switch.Power)
	n.PortPower = quantityOr(r, port, n.PortPower)
	if power != nil || port != nil {
		n.figure(quantityPower, fmt.Sprintf("%v a port, %v a switch", n.PortPower, n.Switch.Power), source)
	}
	if v := s.Take("rack_units"); v != nil {
		n.Switch.RackUnits = r.Float(v, "the height of a switch in rack units, at least 0", func(x float64) bool { return x >= 0 && x <= 1000 })
	}
	s.Done()
	if v := d.Take("topology"); v != nil {
		n.FatTree = r.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}
	if v := d.Take("oversubscription"); v != nil {
		n.Oversubscription = r.Float(v, "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100", func(x float64) bool { return x >= 1 && x <= 100 })
	}
	d.Done()
	return n
}

func quantityOr(r *reader, n *yamldoc.Node, w units.Watts) units.Watts {
	if n == nil {
		return w
	}
	return yamldoc.Quantity(&r.Decoder, n, units.ParseWatts, yamldoc.NonNegative, wantPower)
}

// networkPrice reads a price of a network, or converts that of the catalogue.
func (r *reader) networkPrice(n *Network, v, at *yamldoc.Node, quantity string, catalogue units.Money, source string) units.Money {
	given := catalogue
	if v != nil {
		given, at = r.amount(v), v
	} else if catalogue.Currency == "" {
		return catalogue
	}
	price := r.convert(at, given)
	if v == nil {
		for _, f := range n.Figures {
			if f.Quantity == quantity {
				source = f.Source
			}
		}
	}
	n.figure(quantity, r.priceText(given, price), source)
	return price
}

func (r *reader) counts(n *yamldoc.Node) {
	c := &r.plan.Counts
	const want = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"
	add := func(from, to int, next func(int) int) {
		for i := from; i <= to; i = next(i) {
			c.List = append(c.List, i)
		}
	}
	bounds := func(n *yamldoc.Node, d *yamldoc.Mapping) (from, to int) {
		f, t := d.Require("from", "a number of nodes"), d.Require("to", "a number of nodes")
		if f == nil || t == nil {
			return 1, 0
		}
		from = r.Int(f, 1, maxNodes, "a number of nodes, at least 1")
		to = r.Int(t, 1, maxNodes, "a number of nodes, at least 1")
		if from > to && r.Err() == nil {
			r.Fail(n, fmt.Sprintf("from %d to %d is empty", from, to), "from not above to")
		}
		return from, to
	}
	switch {
	case n == nil || n.IsScalar() && n.Text() == "affordable":
		c.Affordable = true
	case n.IsSequence():
		for _, v := range r.Sequence(n, want) {
			c.List = append(c.List, r.Int(v, 1, maxNodes, "a number of nodes, at least 1"))
		}
		slices.Sort(c.List)
		c.List = slices.Compact(c.List)
	case n.IsMapping():
		d := r.Mapping(n, want)
		if v := d.Take("powers_of_two"); v != nil {
			m := r.Mapping(v, "a range, as in {from: 1, to: 64}")
			from, to := bounds(v, m)
			m.Done()
			if from > 0 && from&(from-1) != 0 {
				r.Fail(v, fmt.Sprintf("%d is not a power of two", from), "a power of two to begin with")
			}
			add(from, to, func(i int) int { return 2 * i })
		} else {
			from, to := bounds(n, d)
			step := 1
			if v := d.Take("step"); v != nil {
				step = r.Int(v, 1, maxNodes, "a step of at least 1")
			}
			if step > 0 && from > 0 && (to-from)/step < maxCounts {
				add(from, to, func(i int) int { return i + step })
			} else if step > 0 {
				r.Fail(n, fmt.Sprintf("%d numbers of nodes", (to-from)/step+1), fmt.Sprintf("at most %d", maxCounts))
			}
		}
		d.Done()
	default:
		r.Fail(n, "not numbers of nodes", want)
	}
	if n != nil && !c.Affordable && len(c.List) == 0 && r.Err() == nil {
		r.Fail(n, "no numbers of nodes", want)
	}
	if len(c.List) > maxCounts && r.Err() == nil {
		r.Fail(n, fmt.Sprintf("%d numbers of nodes", len(c.List)), fmt.Sprintf("at most %d", maxCounts))
	}
}

func (r *reader) mixes(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "pairs of node types, as in [[fat, thin]]") {
		pair := r.Sequence(item, "two node types")
		if item.IsSequence() && len(pair) != 2 {
			r.Fail(item, fmt.Sprintf("%d node types", len(pair)), "two")
			continue
		}
		var mix [2]int
		for i, v := range pair {
			mix[i] = slices.Index(names(r.plan.Nodes, nodeName), r.OneOf(v, names(r.plan.Nodes, nodeName), "node type"))
		}
		switch {
		case len(pair) != 2 || mix[0] < 0 || mix[1] < 0:
		case mix[0] == mix[1]:
			r.Fail(item, "the same node type twice", "two node types")
		default:
			if mix[0] > mix[1] {
				mix[0], mix[1] = mix[1], mix[0]
			}
			if slices.Contains(r.plan.Mixes, mix) {
				r.Fail(item, "a mix that is there already", "each pair once")
			}
			r.plan.Mixes = append(r.plan.Mixes, mix)
		}
	}
}

func (r *reader) existing(n *yamldoc.Node) {
	if n == nil {
		return
	}
	d := r.Mapping(n, "an existing machine, as in {node: old, count: 16, network: gige}")
	e := &Existing{}
	e.Node = slices.Index(names(r.plan.Nodes, nodeName), r.OneOf(d.Require("node", "the node type of the machine"), names(r.plan.Nodes, nodeName), "node type"))
	e.Network = slices.Index(names(r.plan.Networks, networkName), r.OneOf(d.Require("network", "the network of the machine"), names(r.plan.Networks, networkName), "network"))
	if v := d.Require("count", "the number of nodes, at least 1"); v != nil {
		e.Count = r.Int(v, 1, maxNodes, "the number of nodes, at least 1")
	}
	d.Done()
	if e.Node < 0 || e.Network < 0 {
		return
	}
	if _, ok := r.plan.Networks[e.Network].Wire(e.Count); !ok && r.Err() == nil {
		r.Fail(n, fmt.Sprintf("%d nodes are more than network %s can connect with switches of %d ports", e.Count, r.plan.Networks[e.Network].Name, r.plan.Networks[e.Network].Switch.Ports), "fewer nodes or larger switches")
	}
	r.plan.Existing = e
}

func (r *reader) onNode(n *yamldoc.Node) {
	p := r.plan
	p.OnNode, p.OnNodeFrom = topology.Connection{Latency: 0.5e-6, Bandwidth: 8e9}, "estimate: default of plans"
	if n == nil {
		return
	}
	d := r.Mapping(n, "the connection between processes of a node, as in {latency: 0.5 us, bandwidth: 8 GB/s}")
	p.OnNode = topology.Connection{
		Latency:   yamldoc.Quantity(&r.Decoder, d.Require("latency", wantTime), units.ParseSeconds, yamldoc.NonNegative, wantTime),
		Bandwidth: yamldoc.Quantity(&r.Decoder, d.Require("bandwidth", wantBandwidth), units.ParseBytesPerSecond, yamldoc.Positive, wantBandwidth),
	}
	p.OnNodeFrom = sourceOr(r.String(d.Take("source"), "where the figures come from"))
	d.Done()
}

func (r *reader) workloads(n *yamldoc.Node) {
	p := r.plan
	items := r.Sequence(n, "a list of workloads")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no workloads", "at least one")
	}
	sum := 0.0
	for i, item := range items {
		d := r.Mapping(item, "a workload of the mix, as in {name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}")
		w := Workload{}
		name := d.Require("name", "a name")
		if w.Name = r.String(name, "a name"); w.Name != "" {
			r.Name(name, w.Name)
		}
		for _, other := range p.Workloads {
			if other.Name == w.Name && w.Name != "" {
				r.Fail(name, fmt.Sprintf("a second workload named %q", w.Name), "a name of its own for each")
			}
		}
		runs, weight := d.Take("runs_per_year"), d.Take("weight")
		target := d.Take("hold_efficiency")
		switch {
		case (runs == nil) == (weight == nil):
			at := weight
			if at == nil {
				at = item
			}
			r.Fail(at, "neither or both of runs_per_year and weight", "one of them")
		case i > 0 && (runs != nil) != p.byRuns:
			r.Fail(item, "runs_per_year and weight in one mix", "the same for all workloads")
		case runs != nil && target != nil:
			r.Fail(target, "runs a year of a problem whose size is not given", "weight, or a problem size")
		}
		p.byRuns = p.byRuns || i == 0 && runs != nil
		w.Weight = r.positive(runs, "a number of runs above 0") + r.positive(weight, "a weight above 0")
		sum += w.Weight
		const wantTarget = "the speed-efficiency to hold, above 0 and below 1"
		w.Target = r.Float(target, wantTarget, func(x float64) bool { return x > 0 && x < 1 })
		sizes := d.Take("sizes")
		if sizes != nil && target == nil {
			r.Fail(sizes, "sizes without an efficiency to hold", "hold_efficiency, or n in run")
		}
		w.Sizes = r.Sizes(sizes)
		run := d.Require("run", "what is run, as in {name: matmul, n: 8000}")
		w.Run = r.Workload(run, target == nil)
		d.Done()
		p.Workloads = append(p.Workloads, w)
	}
	if !p.byRuns && sum > 0 {
		for i := range p.Workloads {
			p.Workloads[i].Weight /= sum
		}
	}
}

func (r *reader) robustness(n *yamldoc.Node) {
	x := Robustness{Change: 0.1, Samples: 200}
	d := r.Mapping(n, "a test of robustness, as in {change: 0.1, samples: 200}")
	if v := d.Take("change"); v != nil {
		x.Change = r.Float(v, "a relative change, above 0 and at most 0.9", func(x float64) bool { return x > 0 && x <= 0.9 })
	}
	if v := d.Take("samples"); v != nil {
		x.Samples = r.Int(v, 0, maxSamples, fmt.Sprintf("a number of joint changes, 0 to %d", maxSamples))
	}
	d.Done()
	r.plan.Robustness = x
}

// isFinite reports whether a score can be compared.
func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
