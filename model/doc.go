// Package model has the passive models: what computing, messages and sharing cost, and the
// metrics of scalability. None has a clock.
//
// Packages, and what each imports of the others:
//
//	compute
//	internal/sharing
//	network
//	regression
//	scalability
//	sharing/flow: internal/sharing
package model
