package batch

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// site is the part of a cluster's configuration that is used here.
type site struct {
	cluster      string
	maxArraySize int // largest index of an array, plus one
	maxJobCount  int // jobs that the controller keeps, each task of an array counted
}

// askSite asks the controller for its configuration.
func askSite(ctx context.Context, env []string) (site, error) {
	out, err := ask(ctx, "", env, nil, "scontrol", "show", "config")
	if err != nil {
		return site{}, fmt.Errorf("Slurm does not answer: %w; expected the configuration of the cluster", err)
	}
	return parseSite(out)
}

// parseSite reads what scontrol show config prints: lines `Name = value`.
func parseSite(out string) (site, error) {
	values := map[string]string{}
	for line := range strings.Lines(out) {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	var s site
	if s.cluster = values["ClusterName"]; s.cluster == "" {
		return site{}, fmt.Errorf("scontrol show config: no ClusterName; expected a line `ClusterName = name`")
	}
	for _, number := range []struct {
		name string
		to   *int
	}{{"MaxArraySize", &s.maxArraySize}, {"MaxJobCount", &s.maxJobCount}} {
		n, err := strconv.Atoi(values[number.name])
		if err != nil || n < 0 {
			return site{}, fmt.Errorf("scontrol show config: %s is %q; expected a line `%s = number`", number.name, values[number.name], number.name)
		}
		*number.to = n
	}
	return s, nil
}

// admits returns why the site would refuse an array of those shards, or nil.
func (s site) admits(shards []int, of int) error {
	largest := 0
	for _, k := range shards {
		largest = max(largest, k)
	}
	switch {
	case s.maxArraySize == 0:
		return fmt.Errorf("cluster %s permits no job arrays (MaxArraySize is 0); expected a site that does", s.cluster)
	case largest >= s.maxArraySize:
		return fmt.Errorf("shard %d of %d cannot be a task on cluster %s, whose MaxArraySize is %d: the index of a task is at most %d; expected a directory with at most %d shards",
			largest, of, s.cluster, s.maxArraySize, s.maxArraySize-1, s.maxArraySize)
	case len(shards) > s.maxJobCount:
		return fmt.Errorf("%d shards (%s) are more jobs than cluster %s keeps, whose MaxJobCount is %d; expected a directory with at most %d shards",
			len(shards), printable(store.Ranges(shards), 60), s.cluster, s.maxJobCount, s.maxJobCount)
	}
	return nil
}
