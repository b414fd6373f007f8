package each_test

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

func Example() {
	names := []string{"gauss", "lcs", "floyd"}
	length := func(s string) int { return len(s) }
	fmt.Println(each.Of(names, strings.ToUpper), each.Append([]int{1}, names, length))
	fmt.Println(each.Where(nil, names, func(s string) bool { return strings.Contains(s, "l") }))
	fmt.Println(each.Sum(names, length), each.Total([]float64{0.5, 2}), each.Max(4, names, length), each.Max(6, names, length))
	fmt.Println(each.Of(names[:0], length) == nil, each.Append(nil, names[:0], length) == nil)
	fmt.Println(each.Ascending(3), each.Ascending(0))
	// Output:
	// [GAUSS LCS FLOYD] [1 5 3 5]
	// [lcs floyd]
	// 13 2.5 5 6
	// false true
	// [0 1 2] []
}
