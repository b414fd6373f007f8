package measurements

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A table of a study with two topologies, nodes 1 and 2, two sizes and two repetitions; one point failed.
const studyTable = `point,nodes.n,machine.network.topology,size [kB],workload.n,repetition,seed,status,processes,time [s],work [flop],error
0,1,star,1,100,0,1,ok,1,2,100,
1,1,star,1,100,1,2,ok,1,2.2,100,
2,1,star,1,200,0,1,ok,1,4,800,
3,1,torus,1,100,0,1,ok,1,2,100,
4,2,star,1,100,0,1,ok,2,1.1,100,
5,2,torus,1,100,0,1,error,,,,no
6,2,torus,1,200,0,1,infeasible,,,,no
7,2,torus,1,100,1,2,ok,2,1.3,100,
`

func TestTableOfAStudy(t *testing.T) {
	m := expect.Value(Parse("results.csv", []byte(studyTable)))(t)
	expect.Same(t, m.Notes, []string{"2 of 8 points are left out: their status is not ok"}, "notes")
	var got []string
	for _, r := range expect.Value(m.Runs())(t) {
		got = append(got, fmt.Sprintf("%s on %d with n %g, %d runs", r.System, r.Processes, r.Size, len(r.Rows)))
	}
	// size is a number that changes neither processes nor work: a part of the system.
	expect.Same(t, got, []string{"star, size [kB] 1 on 1 with n 100, 2 runs", "star, size [kB] 1 on 1 with n 200, 1 runs",
		"star, size [kB] 1 on 2 with n 100, 1 runs", "torus, size [kB] 1 on 1 with n 100, 1 runs", "torus, size [kB] 1 on 2 with n 100, 1 runs"}, "points")
	_, err := Parse("other.csv", []byte(strings.Replace(studyTable, "point,", "number,", 1)))
	expect.That(t, err != nil, "the table of no study has rows without a time")
}

// Two nodes behind one switch are another machine than one behind each of two: these are not runs of one point. All
// levels of the factor with the most levels are one system; the other factors tell systems apart.
func TestMachinesOfAsManyProcessesAreSystems(t *testing.T) {
	const table = `point,r1,r2,seed,status,processes,time [s],error
0,1,1,1,ok,1,8,
1,1,2,1,ok,2,5,
2,1,4,1,ok,4,3,
3,2,1,1,ok,2,6,
4,2,2,1,ok,4,4,
5,2,4,1,ok,8,2,
`
	m := expect.Value(Parse("results.csv", []byte(table)))(t)
	var got []string
	for _, r := range expect.Value(m.Runs())(t) {
		got = append(got, fmt.Sprintf("%s on %d, %d runs", r.System, r.Processes, len(r.Rows)))
	}
	expect.Same(t, got, []string{"r1 1 on 1, 1 runs", "r1 1 on 2, 1 runs", "r1 1 on 4, 1 runs", "r1 2 on 2, 1 runs", "r1 2 on 4, 1 runs",
		"r1 2 on 8, 1 runs"}, "points")
	// Where no number of processes repeats, the system grows along both factors.
	m = expect.Value(Parse("results.csv", []byte(strings.NewReplacer("3,2,1,1,ok,2", "3,2,1,1,ok,3", "4,2,2,1,ok,4", "4,2,2,1,ok,6").Replace(table))))(t)
	expect.Equal(t, expect.Value(m.Runs())(t)[0].System, "", "system")
}

// The work of repetitions that draw it is its mean; a latency, with which all draw the same, is no problem size.
func TestWorkThatWasDrawn(t *testing.T) {
	const table = `point,latency [us],n,repetition,seed,status,processes,time [s],work [flop],error
0,10,100,1,1,ok,2,2,100,
1,10,100,2,2,ok,2,2.2,110,
2,20,100,1,1,ok,2,3,100,
3,20,100,2,2,ok,2,3.2,110,
4,10,200,1,1,ok,2,8,800,
5,10,200,2,2,ok,2,9,880,
`
	m := expect.Value(Parse("results.csv", []byte(table)))(t)
	var got []string
	for _, r := range expect.Value(m.Runs())(t) {
		got = append(got, fmt.Sprintf("%s, n %g, %d runs of %g", r.System, r.Size, len(r.Rows), r.Rows[0].Quantity[ColWork]))
	}
	expect.Same(t, got, []string{"latency [us] 10, n 100, 2 runs of 105", "latency [us] 10, n 200, 2 runs of 840",
		"latency [us] 20, n 100, 2 runs of 105"}, "points")
}
