// Package canvas writes drawings as SVG for a page, and as files of SVG, PDF and PGF.
//
// What it is. [NewSVG], [NewPDF] and [NewTeX] return canvases of gonum's vg.
// Who draws on one sees no difference between them, but that those of SVG and TeX are
// [Anchoring], as the reader's font may be another than that of the layout.
//
// What it is not. It knows no charts: what is drawn, and where, comes from above. No
// curves, images, rotations: the drawings of charts have none, and drawing one is a
// panic.
//
// Layer. Under experiments; imports nothing of this module.
//
// Units. Lengths are points (1/72 inch) or, in a page, CSS pixels. The origin is at the
// bottom left, as vg has it.
//
// Determinism. The same drawing gives the same bytes at any time.
package canvas
