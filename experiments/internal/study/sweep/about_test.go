package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// Without about.json, or with an empty one, a study can be carried out.
func TestAboutDecidesNothing(t *testing.T) {
	s := create(t, sweeptest.Jin, 0)
	for _, spoil := range []func(string) error{
		os.Remove,
		func(name string) error { return os.WriteFile(name, nil, 0o666) },
		func(name string) error { return os.WriteFile(name, []byte("{}"), 0o666) },
	} {
		if err := spoil(filepath.Join(s.Dir.Path(), aboutName)); err != nil {
			t.Fatal(err)
		}
		again, err := Open(s.Dir.Path())
		if err != nil {
			t.Fatal(err)
		}
		if again.About.Objective.Response != "log2_speedup" {
			t.Errorf("objective %+v", again.About.Objective)
		}
	}
	info, err := os.Stat(filepath.Join(create(t, sweeptest.Jin, 0).Dir.Path(), aboutName))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o444 != 0o444 {
		t.Errorf("mode %v: others cannot read it", info.Mode())
	}
}
