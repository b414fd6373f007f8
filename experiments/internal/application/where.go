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
