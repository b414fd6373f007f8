package pool_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/internal/expect"
)

// With one job the last piece comes first. All are done even if some fail, and done is called for those that succeed.
func TestEachInTurn(t *testing.T) {
	failed := map[int]error{1: errors.New("one"), 3: errors.New("three")}
	var begun, told []int
	err := pool.Each(5, 1, func(i int) error {
		begun = append(begun, i)
		return failed[i]
	}, func(finished, i int) {
		told = append(told, i)
		expect.Equal(t, finished, len(told), "pieces that are finished with %d", i)
	})
	expect.That(t, err == failed[1], "error %v, want that of the first piece that failed", err)
	expect.Same(t, begun, []int{4, 3, 2, 1, 0}, "pieces in their order")
	expect.Same(t, told, []int{4, 2, 0}, "pieces that succeed")
}

// Never more pieces are worked on at a time than there are jobs, and each is done once.
func TestEachAtTheSameTime(t *testing.T) {
	const jobs = 3
	var active atomic.Int32
	count := make([]atomic.Int32, 50)
	expect.Success(t, pool.Each(len(count), jobs, func(i int) error {
		defer active.Add(-1)
		n := active.Add(1)
		expect.That(t, n <= jobs, "%d pieces at a time", n)
		count[i].Add(1)
		return nil
	}, nil))
	for i := range count {
		expect.Equal(t, count[i].Load(), 1, "times that piece %d is done", i)
	}
}

func TestEachOfNothing(t *testing.T) {
	expect.Success(t, pool.Each(0, 0, func(int) error { return errors.New("done") }, nil))
	var all []int
	expect.Success(t, pool.Each(1, 8, func(i int) error { all = append(all, i); return nil }, nil))
	expect.Same(t, all, []int{0}, "the only piece")
}
