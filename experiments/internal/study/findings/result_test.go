package findings

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestIncomplete(t *testing.T) {
	s := created(t, sweeptest.Jin, 4)
	if err := s.Shard(context.Background(), 1, 1, nil); err != nil {
		t.Fatal(err)
	}
	_, err := Of(s, nil, 0)
	incomplete, ok := err.(*store.IncompleteError)
	if !ok || !strings.Contains(incomplete.Error(), "0,2-3") {
		t.Errorf("error %v, want the shards 0,2-3", err)
	}
}

// finished carries out a plan and analyses it.
func finished(t *testing.T, plan string) *Result {
	t.Helper()
	r, err := Of(done(t, plan), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// done carries out a plan.
func done(t *testing.T, plan string) *sweep.Study {
	t.Helper()
	s := created(t, plan, 0)
	if err := s.Run(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// created makes a directory of a plan.
func created(t *testing.T, plan string, shards int) *sweep.Study {
	t.Helper()
	p, err := sweep.Read(sweeptest.File(t, plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Create(filepath.Join(t.TempDir(), "out"), shards)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
