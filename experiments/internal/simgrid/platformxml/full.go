package platformxml

// A full is a zone where each pair of points has its own route or none.
type full struct {
	ways map[[2]int32]*way
}

func (f *full) path(buf []*way, from, to int32) ([]*way, bool) {
	w := f.ways[[2]int32{from, to}]
	if w == nil {
		return buf, false
	}
	return append(buf, w), true
}
