package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
)

// The halo of marks is as strong as the contrast of marks was computed for.
func TestHaloIsThatOfThePalette(t *testing.T) {
	if want := fmt.Sprintf("opacity: halo ? %g : 1", palette.HaloOpacity); !strings.Contains(scriptText(), want) {
		t.Errorf("the script has no %q", want)
	}
}
