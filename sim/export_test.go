package sim

// Sharded returns c with a fixed number of shards, however few ranks there are.
func Sharded(c Config, shards int) Config {
	c.shards = shards
	return c
}

// Busy returns c with a limit of that many turns in a row of a process.
func Busy(c Config, turns int) Config {
	c.mostTurns = turns
	return c
}

// Impatient returns c with a limit of two checks without progress in time.
func Impatient(c Config) Config {
	c.stallChecks = 2
	return c
}
