package workloads

import "github.com/isoscale/isoscale/model/units"

// InMemory is a program whose computations move BytesPerFlop bytes to and from
// memory for each flop.
type InMemory struct {
	Program
	BytesPerFlop float64 // at least 0
}

var _ Program = InMemory{}

// Unwrap returns the program whose computations these are.
func (m InMemory) Unwrap() Program { return m.Program }

func (m InMemory) Next(rank int, op *Op) bool {
	ok := m.Program.Next(rank, op)
	if ok && op.Kind == Compute {
		op.Size = units.Bytes(float64(op.Work) * m.BytesPerFlop)
	}
	return ok
}
