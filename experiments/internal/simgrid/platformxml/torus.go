package platformxml

// A torus is a cluster whose hosts stand on a grid that is closed in each
// dimension. Its links are numbered host by host: loopback, limiter, then for
// each dimension the cable to the next host, up before down.
type torus struct {
	dimensions []int32
	first      int32 // number of the first link
	layout     perHost
	cable      int32 // links of a cable: 2 if it is split, else 1
}

// perHost says which links of its own each host of a cluster has, besides
// cables; its number of them is the next link's position.
type perHost struct {
	loopback, limiter bool
}

func (p perHost) count() int32 {
	n := int32(0)
	if p.loopback {
		n++
	}
	if p.limiter {
		n++
	}
	return n
}

// limiterAt is the position of the limiter among the links of a host.
func (p perHost) limiterAt() int32 { return p.count() - 1 }

// links implements rule: dimension by dimension, the first one first, one hop at
// a time. Before each hop and at the end stands the limiter of the host.
func (t *torus) links(buf []int32, from, to int32) ([]int32, bool) {
	own := t.layout.count()
	stride := own + t.cable*int32(len(t.dimensions))
	if from == to && t.layout.loopback {
		return append(buf, t.first+from*stride), true
	}
	limit := func(host int32) {
		if t.layout.limiter {
			buf = append(buf, t.first+host*stride+t.layout.limiterAt())
		}
	}
	at, step := from, int32(1) // step: between neighbours of the dimension
	for j, size := range t.dimensions {
		have, want := from/step%size, to/step%size
		forward := t.forward(have, want, size)
		for have != want {
			limit(at)
			// The cable belongs to the host at its lower end.
			if forward {
				buf = append(buf, t.first+at*stride+own+t.cable*int32(j))
			}
			at -= have * step
			if have = (have + 1) % size; !forward {
				have = (have + size - 2) % size
			}
			at += have * step
			if !forward {
				buf = append(buf, t.first+at*stride+own+t.cable*int32(j)+t.cable-1)
			}
		}
		step *= size
	}
	limit(to)
	return buf, true
}

// forward tells whether a message goes up in a dimension. It takes the shorter
// way; if both are equal it goes up, but for the one from the middle to 0.
func (t *torus) forward(have, want, size int32) bool {
	half := size / 2
	return want > have && want <= have+half || have > half && want <= (have+half)%size
}
