package algorithm

// Mix draws 64 random bits for a position in a seeded stream: the output
// function of SplitMix64 [Steele2014] applied twice.
func Mix(seed, position uint64) uint64 {
	z := splitmix(seed + 0x9e3779b97f4a7c15*(position+1))
	return splitmix(z + 0x9e3779b97f4a7c15)
}

func splitmix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
