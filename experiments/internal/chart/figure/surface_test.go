package figure

import "testing"

// The heads of arrows turn the same way, so that one path of all has no holes where two
// overlap.
func TestHeadsTurnTheSameWay(t *testing.T) {
	for _, end := range []point{{10, 0}, {0, 10}, {-10, 0}, {0, -10}, {7, -7}} {
		head := arrowHead([]point{{0, 0}, end}, 5, 2)
		a, b, c := head[0], head[1], head[2]
		if turn := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x); turn <= 0 {
			t.Errorf("the head of an arrow to %v has corners %v, with twice the area %v; expected a positive one", end, head, turn)
		}
	}
}
