package formula_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// An expression gives what Number gives, from any number of goroutines.
func TestExpression(t *testing.T) {
	e, err := formula.NewExpression("50*n1 + n2^2", []string{"n1", "n2"})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for range 100 {
				x := float64(n)
				got, err := e.Value(map[string]float64{"n1": x, "n2": 3})
				if err != nil || got != 50*x+9 {
					t.Errorf("%v, %v; want %v", got, err, 50*x+9)
				}
			}
		})
	}
	all.Wait()
	if _, err := formula.NewExpression("n3", []string{"n1"}); err == nil || !strings.Contains(err.Error(), "not a formula of n1") {
		t.Errorf("error %v", err)
	}
	e, err = formula.NewExpression("1/n1", []string{"n1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Value(map[string]float64{"n1": 0}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("error %v", err)
	}
}
