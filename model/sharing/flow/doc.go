// Package flow carries messages over the links of a machine and computations on its
// nodes. Everything on a link or node shares its capacity. It is the network model
// "flow", the top of the fidelity ladder.
//
// A message first spends the latency of its route, then flows over all of its
// links at once, at a rate that the messages under way share by weighted max-min
// fairness ([sharing.System]). Computations share the cores of their node, and
// its memory bandwidth with each other and with the messages that stay on the
// node. [Parameters] hold what differs between the variants of the model, CM02,
// LV08 and SMPI of [SimGrid2014] among them.
//
// A [Model] is passive: it owns no clock. It is told what starts when, says when
// something ends next, and is advanced to that time. The engine and its protocol decide
// when a transfer starts and who waits for it.
//
// What it is not: there are no packets, queues, losses or adaptive routing, and a flow
// reaches its fair rate at once.
//
// Layer: imports model/units, internal/heap and model/internal/sharing. Units: by type.
// Determinism: flows that end at one instant end in the order in which they started to
// share.
package flow
