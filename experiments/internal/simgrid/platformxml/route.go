package platformxml

import (
	"fmt"
	"slices"
	"strings"
)

// openRoute is a route of any kind while its links are read.
type openRoute struct {
	src, dst     int32
	gwSrc, gwDst int32 // none if it connects hosts or routers
	there, back  []int32
}

// beginRoute looks up the ends and the gateways of a route.
func (b *builder) beginRoute(el *element) error {
	if b.routes += 2; b.routes > MaxRoutes {
		return el.fail("too many routes", fmt.Sprintf("at most %d", MaxRoutes/2))
	}
	b.route = openRoute{gwSrc: none, gwDst: none}
	r := &b.route
	z := b.inner()
	zone := &b.zones[z.zone]
	ofZones := el.name != "route" && el.name != "bypassRoute"
	bypass := strings.HasPrefix(el.name, "bypass")
	if !bypass && z.ways == nil && !(z.star != nil && el.name == "route") {
		return el.fail(fmt.Sprintf("<%s> in a zone of routing %s", el.name, z.element.value("routing")), "it in a zone of routing Full, Floyd, Dijkstra or DijkstraCache")
	}
	for _, end := range []struct {
		attribute, gateway string
		point, at          *int32
	}{{"src", "gw_src", &r.src, &r.gwSrc}, {"dst", "gw_dst", &r.dst, &r.gwDst}} {
		p, known := b.names[el.value(end.attribute)]
		if !known {
			return el.wrong(end.attribute, "unknown", "a host, router or zone that is declared above")
		}
		inner := b.zoneOf[p]
		switch isZone := inner != none; {
		case isZone && !ofZones:
			return el.wrong(end.attribute, "a zone", "a host or router; zones are connected by zoneRoute")
		case !isZone && ofZones:
			return el.wrong(end.attribute, "no zone", "a zone; hosts and routers are connected by route")
		case b.points[p].zone != z.zone && !(bypass && ofZones && b.inside(p, z.zone)):
			return el.wrong(end.attribute, "not in this zone", fmt.Sprintf("something in zone %s", zone.name))
		}
		*end.point = p
		if !ofZones {
			continue
		}
		gw, known := b.names[el.value(end.gateway)]
		switch {
		case !known:
			return el.wrong(end.gateway, "unknown", "a host or router that is declared above")
		case b.zoneOf[gw] != none:
			return el.wrong(end.gateway, "a zone", "a host or router")
		case !b.inside(gw, inner):
			return el.wrong(end.gateway, "outside of zone "+el.value(end.attribute), "a host or router inside of it")
		}
		*end.at = gw
	}
	if z.star != nil && !bypass && r.src != r.dst {
		return el.fail("a route between different hosts of a zone of routing Cluster", "host_link elements, or a route of a host to itself")
	}
	return nil
}

// inside tells whether a point is in a zone or in one below it.
func (b *builder) inside(p, outer int32) bool {
	for z := b.points[p].zone; z != none; z = b.zones[z].parent {
		if z == outer {
			return true
		}
	}
	return false
}

// passed reads a link_ctn element.
func (b *builder) passed(el *element) error {
	if b.routeLinks += 2; b.routeLinks > maxRouteLinks {
		return el.fail("too many links in routes", fmt.Sprintf("at most %d", maxRouteLinks/2))
	}
	l, known := b.linkNamed(el.value("id"))
	if !known {
		return el.wrong("id", "unknown", "a link that is declared above")
	}
	r, split := &b.route, l.back != none
	switch direction := el.value("direction"); {
	case split && direction == "NONE":
		return el.wrong("id", "a split-duplex link", `direction="UP" or direction="DOWN"`)
	case !split && direction != "NONE":
		return el.wrong("direction", "the link is not split-duplex", "no direction")
	case !split:
		r.there, r.back = append(r.there, l.link), append(r.back, l.link)
	case direction == "UP":
		r.there, r.back = append(r.there, l.link), append(r.back, l.back)
	default:
		r.there, r.back = append(r.there, l.back), append(r.back, l.link)
	}
	return nil
}

// endRoute stores a route, and the way back if it is symmetrical.
func (b *builder) endRoute(el *element) error {
	r := &b.route
	if len(r.there) == 0 {
		return el.fail("a route without links", "at least one link_ctn")
	}
	z := b.inner()
	there := &way{r.gwSrc, r.gwDst, r.there}
	if strings.HasPrefix(el.name, "bypass") {
		zone := &b.zones[z.zone]
		key := [2]int32{r.src, r.dst}
		if zone.bypass[key] != nil {
			return el.fail(fmt.Sprintf("there is already a bypass route from %s to %s", el.value("src"), el.value("dst")), "one")
		}
		if zone.bypass == nil {
			zone.bypass = map[[2]int32]*way{}
		}
		zone.bypass[key] = there
		return nil
	}
	from, to := b.points[r.src].index, b.points[r.dst].index
	if z.star != nil {
		z.star.loops[from] = r.there
		return nil
	}
	if err := z.add(el, from, to, there); err != nil {
		return err
	}
	symmetrical := el.value("symmetrical")
	if symmetrical == "NO" || symmetrical == "no" || from == to {
		return nil
	}
	slices.Reverse(r.back)
	return z.add(el, to, from, &way{r.gwDst, r.gwSrc, r.back})
}

// add stores one direction of a route.
func (z *openZone) add(el *element, from, to int32, w *way) error {
	key := [2]int32{from, to}
	if z.ways[key] != nil {
		return el.fail(fmt.Sprintf("there is already a route from %s to %s, or back", el.value("src"), el.value("dst")),
			`one; symmetrical="NO" if the ways there and back are declared one by one`)
	}
	z.ways[key] = w
	if z.dijkstra != nil {
		z.dijkstra.add(from, to, w)
	}
	return nil
}
