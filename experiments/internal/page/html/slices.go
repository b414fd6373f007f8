package html

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// A slicesView is a set of maps, of which the page shows one. Its sliders have the
// levels of the variables; the script of the page shows the map at their levels.
type slicesView struct {
	ID, Title, Caption string
	Sliders            []sliderView
	Charts             []sliceView
}

type sliderView struct {
	ID, Name string
	Levels   []string
	Names    string // the levels, as JSON
	At, Last int
	Stride   int // maps between two levels that are next to each other
}

// At the level of a slider.
func (s sliderView) Level() string { return s.Levels[s.At] }

type sliceView struct {
	Index  int
	Hidden bool
	Chart  *chartView // nil: there is no map
}

// still leaves only the map that is shown at first, without what is said of all: without
// scripts there is no way to the others.
func (v *slicesView) still() {
	v.Sliders, v.Caption = nil, ""
	v.Charts = slices.DeleteFunc(v.Charts, func(one sliceView) bool { return one.Hidden })
}

func viewSlices(id string, c *chart.Slices) (blockView, error) {
	v := &slicesView{ID: id, Title: chart.Clean(c.Title), Caption: chart.Clean(c.Caption)}
	stride, start := len(c.Surfaces), 0
	for i, x := range c.Variables {
		stride /= len(x.Levels)
		start += stride * c.Start[i]
		levels := chart.CleanAll(x.Levels)
		names, err := json.Marshal(levels)
		if err != nil {
			return blockView{}, fmt.Errorf("slices %q: %w", c.Title, err)
		}
		v.Sliders = append(v.Sliders, sliderView{
			ID: fmt.Sprintf("%s-slider-%d", id, i+1), Name: chart.Clean(x.Name), Levels: levels, Names: string(names),
			At: c.Start[i], Last: len(x.Levels) - 1, Stride: stride,
		})
	}
	for i, s := range c.Surfaces {
		one := sliceView{Index: i, Hidden: i != start}
		if s != nil {
			var err error
			if one.Chart, err = viewChart(fmt.Sprintf("%s-%d", id, i+1), s); err != nil {
				return blockView{}, err
			}
		}
		v.Charts = append(v.Charts, one)
	}
	return blockView{Slices: v}, nil
}
