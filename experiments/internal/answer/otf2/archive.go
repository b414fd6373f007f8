package otf2

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Archive is the content of the anchor file and the global definitions.
type Archive struct {
	Machine, Creator, Description string
	Resolution                    uint64 // ticks in a second
	Start, Length                 uint64 // of the trace, in ticks
	Strings                       map[uint32]string
	Regions                       map[uint32]Region
	LocationGroups                map[uint32]LocationGroup
	Locations                     []Location
	Groups                        map[uint32]Group
	Comms                         map[uint32]Comm

	folder     string
	eventChunk int64
	defChunk   int64
	place      map[uint64]int // index of a location, by identifier
}

// Region is a function, or a part of one. Names and descriptions are references to strings.
type Region struct {
	Name, Canonical, Description uint32
	Role, Paradigm               byte
	Flags                        uint32
	File, Begin, End             uint32
}

// LocationGroup is usually a process.
type LocationGroup struct {
	Name   uint32
	Type   byte
	Parent uint32
}

// Location is usually a thread.
type Location struct {
	ID     uint64
	Name   uint32
	Type   byte
	Events uint64
	Group  uint32
}

// Group is a list of members; Type says what they are.
type Group struct {
	Name           uint32
	Type, Paradigm byte
	Flags          uint32
	Members        []uint64
}

// Comm is a communicator.
type Comm struct{ Name, Group, Parent uint32 }

// Types of groups, a flag of groups, the paradigm MPI, and the role of regions of input and output.
const (
	communicating = 4 // the locations that are ranks, in the order of ranks
	ofRanks       = 5
	ofOneself     = 6
	globalMembers = 1 // members are locations, not ranks
	mpi           = 4
	fileIO        = 27
)

// Numbers of global definitions.
const (
	clockProperties = 5
	stringDef       = 10
	locationGroup   = 13
	location        = 14
	region          = 15
	group           = 18
	comm            = 22
)

// Constants of anchor files, and limits of what is read here.
const (
	magic           = "OTF2"
	posix           = 1 // a file for each location, not one file of SIONlib
	mostLocations   = 1 << 24
	largestChunk    = 1 << 40
	definitionsSize = 1 << 16 // bytes of the buffer
)

// Open reads the anchor file NAME.otf2 and the global definitions NAME.def beside it.
func Open(path string) (*Archive, error) {
	a := &Archive{folder: strings.TrimSuffix(path, filepath.Ext(path)), Strings: map[uint32]string{},
		Regions: map[uint32]Region{}, LocationGroups: map[uint32]LocationGroup{}, Groups: map[uint32]Group{},
		Comms: map[uint32]Comm{}, place: map[uint64]int{}}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := a.anchor(path, data); err != nil {
		return nil, err
	}
	return a, a.definitions(newStream(a.folder+".def", a.defChunk, definitionsSize))
}

func (a *Archive) anchor(path string, data []byte) error {
	s := newStream(path, 0, 0)
	s.record = data
	if s.u8() != chunkHeader {
		s.fail(0, "not an OTF2 anchor file; expected byte %d", chunkHeader)
	} else if mark := s.u8(); s.err == nil {
		s.at = 0
		s.setOrder(mark)
	}
	if s.err == nil && (len(s.record) < len(magic)+1 || string(s.record[:len(magic)]) != magic) {
		s.fail(s.start, "not an OTF2 anchor file; expected %q", magic)
	}
	s.text()
	format := s.u8()
	s.u8() // format of the trace
	s.u8() // version of the library: major, minor, bugfix
	s.u8()
	s.u8()
	a.eventChunk = a.chunkSize(s)
	a.defChunk = a.chunkSize(s)
	at := s.start
	if x := s.u8(); x != posix {
		s.fail(at, "substrate %d; expected %d, a file for each location", x, posix)
	}
	at = s.start
	if x := s.u8(); x > 1 {
		s.fail(at, "compression %d; expected 1, none", x)
	}
	at = s.start
	if n := s.full(); n > mostLocations {
		s.fail(at, "%d locations; expected at most %d", n, mostLocations)
	}
	s.full() // global definitions
	a.Machine, a.Creator, a.Description = s.text(), s.text(), s.text()
	if s.err == nil && format == 0 {
		s.fail(2+int64(len(magic))+1, "format 0 of the anchor file; expected at least 1")
	}
	return s.err
}

func (a *Archive) chunkSize(s *stream) int64 {
	at := s.start
	n := s.full()
	if s.err == nil && (n < 64 || n > largestChunk) {
		s.fail(at, "chunks of %d bytes; expected 64 to %d", n, int64(largestChunk))
	}
	return int64(n)
}

func (a *Archive) definitions(s *stream) error {
	for kind := s.next(false, nil); kind != endOfFile; kind = s.next(false, nil) {
		a.definition(s, kind)
	}
	at := s.offset()
	switch {
	case s.err != nil:
	case a.Resolution == 0:
		s.fail(at, "no resolution of the clock; expected a definition of it")
	case len(a.Locations) == 0:
		s.fail(at, "no locations")
	}
	return s.err
}

func (a *Archive) definition(s *stream, kind byte) {
	switch kind {
	case clockProperties:
		at := s.start
		if a.Resolution, a.Start, a.Length = s.u64(), s.u64(), s.u64(); s.err == nil && a.Resolution == 0 {
			s.fail(at, "a clock of 0 ticks in a second; expected at least 1")
		}
	case stringDef:
		id := s.u32()
		a.Strings[id] = s.text()
	case locationGroup:
		id := s.u32()
		a.LocationGroups[id] = LocationGroup{s.u32(), s.u8(), s.u32()}
	case location:
		at := s.start
		l := Location{s.u64(), s.u32(), s.u8(), s.u64(), s.u32()}
		if _, ok := a.place[l.ID]; ok {
			s.fail(at, "location %d occurs twice", l.ID)
		}
		a.place[l.ID] = len(a.Locations)
		a.Locations = append(a.Locations, l)
	case region:
		a.region(s)
	case group:
		a.group(s)
	case comm:
		id := s.u32()
		a.Comms[id] = Comm{s.u32(), s.u32(), s.u32()}
	}
}

// region reads a region. Its last fields were added in version 1.1 of OTF2.
func (a *Archive) region(s *stream) {
	id := s.u32()
	r := Region{Name: s.u32(), Description: s.u32()}
	s.u8() // an older form of the role and paradigm
	r.File, r.Begin, r.End = s.u32(), s.u32(), s.u32()
	r.Canonical = r.Name
	if len(s.record) > 0 {
		r.Canonical, r.Role, r.Paradigm, r.Flags = s.u32(), s.u8(), s.u8(), s.u32()
	}
	a.Regions[id] = r
}

// group reads a group. Its type may have an older form.
func (a *Archive) group(s *stream) {
	id := s.u32()
	g := Group{Name: s.u32()}
	g.Type = s.u8()
	at := s.start
	n := s.u32()
	if int64(n) > int64(len(s.record)) {
		s.fail(at, "%d members in a record of %d bytes", n, len(s.record))
		return
	}
	g.Members = make([]uint64, n)
	for i := range g.Members {
		g.Members[i] = s.u64()
	}
	if len(s.record) > 0 {
		g.Type, g.Paradigm, g.Flags = s.u8(), s.u8(), s.u32()
	}
	a.Groups[id] = g
}

// ranks returns the locations that are the ranks of MPI, in the order of ranks: the members of the group
// that says so or, without such a group, the first location of each process.
func (a *Archive) ranks() []uint64 {
	for _, id := range slices.Sorted(maps.Keys(a.Groups)) {
		if g := a.Groups[id]; g.Type == communicating && g.Paradigm == mpi {
			return g.Members
		}
	}
	var ranks []uint64
	seen := map[uint32]bool{}
	for _, l := range a.Locations {
		if !seen[l.Group] {
			seen[l.Group] = true
			ranks = append(ranks, l.ID)
		}
	}
	return ranks
}
