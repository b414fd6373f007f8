// Package sharing divides capacities among the flows that use them, by
// weighted max-min fairness, and tells when flows end.
//
// A [Resource] is a capacity: a link, a backbone, the cores of a node, a memory
// bus. A [Flow] is an amount of work, a transfer or a computation, that uses
// several resources at once at one rate. A [System] holds both.
//
// A System is passive. It owns no clock and no events: it is told what happens and when
// ("a flow starts now"), and answers when the next flow ends. Queries have no visible
// side effects: asking twice gives the same answer twice. All changes of one instant
// are solved together.
//
// # Sharing rule
//
// Flow f has a penalty p and an upper bound of its rate, and takes weight*rate of each
// resource that it uses. Its level is rate*p. All rates rise from zero such that all
// levels are equal, until
//
//   - a flow reaches its bound: it stays there;
//   - a shared resource is full, that is sum(weight*rate) = capacity: all its
//     flows stay where they are, and it is their bottleneck;
//   - a fat pipe is full, that is max(weight*rate) = capacity over its flows
//     that still rise: those all stay where they are, and it is their
//     bottleneck.
//
// The other flows keep rising. So flows with the same bottleneck have rates in
// proportion to 1/p. On a fat pipe this is a quirk, kept for conformance with SimGrid:
// of two flows over a fat pipe, the one with twice the penalty gets half the capacity
// although they share nothing.
//
// Sources: Bertsekas and Gallager, Data Networks, 2nd ed. 1992, section 6.5.2
// (max-min fairness by progressive filling); Casanova and Marchal, A network
// model for simulation of grid application, INRIA RR-4596, 2002 (weights,
// penalties, bounds); SimGrid 3.32 for the fat pipe.
//
// # Limits
//
// Latency, protocol factors and routes are the caller's business: they become
// amounts, penalties, bounds and uses here.
//
// Layer: imports model/units only. Units: times are [units.Seconds]. Amounts,
// rates, capacities and weights are bare float64, because one flow may use
// resources of different quantities (bytes per second of a bus and flop per
// second of a core): the unit of an amount is the caller's choice, rates are
// that per second, and weight*rate has the unit of the capacity. Determinism:
// the same calls give the same answers to the last bit.
package sharing
