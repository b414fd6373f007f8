package iso

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// Check returns the error that [Run] ends with before time passes on some system: it
// begins with the smallest problem size.
func Check(s *scenario.Study) error {
	for i, x := range s.Systems {
		sys, err := system.New(s.Scenario(i))
		if err != nil {
			return err
		}
		if err := sys.Check(s.Sizes.From); err != nil {
			return fmt.Errorf("system %s, n = %d: %w", x.Name, s.Sizes.From, err)
		}
	}
	return nil
}
