// Package topology describes machines: node types, nodes, the network between
// them, and which process of a program runs where.
//
// A description is static: nothing here computes, sends or takes time. The
// built-in catalogue is a set of machine files in the same format that users
// write; package experiments reads both.
//
// Layer: imports model/units only. Units: by type. Determinism: nodes and
// processes are numbered in the order of the description.
package topology
