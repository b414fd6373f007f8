package catalogue

import (
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
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

// A metric is described under its name in the JSON of measured times, in either
// spelling, and with the same words.
func TestMetricsHaveOneDescription(t *testing.T) {
	for _, m := range measured.Metrics() {
		d, err := Describe(m.Name, DescribeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := Describe(strings.ReplaceAll(m.Name, "_", "-"), DescribeOptions{})
		if err != nil || !reflect.DeepEqual(d, other) {
			t.Errorf("%s with hyphens: %+v, %v", m.Name, other, err)
		}
		said := false
		for _, f := range d.Facts {
			said = said || f.Name == "misleads when" && f.Value == m.Misleads
		}
		if !said {
			t.Errorf("%s does not say when it misleads: %+v", m.Name, d.Facts)
		}
	}
}
