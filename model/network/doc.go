// Package network prices single messages in closed form: given who sends how
// much to whom, how long the sender's core, the wire and the receiver's core
// are busy.
//
// A model here is passive. It owns no clock and no events, keeps no state
// between messages and knows nothing of other messages in flight: what
// messages do to each other at the ends (one after the other through a network
// interface, matching, waiting) is the engine's business, and what they do to
// each other on shared links is not modelled at this level of fidelity.
//
// Models: [Ideal] (nothing costs anything), [Hockney] (latency plus size over
// bandwidth) and [LogGOPS] (per-message and per-byte costs of cores and interfaces).
//
// Layer: imports model/units only. Units: seconds, bytes, bytes per second, by
// type. Determinism: prices are pure functions.
package network
