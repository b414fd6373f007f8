package batchqueue

// SetPassWork sets how many moves the passes of conservative backfilling try, over the number of
// jobs that wait.
func SetPassWork(n int) (restore func()) {
	old := passWork
	passWork = n
	return func() { passWork = old }
}
