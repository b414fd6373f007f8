package html

import (
	"bytes"

	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// tab is a tab with a report.
type tab struct{ *browsertest.Tab }

func run[T any](tab *tab, action chromedp.Action[T]) T {
	tab.T.Helper()
	return browsertest.Run(tab.Tab, action)
}

func eval[T any](tab *tab, expression string) T {
	tab.T.Helper()
	return browsertest.Eval[T](tab.Tab, expression)
}

func await[T any](tab *tab, expression string, accept func(T) bool) T {
	tab.T.Helper()
	return browsertest.Await(tab.Tab, expression, accept)
}

// open shows a document with its charts drawn. It returns the address.
func (tab *tab) open(d *chart.Document) string {
	tab.T.Helper()
	address := tab.navigate(d)
	tab.StartCharts()
	return address
}

// navigate writes a document to a file and loads it.
func (tab *tab) navigate(d *chart.Document) string {
	tab.T.Helper()
	var page bytes.Buffer
	if err := Write(&page, d, true); err != nil {
		tab.T.Fatal(err)
	}
	return tab.OpenPage(page.Bytes())
}
