package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Statement is a statement of the program of a process.
type Statement interface {
	// add adds the instructions of the statement.
	add(b *builder, p Place)
}

// Placed is a statement with what all statements have.
type Placed struct {
	Place
	Statement
}

// Place says where a statement stands and how often it counts.
type Place struct {
	At    string                 // file:line:column
	Every *expression.Expression // only in every so many rounds of the loop around it; nil: always
}

// Compute is a computation.
type Compute struct {
	Flop  *expression.Expression
	Bytes *expression.Expression // traffic between cores and memory; nil: none
	// Uncounted work is performed and is not part of W, such as work that several
	// processes repeat.
	Uncounted bool
	Loop      int32 // number of its inner loop; 0: that of the whole workload
}

// Delay is time of a process in something that is not the application's work.
type Delay struct{ Time *expression.Expression }

// Vary makes the work of all computations after it, to the end of the block that it
// stands in, vary: by a factor 1 + Width d, at least 0, where d is drawn once for each
// process, or for each computation. W does not vary.
type Vary struct {
	By    Distributed
	Width *expression.Expression
	// Once: the factor of a process is always the same, an imbalance. Otherwise it is
	// noise.
	Once bool
}

// Distributed is the distribution of a draw d.
type Distributed uint8

const (
	Uniform     Distributed = iota // in [-1, 1)
	Normal                         // mean 0, standard deviation 1
	Exponential                    // mean 1
)

// Exchange is an exchange of messages with the neighbours on the grid: first receives
// from all of them are started, then sends to all of them; what is done meanwhile
// follows, and then the wait for all of them.
type Exchange struct {
	// Sizes gives the size of messages by the axes along which they move: bit i of a
	// key stands for axis i.
	Sizes     map[int]*expression.Expression
	Around    []bool // by axis: its ends are neighbours
	Meanwhile []Placed
}

// Message is a message, or one end of one.
type Message struct {
	Kind    workloads.Kind         // Send, Recv, Isend, Irecv, Sendrecv
	To      *expression.Expression // Send, Isend, Sendrecv
	From    *expression.Expression // Recv, Irecv, Sendrecv; nil: from any
	Tag     *expression.Expression // nil: 0, or any tag if AnyTag
	AnyTag  bool
	Size    *expression.Expression // Send, Isend, Sendrecv; Recv, Irecv: nil, or what is expected
	Request int32                  // Isend, Irecv: number of its name from 0; Unnamed for one without
}

// Unnamed is the number of a request without a name.
const Unnamed int32 = -1

// MaxRequests is how many names requests can have.
const MaxRequests = 31

// Wait waits for a request, or for all of them.
type Wait struct {
	Request int32
	All     bool
}

// Collective is a call of a collective operation among all processes, or among those
// with the same place on all axes but one.
type Collective struct {
	Operation workloads.Collective
	Choice    collective.Choice      // how it is carried out
	Parameter string                 // in its place: the parameter that says so; "" for none
	Among     int32                  // axis
	Root      *expression.Expression // place of the root along the axis; nil: 0
	// Size is the size of the data of a broadcast, reduction or scan, and otherwise of
	// a block; it may depend on from and to. Nil for a barrier.
	Size *expression.Expression
	Work *expression.Expression // flop for each byte that is combined; nil: 0
}

// Repeat is a loop.
type Repeat struct {
	Count *expression.Expression
	Do    []Placed
}

// When is a choice.
type When struct {
	Holds    *expression.Expression
	Do, Else []Placed
}

// Tasks is a bag of tasks. The program waits for its end only where messages do.
type Tasks struct {
	Count *expression.Expression
	Flop  *expression.Expression // of a task
	Bytes *expression.Expression // as in Compute; nil: none
	// Dynamic: process 0 hands tasks out, one at a time, to who asks first, and computes
	// none unless it is alone. A request carries the result of the task before.
	// Otherwise process r has the tasks r, r+p, r+2p, ... and there are no messages.
	Dynamic   bool
	Uncounted bool                   // as in Compute
	Loop      int32                  // as in Compute
	Input     *expression.Expression // Dynamic: size of the message with a task; nil: 0
	Output    *expression.Expression // Dynamic: size of the message with a result; nil: 0
}
