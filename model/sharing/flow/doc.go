// Package flow carries messages over the links of a machine and computations on
// its nodes, with everything on a link or a node sharing what there is. It is the
// network model "flow", the top of the fidelity ladder.
//
// A message first spends the latency of its route, then flows over all of its
// links at once, at a rate that the messages under way share by weighted max-min
// fairness ([sharing.System]). Computations share the cores of their node, and
// its memory bandwidth with each other and with the messages that stay on the
// node. [Parameters] hold what differs between the variants of the model, CM02,
// LV08 and SMPI of [SimGrid2014] among them.
//
// A [Model] is passive: it owns no clock. It is told what starts when, says when
// something ends next, and is advanced to that time. When a transfer starts, and
// who waits for it, is the business of the engine and of its protocol.
//
// What it is not: packets, queues, loss and routing that adapts to load do not
// occur, and a flow reaches its fair rate at once.
//
// Layer: imports model/units and model/internal/sharing. Units: by type. Determinism: what
// ends at one instant ends in the order in which it started to share.
package flow
