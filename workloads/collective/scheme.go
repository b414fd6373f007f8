package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// scheme is the form of every algorithm of this package: a name and a step
// function.
type scheme struct {
	operation workloads.Collective
	name      string
	step      func(c Call, rank, k int) (Step, bool)
}

func (a *scheme) Name() string { return a.name }

func (a *scheme) Operation() workloads.Collective { return a.operation }

func (a *scheme) Step(c Call, rank, k int) (Step, bool) { return a.step(c, rank, k) }

// divided is a scheme that cuts its one block into pieces.
type divided struct {
	scheme
	pieces func(c Call, size units.Bytes) int
}

func (a *divided) Pieces(c Call, size units.Bytes) int { return a.pieces(c, size) }

// pieceEach cuts into one piece for each rank.
func pieceEach(c Call, _ units.Bytes) int { return c.Size }
