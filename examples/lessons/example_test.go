package lessons_test

import (
	"fmt"

	"github.com/isoscale/isoscale/examples/lessons"
)

func Example() {
	text, err := lessons.Files.ReadFile("lab.yaml")
	fmt.Println(len(text) > 0, err)
	// Output: true <nil>
}
