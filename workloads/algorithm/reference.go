package algorithm

import (
	"errors"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Reference is the performance reference program of [He2004] section 4: each process goes
// through rounds of a fixed computation and a fixed exchange. With Compute, its work
// grows in proportion to the number of processes, and the ratio of computation to
// communication does not depend on the number of rounds, as the source demands. Its times
// on sets of processors give their performance reference factors,
//
//	rf(set) = n T(1)/T(set)
//
// How the code decides what is open in the source: a process sends Exchange bytes in a
// round, whatever its partners, in equal messages to those that Partners gives it. So a
// process without partners, to which the reference factor is relative, does not
// communicate.
type Reference struct {
	Series
	Compute units.Flops // of a process in a round
	// TotalCompute, in place of Compute, and Speeds are as in [Pattern]: one problem
	// for any number of processes, which is not in the source.
	TotalCompute units.Flops
	Speeds       []units.FlopsPerSecond
	Exchange     units.Bytes // sent by a process in a round, and received
	// Partners says who exchanges with whom: a shape in which all processes send
	// equally many messages, so not RandomPairs or Incast.
	Partners Shape
}

// Validate reports everything that is wrong with the parameters.
func (r Reference) Validate() error {
	const name = "reference"
	return errors.Join(
		expect(r.Partners >= Dissemination && r.Partners <= Alltoall &&
			r.Partners != RandomPairs && r.Partners != Incast,
			name, "partners are %v; expected a shape in which all processes send equally many messages", r.Partners),
		r.check(name),
		expect(r.Compute >= 0 && r.Compute <= 1e24, name, "compute is %v; expected 0 to 1e24 flop", r.Compute),
		checkTotal(name, r.Series, r.TotalCompute, r.Compute, r.Speeds),
		expect(r.Exchange >= 0 && r.Exchange <= 1e18, name, "exchange is %v; expected 0 B to 1 EB", r.Exchange),
	)
}

// pattern returns the rounds as a Pattern.
func (r Reference) pattern() Pattern {
	p := Pattern{Series: r.Series, Shape: r.Partners, Compute: r.Compute, TotalCompute: r.TotalCompute,
		Speeds: r.Speeds}
	if messages := p.steps(); messages > 0 {
		p.Size = r.Exchange / units.Bytes(messages)
	}
	return p
}

// Work returns W = Rounds * Processes * Compute, or Rounds * TotalCompute.
func (r Reference) Work() units.Flops { return r.pattern().Work() }

// Footprints returns the memory of what each process sends and receives in a
// round.
func (r Reference) Footprints() []units.Bytes {
	if r.Processes == 1 {
		return r.alike(0)
	}
	return r.alike(2 * r.Exchange)
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
	Source: "[He2004] 4", Size: "number of rounds", Element: double, Scaling: roundScaling,
	Parameters: []parameter.Parameter{
		{Name: "compute", Type: parameter.Work{}, Default: "1 Mflop", Meaning: "work of each process in a round"},
		totalCompute,
		{Name: "exchange", Type: parameter.Size{}, Default: "10 kB", Meaning: "data that each process sends in a round, total over all partners"},
		{Name: "partners", Type: parameter.Word{Of: referenceShapes()}, Default: Ring.String(), Meaning: "partners of each process in a round"},
	},
	Build: func(c Case) Algorithm {
		r := Reference{Series: c.series(), Speeds: c.Speeds, Exchange: c.Size("exchange"),
			Partners: shapeNamed(c.Word("partners"))}
		r.Compute, r.TotalCompute = c.workOfRound()
		return r
	},
}

// referenceShapes names the shapes in which all processes send equally many
// messages.
func referenceShapes() []string {
	return slices.DeleteFunc(namesOfShapes(), func(name string) bool {
		return name == RandomPairs.String() || name == Incast.String()
	})
}
