package batch

import (
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// shardsVariable is the environment variable with the list of the shards of a
// job whose indices can only count from 0, as in "7,25,38-39".
const shardsVariable = "ISOSCALE_SHARDS"

// indexVariables are where batch systems say which task of an array this is, the
// first that is set wins.
var indexVariables = []struct {
	name string
	// counted: indices are 0, 1, 2, ..., so that a subset of the shards needs a
	// list. Elsewhere the index is the shard.
	counted bool
}{
	{"SLURM_ARRAY_TASK_ID", false},
	{"JOB_COMPLETION_INDEX", true}, // Kubernetes, indexed Job
	{"PBS_ARRAY_INDEX", false},     // PBS Professional, OpenPBS
	{"AWS_BATCH_JOB_ARRAY_INDEX", true},
}

// ShardIndex returns the number of the shard that the environment assigns to
// this process, and the variable that says so: SLURM_ARRAY_TASK_ID,
// JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX or AWS_BATCH_JOB_ARRAY_INDEX. With the
// second and the last, which count from 0, ISOSCALE_SHARDS may list the shards:
// index i is its i-th number, in ascending order.
//
// If no variable is set, from is empty. If from is not empty and ok is false,
// the value of that variable is invalid: not a number, or beyond the end of the list.
// How many shards there are is never taken from the environment, which describes
// one submission and not the directory: the caller compares k with the plan.
func ShardIndex(getenv func(string) string) (k int, from string, ok bool) {
	for _, v := range indexVariables {
		text := getenv(v.name)
		if text == "" {
			continue
		}
		// Digits only, and within the range of any int.
		index, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return 0, v.name, false
		}
		if list := getenv(shardsVariable); v.counted && list != "" {
			shards, err := store.ParseRanges(list)
			if err != nil || index >= uint64(len(shards)) {
				return 0, shardsVariable, false
			}
			return shards[index], shardsVariable, true
		}
		return int(index), v.name, true
	}
	return 0, "", false
}
