package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Parameters of the programs of [He2004] that the paper does not print. They are
// round numbers; the fits determine the rest.
const (
	referenceRounds = 1000
	matMulOrder     = 4000
	lcsLength       = 100_000
	lcsPiece        = 500 // rows
)

// simulatedRounds is the number of rounds of the reference program that are
// simulated. All rounds but the first ones take the same time, so extrapolating from
// 10 rounds to 1000 has an error of up to 0.2 %.
const simulatedRounds = 10

// referenceFit has the 6 parameters with which Table 2 is fitted.
type referenceFit struct {
	messaging
	contention float64
	compute    units.Flops // of a process in a round
	exchange   units.Bytes // sent by a process in a round
}

// heReference is the fit of Table 2, the least mean square of the relative
// deviations. A test repeats the fit.
var heReference = referenceFit{
	messaging:  messaging{onNode: 100.1e6, perMessage: 281.5e-6, perByte: 21.18e-9},
	contention: 0.0730,
	compute:    3.311e6,
	exchange:   403.4e3,
}

func (f referenceFit) parameters() []Parameter {
	return []Parameter{
		{"compute", float64(f.compute) / 1e6, "Mflop", fmt.Sprintf("of a process in each of %d rounds, at %v", referenceRounds, dawningSpeed)},
		{"contention", f.contention, "1", "by how much a computation takes longer beside another one on its node"},
		{"exchange", float64(f.exchange) / 1e3, "kB", fmt.Sprintf("sent by a process in a round, in equal parts to all others, over cables of %v", dawningCable)},
		{"send overhead", float64(f.perMessage) * 1e6, "us", "of the core, for a message"},
		{"send overhead per byte", float64(f.perByte) * 1e9, "ns", "of the core; the next message is prepared while one travels"},
		{"bandwidth on node", float64(f.onNode) / 1e6, "MB/s", "of a message between processes of one node"},
	}
}

// time returns the time of the reference program on a set of processors, with the
// given partners.
func (f referenceFit) time(ctx context.Context, set smpSet, partners algorithm.Shape) (float64, error) {
	t, err := smpTime(ctx, set, f.messaging, computing{dawningSpeed, f.contention}, algorithm.Reference{
		Series:  algorithm.Series{Rounds: simulatedRounds, Processes: set.processors()},
		Compute: f.compute, Exchange: f.exchange, Partners: partners,
	})
	return t * referenceRounds / simulatedRounds, err
}

// The fits of Table 1, with the messages of Table 2: 2 parameters each for 3 times.
var (
	heMatMul = computing{speed: 108.55e6, contention: 0.1656}
	heLCS    = computing{speed: 46.11e6, contention: 0.00713}
)

func (c computing) parameters(program, unit string) []Parameter {
	return []Parameter{
		{"speed of " + program, float64(c.speed) / 1e6, unit, "of its inner loops on one processor"},
		{"contention of " + program, c.contention, "1", "by how much a computation takes longer beside another one on its node"},
	}
}

// programTime is the time of a program of Table 1 on a set of processors.
type programTime func(ctx context.Context, set smpSet, m messaging, c computing) (float64, error)

// matMulTime returns the time of matrix multiplication on a set of processors: B
// goes out in pieces, which takes about the same time for any number of nodes.
func matMulTime(ctx context.Context, set smpSet, m messaging, c computing) (float64, error) {
	return smpTime(ctx, set, m, c, algorithm.MatMul{
		Problem: algorithm.Problem{N: matMulOrder, Speeds: equalSpeeds(set), Element: 8},
		Scatter: chosen(workloads.Scatter, "flat"), Bcast: chosen(workloads.Bcast, "scatter-allgather"), Gather: chosen(workloads.Gather, "flat"),
	})
}

// lcsTime returns the time of the longest common subsequence on a set of
// processors. A cell counts as 1 flop.
func lcsTime(ctx context.Context, set smpSet, m messaging, c computing) (float64, error) {
	return smpTime(ctx, set, m, c, algorithm.LCS{
		Problem: algorithm.Problem{N: lcsLength, Speeds: equalSpeeds(set), Element: 4}, PieceRows: lcsPiece, CellWork: 1,
	})
}

func equalSpeeds(set smpSet) []units.FlopsPerSecond {
	return slices.Repeat([]units.FlopsPerSecond{dawningSpeed}, set.processors())
}

func chosen(op workloads.Collective, name string) collective.Choice {
	a, err := collective.Lookup(op, name)
	if err != nil {
		panic("paper: " + err.Error())
	}
	return collective.Choice{Operation: op, Algorithm: a}
}

// isoFit is the model of Tables 3 and 5. A multiplication that takes T1 s on one
// processor takes
//
//	T = T1 (1 + m [a = 2])/n + c T1^(2/3),  T1 = e rf T
//
// on the set a x b: both processors of a node slow each other down by m, and the
// volume of the messages, in N^2, grows as the power 2/3 of the work.
type isoFit struct {
	contention float64 // m
	volume     float64 // c, s^(1/3)
	efficiency float64 // e: E of Table 5; V of Table 3 over the speed of one processor
}

// The fits of Tables 5 and 3: two parameters, and one more. They are the least
// mean squares of the relative deviations in T of the printed times that have more
// than one digit.
var (
	heTimeScale = isoFit{contention: 0.1335, volume: 0.09637, efficiency: 1}
	heIsospeed  = isoFit{contention: 0.1335, volume: 0.09637, efficiency: 0.988}
)

// time returns the right-hand side of the model for a printed time. On one
// processor there are no messages.
func (f isoFit) time(set smpSet, rf, t float64) float64 {
	alone := f.efficiency * rf * t
	if set.processors() == 1 {
		return alone
	}
	return float64(alone*f.share(set)) + float64(f.volume*math.Pow(alone, 2./3))
}

// share returns (1 + m [a = 2])/n.
func (f isoFit) share(set smpSet) float64 {
	if set.perNode() == 2 {
		return (1 + f.contention) / float64(set.processors())
	}
	return 1 / float64(set.processors())
}

// solve returns the T at which both sides of the model are equal for a set of more
// than one processor,
//
//	T = (c (e rf)^(2/3)/(1 - x))^3,  x = e rf (1 + m [a = 2])/n
//
// and how many times a relative error of rf is amplified in it,
//
//	d ln T/d ln rf = 2 + 3 x/(1 - x)
func (f isoFit) solve(set smpSet, rf float64) (t, amplification float64) {
	x := float64(f.efficiency * rf * f.share(set))
	return math.Pow(f.volume*math.Pow(f.efficiency*rf, 2./3)/(1-x), 3), 2 + 3*x/(1-x)
}
