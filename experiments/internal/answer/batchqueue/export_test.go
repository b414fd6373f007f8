package batchqueue

// LongQueues makes short queues behave like long ones: a pass of conservative backfilling tries moves over the
// number of waiting jobs, and searches look at marks from the second on.
func LongQueues(moves int) (restore func()) {
	work, few := passWorkOf, fewSearches
	passWorkOf, fewSearches = func(int) int { return moves }, 2
	return func() { passWorkOf, fewSearches = work, few }
}
