package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// maxTag is the largest tag of a file.
const maxTag = 1<<29 - 1

// message gives a message, nothing if its partner is nobody. A message to both sides
// of which only one is there is a message to or from that side.
func (r *run) message(f *frame, i *instruction, op *workloads.Op) bool {
	*op = workloads.Op{Kind: i.kind}
	sends := i.to != nil
	receives := i.kind == workloads.Recv || i.kind == workloads.Irecv || i.kind == workloads.Sendrecv
	to, from := expression.Nobody, expression.Nobody
	if sends {
		to = r.partner(f, i, i.to, "to")
	}
	if receives {
		from = workloads.AnySource
		if i.from != nil {
			if from = r.partner(f, i, i.from, "from"); from == expression.Nobody {
				receives = false
			}
		}
	}
	sends = to != expression.Nobody
	if !sends && !receives {
		return false
	}
	switch {
	case i.flag:
		op.Tag = workloads.AnyTag
	case i.tag != nil:
		op.Tag = int32(r.whole(f, i, i.tag, "tag", 0, maxTag))
	}
	if sends {
		op.Peer = to
	}
	if sends || i.kind != workloads.Sendrecv {
		op.Size = units.Bytes(r.amount(f, i, i.size, "size"))
	}
	switch {
	case i.kind == workloads.Sendrecv && sends && receives:
		op.From = from
	case i.kind == workloads.Sendrecv && sends:
		op.Kind = workloads.Send
	case i.kind == workloads.Sendrecv:
		op.Kind, op.Peer = workloads.Recv, from
	case receives:
		op.Peer = from
	}
	if i.kind == workloads.Isend || i.kind == workloads.Irecv {
		r.name(f, i, op)
	}
	return true
}

// name names a request. Those with a name in the file have its number, the others the
// numbers after these.
func (r *run) name(f *frame, i *instruction, op *workloads.Op) {
	s := r.state[int(f.Row)*int(r.stride):]
	if i.request == Unnamed {
		op.Request = MaxRequests + s[atUnnamed]
		s[atUnnamed]++
		if op.Request >= exchangeRequest {
			r.fail(f, i, "too many requests that nothing waits for")
		}
		return
	}
	bit := int32(1) << i.request
	if s[atRequests]&bit != 0 {
		r.fail(f, i, "the request is still open from before; expected a wait for it in between")
	}
	s[atRequests] |= bit
	op.Request = i.request
}

// wait gives a wait for a request that is open, or for all.
func (r *run) wait(f *frame, i *instruction, op *workloads.Op) bool {
	s := r.state[int(f.Row)*int(r.stride):]
	if i.flag {
		none := s[atRequests] == 0 && s[atUnnamed] == 0
		s[atRequests], s[atUnnamed] = 0, 0
		return !none && set(op, workloads.Op{Kind: workloads.Waitall})
	}
	bit := int32(1) << i.request
	if s[atRequests]&bit == 0 {
		return false
	}
	s[atRequests] &^= bit
	return set(op, workloads.Op{Kind: workloads.Wait, Request: i.request})
}
