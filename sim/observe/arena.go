package observe

// arena holds records that are never removed, in pieces that are never moved: as it
// grows, it needs no memory beyond that of its records.
type arena[T any] struct {
	pieces [][]T
}

// pieceLen is how many records are allocated at once.
const pieceLen = 1 << 10

// add adds a zero record and returns its number.
func (a *arena[T]) add() int32 {
	last := len(a.pieces) - 1
	if last < 0 || len(a.pieces[last]) == pieceLen {
		a.pieces = append(a.pieces, make([]T, 0, pieceLen))
		last++
	}
	n := len(a.pieces[last])
	a.pieces[last] = a.pieces[last][:n+1]
	return int32(last*pieceLen + n)
}

// at returns a record.
func (a *arena[T]) at(i int32) *T { return &a.pieces[i/pieceLen][i%pieceLen] }

// len returns the number of records.
func (a *arena[T]) len() int {
	if len(a.pieces) == 0 {
		return 0
	}
	last := len(a.pieces) - 1
	return last*pieceLen + len(a.pieces[last])
}
