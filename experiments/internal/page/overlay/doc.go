// Package overlay draws the same chart of two results in one picture, and below it the
// ratio of the two.
//
// What it is. [Of] matches the charts of two results by name. Charts of curves and of bars
// are laid over each other: the series of both, those of the second dashed and in colours
// of their own. The ratio is that of the second to the first at each x that both have.
//
// What it is not. It interpolates nothing: a point that only one result has is drawn and
// has no ratio. Maps, timelines, tornados and scattered points have no x to compare at;
// they are left out, and said to be.
//
// Layer. Under experiments; imports figure, report, input and units.
//
// Units. Axes must agree in their quantity. Prefixes may differ, as in ms and s: the second
// result is converted.
package overlay
