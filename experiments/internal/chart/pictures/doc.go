// Package pictures has the script and the style of pictures that readers can move in:
// the timeline of a run, and the wiring of a machine with the use of its links. Reports
// and the explorer draw the same pictures with it, in the same colours.
//
// What it is. Texts to put into a page. The script declares isoscaleTimeline and
// isoscaleTopology, whose functions timeline.js, mount.js and topology.js describe. It
// needs no other script and requests nothing. [Packed] and [Hash] are for pages with such texts.
//
// What it is not. It has no chart library, and knows nothing of runs: a timeline comes in
// the binary form of package timeline, a wiring in the JSON of package watch.
//
// Layer. Under experiments; imports nothing.
package pictures
