package otf2

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
)

// Kind is the number of a kind of event record.
type Kind byte

// Kinds whose fields are read; of other records only the number is.
const (
	Enter              Kind = 12
	Leave              Kind = 13
	MPISend            Kind = 14
	MPIIsend           Kind = 15
	MPIIsendComplete   Kind = 16
	MPIIrecvRequest    Kind = 17
	MPIRecv            Kind = 18
	MPIIrecv           Kind = 19
	MPIRequestTest     Kind = 20
	MPIRequestCancel   Kind = 21
	MPICollectiveBegin Kind = 22
	MPICollectiveEnd   Kind = 23
	ProgramBegin       Kind = 83
	ProgramEnd         Kind = 84
	CollectiveRequest  Kind = 85 // non-blocking
	CollectiveComplete Kind = 86
)

// Event is something that happened on a location. Which fields matter depends on Kind.
type Event struct {
	Time      uint64 // ticks, corrected
	Sent      uint64 // bytes of a message, or sent in a collective call
	Received  uint64 // in a collective call
	Request   uint64
	Region    uint32
	Peer      uint32 // number in the communicator; the root of a collective call
	Comm      uint32
	Tag       uint32
	Kind      Kind
	Operation byte // of a collective call
}

// Events are the events of a location, in the order of time.
type Events struct {
	s      *stream
	time   uint64
	maps   [256]idMap
	clock  []interval
	within int // index in clock
}

// idMap maps identifiers of a location to global ones; an identifier that is not in it is global.
type idMap map[uint64]uint64

// interval is a stretch of time in which the clock of a location has an offset that changes at
// the rate slope.
type interval struct {
	from, to uint64
	offset   int64
	slope    float64
}

// Local definitions that are read.
const (
	mappingTable = 5
	clockOffset  = 6
)

// Kinds of identifiers whose maps are used.
const (
	regions = 3
	comms   = 6
)

// Sizes of the buffer of a location, and of all buffers together.
const (
	smallest, largest = 4 << 10, 64 << 10
	together          = 64 << 20
)

func (a *Archive) Events(id uint64) (*Events, error) {
	if _, ok := a.place[id]; !ok {
		return nil, fmt.Errorf("%s: no location %d", a.folder, id)
	}
	size := min(max(together/len(a.Locations), smallest), largest)
	name := filepath.Join(a.folder, fmt.Sprint(id))
	e := &Events{s: newStream(name+".evt", a.eventChunk, size)}
	err := e.local(newStream(name+".def", a.defChunk, smallest))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // a location needs no definitions
	}
	return e, err
}

func (e *Events) local(s *stream) error {
	for kind := s.next(false, nil); kind != endOfFile; kind = s.next(false, nil) {
		switch kind {
		case mappingTable:
			e.mapping(s)
		case clockOffset:
			e.offset(s)
		}
	}
	return s.err
}

func (e *Events) mapping(s *stream) {
	kind := s.u8()
	at := s.start
	n := s.u64()
	sparse := s.u8() != 0
	if n > uint64(len(s.record)) {
		s.fail(at, "%d identifiers in a record of %d bytes", n, len(s.record))
		return
	}
	m := make(idMap, n)
	for i := range n {
		from := i
		if sparse {
			from = s.u64()
		}
		m[from] = s.u64()
	}
	e.maps[kind] = m
}

// offset adds a measurement of the offset of the clock. Between two measurements the offset changes
// linearly, and after the last one as in the interval before it.
func (e *Events) offset(s *stream) {
	at := s.start
	t := s.full()
	offset := int64(s.u64())
	s.full() // standard deviation
	if n := len(e.clock); n > 0 {
		last := &e.clock[n-1]
		if t <= last.from {
			s.fail(at, "a clock offset at %d, not after the one at %d", t, last.from)
			return
		}
		last.to = t
		last.slope = float64(offset-last.offset) / float64(t-last.from)
	}
	e.clock = append(e.clock, interval{from: t, to: math.MaxUint64, offset: offset})
}

// correct returns the time of the global clock.
func (e *Events) correct(t uint64) uint64 {
	if len(e.clock) < 2 { // one measurement has no interval
		return t
	}
	for e.within < len(e.clock)-2 && t > e.clock[e.within].to {
		e.within++
	}
	c := &e.clock[e.within]
	after := float64(t - c.from)
	if t < c.from {
		after = -float64(c.from - t)
	}
	return t + uint64(c.offset+int64(math.RoundToEven(c.slope*after)))
}

// bare reports whether records of a kind are one number, without a length.
func bare(kind byte) bool {
	switch Kind(kind) {
	case Enter, Leave, MPIIsendComplete, MPIIrecvRequest, MPIRequestTest, MPIRequestCancel,
		24, 28, 29, 30: // OpenMP: a fork, and tasks that are created, switched to, completed
		return true
	}
	return false
}

// Next stores the next event. After the last the error is io.EOF.
func (e *Events) Next(x *Event) error {
	s := e.s
	kind := s.next(true, &e.time)
	for kind == attributeList {
		kind = s.next(true, &e.time)
	}
	if s.err != nil {
		return s.err
	}
	if kind == endOfFile {
		return io.EOF
	}
	*x = Event{Kind: Kind(kind), Time: e.correct(e.time)}
	switch x.Kind {
	case Enter, Leave:
		x.Region = e.global(regions, s.u32())
	case MPISend, MPIRecv, MPIIsend, MPIIrecv:
		x.Peer, x.Comm, x.Tag, x.Sent = s.u32(), e.global(comms, s.u32()), s.u32(), s.u64()
		if x.Kind == MPIIsend || x.Kind == MPIIrecv {
			x.Request = s.u64()
		}
	case MPIIsendComplete, MPIIrecvRequest, MPIRequestTest, MPIRequestCancel, CollectiveRequest:
		x.Request = s.u64()
	case MPICollectiveEnd, CollectiveComplete:
		x.Operation, x.Comm, x.Peer = s.u8(), e.global(comms, s.u32()), s.u32()
		x.Sent, x.Received = s.u64(), s.u64()
		if x.Kind == CollectiveComplete {
			x.Request = s.u64()
		}
	}
	return s.err
}

func (e *Events) global(kind byte, id uint32) uint32 {
	if g, ok := e.maps[kind][uint64(id)]; ok {
		return uint32(g)
	}
	return id
}
