// Package canvas writes drawings as SVG for a page, and as files of SVG, PDF and PGF.
//
// What it is. [NewSVG], [NewPDF] and [NewTeX] return canvases of gonum's vg that look
// alike to the code that draws. All are [Anchoring], because the reader's font may be
// another than that of the layout.
//
// What it is not. It knows no charts: what is drawn, and where, comes from above. SVG has
// no curves, images or transformations, because the drawings of charts have none: drawing
// one is a panic.
//
// Units. Lengths are points (1/72 inch) or, in a page, CSS pixels. The origin is at the
// bottom left, as vg has it.
//
// Determinism. The same drawing gives the same bytes at any time.
package canvas
