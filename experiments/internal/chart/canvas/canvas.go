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

// An Anchoring canvas places text by its start, middle or end, which stays in its place
// if the reader's font or characters are other ones.
type Anchoring interface {
	vg.Canvas
	FillAnchored(f font.Face, pt vg.Point, anchor, text string)
	FillUpright(f font.Face, pt vg.Point, text string) // read upwards, with its middle at the point
}
