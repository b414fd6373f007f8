package conformance

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Traffic is what a call puts on the network: the number of messages and their
// payload in total.
type Traffic struct {
	Messages int
	Volume   units.Bytes
}

// CheckAll checks an algorithm for all cases of its operation among 1, 2, ... ranks
// ranks, and returns the first mistake, which is the easiest to understand because few
// ranks come first. With 33 ranks, trees have all their shapes up to depth 5. traffic
// returns what the algorithm promises; nil promises nothing.
func CheckAll(a collective.Algorithm, ranks int, traffic func(Case) Traffic) error {
	if ranks < 1 {
		return fmt.Errorf("%v %s: up to %d ranks; expected at least 1", a.Operation(), a.Name(), ranks)
	}
	for p := 1; p <= ranks; p++ {
		n := collective.BlockCount(a.Operation(), p)
		if d, ok := a.(collective.Divider); ok {
			n = d.Pieces(collective.Call{Size: p}, 1<<20)
		}
		for _, cs := range casesOf(a.Operation(), p, n) {
			var want *Traffic
			if traffic != nil {
				want = new(traffic(cs))
			}
			if _, err := check(a, cs, want); err != nil {
				return err
			}
		}
	}
	return nil
}

// check runs a call once with eager and once with rendezvous sends and returns the
// first mistake. It also returns how many facts about the final data it has confirmed;
// confirming none is an error. If want is nil, any traffic is right.
func check(a collective.Algorithm, cs Case, want *Traffic) (facts int, err error) {
	if err := cs.validate(a.Operation()); err != nil {
		return 0, err
	}
	for _, rendezvous := range []bool{false, true} {
		m := newMachine(a, cs, rendezvous)
		n, err := m.check(want)
		if err != nil {
			return 0, fmt.Errorf("%v %s, %d ranks, root %d, %v bytes, %s sends: %w",
				a.Operation(), a.Name(), cs.Call.Size, cs.Call.Root, float64(cs.Total()), m.protocol(), err)
		}
		facts += n
	}
	if facts == 0 {
		return 0, fmt.Errorf("%v %s: nothing was checked", a.Operation(), a.Name())
	}
	return facts, nil
}

// check runs the call to its end and compares.
func (m *machine) check(want *Traffic) (facts int, err error) {
	if err := m.run(); err != nil {
		return 0, err
	}
	if err := m.leftovers(); err != nil {
		return 0, err
	}
	if want != nil && m.traffic != *want {
		return 0, fmt.Errorf("%d messages, %v bytes; expected %d messages, %v bytes",
			m.traffic.Messages, float64(m.traffic.Volume), want.Messages, float64(want.Volume))
	}
	return m.outcome()
}

// leftovers reports what must not be left at the end: messages, requests, and blocks
// that were received to be combined but never computed on.
func (m *machine) leftovers() error {
	for _, ends := range m.order {
		ch := m.channels[ends]
		if n := len(ch.sends) - ch.recvs; n != 0 {
			return fmt.Errorf("%d messages from rank %d to rank %d are never received", n, ends.from, ends.to)
		}
	}
	for rank := range m.ranks {
		r := &m.ranks[rank]
		if len(r.open) > 0 {
			return fmt.Errorf("rank %d ends with %d open requests", rank, len(r.open))
		}
		for b, n := range r.uncombined {
			if n != 0 {
				return fmt.Errorf("rank %d ends with block %d received %d times without the computation that combines it", rank, b, n)
			}
		}
	}
	return nil
}

// outcome compares the final data of each rank with the contract of the operation, and
// counts the facts compared.
func (m *machine) outcome() (facts int, err error) {
	p := m.call.Size
	for rank := range m.ranks {
		r := &m.ranks[rank]
		for b, have := range r.data {
			owner := m.contract.ends(rank, b, p, m.call.Root)
			if owner == anything {
				continue
			}
			if have == nil {
				return 0, fmt.Errorf("rank %d ends without block %d", rank, b)
			}
			for contributor, times := range have {
				want := int32(0)
				if owner == everyone || owner == contributor || owner == upToItself && contributor <= rank {
					want = 1
				}
				if times != want {
					return 0, fmt.Errorf("rank %d ends with the contribution of rank %d %d times in block %d; expected %d",
						rank, contributor, times, b, want)
				}
			}
			facts++
		}
		if !m.contract.meets {
			continue
		}
		for other, met := range r.known {
			if !met {
				return 0, fmt.Errorf("rank %d may leave before rank %d has entered", rank, other)
			}
			facts++
		}
	}
	return facts, nil
}
