package html

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// A surface and the same grid in space are one value, converted.
func TestSurfaceConverts(t *testing.T) {
	flat := hill()
	page(t, &chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{flat, (*chart.Surface3D)(flat)}}}})
}

// Without scripts a surface in space is drawn as a map. It is left out where that map comes
// just before it, and stays where its values are others.
func TestStaticPageDrawsAMapOnce(t *testing.T) {
	for _, test := range []struct {
		values [][]float64
		live   bool
		want   int // charts
	}{{nil, false, 1}, {[][]float64{{0, 1}, {2, 3}}, false, 2}, {nil, true, 2}} {
		d := spaceDocument(1)
		space := d.Sections[0].Blocks[0].(*chart.Surface3D)
		flat := chart.Surface(*space)
		if test.values != nil {
			space.Values = test.values
		}
		d.Sections[0].Blocks = []chart.Block{&flat, space}
		var page strings.Builder
		if err := Write(&page, d, test.live); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(page.String(), "<figure"); got != test.want {
			t.Errorf("a map and a surface with the values %v: %d charts, want %d", test.values, got, test.want)
		}
	}
}
