package catalogue

import (
	"testing"
)

// Every name in the catalogue is of one thing only, and describe knows it.
func TestEveryNameIsDescribed(t *testing.T) {
	sections, err := List()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, s := range sections {
		if len(s.Entries) == 0 {
			t.Errorf("no %s", s.Kind)
		}
		for _, e := range s.Entries {
			if other, again := kinds[e.Name]; again {
				t.Errorf("%s is in %s and in %s", e.Name, other, s.Kind)
			}
			kinds[e.Name] = s.Kind
			d, err := Describe(e.Name, DescribeOptions{})
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			if d.Kind+"s" != s.Kind || d.Name != e.Name || (len(d.Facts)+len(d.Tables) == 0 && e.Name != "ideal") { // which has no parameters
				t.Errorf("%s of %s: %+v", e.Name, s.Kind, d)
			}
		}
	}
}
