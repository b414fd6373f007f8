package search

import (
	"testing"

	"pgregory.net/rapid"
)

// By definition: a point is on the front unless some other is nowhere larger and
// somewhere smaller. Here the somewhere is counted, and coordinates are few, so that
// ties are common.
func TestNonDominatedAgainstBruteForce(t *testing.T) {
	members, outside := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		dimensions := rapid.IntRange(1, 3).Draw(t, "dimensions")
		points := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 3), dimensions, dimensions), 1, 12).Draw(t, "points")
		for _, p := range points {
			for k := range p {
				p[k] = float64(int(p[k] * 2))
			}
		}
		for i, on := range nonDominated(points) {
			beaten := false
			for _, q := range points {
				smaller, larger := 0, 0
				for k := range q {
					if q[k] < points[i][k] {
						smaller++
					} else if q[k] > points[i][k] {
						larger++
					}
				}
				if larger == 0 && smaller > 0 {
					beaten = true
				}
			}
			if on == beaten {
				t.Fatalf("point %v of %v: on the front: %v", points[i], points, on)
			}
			if on {
				members++
			} else {
				outside++
			}
		}
	})
	if members == 0 || outside == 0 {
		t.Errorf("%d points on fronts and %d not: nothing was tested", members, outside)
	}
}
