package sweep

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestCompareIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"{factor: network}":                                   "unknown factor with several levels",
		"{factor: n, levels: [1, 5]}":                         "unknown level of n",
		"{factor: n, levels: [1]}":                            "1 levels; expected two levels of the factor",
		"{factor: n, levels: [2, 2]}":                         "2 is compared with itself",
		"{factor: n, by: quotient}":                           "unknown way to compare",
		"{levels: [1, 2]}":                                    `missing key "factor"`,
		"{factor: method, levels: [formula, dispatch], x: 1}": `unknown key "x"`,
	} {
		_, err := Read(sweeptest.File(t, sweeptest.Methods+"compare: "+text+"\n"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
