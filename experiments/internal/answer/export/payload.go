package export

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// payloads are the sizes of messages in a program and in its trace, which has whole
// bytes: every size has its own there, the next whole one that is free.
type payloads struct {
	size    map[units.Bytes]units.Bytes // in the program, by that in the trace
	payload map[units.Bytes]units.Bytes // in the trace, by that in the program
	exact   bool                        // all are the same
}

func newPayloads() payloads {
	return payloads{map[units.Bytes]units.Bytes{}, map[units.Bytes]units.Bytes{}, true}
}

// of returns the size in the trace.
func (p *payloads) of(size units.Bytes) units.Bytes {
	q, known := p.payload[size]
	if known {
		return q
	}
	q = units.Bytes(math.Ceil(float64(size)))
	for {
		if _, taken := p.size[q]; !taken {
			break
		}
		q++
	}
	p.size[q], p.payload[size] = size, q
	p.exact = p.exact && q == size
	return q
}
