package expression

// dependence says what the value of an expression depends on.
type dependence uint8

const (
	onProcesses dependence = 1 << iota // how many there are and how they are arranged
	onRank                             // which process it is
	onIndex                            // the indices of loops
	onPeer                             // from, to
	onTask
	onDraw // a random number
)

// constant reports whether the value is the same for all processes at all times.
func (d dependence) constant() bool { return d&^onProcesses == 0 }

// steady reports whether the value stays the same for a process.
func (d dependence) steady() bool { return d&(onIndex|onPeer|onTask) == 0 }
