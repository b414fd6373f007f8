package paper

import (
	"context"
	"slices"
	"sync"
	"testing"
)

// computed are all papers, each computed once for all tests, which must not change
// it.
var computed = sync.OnceValue(func() []Source {
	sources := Sources()
	for i := range sources {
		once := sync.OnceValues(func() (*Paper, error) { return Sources()[i].Make(context.Background()) })
		sources[i].Make = func(context.Context) (*Paper, error) { return once() }
	}
	return sources
})

// takesSeconds reports whether the simulations of a paper take seconds. Tests with
// -short leave it out.
func takesSeconds(s Source) bool { return s.Name == "sun2005" || s.Name == "jpdc2008" }

// papers returns all papers to be computed, with -short those that take no seconds.
func papers() []Source {
	if testing.Short() {
		return slices.DeleteFunc(slices.Clone(computed()), takesSeconds)
	}
	return computed()
}

// makePaper returns a paper, whose tables are checked.
func makePaper(t *testing.T, name string) *Paper {
	t.Helper()
	i := slices.IndexFunc(computed(), func(s Source) bool { return s.Name == name })
	s := computed()[i]
	if testing.Short() && takesSeconds(s) {
		t.Skip("takes seconds")
	}
	p, err := s.Make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tables {
		if err := p.Tables[i].check(); err != nil {
			t.Error(err)
		}
	}
	return p
}
