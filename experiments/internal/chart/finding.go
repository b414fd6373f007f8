package chart

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// mostFound is how many series a description names.
const mostFound = 4

// Finding says in words what a chart shows, for readers who do not see it: of each
// series where it starts and ends, of bars and maps the extremes.
func Finding(b report.Block) string {
	found := dataOf(b).finding()
	if n := len(found); n > mostFound {
		found = append(found[:mostFound], fmt.Sprintf("and %d more", n-mostFound))
	}
	_, caption := Words(b)
	text := strings.Join(found, "; ") + "."
	if caption != "" {
		text += " " + caption
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
