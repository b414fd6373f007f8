// Package dispatch simulates the super-programming model (SPM) of Jin and
// Ziavras [Jin, sections 4.2 and 4.3]: an instruction dispatch unit (IDU)
// hands super-instructions (SIs) one by one to the nodes of a group, each node
// has up to b of them at a time, and whoever has finished one gets the next.
// A node may itself be a group, to any number of levels.
//
// A [Machine] lists the levels of a hierarchy, which may have unequal groups and nodes of different speeds, and the
// costs of dispatching and of moving data at each. [Work] says how many SIs there are, and how long they take. [Run]
// returns the makespan and where the time of the nodes went.
//
// # The life of an SI
//
//  1. The IDU waits for a place on a node, spends Dispatch on the SI and gives
//     it to that place. Places are served in the order in which they became
//     free; at the start each node in turn gives one place.
//  2. Unless the node is the one that the IDU is on: after Latency the operands
//     come in through the node's interface and the trunk of the group.
//  3. The node executes the SI as soon as it has executed those that were there
//     before: at the innermost level for the SI's time, above as a
//     super-program of the SIs of the next level, which is done when all of
//     those are.
//  4. The results go the same way back, followed by Latency. Then the place is
//     free again.
//
// A node's interface carries one transfer in each direction at a time, in order
// of arrival. The trunk is the head's connection to the group: a capacity for
// each direction that the transfers under way share equally. Interfaces and
// trunks belong to one level of one group; nothing is shared between levels.
//
// # What it is not
//
// SIs of one level are alike, except for the scatter of their times, and always ready: there are no dependences between
// them and no placement by data. Data that stay where they are used simply do not count in Operands and Results. Costs
// of a level are the same in all its groups. Whole SIs are simulated, with the rounding up that this implies; the
// smooth formula of the source is in model/scalability.
//
// # Ties
//
// Times are exact: what is simultaneous on paper is simultaneous here, and results do not depend on the unit of time.
// At one instant inner levels come before outer ones, and within a level SIs with lower numbers first;
// docs/models/spm.md has the complete rule.
//
// # Exact reduction
//
// Without scatter and with nodes that are alike, all SIs of a level take the same time on any group, because a group is
// idle before and after each SI and shares nothing with others. So Run simulates one group of each level, from the
// inside out, and multiplies.
//
// # Layer, units, determinism
//
// Imports model/units and sim/meter. Times are units.Seconds from the start.
// Equal configurations give equal results to the last bit. Several runs may go on
// at the same time.
package dispatch
