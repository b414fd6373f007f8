package html_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

func timeChart(times []float64) *report.Document {
	return &report.Document{
		Title: "Matrix multiplication on C4",
		Lead:  []string{"Doubling the size takes eight times as long."},
		Sections: []report.Section{{
			Heading: "Time",
			Blocks: []report.Block{&report.LineChart{
				Title:  "Time over size",
				X:      report.Axis{Title: "Matrix size N", Unit: report.Dimensionless},
				Y:      report.Axis{Title: "Time", Unit: "s"},
				Series: []report.Series{{Name: "C4", X: []float64{100, 200, 400}, Y: times}},
			}},
		}},
	}
}

func Example() {
	var page bytes.Buffer // in a program: a file
	if err := html.Write(&page, timeChart([]float64{0.5, 4, 32})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(page.String(), "<h1>Doubling the size takes eight times as long</h1>"))
	fmt.Println(strings.Contains(page.String(), `<th scope="col" class="num">Time (s)</th>`) ||
		strings.Contains(page.String(), "<caption>Time (s)</caption>"))
	page.Reset()
	err := html.WriteStatic(&page, timeChart([]float64{0.5, 4, 32}))
	fmt.Println(err, strings.Contains(page.String(), "<script"))
	// Output:
	// true
	// true
	// <nil> false
}

// A number that is not finite would make a chart empty without a word, so it
// is refused.
func ExampleWrite_notFinite() {
	var page bytes.Buffer
	err := html.Write(&page, timeChart([]float64{0.5, math.NaN(), 32}))
	fmt.Println(err)
	fmt.Println(page.Len(), "bytes written")
	// Output:
	// report: section "Time": chart "Time over size": series 1 "C4": y[1] is NaN; expected a finite number
	// 0 bytes written
}
