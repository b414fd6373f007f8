package pictures

import _ "embed" // the script and the style

// Colours declares the colours of all charts and pictures, for a light and a dark page.
//
//go:embed colours.css
var Colours string

// Style is that of the pictures themselves. It needs [Colours].
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

// Script is what draws the pictures.
var Script = timelineScript + mountScript + topologyScript
