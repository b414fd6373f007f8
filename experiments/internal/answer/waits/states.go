package waits

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// States are the wait states of a run. Their JSON form is a contract (docs/formats/json.md).
type States struct {
	Classes []Share `json:"classes"`         // those that occur, in the order of Class
	Calls   []Share `json:"calls"`           // by the waiting call, if calls are known, the longest first
	Costs   []Cost  `json:"delay_costs"`     // of ranks that caused waits, the largest first
	Ranks   []Rank  `json:"ranks,omitempty"` // those that wait

	// Hidden is the share of the working time of streams for which no rank waits: 1 minus the waits of ranks for their
	// streams over that time. What a stream does after its rank has ended counts as waited for. nil without streams.
	Hidden *float64 `json:"hidden_share,omitempty"`

	// Chained is the share of the waits for late senders that is due to their having waited longer than the receivers.
	Chained float64 `json:"-"`
}

// Share is how long ranks wait on average.
type Share struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean_s"`
	Share float64 `json:"share"` // of the time of the run
}

// Share returns the share of the time of the run for which ranks wait in class c.
func (s *States) Share(c Class) float64 {
	for _, x := range s.Classes {
		if x.Name == c.String() {
			return x.Share
		}
	}
	return 0
}

// Rank is how long a rank waits, by class.
type Rank struct {
	Rank int    `json:"rank"`
	Wait []Time `json:"wait"`
}

// Time is how long a rank waits in one class.
type Time struct {
	Name string  `json:"name"`
	Time float64 `json:"time_s"`
}

func (a *analysis) states(end units.Seconds) *States {
	s := &States{Calls: []Share{}, Classes: []Share{}, Costs: []Cost{}}
	ranks := make([][numClasses]float64, a.ranks)
	calls := map[string]float64{}
	for r := range ranks {
		for _, p := range a.pieces[r] {
			length := float64(p.to - p.from)
			ranks[r][p.class] += length
			if p.class == Idle || len(a.calls[r]) == 0 {
				continue
			}
			name := "end of the program"
			if c := a.callAt(p.rank, p.from); c.Collective != 0 {
				name = c.Collective.String()
			} else if c.Kind != 0 {
				name = c.Kind.String()
			}
			calls[name] += length
		}
	}
	share := func(name string, sum float64) Share {
		mean := sum / float64(len(ranks))
		return Share{name, mean, mean / float64(end)}
	}
	for c := range numClasses {
		sum := 0.0
		for r := range ranks {
			sum += ranks[r][c]
		}
		if sum > 0 {
			s.Classes = append(s.Classes, share(c.String(), sum))
		}
	}
	for name, sum := range calls {
		s.Calls = append(s.Calls, share(name, sum))
	}
	slices.SortFunc(s.Calls, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Name, b.Name))
	})
	for r := range ranks {
		var wait []Time
		for c, t := range ranks[r] {
			if t > 0 {
				wait = append(wait, Time{Class(c).String(), t})
			}
		}
		if len(wait) > 0 {
			s.Ranks = append(s.Ranks, Rank{r, wait})
		}
	}
	given, exposed := units.Seconds(0), a.exposed
	for _, w := range a.given {
		given += w.to - w.from
		exposed += max(0, w.to-max(w.from, a.spent[w.rank].end()))
	}
	if given > 0 {
		s.Hidden = new(1 - float64(exposed/given))
	}
	costs, chained := a.costs()
	s.Chained = chained
	s.Costs = slices.DeleteFunc(costs, func(c Cost) bool { return c.Total == 0 })
	slices.SortStableFunc(s.Costs, func(a, b Cost) int { return cmp.Compare(b.Total, a.Total) })
	return s
}
