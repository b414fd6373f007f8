package appfile

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads"
)

var messageKinds = map[string]workloads.Kind{
	"send": workloads.Send, "recv": workloads.Recv, "isend": workloads.Isend, "irecv": workloads.Irecv, "sendrecv": workloads.Sendrecv,
}

// anything is a partner or tag that is left open.
const anything = "any"

type statementReader = func(r *reader, n *yamldoc.Node, m *schema.Mapping, s *expression.Scope) application.Placed

// messageReader reads a message.
func messageReader(name string) statementReader {
	kind := messageKinds[name]
	sends := kind == workloads.Send || kind == workloads.Isend || kind == workloads.Sendrecv
	receives := kind == workloads.Recv || kind == workloads.Irecv || kind == workloads.Sendrecv
	return func(r *reader, n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
		m := messageObjects[name].Open(r.Decoder, n)
		x := application.Message{Kind: kind, Request: application.Unnamed}
		const partner = "the number of a process, such as rank+1"
		if sends {
			x.To = r.expression(m.Require("to", partner), s, quantity{"", partner})
			x.Size = r.expression(m.Require("size", size.want), s, size)
		}
		if receives {
			from := m.Require("from", partner+", or any")
			if from.Text() != anything {
				x.From = r.expression(from, s, quantity{"", partner + ", or any"})
			}
			if !sends {
				x.Size = r.expression(m.Take("size"), s, size)
			}
		}
		tag := m.Take("tag")
		if tag.Text() == anything && receives && !sends {
			x.AnyTag = true
		} else {
			x.Tag = r.expression(tag, s, number)
		}
		if kind == workloads.Isend || kind == workloads.Irecv {
			if q := m.Take("request"); q != nil {
				x.Request = r.request(q)
			}
		}
		return r.placed(m, s, x)
	}
}

// request returns the number of a request by its name.
func (r *reader) request(n *yamldoc.Node) int32 {
	name := r.String(n, "a name for the request")
	if i := slices.Index(r.requests, name); i >= 0 {
		return int32(i)
	}
	switch {
	case name == "all" || name == "":
		r.Fail(n, "not a name for a request", "another name")
		return 0
	case len(r.requests) == application.MaxRequests:
		r.Fail(n, "too many names for requests", fmt.Sprintf("at most %d; requests without a name are not limited", application.MaxRequests))
		return 0
	}
	r.requests = append(r.requests, name)
	return int32(len(r.requests) - 1)
}

func (r *reader) wait(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	const want = "the name of a request, or all"
	m, q := r.short(waitObject, "request", n, want)
	w := application.Wait{}
	switch name := r.String(q, want); {
	case name == "all":
		w.All = true
	case !slices.Contains(r.requests, name) && q.IsScalar():
		r.OneOf(q, append(slices.Clone(r.requests), "all"), "request (one that an isend or irecv before this has named)")
	default:
		w.Request = int32(slices.Index(r.requests, name))
	}
	return r.placed(m, s, w)
}
