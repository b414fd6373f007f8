package batch_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/batch"
)

// A task of an array asks for its shard. In a pod of a Kubernetes Job that was
// printed for the shards 7, 25, 38 and 39, the pod with index 2 has shard 38.
func Example() {
	pod := map[string]string{
		"JOB_COMPLETION_INDEX": "2",
		"ISOSCALE_SHARDS":      "7,25,38-39",
	}
	k, from, ok := batch.ShardIndex(func(name string) string { return pod[name] })
	fmt.Println(k, from, ok)
	// Output: 38 ISOSCALE_SHARDS true
}
