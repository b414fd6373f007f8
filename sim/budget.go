package sim

import (
	"sync"
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
)

// Usage is what a run keeps in memory, as far as the engine knows: not what the program, the
// fabric and the observer keep.
type Usage struct {
	Time   units.Seconds // simulated, of the part of the machine that asks
	Stores []Store       // those that grow, the first with messages; good until the answer
	// Next is the memory that a store is about to take beside what it has, as it moves to
	// a larger place; 0 if none is.
	Next units.Bytes
}

// Store holds records of one kind.
type Store struct {
	Name    string // plural: "messages in flight"
	Records int64  // for which there is room
	Bytes   units.Bytes
}

// store is a kind of what grows while a run goes on.
type store uint8

const (
	storedMessages store = iota
	storedParcels
	storedRequests
	storedLaunches
	storedMeetings
	numStores
)

var storeNames = [numStores]string{"messages in flight", "messages between cores", "open requests",
	"sends that have to wait", "collective calls that some ranks have not entered"}

// ledger adds up the stores of all shards, which may grow at once, for [Config.Budget].
type ledger struct {
	ask     func(Usage) error
	records [numStores]atomic.Int64
	bytes   [numStores]atomic.Int64

	asking sync.Mutex
	stores [numStores]Store // what is asked about
}

// largeGrowth is the growth of a store up to which nobody is asked: asking takes longer than
// a run of a few ranks.
const largeGrowth = 1 << 20

// exceeded is what a shard panics with, deep inside an operation, when a run must not grow. Run
// returns the error.
type exceeded struct{ err error }

// note enters the change of a store.
func (l *ledger) note(kind store, records, bytes int64) {
	if l != nil {
		l.records[kind].Add(records)
		l.bytes[kind].Add(bytes)
	}
}

// check asks whether a run may go on, and a store may take so much more.
func (l *ledger) check(at units.Seconds, next units.Bytes) {
	if l == nil {
		return
	}
	l.asking.Lock()
	defer l.asking.Unlock()
	u := Usage{Time: at, Next: next, Stores: l.stores[:]}
	for kind := range u.Stores {
		u.Stores[kind] = Store{storeNames[kind], l.records[kind].Load(), units.Bytes(l.bytes[kind].Load())}
	}
	if err := l.ask(u); err != nil {
		panic(exceeded{err})
	}
}
