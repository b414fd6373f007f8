package purchase

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Stages are purchases in several years, of one design.
type Stages struct {
	Decline   float64 // of prices a year, as a fraction
	Purchases []Stage
}

// Stage is what may be spent at the beginning of a year, from 0.
type Stage struct {
	Year  int
	Money float64
}

var stagesObject = &schema.Object{What: "a staged purchase, as in {price_decline: 0.15, purchases: [{year: 0, money: 300000 EUR}, {year: 2, money: 300000 EUR}]}", Fields: []schema.Field{
	{Key: "price_decline", Type: priceDecline, Default: "0", Meaning: "by what fraction prices fall in a year"},
	{Key: "purchases", Type: schema.List{Of: stageObject, Min: 2, Max: 50}, Required: true, Meaning: "what may be spent in which year, in order"},
}}

var stageObject = &schema.Object{What: "a purchase, as in {year: 2, money: 300000 EUR}", Fields: []schema.Field{
	{Key: "year", Type: schema.Integer{Min: 0, Max: 99}, Required: true, Meaning: "whole years after the first"},
	{Key: "money", Type: schema.PositiveMoney, Required: true, Meaning: "what may be spent"},
}}

var priceDecline = schema.Number{Max: 1, Below: true}

func (r *reader) stages(n *yamldoc.Node) {
	if n == nil {
		return
	}
	d := stagesObject.Open(&r.Decoder, n)
	s := &Stages{Decline: priceDecline.ReadOr(&r.Decoder, d.Take("price_decline"), "a fraction, at least 0 and below 1", 0)}
	items := r.Sequence(d.Require("purchases", "what may be spent in which year"), "purchases by year")
	for i, item := range items {
		m := stageObject.Open(&r.Decoder, item)
		year := m.Require("year", "a whole number of years")
		x := Stage{Year: schema.Integer{Min: 0, Max: 99}.ReadOr(&r.Decoder, year, "a whole number of years, 0 to 99", 0)}
		money := m.Require("money", wantMoney)
		if x.Money = r.price(money).Amount; x.Money == 0 && r.Err() == nil {
			r.Fail(money, "nothing is spent", "an amount above 0")
		}
		m.Done()
		switch {
		case r.Err() != nil:
		case i > 0 && x.Year <= s.Purchases[i-1].Year:
			r.Fail(year, fmt.Sprintf("year %d is not after year %d", x.Year, s.Purchases[i-1].Year), "years in order")
		case float64(x.Year) >= r.plan.Energy.Years:
			r.Fail(year, fmt.Sprintf("year %d is beyond the %g years of operation", x.Year, r.plan.Energy.Years), "an earlier year, or more years of energy")
		}
		s.Purchases = append(s.Purchases, x)
	}
	if len(items) < 2 && r.Err() == nil {
		r.Fail(n, input.Plural(len(items), "purchase"), "at least two")
	}
	d.Done()
	r.plan.Stages = s
	if r.Err() == nil && !r.plan.byRuns {
		r.Fail(n, "a staged purchase is judged by the work of the years", "runs_per_year in each workload, in place of weight")
	}
}

// StagedResult compares the purchase of a design in stages with that of all at once.
type StagedResult struct {
	Design string        `json:"design"`
	Stages []StageResult `json:"stages"`
	AtOnce *StageResult  `json:"at_once"` // for the money of all stages in year 0
	// Work is how many times a year's work the machine can do over the years.
	Work       float64 `json:"work"`
	WorkAtOnce float64 `json:"work_at_once"`
	// Present is the net present value of the purchases.
	Present       float64 `json:"present_value"`
	PresentAtOnce float64 `json:"present_value_at_once"`
	Reason        string  `json:"reason,omitempty"` // why they are not compared
}

// StageResult is the machine after a purchase.
type StageResult struct {
	Year       int     `json:"year"`
	Name       string  `json:"name"`
	Price      float64 `json:"price"` // of what is bought in that year
	Throughput float64 `json:"throughput"`
}

// staged compares the purchase of the recommended design in stages with that at once.
func (s *solver) staged(ctx context.Context) error {
	if s.Stages == nil {
		return nil
	}
	d := s.result.Recommendation().choice.design()
	r := &StagedResult{Design: s.designName(d), Stages: []StageResult{}}
	s.result.Staged = r
	if len(d.types) == 0 {
		r.Reason = "no nodes are bought"
		return nil
	}
	sum := 0.0
	var choices []Choice
	var prices []float64
	factor, year := 1.0, 0
	before := make([]int, len(d.types))
	for _, x := range s.Stages.Purchases {
		sum += x.Money
		for ; year < x.Year; year++ {
			factor *= 1 - s.Stages.Decline
		}
		c, price, err := s.bestBeside(ctx, d, before, factor, x.Money)
		if err != nil {
			return err
		}
		if c == nil {
			r.Reason = fmt.Sprintf("the purchase of year %d makes no machine of the design that can run every workload", x.Year)
			return nil
		}
		choices, prices, before = append(choices, *c), append(prices, price), c.Counts
	}
	best, price, err := s.bestBeside(ctx, d, make([]int, len(d.types)), 1, sum)
	if err != nil || best == nil {
		return err
	}
	atOnce := *best
	done := func(c Choice, year int, price float64) (StageResult, bool) {
		score, l := s.scoreOf(s.Plan, c)
		if l == nil || score == 0 {
			r.Reason = s.Name(c) + " cannot run every workload"
			return StageResult{}, false
		}
		return StageResult{Year: year, Name: s.Name(c), Price: price, Throughput: secondsPerYear / l.seconds}, true
	}
	for i, x := range s.Stages.Purchases {
		until := s.Energy.Years
		if i+1 < len(choices) {
			until = float64(s.Stages.Purchases[i+1].Year)
		}
		stage, ok := done(choices[i], x.Year, prices[i])
		if !ok {
			return nil
		}
		r.Stages = append(r.Stages, stage)
		r.Work += float64(stage.Throughput * (until - float64(x.Year)))
		r.Present += presentValue(stage.Price, s.Costs.Discount, x.Year)
	}
	if stage, ok := done(atOnce, 0, price); ok {
		r.AtOnce, r.WorkAtOnce, r.PresentAtOnce = &stage, stage.Throughput*s.Energy.Years, stage.Price
	}
	return nil
}

// inWords compares the stages with all at once.
func (s *StagedResult) inWords(p *Plan) string {
	if s.Reason != "" {
		return "Purchase in stages: " + s.Reason + "."
	}
	var parts []string
	for _, x := range s.Stages {
		parts = append(parts, fmt.Sprintf("%s in year %d for %s", x.Name, x.Year, p.money(x.Price)))
	}
	than := fmt.Sprintf("%.3g times a year's work over the years, %s at once for %s does %.3g times", s.Work, s.AtOnce.Name, p.money(s.AtOnce.Price), s.WorkAtOnce)
	return fmt.Sprintf("Purchase in stages: %s does %s; at present value the purchases are %s and %s.", list(parts), than, p.money(s.Present), p.money(s.PresentAtOnce))
}

// bestBeside returns the machine of a design that gets most work done of those that an
// amount buys beside what has been bought before, and what is paid; nil if none can run
// every workload. All prices are multiplied by the factor.
func (s *solver) bestBeside(ctx context.Context, d design, before []int, factor, money float64) (*Choice, float64, error) {
	all, prices := s.affordedBeside(d, before, factor, money)
	if err := s.needChoices(ctx, s.Plan, all, "stages"); err != nil {
		return nil, 0, err
	}
	best, score := -1, math.Inf(1)
	for i, c := range all {
		if now, _ := s.scoreOf(s.Plan, c); now < score {
			best, score = i, now
		}
	}
	if best < 0 {
		return nil, 0, nil
	}
	return &all[best], prices[best], nil
}

// affordedBeside returns the machines of a design that an amount buys where some nodes have
// been bought before, within the limits of power and space, with what is paid: for each
// number of nodes of all types but the last as many of the last as possible.
func (p *Plan) affordedBeside(d design, before []int, factor, money float64) (all []Choice, prices []float64) {
	free := *p
	free.Budget.Money.Amount, free.Budget.Life = 0, false
	paid := 0.0
	if total(before) > 0 {
		b, _ := p.Price(Choice{d.types, before, d.network, d.retired})
		paid = b.Total()
	}
	cost := func(c Choice) float64 {
		bill, _ := p.Price(c)
		return factor * (bill.Total() - paid)
	}
	with := func(others []int, n int) Choice {
		return Choice{d.types, append(slices.Clone(others), n), d.network, d.retired}
	}
	last := len(d.types) - 1
	add := func(others ...int) bool {
		least := max(before[last], 1)
		most := free.most(d, others...)
		fits := sort.Search(max(0, most-least+1), func(k int) bool { return cost(with(others, least+k)) > money*(1+1e-12) })
		if fits == 0 {
			return false
		}
		c := with(others, least+fits-1)
		all, prices = append(all, c), append(prices, cost(c))
		return true
	}
	if last == 0 {
		add()
		return all, prices
	}
	for n := max(before[0], 1); add(n); n++ {
	}
	return all, prices
}
