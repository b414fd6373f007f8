package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/topology"
)

// Counts are bounded by the number of ranks before anything is stored for them, and
// counted in full.
func TestHostfileCountsAreBounded(t *testing.T) {
	p := &topology.Platform{Hosts: []topology.Host{{Name: "a"}, {Name: "b"}}}
	of, named, err := placeByHostfile("hosts", []byte("a:2\nb:1000000\n"), p, 4)
	if err != nil || named != 1_000_002 {
		t.Fatalf("%d places, %v; want 2 + 1000000", named, err)
	}
	for r, want := range []int32{0, 0, 1, 1} {
		if of[r] != want {
			t.Errorf("rank %d on host %d, want %d", r, of[r], want)
		}
	}
	tooMany := fmt.Sprintf("a:%d\nb\n", topology.MaxRanks) // 4 GB, if a place were stored for each
	if _, _, err := placeByHostfile("hosts", []byte(tooMany), p, 4); err == nil || !strings.Contains(err.Error(), "hosts:2: more than") {
		t.Errorf("too many ranks: %v", err)
	}
}
