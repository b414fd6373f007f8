package titrace_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Check finds what Next would find, in any rank and after collective operations. Its
// time for a collective operation does not depend on the number of messages: an
// alltoall of 100000 ranks has 2e10.
func TestCheck(t *testing.T) {
	const good = "0 init\n1 init\n0 allreduce 10 20 0\n1 allreduce 10 20 0\n0 isend 1 0 5 0\n0 waitall\n1 recv 0 0 5 0\n1 sendRecv 5 -666 5 0 0 0\n"
	for _, c := range []struct {
		text  string
		ranks int
		want  string
	}{
		{good, 0, ""},
		{good + "1 wait 0 1 0\n", 0, "trace:9:"},
		{good + "0 send 2 0 5 0\n", 0, "trace:9:"},
		{strings.Replace(good, "1 recv", "1 revc", 1), 0, "trace:7:3: "},
		{"0 init\n1 init\n0 bcast 4 0 0\n1 bcast 4 1 0\n", 0, "collective calls differ: call 1 of rank 0 is bcast of 32 B with root 0 (trace:3), call 1 of rank 1 is bcast of 32 B with root 1 (trace:4)"},
		{"0 init\n1 init\n0 bcast 4 0 0\n1 reduce 4 5 0 0\n", 0, "collective calls differ: call 1 of rank 0 is bcast of 32 B with root 0 (trace:3), call 1 of rank 1 is reduce"},
		{"0 init\n1 init\n0 allreduce 4 5 0\n1 allreduce 5 5 0\n", 0, "collective calls differ: call 1 of rank 0 is allreduce of 32 B (trace:3), call 1 of rank 1 is allreduce of 40 B (trace:4)"},
		{"0 init\n1 init\n0 gather 4 4 0\n1 gather 4 4 1\n", 0, "collective calls differ: call 1 of rank 0 is gather of 4 B with root 0"},
		{"0 init\n1 init\n0 barrier\n0 scatter 4 4 0\n1 barrier\n1 scatter 4 5 0\n", 0, "collective calls differ: call 2 of rank 0 is scatter of 4 B with root 0 (trace:4), call 2 of rank 1 is scatter of 5 B"},
		{"0 init\n1 init\n0 allgather 4 4\n1 allgather 2 2\n", 0, "collective calls differ: call 1 of rank 0 is allgather of 4 B (trace:3), call 1 of rank 1 is allgather of 2 B"},
		{"0 init\n1 init\n0 alltoall 1 1\n1 allgather 1 1\n", 0, "collective calls differ: call 1 of rank 0 is alltoall of 1 B (trace:3), call 1 of rank 1 is allgather of 1 B"},
		{"0 init\n1 init\n0 barrier\n1 allreduce 1 0\n", 0, "collective calls differ: call 1 of rank 0 is barrier (trace:3), call 1 of rank 1 is allreduce of 1 B"},
		{"0 init\n1 init\n0 reduce 1 0 0\n1 reduce 1 0 1\n", 0, "collective calls differ: call 1 of rank 0 is reduce of 1 B with root 0 (trace:3), call 1 of rank 1 is reduce of 1 B with root 1"},
		{"0 init\n0 alltoall 1 1 0 0\n99999 alltoall 1 1 0 0\n", 100000, ""},
	} {
		p := expect.Value(titrace.Read("trace", strings.NewReader(c.text), c.ranks))(t)
		err := p.Check(context.Background())
		var syntax *titrace.SyntaxError
		differs := strings.HasPrefix(c.want, "collective")
		expect.That(t, (c.want != "" || err == nil) &&
			(c.want == "" || errors.As(err, &syntax) != differs && strings.HasPrefix(err.Error(), c.want)),
			"%q: error %v, want %q", c.text, err, c.want)
	}
}
