package platformxml

import (
	"fmt"
	"slices"
)

// A star is a zone whose points each have links of their own to a common
// middle, which may have a backbone: flat clusters, and zones of routing Cluster.
type star struct {
	spokes   []spoke
	backbone int32             // none if there is none
	loops    map[int32][]int32 // declared routes of a point to itself
}

// A spoke has the links of one point; none for a link that it lacks. A router, or
// a host without a link, is in the middle itself, before the backbone.
type spoke struct {
	up, down int32
	limiter  int32 // passed by all messages of the host, in and out
	loopback int32
}

var hub = spoke{none, none, none, none}

// links implements rule: limiter, up, backbone, down, limiter. A link that occurs
// twice is passed once.
func (s *star) links(buf []int32, from, to int32) ([]int32, bool) {
	a, b := s.spokes[from], s.spokes[to]
	if from == to {
		if loop := s.loops[from]; loop != nil {
			for i, l := range loop {
				if !slices.Contains(loop[:i], l) {
					buf = append(buf, l)
				}
			}
			return buf, true
		}
		if a.loopback != none {
			return append(buf, a.loopback), true
		}
	}
	var all [6]int32
	n := 0
	add := func(link int32) {
		for _, l := range all[:n] {
			if l == link {
				return
			}
		}
		if link != none {
			all[n] = link
			n++
		}
	}
	if a.up != none {
		add(a.limiter)
		add(a.up)
		add(s.backbone)
	}
	if b.down != none {
		add(s.backbone)
		add(b.down)
		add(b.limiter)
	}
	return append(buf, all[:n]...), true
}

// clusterZone returns the innermost zone if its routing is Cluster.
func (b *builder) clusterZone(el *element) (*openZone, error) {
	z, err := b.leaf(el)
	if err != nil {
		return nil, err
	}
	if z.star == nil {
		return nil, el.fail(fmt.Sprintf("<%s> in a zone of routing %s", el.name, z.element.value("routing")),
			"it in a zone of routing Cluster")
	}
	return z, nil
}

// hostLink and cabinet keep an element of a zone of routing Cluster until the zone ends: its links may be declared
// after it.
func (b *builder) hostLink(el *element) error {
	z, err := b.clusterZone(el)
	if err == nil {
		z.hostLinks = append(z.hostLinks, el)
	}
	return err
}

func (b *builder) cabinet(el *element) error {
	z, err := b.clusterZone(el)
	if err == nil {
		z.cabinets = append(z.cabinets, el)
	}
	return err
}

func (b *builder) backbone(el *element) error {
	z, err := b.clusterZone(el)
	if err != nil {
		return err
	}
	if z.backbone != nil {
		return el.fail("a second backbone", "one")
	}
	z.backbone = el
	l := el.link("bandwidth", "latency")
	if el.err != nil {
		return el.err
	}
	l.Name = el.value("id")
	z.star.backbone = b.addLinks(el, l)
	b.declare(el, l.Name, declaredLink{z.star.backbone, none})
	return b.err
}

// populate connects the hosts of a zone and adds its cabinets.
func (b *builder) populate(z *openZone) error {
	for _, el := range z.hostLinks {
		p, known := b.names[el.value("id")]
		if !known || b.hostOf[p] == none || b.points[p].zone != z.zone {
			return el.wrong("id", "unknown", "a host of zone "+b.zones[z.zone].name)
		}
		s := &z.star.spokes[b.points[p].index]
		if s.up != none {
			return el.wrong("id", "there is already a host_link", "one for each host")
		}
		for _, end := range []struct {
			attribute string
			link      *int32
		}{{"up", &s.up}, {"down", &s.down}} {
			l, known := b.linkNamed(el.value(end.attribute))
			if !known {
				return el.wrong(end.attribute, "unknown", "a link that is declared in the zone or above")
			}
			if l.back != none {
				return el.wrong(end.attribute, "a split-duplex link", "one of its halves: its name with _UP or _DOWN")
			}
			*end.link = l.link
		}
	}
	for _, el := range z.cabinets {
		// The zones may have come after the cabinet.
		if b.zones[z.zone].hasZone {
			return el.fail("a cabinet beside zones", "a zone to hold either zones or hosts and routers")
		}
		if err := b.fill(z, el); err != nil {
			return err
		}
	}
	return nil
}

// fill adds the hosts of a cabinet, with a link up and one down each.
func (b *builder) fill(z *openZone, el *element) error {
	c := &clusterElement{element: el, cores: 1, split: true}
	c.spans, c.count = el.radical()
	c.speed, c.wire = el.speed("speed", 0), el.link("bw", "lat")
	if el.err != nil {
		return el.err
	}
	if err := b.room(el, c.count, 2*c.count); err != nil {
		return err
	}
	c.each(b, func(_, radical int) {
		if c.addHost(b, radical); b.err != nil {
			return
		}
		s := &z.star.spokes[len(z.star.spokes)-1]
		s.up = c.addCable(b, "link_"+b.hosts[len(b.hosts)-1].Name)
		s.down = s.up + 1
	})
	return b.err
}
