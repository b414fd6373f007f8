package batchqueue

// LongQueues lets few jobs count as many: passes of conservative backfilling try so many moves, over
// the number of jobs that wait, and searches look at marks from the second on.
func LongQueues(moves int) (restore func()) {
	work, few := passWorkOf, fewSearches
	passWorkOf, fewSearches = func(int) int { return moves }, 2
	return func() { passWorkOf, fewSearches = work, few }
}
