package watch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// A Limit is a reason why a run takes as long as it does: a part of its critical path.
type Limit struct {
	Cause string        `json:"cause"` // as the subject of a sentence, such as "computation"
	Time  units.Seconds `json:"time_s"`
	Share float64       `json:"share"`           // of the path
	Where string        `json:"where,omitempty"` // the place of most of it: "rank 3 (hpc-2)", or the name of a link
}

const (
	computation = "computation"
	byMemory    = "computation that memory limits"
	overhead    = "overhead"
	transfer    = "transfer of messages"
	contention  = "contention"
	handshakes  = "handshakes of rendezvous messages"
	interfaces  = "busy network interfaces"
	waiting     = "waiting for what the path does not show"
)

// causes are listed in this order if their times are equal. The sentence is for the largest of the
// causes in the network, and in the cores' part in messages: its SHARE of the critical path, and
// WHERE most of it is. Sentences about computation follow from [losses].
var causes = []struct{ name, sentence string }{
	{computation, ""},
	{byMemory, ""},
	{overhead, "Overhead limits the run: sending, receiving, delays and collective operations of given cost are " +
		"SHARE of the critical path, most of it on WHERE."},
	{transfer, "The network limits the run: messages on their way are SHARE of the critical path."},
	{contention, "Contention limits the run: SHARE of the critical path is lost by messages that share links with " +
		"others, most of it on the link WHERE."},
	{handshakes, "Handshakes limit the run: requests and clearances of rendezvous messages are SHARE of the " +
		"critical path."},
	{interfaces, "Network interfaces limit the run: SHARE of the critical path is messages that keep one busy, " +
		"most of it on WHERE."},
	{waiting, "Waiting limits the run: SHARE of the critical path is waiting whose cause is not known, most of it " +
		"on WHERE."},
}

// limits divides the critical path by cause, the largest first. links is nil if messages
// share none.
func limits(p *observe.Path, links *Links, name func(rank int32) string) []Limit {
	times := map[string]units.Seconds{}
	where := map[string]map[string]units.Seconds{}
	add := func(cause, place string, t units.Seconds) {
		times[cause] += t
		if where[cause] == nil {
			where[cause] = map[string]units.Seconds{}
		}
		where[cause][place] += t
	}
	for _, g := range p.Segments {
		if g.Kind == observe.Message && links != nil {
			lost, link := links.lost(g)
			add(contention, link, lost)
			add(transfer, "", g.Length()-lost)
			continue
		}
		cause, place := causeOf(g.Kind), ""
		if g.ByMemory {
			cause = byMemory
		}
		if cause != transfer && cause != handshakes {
			place = name(g.Rank)
		}
		add(cause, place, g.Length())
	}
	var list []Limit
	for _, c := range causes {
		if t := times[c.name]; t > 0 {
			list = append(list, Limit{c.name, t, float64(t / p.Makespan), largest(where[c.name])})
		}
	}
	slices.SortStableFunc(list, func(a, b Limit) int { return cmp.Compare(b.Time, a.Time) })
	return list
}

// largest returns the place with the largest time; of equal ones, the first by name.
func largest(times map[string]units.Seconds) string {
	best := ""
	for place, t := range times { // any order: the largest does not depend on it
		if best == "" || t > times[best] || t == times[best] && place < best {
			best = place
		}
	}
	return best
}

// causeOf returns why a segment takes time.
func causeOf(k observe.Kind) string {
	switch k {
	case observe.Message:
		return transfer
	case observe.Handshake:
		return handshakes
	case observe.Interface:
		return interfaces
	case observe.Kind(sim.PartCompute.String()):
		return computation
	case observe.Kind(sim.PartDelay.String()), observe.Kind(sim.PartSendOverhead.String()),
		observe.Kind(sim.PartRecvOverhead.String()), observe.Kind(sim.PartCollectiveCost.String()):
		return overhead
	}
	return waiting
}

// lost returns how much longer a message took than alone on its route, and the link of the
// route on which sharing cost most in the run. It returns 0 and "" if messages may leave routes.
func (l *Links) lost(g observe.Segment) (units.Seconds, string) {
	route, err := l.Platform.Route(nil, l.Place[g.Rank], l.Place[g.To])
	if err != nil || len(route) == 0 || l.Detours {
		return 0, ""
	}
	byLoss := func(a, b int32) int { return cmp.Compare(l.Usage.Links[a].Lost, l.Usage.Links[b].Lost) }
	worst := slices.MaxFunc(route, byLoss)
	lost := g.Length() - l.alone(g, route)
	const rounding = 1e-9
	if lost <= rounding*g.Length() || l.Usage.Links[worst].Lost == 0 {
		return 0, ""
	}
	return lost, l.Platform.Links[worst].Name
}

// alone returns how long a message takes that has its route to itself: see [flow.Parameters].
func (l *Links) alone(g observe.Segment, route []int32) units.Seconds {
	x, size := l.Parameters, g.Size+l.Parameters.Envelope
	latency := l.Platform.Latency(route)
	rate := math.Inf(1)
	if x.Window > 0 && latency > 0 {
		rate = float64(x.Window) / float64(2*latency)
	}
	var back []int32
	if x.CrossTraffic {
		back, _ = l.Platform.Route(nil, l.Place[g.To], l.Place[g.Rank]) // no way back, no acknowledgements
	}
	for _, i := range route {
		b := float64(l.Platform.Links[i].Bandwidth)
		if slices.Contains(back, i) {
			b /= 1 + acknowledgements
		}
		rate = min(rate, b)
	}
	return units.Seconds(units.Seconds(x.LatencyFactor.At(size))*latency) + units.Seconds(float64(size)/x.BandwidthFactor.At(size)/rate)
}

// acknowledgements is the traffic on the way back of a flow with cross traffic, as a fraction
// of the flow: see [flow.Parameters].
const acknowledgements = 0.05

// sentence says which of the causes other than computation takes most of the critical path and, if that
// is less than two thirds of what all of them take, how much all take.
func sentence(limits []Limit) string {
	limits = slices.DeleteFunc(slices.Clone(limits), func(l Limit) bool { return l.Cause == computation })
	if len(limits) == 0 {
		return ""
	}
	x, all := limits[0], each.Sum(limits, func(l Limit) float64 { return l.Share })
	i := slices.IndexFunc(causes, func(c struct{ name, sentence string }) bool { return c.name == x.Cause })
	says := strings.NewReplacer("SHARE", percent(x.Share), "WHERE", x.Where).Replace(causes[i].sentence)
	if 3*x.Share < 2*all {
		says += fmt.Sprintf(" Everything but computation is %s of it.", percent(all))
	}
	return says
}
