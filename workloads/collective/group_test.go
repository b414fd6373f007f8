package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestIn(t *testing.T) {
	world := collective.In(collective.World(5), 3, 2)
	expect.That(t, world == (collective.Call{Size: 5, Root: 2}),
		"call in the world is %+v; expected one without a group", world)
	column := collective.Strided{First: 1, Stride: 4, N: 3}
	expect.Equal(t, collective.In(column, 3, 2), (collective.Call{Size: 3, Root: 2, Group: column, Number: 3}), "call in a column")
}

func TestValidateCall(t *testing.T) {
	pair := collective.List{4, 2}
	for _, tt := range []struct {
		name string
		call collective.Call
		want string
	}{
		{"all", collective.Call{Size: 3, Root: 2}, ""},
		{"group", collective.In(pair, 1, 1), ""},
		{"nobody", collective.Call{}, "call: 0 ranks; expected at least 1"},
		{"root too large", collective.Call{Size: 3, Root: 3}, "call: root is 3; expected one of 3 ranks"},
		{"root negative", collective.Call{Size: 3, Root: -1}, "call: root is -1; expected one of 3 ranks"},
		{"root outside the group", collective.In(pair, 1, 4), "call: root is 4; expected one of 2 ranks"},
		{"group without number", collective.In(pair, 0, 0), "call: number of the group is 0; expected at least 1"},
		{"number without group", collective.Call{Size: 3, Number: 2}, "call: number 2 without a group; expected 0"},
		{"sizes differ", collective.Call{Size: 3, Group: pair, Number: 1}, "call: 3 ranks in a group of 2"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect.Outcome(t, tt.call.Validate(), tt.want) })
	}
}
