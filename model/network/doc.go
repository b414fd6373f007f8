// Package network prices single messages in closed form: how long the sender's core,
// the wire and the receiver's core are busy, given who sends how much to whom.
//
// A model here is passive. It owns no clock and no events, keeps no state between
// messages and knows nothing of other messages in flight: how messages affect each
// other at their ends (queueing at a network interface, matching, waiting) is the
// engine's business, and how they affect each other on shared links is not modelled at
// this level of fidelity.
//
// Models: [Ideal] (nothing costs anything), [Hockney] (latency plus size over
// bandwidth) and [LogGOPS] (per-message and per-byte costs of cores and interfaces).
//
// Layer: imports model/units only. Units: seconds, bytes, bytes per second, by
// type. Determinism: prices are pure functions.
package network
