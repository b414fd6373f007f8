package application

import (
	"strconv"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// agree compares a call with those of the other members of the group.
func (r *run) agree(f *frame, i *instruction, what collective.Call, place int) {
	e := collective.Entry{Name: i.call.name(), Root: -1, Size: -1, Rank: f.Row}
	if collective.Rooted(i.call.operation) {
		e.Root = what.Root
	}
	if i.call.varying == nil && i.call.operation != workloads.Barrier {
		e.Size = units.Bytes(f.get(i.size))
	}
	r.enter(r.callsOf(f, what.Number), i, what.Size, place, e)
}

// callsOf returns the calls of a group, on the stream where they are made.
func (r *run) callsOf(f *frame, group int32) *collective.Calls {
	return &r.calls[f.number/int32(len(r.performed))*(r.groups.next+1)+group]
}

func (r *run) enter(calls *collective.Calls, i *instruction, size, place int, e collective.Entry) {
	if !calls.Like(size, place, e) {
		calls.Enter(size, place, e, i.text)
	}
}

// agreeTasks compares a number of tasks with what the others say.
func (r *run) agreeTasks(f *frame, i *instruction, n int) {
	if p := len(r.performed); p > 1 {
		r.enter(r.callsOf(f, 0), i, p, int(f.Row), collective.Entry{
			Name: "handing out of " + strconv.Itoa(n) + " tasks", Root: -1, Size: -1, Rank: f.Row})
	}
}

// Disagreement returns the first collective call, or handing out of tasks, that processes
// make differently, or that finished processes leave out. The engine asks when the run is
// over.
func (r *run) Disagreement(finished func(rank int32) bool) error {
	for first := 0; first < len(r.calls); first += int(r.groups.next) + 1 {
		if err := r.calls[first].Disagreement(collective.World(len(r.performed)), finished); err != nil {
			return err
		}
		for _, m := range r.groups.used {
			for k, g := range m.of {
				if err := r.calls[first+int(m.first)+k].Disagreement(g, finished); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
