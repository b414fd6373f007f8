package efficiencies

import (
	"context"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A Share is a part of p T, the time of all p processes, and what it goes to.
type Share struct {
	Name    string  `json:"name"`
	Value   float64 `json:"share"`
	Meaning string  `json:"meaning"`
}

// SharesOf divides the time of all processes of a run into shares whose sum is 1, by runs on ever better networks. The
// symbols are those of [Efficiencies]:
//
//	useful         U_mean/T
//	imbalance      (U_max - U_mean)/T
//	serialisation  (T' - U_max)/T
//	latency        (T_l - T')/T
//	bandwidth      (T_a - T_l)/T
//	contention     (T - T_a)/T  0 where messages share no links
//
// A run that is longer on a better network counts as equally long. REQUIRES: results have their ranks.
func SharesOf(ctx context.Context, run *sim.Result, sharesLinks bool, runs *Runs) ([]Share, error) {
	useful := computing(run)
	if slices.Max(useful) == 0 {
		return nil, ErrIdle
	}
	changes := []cluster.Change{unlimited, free}
	if sharesLinks {
		changes = append([]cluster.Change{alone}, changes...)
	}
	others, err := runs.On(ctx, changes)
	if err != nil {
		return nil, err
	}
	var times []units.Seconds // T_a, T_l, T', U_max, U_mean, 0
	if !sharesLinks {
		times = append(times, run.Makespan)
	}
	times = each.Append(times, others, func(r *sim.Result) units.Seconds { return r.Makespan })
	times = append(times, slices.Max(useful), mean(useful), 0)
	shares := []Share{
		{Name: "contention", Meaning: "messages share links"},
		{Name: "bandwidth", Meaning: "bytes take time, even on links of their own"},
		{Name: "latency", Meaning: "messages take time whatever their size, on the network and on cores"},
		{Name: "serialisation", Meaning: serialised(others[len(others)-1])},
		{Name: "imbalance", Meaning: "some processes compute longer than others"},
		{Name: "useful", Meaning: "processes compute"},
	}
	left := run.Makespan
	for i := range shares {
		least := min(left, max(times[i], mean(useful)))
		if i == len(shares)-1 {
			least = 0
		}
		shares[i].Value = float64((left - least) / run.Makespan)
		left = least
	}
	slices.Reverse(shares)
	return shares, nil
}

func mean(times []units.Seconds) units.Seconds {
	return each.Total(times) / units.Seconds(len(times))
}
