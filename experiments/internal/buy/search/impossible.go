package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Whatever excludes every machine is found before any simulation: the fewest nodes that the jobs need are beyond the
// limits, or a job has no suitable nodes at all: of the right partition, with memory for its data, and with a lower
// bound of its time that meets its deadline. No machine of a design has fewer nodes.

const (
	// mostLooked is the number of nodes up to which runs are examined; about more nodes nothing is known.
	mostLooked = 256
	// mostDeals bounds the ways to deal out workloads to the types of a mix that are examined.
	mostDeals = 1024
)

// A cause is a limit or a workload with the designs that it excludes, and the nearest of them.
type cause struct {
	designs int
	nearest miss
}

// causes are the causes that exclude designs, in the order in which they were found.
type causes struct {
	names []string
	of    map[string]*cause
}

// note records a machine that a cause excludes, and returns the cause.
func (c *causes) note(name, machine string, why miss) *cause {
	if c.of[name] == nil {
		c.names, c.of[name] = append(c.names, name), &cause{}
	}
	y := c.of[name]
	y.nearest = y.nearest.nearer(miss{machine + ": " + why.text, why.over})
	return y
}

// A miss says why a machine or a workload is excluded, and by what factor it exceeds the limit, infinite where there is
// no such number.
type miss struct {
	text string
	over float64
}

func unmeasured(text string) miss { return miss{text, math.Inf(1)} }

// nearer returns the miss with the smaller factor, of equal ones the first.
func (m miss) nearer(other miss) miss {
	if m.text == "" || other.over < m.over {
		return other
	}
	return m
}

// needs are the fewest nodes of a type on which a workload runs with a network, 0 if it runs on no number, and why not
// on fewer.
type needs struct {
	nodes int
	why   miss
}

// fewest returns what a workload needs of a node type with a network, which is looked for once.
func (s *solver) fewest(w, node, network int) needs {
	key := [3]int{w, node, network}
	x, known := s.needs[key]
	if !known {
		x.nodes, x.why = s.look(w, node, network)
		s.needs[key] = x
	}
	return x
}

func (s *solver) look(w, node, network int) (least int, nearest miss) {
	job := &s.Workloads[w]
	if !job.On.All && !job.RunsOn(&s.Nodes[node]) {
		return 0, unmeasured("no nodes " + job.Needs())
	}
	if job.Target > 0 { // its problem size is unknown
		return 1, miss{}
	}
	numbers := s.Counts.List
	switch {
	case !job.On.All:
		numbers = job.Numbers(&s.Nodes[node], model.MaxNodes)
	case s.Counts.Affordable || len(s.Bids) > 0:
		numbers = each.Ascending(mostLooked + 2)[1:]
	}
	for _, n := range numbers {
		c := model.Design{Types: []int{node}, Network: network}.Of(n)
		if _, ok := s.Wiring(c); !ok { // nor can more nodes be connected
			break
		}
		if n > mostLooked {
			return n, miss{}
		}
		run := simulation{plan: s.Plan, choice: c, workload: w}
		if !job.On.All {
			run.on = model.Way{Node: node, Nodes: n}
		}
		sys, err := run.system()
		if err != nil {
			return n, miss{} // its simulation will report it
		}
		if problems := run.problems(sys); len(problems) > 0 {
			nearest = nearest.nearer(unmeasured(problems[0]))
			continue
		}
		if t := units.Seconds(run.leastTime()); len(s.Commitments) == 0 && !job.InTime(t) {
			nearest = nearest.nearer(miss{fmt.Sprintf("a run takes at least %v on %d %s; its deadline is %v", t, n, s.Nodes[node].Name, job.Deadline),
				float64(t / job.Deadline)})
			continue
		}
		return n, miss{}
	}
	if nearest.text == "" && len(numbers) > 0 {
		return numbers[0], miss{}
	}
	return 0, nearest.nearer(unmeasured("no number of nodes has as many devices as it needs"))
}

// deals returns the smallest machines of a design on which every workload has a type that runs it, or the workloads
// without such a type and why. ok is false where there are too many machines.
func (s *solver) deals(d model.Design) (all []model.Choice, lacks []int, why []miss, ok bool) {
	begun := [][]int{s.Smallest(d, 1).Counts}
	for w, job := range s.Workloads {
		if job.Impossible > 0 || job.On.All && len(d.Types) > 1 { // other types may have what one type lacks
			continue
		}
		var next [][]int
		var nearest miss
		for i, node := range d.Types {
			needs := s.fewest(w, node, d.Network)
			n := needs.nodes
			if n == 0 {
				nearest = nearest.nearer(needs.why)
				continue
			}
			if has := begun[0][i]; d.Bid > 0 && n > has {
				nearest = nearest.nearer(miss{fmt.Sprintf("%d %s where it needs %d", has, s.Nodes[node].Name, n), float64(n) / float64(has)})
				continue
			}
			for _, counts := range begun {
				more := slices.Clone(counts)
				more[i] = max(more[i], n)
				if !slices.ContainsFunc(next, func(y []int) bool { return slices.Equal(y, more) }) {
					next = append(next, more)
				}
			}
		}
		if len(next) == 0 {
			lacks, why = append(lacks, w), append(why, nearest)
			continue
		}
		if begun = next; len(begun) > mostDeals {
			return nil, nil, nil, false
		}
	}
	for _, counts := range begun {
		if list := s.Counts.List; !s.Counts.Affordable && d.Bid == 0 {
			for i, n := range counts {
				if k, _ := slices.BinarySearch(list, n); k < len(list) {
					counts[i] = list[k]
				}
			}
		}
		all = append(all, d.Of(counts...))
	}
	return all, lacks, why, true
}

// impossible returns an error if no machine can be recommended, as far as that is known before any simulation: for each
// limit and each workload how many designs it excludes, and the nearest miss.
func (s *solver) impossible() error {
	if s.Existing != nil { // the existing nodes run jobs, too
		return nil
	}
	found := causes{of: map[string]*cause{}}
	var cheapest model.Choice
	price := -1.0
	all := designs(s.Plan)
	for _, d := range all {
		machines, lacks, why, ok := s.deals(d)
		if !ok {
			return nil
		}
		excluded := map[string]bool{}
		for i, w := range lacks {
			name := "workload " + s.Workloads[w].Name
			found.note(name, s.wholeName(d), why[i])
			excluded[name] = true
		}
		for _, c := range machines {
			cheap := cheaper(s.Plan, c)
			bill, wired := s.Price(cheap)
			unmet := s.UnmetFrom(c)
			if unmet != "" {
				found.note(aRequirement, s.wholeName(d), unmeasured(unmet))
				excluded[aRequirement] = true
			}
			if unmet == "" && len(lacks) == 0 && (s.LimitFrom(c) == "" || !wired) { // possible, or switches fail
				return nil
			}
			if total := bill.Total(); wired && unmet == "" && len(lacks) == 0 && (price < 0 || total < price) {
				cheapest, price = cheap, total
			}
			for _, y := range s.Excesses(c, nil) {
				for _, z := range s.Excesses(cheap, nil) { // cheap may cost less but needs as much of all else
					if z.Limit == y.Limit {
						found.note(y.Limit, s.Name(c), miss{y.Text, y.Over})
						found.note(z.Limit, s.Name(cheap), miss{z.Text, z.Over})
						excluded[y.Limit] = true
					}
				}
			}
		}
		for name := range excluded { // independent of the order
			found.of[name].designs++
		}
	}
	if len(all) == 0 {
		return nil
	}
	text := each.Of(found.names, func(name string) string {
		return fmt.Sprintf("%s excludes %d (%s)", name, found.of[name].designs, found.of[name].nearest.text)
	})
	why := "of " + input.Plural(len(all), "design") + " " + strings.Join(text, ", ")
	if price < 0 {
		return fmt.Errorf("no candidate %s: %s", s.fails("can run every workload"), why)
	}
	return s.tooDear(cheapest, price, ", of which the workloads need as many nodes at least; "+why)
}

const aRequirement = "a requirement"

// fails extends what no candidate does by the requirements, if there are some.
func (s *solver) fails(what string) string {
	if len(s.Require) > 0 {
		what += " and meets the requirements"
	}
	return what
}

// excludedBy says for each cause how many designs have machines it excluded after simulation, with the nearest miss.
func (s *solver) excludedBy() string {
	found := causes{of: map[string]*cause{}}
	for _, x := range s.result.ExcludedBy {
		found.note(x.Cause, x.Name, miss{x.Reason, x.Over}).designs++
	}
	called := map[string]string{model.CauseBudget: "a limit", model.CauseRequired: aRequirement, model.CauseObjective: "the objective", model.CauseScreened: "a bound of times"}
	text := each.Of(found.names, func(name string) string {
		return fmt.Sprintf("%s excludes %s (%s)", cmp.Or(called[name], "workload "+name),
			input.Plural(found.of[name].designs, "design"), found.of[name].nearest.text)
	})
	return strings.Join(text, ", ")
}
