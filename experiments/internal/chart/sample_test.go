package chart

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A Sample is a chart and, of some, what the page tells at a place.
type Sample struct {
	Chart Chart
	At    []float64 // in the coordinates of the first series, or in space
	Tip   string
}

// Samples are those of all kinds, which the tests of all kinds are about. The test of a kind has its own, as a
// method, with values that decimals cannot say exactly.
func Samples() (all []Sample) {
	for _, k := range kinds {
		all = append(all, k.samples()...)
	}
	return all
}

func (k kind) samples() []Sample { return k.empty().(interface{ samples() []Sample }).samples() }

// samples are the charts of [Samples] with names.
func samples() []Named {
	var s Section
	for _, sample := range Samples() {
		s.Blocks = append(s.Blocks, sample.Chart)
	}
	return Of(&Document{Sections: []Section{s}})
}

var seconds = Axis{Title: "time", Unit: "s", Log: true}

// problemsOf is what is wrong with a chart.
func problemsOf(c Chart) string {
	var found []error
	c.check(place{found: &found})
	return fmt.Sprint(found)
}

// walk visits a value and all that it holds.
func walk(v reflect.Value, visit func(reflect.Value)) {
	visit(v)
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			walk(field, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}

// Leaves are what a value holds of a kind, such as all texts in it.
func Leaves(in any, of reflect.Kind) (all []reflect.Value) {
	walk(reflect.ValueOf(in), func(v reflect.Value) {
		if v.Kind() == of {
			all = append(all, v)
		}
	})
	return all
}

// Together, the samples of a kind have a value in each of its fields, and what is told of one that the page
// draws is not read as markup.
func TestSamplesAreComplete(t *testing.T) {
	for _, k := range kinds {
		has, told := make(map[string]bool), false
		for _, s := range k.samples() {
			expect.Equal(t, kindOf(s.Chart), k.name, "kind of a sample")
			expect.Success(t, flawed(s.Chart).Check())
			walk(reflect.ValueOf(s.Chart), func(v reflect.Value) {
				if v.Kind() != reflect.Struct || slices.Contains([]string{"Axis", "Table", "Column"}, v.Type().Name()) {
					return // the tests of which are others
				}
				for field, value := range v.Fields() {
					name := v.Type().Name() + "." + field.Name
					has[name] = has[name] || !value.IsZero()
				}
			})
			told = told || strings.Contains(s.Tip, "<") || len(formOf(s.Chart).Option.Series) == 0
		}
		for field, full := range has {
			expect.That(t, full, "no sample of %s has a value in %s", k.name, field)
		}
		expect.That(t, told, "no sample of %s has a tip with markup in it, which is shown as it is", k.name)
	}
}

// A number that is none, or infinite, is refused, or means that there is no value: then each form does without.
func TestNumbersOfChartsAreFinite(t *testing.T) {
	for k, s := range Samples() {
		for i := range Leaves(s.Chart, reflect.Float64) {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				c := Samples()[k].Chart
				Leaves(c, reflect.Float64)[i].SetFloat(v)
				if err := flawed(c).Check(); err != nil {
					expect.Failure(t, err, fmt.Sprintf(" is %v; expected a finite number", v))
					continue
				}
				var forms bytes.Buffer
				interactive, err := InteractiveOf(c)
				forms.Write(interactive)
				for _, format := range Formats() {
					if format != "pdf" { // which is as svg, in binary
						err = errors.Join(err, Write(&forms, c, format, PaperColumn()))
					}
				}
				expect.That(t, err == nil && !regexp.MustCompile("NaN|Inf").Match(forms.Bytes()),
					"%s %q: number %d may be %v, which is written: %v", kindOf(c), Title(c), i, v, err)
			}
		}
	}
}
