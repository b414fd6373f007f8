package measurements

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
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
		if err == nil {
			t.Errorf("%q: no error, want %s", tt.file, tt.want)
			continue
		}
		expect.That(t, input.IsError(err) && input.HasPosition(err),
			"%q: not an error with a place in the input: %v", tt.file, err)
		got := err.Error()
		expect.That(t, strings.HasPrefix(got, tt.want) && strings.Contains(got, "expected") &&
			!strings.Contains(got, "\n"),
			"%q: got\n%s\nwant\n%s", tt.file, got, tt.want)
	}
	// Many problems are reported up to a limit.
	_, err := Parse("t.csv", []byte("processes,time [s]\n"+strings.Repeat("x,1\n", 50)))
	n := strings.Count(fmt.Sprint(err), "\n")
	expect.That(t, n == maxProblems, "%d lines of problems: %v", n+1, err)
	if _, err := Read(filepath.Join(t.TempDir(), "none.csv")); err == nil || !input.IsError(err) {
		t.Errorf("a missing file: %v", err)
	}
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
