package sim

// Sharded returns c with a fixed number of shards, however few ranks there are.
func Sharded(c Config, shards int) Config {
	c.shards = shards
	return c
}

// Impatient returns c with a check at each second operation.
func Impatient(c Config) Config {
	c.checkEvery = 2
	return c
}
