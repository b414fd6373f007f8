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
// On a better network ranks may do other work, or compute without sharing memory, so that these times need not be in
// order: each counts as at least the one before it, and at most as T. REQUIRES: results have their ranks.
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
	times := []units.Seconds{mean(useful), slices.Max(useful)} // U_mean, U_max, T', T_l, T_a if it differs, T
	for _, r := range slices.Backward(others) {
		times = append(times, r.Makespan)
	}
	times = append(times, run.Makespan, run.Makespan)
	shares := []Share{
		{Name: "useful", Meaning: "processes compute"},
		{Name: "imbalance", Meaning: "some processes compute longer than others"},
		{Name: "serialisation", Meaning: serialised(others[len(others)-1])},
		{Name: "latency", Meaning: "messages take time whatever their size, on the network and on cores"},
		{Name: "bandwidth", Meaning: "bytes take time, even on links of their own"},
		{Name: "contention", Meaning: "messages share links"},
	}
	var done units.Seconds
	for i := range shares {
		until := min(run.Makespan, max(done, times[i]))
		shares[i].Value = float64((until - done) / run.Makespan)
		done = until
	}
	return shares, nil
}

func mean(times []units.Seconds) units.Seconds {
	return each.Total(times) / units.Seconds(len(times))
}
