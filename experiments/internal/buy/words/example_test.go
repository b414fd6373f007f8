package words_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
)

// What a plan recommends, in words, and what is nearly as good.
func Example() {
	p, err := model.Read("../buytest/small.yaml", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := search.Solve(context.Background(), p, search.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(words.Of(r).Summary()[0])
	fmt.Println("cheaper and slower:", strings.Join(r.Fronts[0].Members[1:4], "; "))
	// Output:
	// Buy 4 fat, connected by fast. This costs 19 200 EUR of the budget of 20 000 EUR, draws 1.68 kW under load and occupies 5 rack units.
	// cheaper and slower: 8 thin, fast; 3 fat, fast; 7 thin, fast
}
