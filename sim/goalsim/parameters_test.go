package goalsim_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
)

func TestParseParameters(t *testing.T) {
	defaults := goalsim.Parameters{
		Latency: 2500, Overhead: 1500, Gap: 1000, GapPerByte: 6, OverheadPerByte: 0, EagerLimit: 65535,
	}
	expect.Equal(t, goalsim.DefaultParameters(), defaults, "defaults")
	all := goalsim.Parameters{Latency: 1, Overhead: 2, Gap: 3, GapPerByte: 4, OverheadPerByte: 5, EagerLimit: 6}
	some := defaults
	some.GapPerByte, some.EagerLimit = 0, 0
	for _, tt := range []struct {
		text string
		want goalsim.Parameters
	}{
		{"", defaults},
		{"L=1,o=2,g=3,G=4,O=5,S=6", all},
		{"S=6, O = 5 ,G=4,g=3,o=2,L=1", all},
		{"G=0,S=0", some},
		{all.String(), all},
		{defaults.String(), defaults},
	} {
		got, err := goalsim.ParseParameters(tt.text)
		expect.That(t, err == nil && got == tt.want, "%q: got %+v, %v; want %+v", tt.text, got, err, tt.want)
	}
	expect.Equal(t, all.String(), "L=1,o=2,g=3,G=4,O=5,S=6", "String")
}

func TestParseParametersErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"L", `LogGOPS parameters: "L"; expected SYMBOL=NUMBER, as L=2500`},
		{"L=1,", `LogGOPS parameters: ""; expected SYMBOL=NUMBER, as L=2500`},
		{"l=1", `LogGOPS parameters: there is no "l"; expected L, o, g, G, O or S`},
		{"L=2.5", `LogGOPS parameter L: "2.5"; expected a whole number of ns`},
		{"S=64k", `LogGOPS parameter S: "64k"; expected a whole number of bytes`},
		{"o=1,o=2", `LogGOPS parameter o is given twice; expected once`},
		{"G=-1", `LogGOPS parameter G is -1; expected 0 to 2147483647 ns`},
		{"O=2147483648", `LogGOPS parameter O is 2147483648; expected 0 to 2147483647 ns`},
	} {
		got, err := goalsim.ParseParameters(tt.text)
		expect.That(t, err != nil && err.Error() == tt.want && got == (goalsim.Parameters{}),
			"%q: got %+v, %v; want %s", tt.text, got, err, tt.want)
	}
}
