package titrace_test

import (
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Call is asked after each operation of a rank: those of a collective have its name,
// others none, and all have their line. Rank 1 receives the broadcast; comments and
// lines of other ranks count as lines.
func TestCall(t *testing.T) {
	const merged = "0 init\n1 init\n# both\n0 compute 5\n0 bcast 1 0 6\n1 bcast 1 0 6\n1 send 0 3 1 6\n"
	dir := write(t, map[string]string{
		"both": merged, "a": "0 init\n", "b": "1 init\n\n1 bcast 1 0 6\n1 send 0 3 1 6\n", "list": "a\nb\n",
	})
	for file, want := range map[string][2]string{
		"both": {"both:6", "both:7"},
		"list": {"b:3", "b:4"},
	} {
		p := expect.Value(titrace.Open(filepath.Join(dir, file), 2))(t)
		if name, place := p.Call(1); name != "" || place != "" {
			t.Errorf("%s: in %q at %q before the first operation", file, name, place)
		}
		for i, c := range []struct {
			kind workloads.Kind
			name string
		}{{workloads.Recv, "bcast"}, {workloads.Send, ""}} {
			var op workloads.Op
			expect.Need(t, p.Next(1, &op) && op.Kind == c.kind,
				"%s: operation %d is %v, want %v", file, i, op.Kind, c.kind)
			name, place := p.Call(1)
			expect.That(t, name == c.name && place == filepath.Join(dir, want[i]),
				"%s: operation %d is in %q at %q, want %q at %s", file, i, name, place, c.name, want[i])
			if op.Kind == workloads.Send {
				expect.Equal(t, p.Place(1, op.Place), filepath.Join(dir, want[i]), "place of the send")
			}
		}
		expect.Success(t, p.Close())
	}
}

// Only a merged trace can have fewer ranks than requested.
func TestRecorded(t *testing.T) {
	dir := write(t, map[string]string{
		"merged": "2 init\n0 init\n", "none": "# 0\n0 init\n", "a": "0 init\n", "b": "1 init\n", "list": "a\nb\n",
	})
	for _, c := range []struct {
		file                 string
		ask, ranks, recorded int
	}{
		{"merged", 3, 3, 3},
		{"merged", 9, 9, 3},
		{"none", 0, 1, 1},
		{"none", 4, 4, 1},
		{"list", 0, 2, 2},
	} {
		p := expect.Value(titrace.Open(filepath.Join(dir, c.file), c.ask))(t)
		expect.That(t, p.Ranks() == c.ranks && p.Recorded() == c.recorded,
			"%s for %d: %d ranks, %d recorded; want %d, %d", c.file, c.ask, p.Ranks(), p.Recorded(), c.ranks, c.recorded)
		expect.Success(t, p.Close())
	}
}
