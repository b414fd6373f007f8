package canvas

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Where text is relative to its point, as SVG has it.
const (
	Start  = "start"
	Middle = "middle"
	End    = "end"
)

// An Anchoring canvas writes text by its start, middle or end, which stay there where
// the reader's font is another, or the characters are.
type Anchoring interface {
	vg.Canvas
	FillAnchored(f font.Face, pt vg.Point, anchor, text string)
	FillUpright(f font.Face, pt vg.Point, text string) // read upwards, with its middle at the point
}
