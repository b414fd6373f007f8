package measurements

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

func TestProblemsHaveTheirPlace(t *testing.T) {
	long := strings.Repeat("x", maxNameLength+1)
	for _, tt := range []struct{ file, want string }{
		{"", "t.csv:1:1: the file has no header; expected a line"},
		{"# only\n", "t.csv:1:1: the file has no header"},
		{"processes,time [s]\n", "t.csv:1:1: no row follows the header; expected one row"},
		{"processes;time [s]\n1;2\n", "t.csv:1:1: no column processes among \"processes;time [s]\"; expected columns processes and time [s] at least, separated by commas, not by semicolons or tabs"},
		{"time [s]\n1\n", "t.csv:1:1: no column processes"},
		{"cores,time [s]\n1,2\n", `t.csv:1:1: no column processes among "cores", "time [s]"; expected`},
		{"a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n", `t.csv:1:1: no column processes among "a", "b", "c", "d", "e", "f", "g", "h", ...; expected`},
		{"processes,time [s],time [s]\n", "t.csv:1:20: second column time; expected every column once"},
		{"processes,time [sec]\n1,1\n", `t.csv:1:11: unit of column time: unit "sec" is not accepted, perhaps "s" is meant; expected one such as time [s]`},
		{"processes,time [s\n1,1\n", `t.csv:1:11: column "time [s" is not a name with a unit in brackets`},
		{"processes,time [s],cost [Euro]\n1,1,1\n", `t.csv:1:20: unit "Euro" of column cost is not a currency`},
		{"processes,time [s],cost\n1,1,1\n", `t.csv:1:20: unit "" of column cost`},
		{"processes,time [s],marked_speed [flop/s],marked_speed_per_process [flop/s]\n1,1,1,1\n", "t.csv:1:1: both marked_speed and marked_speed_per_process; expected one of them"},
		{"processes,time [s]\n1,2,3\n", "t.csv:2:5: 3 fields; expected 2, one for each column"},
		{"processes,time [s]\n1\n", "t.csv:2:1: 1 fields; expected 2"},
		{"processes,time [s]\n1,fast\n", `t.csv:2:3: time: "fast": it does not begin with a decimal number; expected a number`},
		{"processes,time\n1,5\n", `t.csv:2:3: time: "5": the unit is missing; expected a number with a unit, or the unit in the header as in time [s]`},
		{"processes,time [hh:mm:ss]\n1,5\n", `t.csv:2:3: time: "5" is not a time of the clock; expected one such as 01:02:03`},
		{"processes,time [s]\n1,0\n", `t.csv:2:3: time: "0" is not above 0`},
		{"processes,time [s]\n1,-2\n", `t.csv:2:3: time: "-2" is not above 0`},
		{"processes,time [s]\n1,1e99\n", `t.csv:2:3: time: "1e99" is out of range`},
		{"processes,time [s]\n1,NaN\n", `t.csv:2:3: time: "NaN": it does not begin`},
		{"processes,time [s]\n1,\n", "t.csv:2:3: time is empty; expected a measured time"},
		{"processes,time [s]\n,1\n", "t.csv:2:1: processes is empty"},
		{"processes,time [s]\n1.5,1\n", `t.csv:2:1: processes: "1.5"; expected a whole number from 1`},
		{"processes,time [s],n\n1,1,\n", "t.csv:2:5: n is empty; expected a problem size in every row"},
		{"processes,time [s],n\n1,1,inf\n", `t.csv:2:5: n: "inf" is not a number`},
		{"processes,time [s],sequential\n1,1,maybe\n", `t.csv:2:5: sequential: "maybe"; expected yes or no`},
		{"processes,time [s],sequential\n2,1,yes\n", "t.csv:2:1: a sequential program on 2 processes"},
		{"processes,time [s],work [flop]\n1,1,5\n1,1,6\n", ""},
		{"processes,time [s],n,work [flop]\n1,1,3,5\n\n# remark\n1,1,3,6\n", "t.csv:5:7: work differs from that in line 2 for the same point"},
		{"processes,time [s],marked_speed [flop/s],n\n2,1,5,1\n2,1,6,2\n", "t.csv:3:5: marked_speed differs from that in line 2 for the same system"},
		{"processes,time [s],repetition\n1,1,a\n1,2,a\n", `t.csv:3:5: repetition "a" of this point is also in line 2`},
		{"processes,time [s],system\n1,1," + long + "\n", "t.csv:2:5: system \"xxx"},
		{"processes,time [s],system\n1,1,\"a\nb\"\n", `t.csv:2:5: system "a\nb" is too long or has characters`},
		{"processes,time [s]\n1,\"2\n", "t.csv:"},
		{"processes,time [s]\n1,\xff\n", "t.csv:2:3: byte 0xff is not valid UTF-8 text"},
		{"processes,time [s]\n1,\x00\n", "t.csv:2:3: byte 0x00 is not valid UTF-8 text"},
	} {
		m, err := Parse("t.csv", []byte(tt.file))
		if err == nil {
			_, err = m.Runs()
		}
		if tt.want == "" {
			expect.That(t, err == nil, "%q: %v", tt.file, err)
			continue
		}
		expect.Need(t, err != nil, "%q: no error, want %s", tt.file, tt.want)
		expect.That(t, input.IsError(err) && input.HasPosition(err),
			"%q: not an error with a place in the input: %v", tt.file, err)
		got := err.Error()
		expect.That(t, strings.HasPrefix(got, tt.want) && strings.Contains(got, "expected") &&
			!strings.Contains(got, "\n"),
			"%q: got\n%s\nwant\n%s", tt.file, got, tt.want)
	}
	// Many problems are reported up to a limit.
	_, err := Parse("t.csv", []byte("processes,time [s]\n"+strings.Repeat("x,1\n", 50)))
	expect.Equal(t, strings.Count(fmt.Sprint(err), "\n"), maxProblems, "lines of problems: %v", err)
	_, err = Read(filepath.Join(t.TempDir(), "none.csv"))
	expect.That(t, err != nil && input.IsError(err), "a missing file: %v", err)
}

// sacct prints [D-]HH:MM:SS.
func TestTimesOfTheClock(t *testing.T) {
	for text, want := range map[string]float64{
		"00:01:05": 65, "2-01:00:00": 2*86400 + 3600, "12:30": 750, "01:02.5": 62.5, "100:00:00": 360000,
		"5": -1, "": -1, "1-05:00": -1, "1:2:3:4": -1, "-1:00": -1, "01:00:": -1, "aa:bb": -1,
	} {
		got, err := parseClock(text)
		expect.That(t, (want >= 0 || err != nil) && (want < 0 || err == nil && got == want),
			"%q: got %g, %v, want %g", text, got, err, want)
	}
}

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

// pointsOf reads a table of a study, and says something of each of its points.
func pointsOf(t *testing.T, table string, says func(Runs) string) (*Table, []string) {
	t.Helper()
	m := expect.Value(Parse("results.csv", []byte(table)))(t)
	return m, each.Of(expect.Value(m.Runs())(t), says)
}

func TestTableOfAStudy(t *testing.T) {
	m, got := pointsOf(t, studyTable, func(r Runs) string {
		return fmt.Sprintf("%s on %d with n %g, %d runs", r.System, r.Processes, r.Size, len(r.Rows))
	})
	expect.Same(t, m.Notes, []string{"2 of 8 points are left out: their status is not ok"}, "notes")
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
	_, got := pointsOf(t, table, func(r Runs) string { return fmt.Sprintf("%s on %d, %d runs", r.System, r.Processes, len(r.Rows)) })
	expect.Same(t, got, []string{"r1 1 on 1, 1 runs", "r1 1 on 2, 1 runs", "r1 1 on 4, 1 runs", "r1 2 on 2, 1 runs", "r1 2 on 4, 1 runs",
		"r1 2 on 8, 1 runs"}, "points")
	// Where no number of processes repeats, the system grows along both factors.
	both := strings.NewReplacer("3,2,1,1,ok,2", "3,2,1,1,ok,3", "4,2,2,1,ok,4", "4,2,2,1,ok,6").Replace(table)
	_, systems := pointsOf(t, both, func(r Runs) string { return r.System })
	expect.Equal(t, strings.Join(systems, ""), "", "systems")
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
	_, got := pointsOf(t, table, func(r Runs) string {
		return fmt.Sprintf("%s, n %g, %d runs of %g", r.System, r.Size, len(r.Rows), r.Rows[0].Quantity[ColWork])
	})
	expect.Same(t, got, []string{"latency [us] 10, n 100, 2 runs of 105", "latency [us] 10, n 200, 2 runs of 840",
		"latency [us] 20, n 100, 2 runs of 105"}, "points")
}
