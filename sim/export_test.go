package sim

// Sharded returns c with a fixed number of shards, however few ranks there are.
func Sharded(c Config, shards int) Config {
	c.shards = shards
	return c
}
