package wrapped

import "github.com/isoscale/isoscale/workloads"

// Streamed may be implemented by a program whose ranks have streams.
type Streamed interface {
	// Streams returns how many streams each rank has. The operations of stream k of a rank
	// are those of Next for k Ranks() + rank; peers, roots and groups in them are those of
	// ranks.
	Streams() int
}

// Streams returns how many streams each rank of a program, which may be wrapped, has.
func Streams(p workloads.Program) int {
	if s, ok := Outermost[Streamed](p); ok {
		return s.Streams()
	}
	return 0
}
