package pictures

import (
	_ "embed" // the script and the style
)

// Style is that of the pictures themselves. It needs that of package palette.
//
//go:embed pictures.css
var Style string

var (
	//go:embed timeline.js
	timelineScript string
	//go:embed mount.js
	mountScript string
	//go:embed topology.js
	topologyScript string
)

// Elements is what scripts make elements of a page with.
//
//go:embed elements.js
var Elements string

// Script is what draws the pictures.
var Script = Elements + timelineScript + mountScript + topologyScript
