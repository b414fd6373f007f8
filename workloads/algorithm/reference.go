package algorithm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Reference is the performance reference program of [He2004] section 4: each
// process goes through rounds of a fixed computation and a fixed exchange. Its
// work grows in proportion to the processes, and the ratio of computation to
// communication is the same for any number of rounds, as the source demands.
// Its times on sets of processors give their performance reference factors,
//
//	rf(set) = n T(1)/T(set)
//
// How the code decides what is open in the source: a process sends Exchange bytes
// in a round whoever its partners are, in equal messages to those that Partners
// gives it. So a process without partners, which the reference factor is
// relative to, does not communicate.
type Reference struct {
	Rounds    int
	Processes int
	Compute   units.Flops // of a process in a round
	Exchange  units.Bytes // sent by a process in a round, and received
	// Partners is who exchanges with whom: a shape in which all processes send
	// equally many messages, hence not RandomPairs or Incast.
	Partners Shape
	Startup  units.Seconds // as in Gauss
}

// Validate reports everything that is wrong with the parameters.
func (r Reference) Validate() error {
	var problems []error
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf("reference: "+format, args...))
		}
	}
	bad(r.Partners >= Dissemination && r.Partners <= Alltoall && r.Partners != RandomPairs && r.Partners != Incast,
		"partners are %v; expected a shape in which all processes send equally many messages", r.Partners)
	bad(r.Rounds >= 1 && r.Rounds <= MaxRounds, "n is %d; expected 1 to %d rounds", r.Rounds, MaxRounds)
	bad(r.Processes >= 1, "%d processes; expected at least 1", r.Processes)
	bad(r.Compute >= 0 && r.Compute <= 1e24, "compute is %v; expected 0 to 1e24 flop", r.Compute)
	bad(r.Exchange >= 0 && r.Exchange <= 1e18, "exchange is %v; expected 0 B to 1 EB", r.Exchange)
	bad(r.Startup >= 0 && r.Startup <= 1e9, "startup is %v; expected 0 s to 1e9 s", r.Startup)
	return errors.Join(problems...)
}

// pattern returns the rounds as a Pattern.
func (r Reference) pattern() Pattern {
	p := Pattern{Shape: r.Partners, Rounds: r.Rounds, Processes: r.Processes, Compute: r.Compute, Startup: r.Startup}
	if messages := p.steps(); messages > 0 {
		p.Size = r.Exchange / units.Bytes(messages)
	}
	return p
}

// Work returns W = Rounds * Processes * Compute.
func (r Reference) Work() units.Flops { return r.pattern().Work() }

// SequentialWork returns 0.
func (r Reference) SequentialWork() units.Flops { return 0 }

// Footprints returns the memory of what each process sends and receives in a
// round.
func (r Reference) Footprints() []units.Bytes {
	need := make([]units.Bytes, r.Processes)
	if r.Processes > 1 {
		for i := range need {
			need[i] = 2 * r.Exchange
		}
	}
	return need
}

// Choices returns none: messages are the program's own.
func (r Reference) Choices() []collective.Choice { return nil }

// Overhead returns the start-up and, for each round, the messages of a process
// one after the other: a bound where they overlap.
func (r Reference) Overhead(c Costs) units.Seconds { return r.pattern().Overhead(c) }

// Program returns a fresh run. The parameters must be valid.
func (r Reference) Program() workloads.Program { return r.pattern().Program() }

var referenceKind = Kind{
	Name: "reference", Title: "rounds of a fixed computation and a fixed exchange, for performance reference factors",
	Source: "[He2004] 4", Size: "number of rounds", Element: double, WorkPerProcess: true,
	Parameters: []parameter.Parameter{
		{Name: "compute", Type: parameter.Work{}, Default: "1 Mflop", Meaning: "work of each process in a round"},
		{Name: "exchange", Type: parameter.Size{}, Default: "10 kB", Meaning: "what each process sends in a round, to all partners together"},
		{Name: "partners", Type: parameter.Word{Of: referenceShapes()}, Default: Ring.String(), Meaning: "who exchanges with whom"},
	},
	Build: func(c Case) Algorithm {
		partners, _ := ParseShape(c.Word("partners"))
		return Reference{Rounds: c.N, Processes: len(c.Speeds), Compute: c.Work("compute"), Exchange: c.Size("exchange"), Partners: partners, Startup: c.Startup}
	},
}

// referenceShapes names the shapes in which all processes send equally many
// messages.
func referenceShapes() []string {
	return slices.DeleteFunc(ShapeNames(), func(name string) bool { return name == RandomPairs.String() || name == Incast.String() })
}
