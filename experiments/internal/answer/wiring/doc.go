// Package wiring finds out how the links of a platform hang together, for pictures.
//
// What it is. A platform knows routes and not where its links end. [Of] looks at routes:
// where one link follows another, both end at the same place.
//
// What it is not. It places nothing: where things are drawn is up to the picture
// (package pictures). Links that no route uses are left out, and so are those inside a
// node.
//
// Layer. Under experiments; imports build and topology.
//
// Determinism. The same platform gives the same wiring.
package wiring
