package platformxml

// A dragonfly is a cluster of groups of chassis of routers of hosts. All routers
// of a chassis are connected (green), the routers of equal number in the chassis
// of a group (black), and of each two groups one router each (blue): in group g
// it is router h of chassis 0 that leads to group h.
type dragonfly struct {
	groups, chassis, routers, nodes int32
	layout                          perHost
	cable                           int32 // links of a cable: 2 if it is split, else 1
	first                           int32 // links of the hosts: loopback, limiter
	limiters                        int32 // first limiter of the routers
	local, green, black, blue       int32 // first links of each kind
}

// pair is the number of a < b among the pairs of n things, in lexicographic
// order.
func pair(a, b, n int32) int32 { return a*(2*n-a-1)/2 + b - a - 1 }

// pairs is the number of pairs of n things.
func pairs(n int32) int32 { return n * (n - 1) / 2 }

// cross is the link from one to another of n things that are connected pairwise,
// up from the lower to the higher. The k-th pair has its cables side by side with
// those of the same pair elsewhere: stride of them, of which this is number lane.
func (d *dragonfly) cross(first, from, to, n, stride, lane int32) int32 {
	if from < to {
		return first + d.cable*(pair(from, to, n)*stride+lane)
	}
	return first + d.cable*(pair(to, from, n)*stride+lane) + d.cable - 1
}

// links implements rule: the shortest way with at most one blue link. Inside a
// group it goes green first. As in SimGrid it is then taken to be in chassis 0, so
// that a black link follows even if both routers are in one chassis other than 0,
// and none if the destination is in chassis 0.
func (d *dragonfly) links(buf []int32, from, to int32) ([]int32, bool) {
	if from == to && d.layout.loopback {
		return append(buf, d.first+from*d.layout.count()), true
	}
	type place struct{ group, chassis, router int32 }
	placeOf := func(host int32) place {
		r := host / d.nodes
		return place{r / d.routers / d.chassis, r / d.routers % d.chassis, r % d.routers}
	}
	number := func(p place) int32 { return (p.group*d.chassis+p.chassis)*d.routers + p.router }
	limit := func(p place) {
		if d.layout.limiter {
			buf = append(buf, d.limiters+number(p))
		}
	}
	limitHost := func(host int32) {
		if d.layout.limiter {
			buf = append(buf, d.first+host*d.layout.count()+d.layout.limiterAt())
		}
	}
	greenTo := func(p place, router int32) {
		limit(p)
		chassis := p.group*d.chassis + p.chassis
		buf = append(buf, d.cross(d.green+d.cable*chassis*pairs(d.routers), p.router, router, d.routers, 1, 0))
	}
	blackTo := func(p place, chassis int32) {
		limit(p)
		group := d.black + d.cable*p.group*pairs(d.chassis)*d.routers
		buf = append(buf, d.cross(group, p.chassis, chassis, d.chassis, d.routers, p.router))
	}

	here, there := placeOf(from), placeOf(to)
	limitHost(from)
	buf = append(buf, d.local+d.cable*from)
	if here != there {
		if here.group != there.group {
			if here.router != there.group {
				greenTo(here, there.group)
				here.router = there.group
			}
			if here.chassis != 0 {
				blackTo(here, 0)
				here.chassis = 0
			}
			buf = append(buf, d.cross(d.blue, here.group, there.group, d.groups, 1, 0))
			limit(here)
			here = place{there.group, 0, here.group}
		}
		if here.router != there.router {
			greenTo(here, there.router)
			here = place{there.group, 0, there.router}
		}
		if here.chassis != there.chassis {
			blackTo(here, there.chassis)
		}
	}
	limit(there)
	buf = append(buf, d.local+d.cable*to+d.cable-1)
	limitHost(to)
	return buf, true
}
