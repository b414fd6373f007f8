package application

// Call implements sim.Caller: the statement that a rank is in, by its place in the file,
// and the name of the operation if it is a collective one.
func (r *run) Call(rank int) (name, place string) {
	i := &r.code[r.state[rank*int(r.stride)+atPlace]]
	if i.op == collect {
		name = i.call.Operation.String()
	}
	return name, i.text
}

// Step tells which statement in which rounds of the loops around it the rank is in
// (recording.Stepper): a hash of these numbers.
func (r *run) Step(rank int) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	s := r.state[rank*int(r.stride):][:r.stride]
	h := (offset ^ uint64(s[atPlace])) * prime
	for _, round := range s[atLoops:] {
		h = (h ^ uint64(round)) * prime
	}
	return h
}
