package algorithm_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

func TestMessage(t *testing.T) {
	w := expect.Value(run(algorithm.Message{Size: 40}.Program(), nil))(t)
	expect.That(t, w.messages == 1 && w.size == 40 && len(w.ranks) == 2 && len(w.ranks[0].of(workloads.Send)) == 1,
		"%d messages of %v byte among %d processes; expected one of 40 from 0 to 1", w.messages, float64(w.size), len(w.ranks))
}
