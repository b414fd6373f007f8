package sim

import (
	"sync"
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
)

// Usage is the memory of a run that the engine knows of. It leaves out what the program, the
// fabric and the observer keep.
type Usage struct {
	Time   units.Seconds // simulated, in the shard that asks
	Stores []Store       // the stores that grow, messages first; valid only during the call
	// Next is the size of the memory to which a store is about to move; until then it
	// keeps its old memory, too. 0 if no store moves.
	Next units.Bytes
}

// Store holds records of one kind.
type Store struct {
	Name    string // plural: "messages in flight"
	Records int64  // that the store has room for
	Bytes   units.Bytes
}

// store is a kind of memory that grows during a run.
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

// ledger adds up the stores of all shards for [Config.Budget]. Shards may grow at the same time.
type ledger struct {
	ask     func(Usage) error
	records [numStores]atomic.Int64
	bytes   [numStores]atomic.Int64

	asking sync.Mutex
	stores [numStores]Store // passed to ask
}

// largeGrowth is the size in bytes below which a store grows without asking: asking takes
// longer than a run of a few ranks.
const largeGrowth = 1 << 20

// exceeded is the panic by which a shard leaves an operation when the run may not grow. Run
// returns the error.
type exceeded struct{ err error }

// note records the change of a store.
func (l *ledger) note(kind store, records, bytes int64) {
	if l != nil {
		l.records[kind].Add(records)
		l.bytes[kind].Add(bytes)
	}
}

// check asks whether the run may go on and a store may take next more bytes.
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
