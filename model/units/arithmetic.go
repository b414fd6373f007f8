package units

// Over returns how long b takes at a bandwidth r, b/r. It is +Inf, or not a number
// for 0 bytes, where r is 0.
func (b Bytes) Over(r BytesPerSecond) Seconds { return Seconds(float64(b) / float64(r)) }

// PerSecond returns the bandwidth of b in each second.
func (b Bytes) PerSecond() BytesPerSecond { return BytesPerSecond(b) }

// At returns how long w takes at a speed s, w/s. It is +Inf, or not a number for no
// work, where s is 0.
func (w Flops) At(s FlopsPerSecond) Seconds { return Seconds(float64(w) / float64(s)) }

// PerSecond returns the speed of w in each second.
func (w Flops) PerSecond() FlopsPerSecond { return FlopsPerSecond(w) }
