package build

import (
	"math"
	"slices"
)

// flow is a network whose largest flow is computed by the algorithm of Dinitz: blocking flows along the shortest ways
// with free capacity. Arcs come in pairs: the opposite of arc i is i^1.
type flow struct {
	first []int32 // first arc of each vertex, or -1
	next  []int32 // next arc of the same vertex, or -1
	to    []int32
	room  []float64
}

func newFlow(vertices, cables int) *flow {
	return &flow{first: slices.Repeat([]int32{-1}, vertices), to: make([]int32, 0, 2*cables)}
}

// connect adds an arc, with the same capacity back if it goes both ways.
func (f *flow) connect(from, to int32, capacity float64, bothWays bool) {
	back := 0.0
	if bothWays {
		back = capacity
	}
	f.arc(from, to, capacity)
	f.arc(to, from, back)
}

func (f *flow) arc(from, to int32, room float64) {
	f.next = append(f.next, f.first[from])
	f.first[from] = int32(len(f.to))
	f.to, f.room = append(f.to, to), append(f.room, room)
}

// largest returns the largest flow. Each way that it finds fills one of its arcs exactly, so rounding cannot keep the
// search going.
func (f *flow) largest(source, sink int32) float64 {
	total := 0.0
	var queue, way []int32
	current := make([]int32, len(f.first))
	for {
		level := slices.Repeat([]int32{-1}, len(f.first))
		level[source] = 0
		queue = append(queue[:0], source)
		for i := 0; i < len(queue); i++ {
			for a := f.first[queue[i]]; a >= 0; a = f.next[a] {
				if f.room[a] > 0 && level[f.to[a]] < 0 {
					level[f.to[a]] = level[queue[i]] + 1
					queue = append(queue, f.to[a])
				}
			}
		}
		if level[sink] < 0 {
			return total
		}
		copy(current, f.first)
		way = way[:0]
		for v := source; ; {
			if v == sink {
				smallest := math.Inf(1)
				for _, a := range way {
					smallest = min(smallest, f.room[a])
				}
				total += smallest
				for _, a := range way {
					f.room[a] -= smallest
					f.room[a^1] += smallest
				}
				way, v = way[:0], source
				continue
			}
			for current[v] >= 0 && (f.room[current[v]] <= 0 || level[f.to[current[v]]] != level[v]+1) {
				current[v] = f.next[current[v]]
			}
			if a := current[v]; a >= 0 {
				way = append(way, a)
				v = f.to[a]
				continue
			}
			if v == source {
				break
			}
			last := way[len(way)-1] // a dead end: step back
			way = way[:len(way)-1]
			v = f.to[last^1]
			current[v] = f.next[last]
		}
	}
}
